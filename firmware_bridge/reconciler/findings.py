"""What the reconciler tells the table. Facts; nothing here is fit for players' eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from firmware_bridge.messages.verdict import Verdict
    from rules.interface import Position, Side, Turn

Cause = Literal["press", "stood", "lifted", "replied", "presumed", "answer"]
"""Why a turn was taken: the mover's button, it stood long enough, the opponent lifted a piece, his
reply stands though nobody pressed, it stands and nobody said which of several turns it replies to,
or the screen's answer."""
CellTrouble = Literal["dead", "stuck", "flickering"]


@dataclass(frozen=True, slots=True)
class _Found:
    """Something that the reconciler found out, at `t` in seconds."""

    t: float


@dataclass(frozen=True, slots=True)
class Judged(_Found):
    """The verdict changed.

    `position` is the one that its turns belong to: while the turn taken last may still be another
    one, that is the position before it.
    """

    verdict: Verdict
    position: Position


@dataclass(frozen=True, slots=True)
class Arranged(_Found):
    """The pieces stand as due by their looks; which piece is which was learnt: it is `position`.

    It is told whether that is news or not, since to tell it only then would tell a secret.
    """

    position: Position


@dataclass(frozen=True, slots=True)
class TurnTaken(_Found):
    """A turn now stands; the reconciler has gone on to `position`, where it led.

    `against` names the factors that spoke against it all the same.
    """

    turn: Turn
    position: Position
    cause: Cause
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnAmended(_Found):
    """The turn taken last was another one after all."""

    turn: Turn
    position: Position


@dataclass(frozen=True, slots=True)
class TurnsUndone(_Found):
    """The last `count` turns were undone on the board; play goes on from `position`."""

    count: int
    position: Position


@dataclass(frozen=True, slots=True)
class PressRefused(_Found):
    """The mover pressed the clock, but no turn could be taken.

    `verdict` tells why: an open choice (the question is repeated), or a board on which nothing has
    been moved. Something illegal is not refused but judged: its verdict turns `illegal`.
    `hangs`: a piece hangs in the air, or stands where nobody feels it, and neither may be told;
    without buttons this comes once hands have rested.
    """

    verdict: Verdict
    hangs: bool = False


@dataclass(frozen=True, slots=True)
class PressFirst(_Found):
    """A piece was set down wrongly after a whole turn, and before the press: nobody's offence."""


@dataclass(frozen=True, slots=True)
class Presumed(_Found):
    """A turn of which nobody has said what it was is replied to: the next press takes a queen."""


@dataclass(frozen=True, slots=True)
class AnswerRefused(_Found):
    """The screen's answer names no turn that the board shows; `reason` is a reason code."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class CellSuspected(_Found):
    """A cell does not tell the truth; from now on it is judged by what the others say."""

    cell: str
    trouble: CellTrouble


@dataclass(frozen=True, slots=True)
class CellTrusted(_Found):
    """A cell that flickered has behaved for so long, or read a tag, that it is believed again."""

    cell: str


@dataclass(frozen=True, slots=True)
class CellDoubted(_Found):
    """Nothing but this cell is odd, and has been for long: perhaps it does not tell the truth.

    `dead`: a piece may stand there that is not felt. `stuck`: perhaps nothing stands there. The
    mover's next press says so; from then on the cell counts as that.
    """

    cell: str
    trouble: CellTrouble


@dataclass(frozen=True, slots=True)
class TagUnknown(_Found):
    """A tag that is in no piece set stands on a cell: it must be enrolled or taken away."""

    cell: str


@dataclass(frozen=True, slots=True)
class StartShown(_Found):
    """The starting position has been set up again: a new game is wanted."""


@dataclass(frozen=True, slots=True)
class KingsPlaced(_Found):
    """The kings stand on the centre squares to tell the result; no winner is a draw."""

    winner: Side | None


Finding = (
    Judged | Arranged | TurnTaken | TurnAmended | TurnsUndone | PressRefused | PressFirst | Presumed
    | AnswerRefused | CellSuspected | CellTrusted | CellDoubted | TagUnknown | StartShown
    | KingsPlaced
)  # fmt: skip
