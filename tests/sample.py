"""The games that stand for all, where what is tried is the table's and not the game's.

A game whose turns are the moves of chess is to the table what Reversi Chess is without conversions,
or Indistinguishable Chess with colours. Its rules, its words and its page are tried for themselves.
"""

import rules
from rules.interface import Position
from rules.orthodox import MovesPosition

SAMPLE = tuple(
    name
    for name, game in rules.games().items()
    if not issubclass(getattr(game, "position_type", Position), MovesPosition)
)
