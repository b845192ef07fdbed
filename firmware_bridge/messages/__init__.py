"""What goes into a table (one board, one game) and what comes out of it.

Inputs are the board's events (`drivers.port`) and what people say by button, screen or phone.
What is here can hold no secret; what a table itself gives out is in `messages.outputs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.messages.records import RecordKind
from firmware_bridge.messages.verdict import VerdictKind
from rules.interface import Outcome, Side


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
    `data` holds what the arbiter adds: seconds, a position text, a reason; `own` tells that who has
    the seat says it himself, where hands here cannot: a computer. `game_id` is the game that it is
    said of: said of another one than that on the table, it is not heard; empty for whichever it is.
    """

    t: float
    what: str
    by: Side | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    own: bool = False
    game_id: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the computer in the mover's seat plays: a turn text, or what it tries.

    Attributes:
        text: the canonical text of a turn; where owners are secret also a movement such as `e2e5`
            of which it does not know that it is none.
        number: the number of the position that it was chosen in; see `PublicView.number`.
        game_id: the game that it was chosen in; empty for the one on the table.
    """

    t: float
    text: str
    number: int
    game_id: str = ""


@dataclass(frozen=True, slots=True)
class FactTold:
    """A fact of the game, as the host of a player far away tells it.

    Attributes:
        line: names the game; see `Agreement.line`.
        number: which fact of the game it is, the first one being 1.
        kind: its kind, one of `firmware_bridge.referee.facts.KINDS`.
        data: its details, as they stand in both journals.
    """

    t: float
    line: str
    number: int
    kind: RecordKind
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Wished:
    """What a player far away says while the host of this board decides on what is said.

    Attributes:
        line: names the game; see `Agreement.line`.
        says: as in a call.
        after: how many facts his host knew when he said it.
    """

    t: float
    line: str
    says: str
    after: int


@dataclass(frozen=True, slots=True)
class SecretsOpened:
    """The host of a player far away opens all that his pieces have hidden: nobody plays on.

    Attributes:
        line: names the game; see `Agreement.line`.
        opened: what it opens; see `firmware_bridge.referee.audit`.
        left: whether the game was left before it was over.
    """

    t: float
    line: str
    opened: Mapping[str, object]
    left: bool = False


@dataclass(frozen=True, slots=True)
class LineChanged:
    """The line to a player far away is out for so long that clocks wait, or there again."""

    t: float
    out: bool


@dataclass(frozen=True, slots=True)
class Hinted:
    """What is advised to the player who asked for a hint.

    Attributes:
        number: the number of the position that he asked in; see `PublicView.number`.
        text: the canonical text of a turn; `None` where nothing came of it.
    """

    t: float
    number: int
    text: str | None


Cost = Literal["game", "K", "Q", "R", "B", "N", "P", "much"]
"""What a turn loses: the game, a piece of this kind, or much without being so plain."""


@dataclass(frozen=True, slots=True)
class Coached:
    """What is thought of a turn that stands on the board and is not taken yet.

    Attributes:
        number: the number of the position; see `PublicView.number`.
        text: the canonical text of the turn.
        cost: what it loses; `None` if it is worth no question.
    """

    t: float
    number: int
    text: str
    cost: Cost | None


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
class Weakened:
    """A side's computer failed so often, in this game, that it plays on at the lowest level."""

    t: float
    side: Side
    game_id: str


@dataclass(frozen=True, slots=True)
class Piped:
    """What went through the pipe of the process in a side's seat since this was told last.

    Attributes:
        game_id: the game of which it was.
        side: whose process.
        lines: `> ` and what it was told, `< ` and what it said, in order.
    """

    t: float
    game_id: str
    side: Side
    lines: tuple[str, ...]


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
    | FactTold
    | Wished
    | SecretsOpened
    | LineChanged
    | Hinted
    | Coached
    | RefereeOpened
    | Seated
    | Weakened
    | Piped
    | Tick
)


class PublicStep(NamedTuple):
    """A hand movement on the way back; `piece` where that is no secret. See `verdict.Step`."""

    source: str | None
    target: str | None
    piece: str | None = None


@dataclass(frozen=True, slots=True)
class PublicVerdict:
    """The board shows something else now; see `verdict.Verdict`.

    Attributes:
        turns: texts as everyone may know them; empty where nobody may be told.
    """

    t: float
    kind: VerdictKind
    turns: tuple[str, ...] = ()
    reason: str | None = None
    cells: tuple[str, ...] = ()
    restore: tuple[PublicStep, ...] = ()


@dataclass(frozen=True, slots=True)
class PublicTurn:
    """A turn now stands.

    Attributes:
        game: the game's id.
        text: as everyone may know it; `None` where nobody may be told.
        amended: whether it takes the place of the one taken last.
    """

    t: float
    game: str
    text: str | None
    amended: bool = False


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


PublicOutput = PublicVerdict | PublicTurn | LightsChanged | Said | Ruled | Ended
"""What those who show the game are told of what happened; `views.disclosure` makes it."""
