"""A printed circuit for one rank of eight cells, drawn by code from a board's description."""
