"""Hands on a board that is not there, so that the first real ones need not wait.

What a process does for the first time takes it two to three times as long as later: the
interpreter specialises what it runs, and nothing of it is in the caches of the processor yet. So
some pieces are carried about on a copy of the board beforehand, while nobody waits; what comes of
that is thrown away.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Protocol

from drivers.port import CellEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading
    from rules.interface import Position, Side, Tier

ROUNDS = 8
"""So many pieces are carried about: the interpreter specialises what has run eight times."""
ROUNDS_OF_LONG_TURNS = 3
"""The same where a turn may move several pieces, and every event takes longer."""
PACE = 0.05
"""Seconds from one event to the next: hands so quick outrun every patience."""


class Rehearsing(Protocol):
    """What is rehearsed on: a reconciler, as far as hands and buttons reach."""

    @property
    def position(self) -> Position:
        """The position that the board is judged against."""

    @property
    def standing(self) -> Mapping[str, Reading]:
        """What every cell reads now."""

    def feel(self, event: CellEvent) -> object:
        """Take in what the board felt."""

    def press(self, t: float, side: Side) -> object:
        """Take in a clock button."""


_rehearsed: set[tuple[str, Tier]] = set()


def is_due(game_id: str, tier: Tier) -> bool:
    """Return whether this game has not been rehearsed on this tier in this process; now it has."""
    due = (game_id, tier) not in _rehearsed
    _rehearsed.add((game_id, tier))
    return due


def rehearse(board: Rehearsing) -> None:
    """Carry pieces to where another one may go, to where they may, and back; press the clock.

    Args:
        board: a judge that nobody else uses, of a board that shows the position.
    """
    position, pieces = board.position, dict(board.standing)
    rounds = ROUNDS_OF_LONG_TURNS if position.game.traits.long_turns else ROUNDS
    deeds = (position.deed(turn) for turn in position.turns())
    moves = (deed.moves[0] for deed in deeds if deed.moves and not deed.taken)
    t = 0.0
    for (home, target), (_, elsewhere) in pairwise(islice(moves, rounds + 1)):
        at = home
        for square in (elsewhere, target, home):
            board.feel(CellEvent(t := t + PACE, at, None))
            board.feel(CellEvent(t := t + PACE, square, pieces.get(home)))
            at = square
    board.press(t, position.side)
