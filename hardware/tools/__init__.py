"""Makes parts lists, wiring, pictures and checks out of a board's description."""
