"""What goes into a table (one board, one game) and what comes out of it.

Inputs are the board's events (`drivers.port`) and what people say by button, screen or phone.
Outputs are facts; what players may see of them is made by `firmware_bridge.views` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from drivers.port import ButtonEvent, CellEvent, Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.messages.verdict import Verdict
    from rules.interface import Outcome, Position, Side, Turn


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a choice or a decision: a turn text."""

    t: float
    text: str
    by: Side | None = None


@dataclass(frozen=True, slots=True)
class Declare:
    """A declaration that belongs to the turn being made: `reality-check`."""

    t: float
    what: str
    by: Side | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What a player or the arbiter says besides turns.

    `what` is one of `firmware_bridge.referee.call_rules.CALLS`: resign, offer-draw, accept-draw,
    decline, offer-take-back, accept-take-back, adjust, pause, resume, claim-repetition, ...
    `data` holds what the arbiter adds: seconds, a position text, a reason.
    """

    t: float
    what: str
    by: Side | None = None
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the computer in the mover's seat plays: a turn text, or what it tries.

    Attributes:
        t: when.
        text: the canonical text of a turn; where owners are secret also a movement such as `e2e5`
            of which it does not know that it is none.
        number: the number of the position that it was chosen in; see `PublicView.number`.
    """

    t: float
    text: str
    number: int


@dataclass(frozen=True, slots=True)
class RefereeOpened:
    """Somebody opened the referee's page, from this address, and can see everything."""

    t: float
    address: str


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody has taken a side's seat with a phone, or left it (not `taken`)."""

    t: float
    side: Side
    taken: bool = True


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing happened, but time passed."""

    t: float


Input = (
    CellEvent
    | ButtonEvent
    | Snapshot
    | Answer
    | Declare
    | Call
    | Chosen
    | RefereeOpened
    | Seated
    | Tick
)


@dataclass(frozen=True, slots=True)
class VerdictChanged:
    """The board shows something else now; the verdict may hold secrets."""

    t: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Taken:
    """A turn now stands; `position` is what it led to."""

    t: float
    turn: Turn
    position: Position


@dataclass(frozen=True, slots=True)
class Amended:
    """The turn taken last was another one after all."""

    t: float
    turn: Turn
    position: Position


@dataclass(frozen=True, slots=True)
class LightsChanged:
    """Cell -> signal id, as everyone may see it."""

    t: float
    lights: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement for everyone: a key of the word catalogue and what fills its gaps."""

    t: float
    key: str
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling of the referee: whose attempt, the reason code, seconds taken or given."""

    t: float
    side: Side
    reason: str
    penalty: float = 0.0
    obligation: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    t: float
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class NewGameWanted:
    """The starting position has been set up again; `asked` tells that a game was under way."""

    t: float
    asked: bool


Output = VerdictChanged | Taken | Amended | LightsChanged | Said | Ruled | Ended | NewGameWanted
