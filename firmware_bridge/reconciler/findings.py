"""What the reconciler tells the table. Facts; nothing here is fit for players' eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from firmware_bridge.messages.verdict import Verdict
    from rules.interface import Position, Side, Turn

Cause = Literal["press", "stood", "lifted", "replied", "answer"]
"""Why a turn was taken: the mover's button, it stood long enough, the opponent lifted a piece, his
reply stands though nobody pressed, or the screen's answer."""
CellTrouble = Literal["dead", "stuck", "flickering"]


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict changed.

    `position` is the one that its turns belong to: while the turn taken last may still be another
    one, that is the position before it.
    """

    t: float
    verdict: Verdict
    position: Position


@dataclass(frozen=True, slots=True)
class Arranged:
    """The pieces stand as due by their looks; which piece is which was learnt: it is `position`.

    It is told whether that is news or not, since to tell it only then would tell a secret.
    """

    t: float
    position: Position


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn now stands; the reconciler has gone on to `position`, where it led.

    `against` names the factors that spoke against it all the same.
    """

    t: float
    turn: Turn
    position: Position
    cause: Cause
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnAmended:
    """The turn taken last was another one after all."""

    t: float
    turn: Turn
    position: Position


@dataclass(frozen=True, slots=True)
class TurnsUndone:
    """The last `count` turns were undone on the board; play goes on from `position`."""

    t: float
    count: int
    position: Position


@dataclass(frozen=True, slots=True)
class PressRefused:
    """The mover pressed the clock, but no turn could be taken.

    `verdict` tells why: an open choice (the question is repeated), or a board on which nothing has
    been moved. Something illegal is not refused but judged: its verdict turns `illegal`.
    `hangs`: a piece hangs in the air, or stands where nobody feels it, and neither may be told.
    """

    t: float
    verdict: Verdict
    hangs: bool = False


@dataclass(frozen=True, slots=True)
class PressFirst:
    """A piece was set down wrongly after a whole turn, and before the press: nobody's offence."""

    t: float


@dataclass(frozen=True, slots=True)
class AnswerRefused:
    """The screen's answer names no turn that the board shows; `reason` is a reason code."""

    t: float
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class CellSuspected:
    """A cell does not tell the truth; from now on it is judged by what the others say."""

    t: float
    cell: str
    trouble: CellTrouble


@dataclass(frozen=True, slots=True)
class CellDoubted:
    """Nothing but this cell is odd, and has been for long: perhaps it does not tell the truth.

    `dead`: a piece may stand there that is not felt. `stuck`: perhaps nothing stands there. The
    mover's next press says so; from then on the cell counts as that.
    """

    t: float
    cell: str
    trouble: CellTrouble


@dataclass(frozen=True, slots=True)
class TagUnknown:
    """A tag that is in no piece set stands on a cell: it must be enrolled or taken away."""

    t: float
    cell: str
    uid: str


@dataclass(frozen=True, slots=True)
class StartShown:
    """The starting position has been set up again: a new game is wanted."""

    t: float


@dataclass(frozen=True, slots=True)
class KingsPlaced:
    """The kings stand on the centre squares to tell the result; no winner is a draw."""

    t: float
    winner: Side | None


Finding = (
    Judged
    | Arranged
    | TurnTaken
    | TurnAmended
    | TurnsUndone
    | PressRefused
    | PressFirst
    | AnswerRefused
    | CellSuspected
    | CellDoubted
    | TagUnknown
    | StartShown
    | KingsPlaced
)
