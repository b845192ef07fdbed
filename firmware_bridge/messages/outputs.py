"""What comes out of a table: facts, secrets included. They stay with whoever owns the table.

What everyone may know of them is made by `firmware_bridge.views.disclosure`.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import Ended, LightsChanged, Ruled, Said
from firmware_bridge.messages.verdict import Verdict
from rules.interface import Position, Turn


@dataclass(frozen=True, slots=True)
class VerdictChanged:
    """The board shows something else now."""

    t: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Taken:
    """A turn now stands; `position` is what it led to, `amended`: instead of the one taken last."""

    t: float
    turn: Turn
    position: Position
    amended: bool = False


@dataclass(frozen=True, slots=True)
class NewGameWanted:
    """The starting position has been set up again; `asked` tells that a game was under way."""

    t: float
    asked: bool


Output = VerdictChanged | Taken | LightsChanged | Said | Ruled | Ended | NewGameWanted
