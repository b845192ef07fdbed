"""What labels tell about pieces that change in the course of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.interface import Label

_KIND = "piece:"


def label_of_kind(reading: str) -> Label | None:
    """Return the label in a reading of a board that tells kinds of pieces and no single tags."""
    return reading[len(_KIND) :] if reading.startswith(_KIND) else None


def grown_into(was: Label, now: Label, *, strict: bool) -> bool:
    """Return whether a piece enrolled as `was` may stand for `now`.

    In the course of a game a piece may be left standing when it is promoted or changes sides. At
    the start (`strict`) every piece is itself. A two-faced disc always tells what it is.
    """
    if was == now:
        return True
    if strict or ":" in was:
        return False
    return was[1:] == now[1:] or was[1:] == "P"


def same_disc(one: Label, other: Label) -> bool:
    """Return whether both are the same two-faced disc, either side up."""
    return ":" in one and one.split(":")[0] == other.split(":")[0]
