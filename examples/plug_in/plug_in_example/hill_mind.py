"""A mind for King of the Hill: it looks one turn ahead and walks its king to the centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.opponents import WON, Choice, Engine

if TYPE_CHECKING:
    from random import Random

    from firmware_bridge.opponents import Level, Worlds
    from rules import Position, Side

STEP = 50
"""What each step is worth by which a king is nearer to the hill, in hundredths of a pawn."""
WORTH = {"P": 100, "N": 300, "B": 300, "R": 500, "Q": 900}


class HillMind(Engine):
    """Takes what it sees, and the hill where it can."""

    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return a turn for the side to act; this game has no secrets, so there is one world."""
        (position,) = belief.worlds()
        best = Choice("", -WON)
        for nodes, turn in enumerate(sorted(position.turns(), key=str), 1):
            score = _worth(position.play(turn), position.side)
            seems = score if score == WON else score + round(rng.gauss(0, level.error))
            if not best.turn or seems > best.score:
                best = Choice(str(turn), seems, 1, nodes, (str(turn),))
            if nodes >= level.nodes or self.stopped():
                break
        return best


def _worth(position: Position, side: Side) -> int:
    """Return what a position is worth to a side."""
    if position.outcome is not None:
        return WON if position.outcome.winner == side else 0
    worth = 0
    for label in position.placement.values():
        own = 1 if label[0] == side[0] else -1
        worth += own * WORTH.get(label[1], 0)
    king = position.king(side) or "a1"
    away = max(abs(ord(king[0]) - ord("d") - 0.5), abs(int(king[1]) - 4.5))
    return worth - round(STEP * away)
