"""What each reader may know: four types that cannot hold more.

Nothing leaves the table but through these. A public view has no field for an underside, for the
contents of a hand, for a canonical position text or, where owners are secret, for an owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from firmware_bridge.messages.records import Record
from firmware_bridge.messages.verdict import VerdictKind
from rules.interface import OptionValue, Outcome, Shown, Side, Square
from rules.values import SIDES, opponent

Phase = Literal[
    "waiting",  # no pieces stand on the board yet
    "set-up",  # the pieces are being placed; lights show where
    "ready",  # all stands right; a clock button or the first turn starts the game
    "playing",
    "decision",  # a decision is awaited that no hand on the board makes
    "executing",  # hands carry out what a computer plays
    "restoring",  # the board must be put right before play goes on
    "paused",
    "over",
    "storage-failed",  # the game could not be written down; nothing more is taken
]


@dataclass(frozen=True, slots=True)
class Announcement:
    """A key of the word catalogue and what fills its gaps."""

    key: str
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """One hand movement on the way back; `None` is beside the board, equal ends mean turn over."""

    source: str | None
    target: str | None


@dataclass(frozen=True, slots=True)
class Judged:
    """What the board shows, as everyone may know it.

    Attributes:
        kind: the verdict.
        cells: the cells that matter.
        restore: hand movements that put the board right, in order.
        reason: why not, with `illegal`.
        convertible: squares of the segments that could be converted, anchors included.
        touched: the squares one of which is touched for its turn, such as these anchors.
        realm: squares of the realm in play once the pieces moved determine it.
        tried: the square of which it is asked whether its piece was taken, against the rules.
    """

    kind: VerdictKind = "settled"
    cells: tuple[str, ...] = ()
    restore: tuple[Move, ...] = ()
    reason: str | None = None
    convertible: tuple[Square, ...] = ()
    touched: tuple[Square, ...] = ()
    realm: tuple[Square, ...] = ()
    tried: Square | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer to an open question: its public turn text and how to say it."""

    text: str
    label: Announcement


@dataclass(frozen=True, slots=True)
class Hint:
    """A turn that is advised.

    Attributes:
        label: how it is called; `None` in a lesson, which says what to do.
        moves: what hands would do, as on the way back.
        deed: the same in signs, as `referee.remarks.told_deed` has it.
    """

    label: Announcement | None
    moves: tuple[Move, ...] = ()
    deed: str = ""


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One player's clock at the moment of the view.

    Attributes:
        left_ms: milliseconds left; `None` when untimed.
        running: whether it counts down now.
        fallen: whether this flag has fallen.
        delay_ms: milliseconds of free delay left in this turn, 0 without a delay.
    """

    left_ms: int | None = None
    running: bool = False
    fallen: bool = False
    delay_ms: int = 0


@dataclass(frozen=True, slots=True)
class Revealed:
    """A piece whose faces are open to all for a few seconds: where, whose, and both faces."""

    square: Square
    side: Side
    faces: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn in the record: the number of the full move, whose it was, and how it is written."""

    number: int
    side: Side
    text: str


@dataclass(frozen=True, slots=True)
class Course:
    """How an open game has gone; empty where players must remember anything.

    Attributes:
        turns: the last turns, in order.
        captured: kinds of the pieces that are off the board, by owner, in order.
    """

    turns: tuple[Entry, ...] = ()
    captured: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Commitment:
    """What a computer's pieces hid at the start, as everyone may know it.

    Attributes:
        digest: the SHA-256 of it, as hexadecimal digits.
        opened: the command that hashes it again, once the game is over; empty before.
        kept: whether a person has acted since it was shown, and so had the time to keep it.
    """

    digest: str
    opened: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True)
class PublicView:
    """The table as everyone may see it.

    Attributes:
        options: every option with the value in force.
        phase: where the game stands.
        squares: the squares that exist.
        board: what stands where by agreement, as everyone may see it.
        standing: what stands where now, while hands are busy; a piece that the board cannot tell
            has the kind "".
        lifted: empty squares whose piece is in the air, is not on the board yet, or must come back.
        to_act: who acts now; `None` before the start and after the end.
        clocks: one face a side.
        time_control: as text, `untimed` or such as `30m+10s`.
        hands: number of pieces in hand by owner; empty where the game has no hands.
        course: the last turns and what was captured, of an open game.
        last_turn: squares of the last turn; empty in games that forbid records.
        check: the square of a king in check; `None` where it would tell whose king it is.
        wants: what the board wants of the players now, most urgent first.
        question: the answers to the open question, empty without one.
        revealed: pieces shown to all at this moment.
        missing: squares on which other pieces must stand before the game can start.
        surplus: squares that must be empty before the game can start.
        obligation: the square of the piece that must be captured.
        room: squares on one of which a piece must be dropped.
        faults: cells that cannot be relied on.
        offer: who offers what: (`draw` or `take-back`, side).
        unrated: the game does not count in its players' records.
        record: the list of turns may be looked at, though it is a game of memory.
        players: names by side, as entered.
        score: what each side has won in this row of rematches.
        seated: sides whose seat is taken with a phone.
        quiet: few words, please.
        buttons: whether nothing but a clock button ends a turn.
        adjusting: whether somebody said "I adjust".
        declarable: what may be declared of a turn here, as keys of the game's words.
        declared: what has been declared of the turn being made, as long as it holds.
        new_start: whether the start stands there again, and a press begins another game.
        begun: whether play has begun and not ended: a new game would end this one.
        number: rises by one with every turn taken, taken back or corrected.
        computers: at which level a computer plays, by side.
        away: the side whose player sits at a board far away, if one does.
        unbound: sides that have yet to say that their pieces lie as they want them: from then on
            they are bound to what those hide.
        progress: which hand movement comes next, and of how many, while hands carry out what a
            computer plays.
        commitments: the hash of what a computer's pieces hid at the start, by side.
        doubt: what is being asked about the turn that stands on the board.
        puzzle: the id of the puzzle that is to be solved; empty in a game.
        hint: the turn that is advised here, where all may know it.
        hinting: whether the side to act waits for a hint that is for all.
        advised: whether the side to act may ask for one.
        hints: how many hints were given, by side; sides without any are left out.
    """

    game: str
    options: Mapping[str, OptionValue]
    squares: tuple[Square, ...]
    board: Mapping[Square, Shown]
    to_act: Side | None
    time_control: str
    phase: Phase = "waiting"
    clocks: Mapping[Side, ClockFace] = field(default_factory=dict)
    standing: Mapping[Square, Shown] = field(default_factory=dict)
    lifted: tuple[Square, ...] = ()
    hands: Mapping[Side, int] = field(default_factory=dict)
    course: Course = field(default_factory=Course)
    last_turn: tuple[Square, ...] = ()
    check: Square | None = None
    judged: Judged = field(default_factory=Judged)
    wants: tuple[Announcement, ...] = ()
    question: tuple[Choice, ...] = ()
    revealed: tuple[Revealed, ...] = ()
    missing: tuple[Square, ...] = ()
    surplus: tuple[Square, ...] = ()
    obligation: Square | None = None
    room: tuple[Square, ...] = ()
    faults: tuple[str, ...] = ()
    offer: tuple[str, Side] | None = None
    ending: Outcome | None = None
    unrated: bool = False
    record: bool = False
    players: Mapping[Side, str] = field(default_factory=dict)
    score: Mapping[Side, float] = field(default_factory=dict)
    seated: frozenset[Side] = frozenset()
    quiet: bool = False
    buttons: bool = True
    adjusting: bool = False
    declarable: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    new_start: bool = False
    begun: bool = False
    number: int = 0
    computers: Mapping[Side, int] = field(default_factory=dict)
    away: Side | None = None
    unbound: frozenset[Side] = frozenset()
    progress: tuple[int, int] | None = None
    commitments: Mapping[Side, Commitment] = field(default_factory=dict)
    doubt: Announcement | None = None
    hint: Hint | None = None
    hinting: bool = False
    advised: bool = False
    hints: Mapping[Side, int] = field(default_factory=dict)
    puzzle: str = ""

    @property
    def elsewhere(self) -> frozenset[Side]:
        """The sides without a player at this board."""
        return frozenset((*self.computers, *((self.away,) if self.away else ())))

    @property
    def against_computer(self) -> bool:
        """Whether it is a person's turn whose opponent is a computer."""
        return self.to_act is not None and set(self.computers) == {opponent(self.to_act)}

    @property
    def offered(self) -> Side | None:
        """The side to which an offer is made."""
        return opponent(self.offer[1]) if self.offer else None

    @property
    def leaver(self) -> Side | None:
        """The side that gives up where somebody at the board does: a computer never does."""
        people = [side for side in SIDES if side not in self.elsewhere]
        return self.to_act if len(people) > 1 else next(iter(people), None)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What one player may know besides the public view.

    Attributes:
        hand: the pieces in one's own hand, both faces.
        to_place: before the game, one's own pieces that are not on the board yet, both faces.
        decision: the answers to a decision that is one's own: full turn texts.
        hint: the turn that is advised to this player, where it is not for all.
        hinting: whether this player waits for such a hint.
    """

    side: Side
    public: PublicView
    hand: tuple[str, ...] = ()
    decision: tuple[Choice, ...] = ()
    to_place: tuple[str, ...] = ()
    hint: Hint | None = None
    hinting: bool = False


@dataclass(frozen=True, slots=True)
class RefereeView:
    """Everything, for the referee alone.

    Attributes:
        position: canonical position text.
        placement: what stands where, secrets included.
        hands: pieces in hand, secrets included.
        history: turns, attempts, rulings, calls, in order.
        decision: the answers to the decision awaited: full turn texts.
    """

    public: PublicView
    position: str
    placement: Mapping[Square, str]
    hands: Mapping[Side, tuple[str, ...]]
    history: tuple[Record, ...]
    decision: tuple[Choice, ...] = ()
