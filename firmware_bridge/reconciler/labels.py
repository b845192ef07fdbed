"""What labels tell about pieces that change in the course of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading
    from rules.interface import Label

_KIND = "piece:"


def label_of_kind(reading: str) -> Label | None:
    """Return the label in a reading of a board that tells kinds of pieces and no single tags."""
    return reading[len(_KIND) :] if reading.startswith(_KIND) else None


def is_kind(reading: Reading) -> bool:
    """Return whether a reading is of a board that tells kinds of pieces and no single tags."""
    return isinstance(reading, str) and label_of_kind(reading) is not None


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


def other_side(tags: Mapping[str, Label], uid: str) -> str | None:
    """Return the tag on the other side of a two-faced disc, `None` if the piece set has none."""
    disc = tags.get(uid, "")
    return next((o for o, of in tags.items() if o != uid and same_disc(of, disc)), None)
