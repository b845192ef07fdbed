"""Positions that a host takes for the true one, without knowing what the other's pieces hide.

Its own pieces are as they are. The other's are some that agree with all that everybody may know,
and what is told of them comes from their owner's host alone. So nothing that a host does follows
from what it does not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.interface import Label, Position, Side, Square, Turn
from rules.values import opponent


def made_in(
    position: Position, own: Side, text: str, opened: Mapping[Square, Label], told: str
) -> tuple[Position, Turn] | None:
    """Return a world and a turn in it that agree with what the other host has told of the turn.

    Args:
        position: where the game stands, as this host takes it.
        own: the side whose pieces this host knows.
        text: the turn; the public text if the other side makes it.
        opened: the other's pieces of which the turn shows both sides.
        told: what everybody may know of the other's pieces after it.

    Returns:
        `None` if there is no such world: it cannot be so.
    """
    other = opponent(own)
    for world in _worlds(position, own):
        for turn in world.shown_as(text):
            shows = opened_of(world, turn, other)
            if shows == opened and world.play(turn).told_of(other) == told:
                return world, turn
    return None


def opened_of(position: Position, turn: Turn, side: Side) -> dict[Square, Label]:
    """Return the pieces of one side of which a turn shows both sides."""
    shown = position.opened(turn).items()
    return {square: label for square, label in shown if label[0] == side[0]}


def _worlds(position: Position, own: Side) -> Iterator[Position]:
    yield position
    yield from position.game.agreeing(position.knowledge(own), spread=True)
