"""All that the referee knows of a game, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Literal

from firmware_bridge.clock.clock import Clock
from firmware_bridge.clock.control import TimeControl
from firmware_bridge.messages.records import PhoneSeat
from firmware_bridge.puzzles import Puzzle
from firmware_bridge.referee.commitment import Commitment
from firmware_bridge.referee.penalties import PenaltyTable
from firmware_bridge.referee.pledges import Pledge
from firmware_bridge.referee.stages import PAUSES, STEPS, Stage
from rules.game_referee import Referee as OwnReferee
from rules.interface import Game, Label, Outcome, Position, Side, Square, Turn
from rules.values import opponent

Offer = Literal["draw", "take-back"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds throughout the game.

    Attributes:
        penalties: what illegal attempts cost.
        buttons: whether there are clock buttons, which end a turn at once.
        waits_for_press: whether nothing but a clock button ends a turn.
        take_backs: whether turns may be undone by hands on the board.
        forgets: whether pieces lifted and put back are forgotten.
        sealed: whether nothing is shown of a turn before the clock is pressed.
        blind: whether owners are secret and the board reads no tags, so that contacts alone tell
            what was captured.
        computers: at which level a computer plays, by side.
        record: whether players may look at the list of turns of a game of memory.
        practice: whether the game is there to learn by.
        coach: whether it is asked about a turn that loses much before it is taken.
        lift_for_hint: whether a piece that is held up asks for a hint.
        puzzle: what is to be solved, if this is no game.
        away: the side whose player sits at a board far away, if one does.
        unlit: whether the board has no lights, so that coins under pieces mark what lights would.
    """

    game: Game
    control: TimeControl
    penalties: PenaltyTable
    buttons: bool = True
    waits_for_press: bool = True
    take_backs: bool = False
    forgets: bool = False
    sealed: bool = False
    blind: bool = False
    computers: Mapping[Side, int] = field(default_factory=dict)
    record: bool = False
    practice: bool = False
    coach: bool = False
    lift_for_hint: bool = False
    puzzle: Puzzle | None = None
    away: Side | None = None
    unlit: bool = False

    @property
    def elsewhere(self) -> frozenset[Side]:
        """The sides without a player at this board, whose turns hands here carry out."""
        return frozenset((*self.computers, *((self.away,) if self.away else ())))

    @property
    def here(self) -> Side | None:
        """The side that plays at this board against somebody far away, if one does."""
        return opponent(self.away) if self.away else None

    @property
    def in_days(self) -> bool:
        """Whether days are counted, which go on whether or not a board is on."""
        return self.away is not None and self.control.in_days

    @property
    def hides(self) -> bool:
        """Whether the pieces of a player far away hide something from this host."""
        return self.away is not None and bool(self.game.tokens)

    @property
    def private(self) -> bool:
        """Whether the players know different things, so that a hint to one must not be for all."""
        traits = self.game.traits
        return traits.kinds_secret or (traits.records_forbidden and not traits.owners_secret)

    def advises(self, side: Side) -> bool:
        """Return whether a player may be helped: never against a person, unless to practise."""
        if side in self.elsewhere or self.puzzle:
            return False
        return self.practice or (opponent(side) in self.computers and not self.secret)

    @property
    def secret(self) -> bool:
        """Whether a record, a take-back or a hint would tell what players must remember."""
        return self.game.traits.records_forbidden or self.game.traits.owners_secret

    def charges(self, state: State) -> bool:
        """Whether an illegal attempt costs: before the game, too, where a press alone tells of it.

        To try a turn there would be free otherwise.
        """
        return state.stage == "playing" or (state.stage == "ready" and self.sealed)

    def plays_elsewhere(self, state: State) -> bool:
        """Return whether nobody at this board is to act, or hands have yet to carry out a turn."""
        to_act = state.under_way and state.position.side in self.elsewhere
        return to_act or state.executing or state.put is not None

    def own_referee(self, position: Position, offence: int = 1) -> OwnReferee[Position] | None:
        """Return the game's own referee at this position, if its rules have one.

        `offence`, counted from 1, is the one that he would rule on next; the position has the
        obligation in it.
        """
        return self.game.referee(position, self.penalties.of(offence).off_ms // 1000)


@dataclass(frozen=True, slots=True)
class Played:
    """One turn that stands: who made it, and the position, referee and clock before it."""

    t_ms: int
    side: Side
    turn: Turn
    before: Position
    own_before: OwnReferee[Position] | None
    clock_before: Clock


@dataclass(frozen=True, slots=True)
class Put:
    """A turn that was made, and that stands when the host far away has told what it leads to.

    Attributes:
        text: its text, the public one if that is all this host may know.
        opened: the pieces of its owner of which it shows both sides.
        told: what everybody may know of his pieces after it.
    """

    side: Side
    text: str
    opened: Mapping[Square, Label]
    told: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint that was asked for.

    Attributes:
        number: the number of the position; see `State.number`.
        turn: the turn that is advised; `None` until it is known, or if nothing came of it.
        private: whether it is for who asked alone: it counts from then on, since when it is found
            could tell what it is made from.
    """

    side: Side
    number: int
    turn: Turn | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class Trouble:
    """The board must be put right.

    Attributes:
        charged: whether the attempt that led here has been ruled on.
        clock_stopped: whether the clock waits for it.
        executing: whether all that is wrong is that hands have not carried out yet what a computer
            plays.
    """

    charged: bool
    clock_stopped: bool
    executing: bool = False


TO_BE_CARRIED_OUT = Trouble(charged=True, clock_stopped=True, executing=True)
"""A turn stands that no hand has made: the board follows, at nobody's cost."""
TO_BE_LED_BACK = Trouble(charged=True, clock_stopped=True)
"""Nobody saw how the board came to show what it shows: it is put right, at nobody's cost."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands. Every field follows from the records alone.

    Attributes:
        t_ms: time of the last record.
        stage: the stage of the game; see `stages.STEPS`.
        position: the position, its turns limited by an obligation.
        played: the turns that stand, in order.
        undone: the positions that people went back from by a word since the last turn: the board
            may show one of them yet.
        offences: illegal attempts ruled on, by side.
        trouble: what keeps the board from being right, if anything.
        adjusting: whether somebody said "I adjust".
        offer: an open offer and who made it.
        own: the game's own referee.
        number: rises with every turn taken, amended, taken back or corrected.
        distrusted: cells whose sensors do not tell the truth, as somebody said.
        seats: who plays with a phone.
        commitments: what a computer's pieces hid at the start, by side.
        hints: the hints that were asked for, in order.
        weakened: sides whose computer plays at the lowest level since it failed too often, with the
            number of turns that had been taken then.
        lying: by which tag each disc lies, where that is known; it tells which side is up also of
            those that look alike on both.
        asked: what a player here says while the host far away has the word, and has not been heard.
        line_out: whether the line to the player far away is out for so long that clocks wait.
        seed: what salts and dice of this host follow from, in a game with secrets at a distance.
        pledges: what both hosts are bound to in such a game.
        links: the link of its chain that each host has opened last, for dice.
        put: a turn that waits for what the other host has to tell of it.
        audited: what was found when its secrets were open: empty if all was as it had told.
    """

    t_ms: int
    stage: Stage
    position: Position
    clock: Clock
    played: tuple[Played, ...] = ()
    undone: tuple[Position, ...] = ()
    offences: Mapping[Side, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    trouble: Trouble | None = None
    adjusting: bool = False
    offer: tuple[Offer, Side] | None = None
    own: OwnReferee[Position] | None = None
    ending: Outcome | None = None
    number: int = 0
    distrusted: tuple[str, ...] = ()
    seats: Mapping[Side, PhoneSeat] = field(
        default_factory=lambda: {"white": PhoneSeat(), "black": PhoneSeat()}
    )
    commitments: Mapping[Side, Commitment] = field(default_factory=dict)
    hints: tuple[Hint, ...] = ()
    weakened: Mapping[Side, int] = field(default_factory=dict)
    lying: Mapping[Square, str] = field(default_factory=dict)
    asked: str | None = None
    line_out: bool = False
    seed: str = ""
    pledges: Mapping[Side, Pledge] = field(default_factory=dict)
    links: Mapping[Side, str] = field(default_factory=dict)
    put: Put | None = None
    audited: str | None = None

    @property
    def hint(self) -> Hint | None:
        """The hint that was asked for in this very position, if one was."""
        return self.hints[-1] if self.hints and self.hints[-1].number == self.number else None

    def hints_given(self, side: Side) -> int:
        """Return how many hints a side was given."""
        given = (hint for hint in self.hints if hint.private or hint.turn is not None)
        return sum(hint.side == side for hint in given)

    @property
    def history(self) -> tuple[Position, ...]:
        """Every position before this one, the first one first."""
        return tuple(played.before for played in self.played)

    @property
    def first(self) -> Position:
        """The position before every turn that stands."""
        return self.played[0].before if self.played else self.position

    def turns(self) -> Iterator[tuple[Played, Position]]:
        """Yield every turn that stands with the position after it."""
        return zip(self.played, (*self.history, self.position)[1:], strict=True)

    @property
    def goes_on(self) -> bool:
        """Whether turns and answers are taken: also in a pause that is nobody's wish."""
        return self.stage in ("ready", "playing", "interrupted", "taken-up")

    @property
    def paused(self) -> bool:
        """Whether the game rests, for whatever reason."""
        return self.stage in PAUSES

    @property
    def under_way(self) -> bool:
        """Whether the game has begun and is not over."""
        return self.stage == "playing" or self.paused

    @property
    def adjourned(self) -> bool:
        """Whether the game rests to be taken up another time."""
        return self.stage in ("adjourned", "taken-up")

    def after(self, what: str) -> Stage:
        """Return the stage that follows when this happens; see `stages.STEPS`."""
        return STEPS[what][self.stage]

    @property
    def executing(self) -> bool:
        """Whether hands still have to carry out what a computer played."""
        return self.trouble is not None and self.trouble.executing

    @property
    def unmade(self) -> tuple[Played, ...]:
        """The turns that hands have yet to carry out; what they have begun is not known here."""
        if not self.executing:
            return ()
        side = self.played[-1].side
        run = tuple(takewhile(lambda made: made.side == side, reversed(self.played)))
        return run[::-1]

    @property
    def left_standing(self) -> Position:
        """The position on the board before the turns that hands still have to carry out."""
        return self.unmade[0].before if self.executing else self.position

    @classmethod
    def begin(cls, terms: Terms, position: Position) -> State:
        """Return the state before the set-up check."""
        state = cls(0, "set-up", position, Clock.of(terms.control, terms.away))
        return state.at(terms, position)

    def at(self, terms: Terms, position: Position) -> State:
        """Return the state with another position on the board, under no obligation."""
        own = terms.own_referee(position)
        return replace(self, own=own, position=own.position if own else position)
