"""The rules of the games: pure, immutable, without input or output.

game = rules.load("realm", power=True)
position = game.start()
for turn in position.turns():
    print(turn, position.play(turn))
"""

from rules.interface import (
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
from rules.registry import all_reasons, games, load

__all__ = [
    "Deed",
    "Game",
    "IllegalTurn",
    "InvalidPosition",
    "Outcome",
    "Position",
    "Problem",
    "Shown",
    "Side",
    "Tier",
    "Traits",
    "Turn",
    "UnknownGame",
    "all_reasons",
    "games",
    "load",
]
