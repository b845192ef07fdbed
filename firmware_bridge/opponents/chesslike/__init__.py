"""A quick core for the games that move as in chess: bit masks, copied at every move.

What the moves are, `rules` alone decides; the tests hold the cores to it, turn for turn.
"""
