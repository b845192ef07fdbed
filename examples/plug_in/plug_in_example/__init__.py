"""A game, a board and an indicator for firmware-bridge."""
