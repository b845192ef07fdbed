"""Pieces that a turn shows to all from both sides."""

from __future__ import annotations

from firmware_bridge.referee.remarks import faces, open_to_all, owner
from firmware_bridge.views.types import Revealed
from rules.interface import Position, Turn


def shown_by(before: Position, turn: Turn) -> tuple[Revealed, ...]:
    """Return what a legal turn shows, by square as it is after the turn."""
    return tuple(
        Revealed(square, owner(label), "".join(faces(label)))
        for square, label in open_to_all(before, turn)
    )
