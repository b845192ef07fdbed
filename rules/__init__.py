"""The rules of the games: pure, immutable, without input or output.

game = rules.load("realm", power=True)
position = game.start()
for turn in position.turns():
    print(turn, position.play(turn))
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
