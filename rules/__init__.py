"""The rules of the games: pure, immutable, without input or output.

Example:
    >>> import rules
    >>> game = rules.load("realm", power=True)
    >>> position = game.start()
    >>> turn = position.understand("c4 d4 Nc3 Qd3 (C-cd34)")
    >>> print(turn)
    C-cd34:b1c3,c2c4,d1d3,d2d4
    >>> position = position.play(turn)
    >>> position.side, position.outcome, position.placement["d3"]
    ('black', None, 'wQ')
    >>> game.parse(str(position)) == position
    True
"""

from rules.belief import Belief, Contradiction, Knowledge, Seen
from rules.interface import (
    Decision,
    Deed,
    Game,
    IllegalTurn,
    InvalidPosition,
    Outcome,
    Position,
    Problem,
    Shown,
    Side,
    Tier,
    Traits,
    Turn,
    UnknownGame,
)
from rules.registry import games, load
from rules.values import UnusableGame

__all__ = [
    "Belief",
    "Contradiction",
    "Decision",
    "Deed",
    "Game",
    "IllegalTurn",
    "InvalidPosition",
    "Knowledge",
    "Outcome",
    "Position",
    "Problem",
    "Seen",
    "Shown",
    "Side",
    "Tier",
    "Traits",
    "Turn",
    "UnknownGame",
    "UnusableGame",
    "games",
    "load",
]
