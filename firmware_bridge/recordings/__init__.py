"""A game as the board felt it: recorded, read, replayed, and given out."""
