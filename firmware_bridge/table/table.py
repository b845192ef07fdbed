"""One board, one game: what goes in, what comes out, and when it must be woken.

The table is deterministic: it is told the time and is given its randomness. Whoever owns it writes
`Batch.records` to the journal first and shows `Batch.outputs` afterwards.

    table = Table(agreement, sensing, now=t)
    batch = table.feed(CellEvent(t, "e2", None))
    journal.append(game, batch.records)      # on disk ...
    show(batch.outputs, table.summary())       # ... before anyone sees it

Everything that happened in between is up to `feed`: it lets the time up to its input pass first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import itemgetter

from drivers.port import ButtonEvent, CellEvent, Reading, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import (
    Answer,
    Call,
    Chosen,
    Coached,
    Declare,
    FactTold,
    Hinted,
    Input,
    LineChanged,
    Piped,
    RefereeOpened,
    Said,
    Seated,
    SecretsOpened,
    Tick,
    Weakened,
    Wished,
)
from firmware_bridge.messages.outputs import NewGameWanted
from firmware_bridge.messages.records import Record
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from firmware_bridge.referee.commitment import NONCE, Commitment, Entropy
from firmware_bridge.referee.game_state import State
from firmware_bridge.table import buttons, days
from firmware_bridge.table.computer_turns import ComputerTurns
from firmware_bridge.table.dice import Dice
from firmware_bridge.table.distant_facts import DistantFacts
from firmware_bridge.table.game_log import Batch, GameLog, Moment
from firmware_bridge.table.hinting import Hints
from firmware_bridge.table.play import Play
from firmware_bridge.table.puzzle_turns import PuzzleTurns
from firmware_bridge.table.silence import Waiting
from firmware_bridge.table.start_check import BEGUN, REARRANGED, is_begun, is_start, start_shown
from firmware_bridge.table.summary import TableSummary
from firmware_bridge.table.tokens import Tokens
from firmware_bridge.table.view_builder import Display
from firmware_bridge.views import PublicView
from firmware_bridge.views.table_facts import SetUp
from firmware_bridge.words import catalogue
from rules.interface import Position

_BESIDE = Coached, Hinted, Piped, Tick
"""What leaves a press waiting for the coach."""


class Table:
    """A board with a game on it.

    Args:
        agreement: what was agreed before the game.
        sensing: what the board can feel.
        now: the host's monotonic time in seconds.
        standing: what every cell reads now, empty cells left out; `None` when the board is taken
            to show the position, without what hands have yet to carry out.
        begin: whether play and clocks start at once (recordings, tests) or only after the set-up
            check and the first clock button or turn.
        dice: what rolls the dice of games that have them; without it they are typed in.
        entropy: what a computer's pieces hide is drawn from it; without it they hide what
            everybody knows, as in the game's own start.
        records: what was written down of this game before; see `resume`.
        judge: what makes the judges of the board; one that is timed may stand in for the usual one.
        calendar: what returns milliseconds since 1970, or 0 where nobody knows: days are counted.

    Attributes:
        distant: takes in what is told by the host of a player far away.
    """

    def __init__(  # noqa: PLR0913 - all but two are optional, and given by name
        self,
        agreement: Agreement,
        sensing: Sensing,
        *,
        now: float,
        standing: Mapping[str, Reading] | None = None,
        begin: bool = False,
        dice: Dice | None = None,
        entropy: Entropy | None = None,
        records: Iterable[Record] = (),
        judge: Callable[..., Reconciler] = Reconciler,
        calendar: Callable[[], int] = int,
    ) -> None:
        self.agreement = agreement
        self._judge = judge
        terms = replace(agreement.terms(sensing.tier), unlit=sensing.unlit)
        self._agreed = terms.game.parse(agreement.position) if agreement.position else None
        state = State.begin(terms, self._agreed or terms.game.start())
        self._log = GameLog(terms, state, records)
        self._origin, self._off = now, days.HostOff(terms, self._log.records, calendar)
        self._offset_ms = self._log.state.t_ms + self._off.learnt(self._log.state.t_ms)
        at, new = Moment(now, self._offset_ms), not self._log.records
        if new:
            self._agree(at, entropy)
        self._unheard = standing is None and self._log.state.under_way
        if standing is None:
            standing = dict.fromkeys(self._log.state.left_standing.placement, True)
        self._tokens = Tokens(terms.game, sensing, standing)
        reconciler = self._reconciler(now, begun=begin)
        dice = itemgetter(0) if terms.hides else dice  # as both hosts are bound to
        self._play = Play(self._log, reconciler, self._tokens, dice)
        self._computer = ComputerTurns(self._play, self._tokens)
        self.distant = DistantFacts(self._play, self._computer, agreement.line)
        self._hints = Hints(self._play)
        self._waiting = Waiting(self._play)
        self._puzzle = PuzzleTurns(self._play)
        self._display = Display(agreement, self._play, self._computer)
        self._rearranged = False
        self._begin(at, at_once=begin and new)

    @classmethod
    def resume(
        cls,
        records: Iterable[Record],
        sensing: Sensing,
        *,
        now: float,
        standing: Mapping[str, Reading] | None = None,
        dice: Dice | None = None,
        calendar: Callable[[], int] = int,
    ) -> Table:
        """Return the table that these records describe, paused until somebody goes on.

        A clock button, the call `resume` or a turn on the board goes on. The clocks stand where
        the last record saw them: time lost to a crash is not charged; days go on meanwhile.

        Raises:
            ValueError: when the records do not make a game.
        """
        known = list(records)
        if not known or known[0].kind != "begun":
            raise ValueError("These records do not begin with an agreement; they make no game.")
        agreement = Agreement.from_data(known[0].data)
        return cls(
            agreement,
            sensing,
            now=now,
            standing=standing,
            dice=dice,
            records=known,
            calendar=calendar,
        )

    @property
    def records(self) -> tuple[Record, ...]:
        """Everything that was to be written down, in order."""
        return tuple(self._log.records)

    @property
    def state(self) -> State:
        """Where the game stands, secrets included: for the referee's tools and tests alone."""
        return self._log.state

    @property
    def reconciler(self) -> Reconciler:
        """What judges the board: for `prepare` while there is time, and for explanations."""
        return self._play.reconciler

    @property
    def standing(self) -> Mapping[str, Reading]:
        """What every cell reads now, empty cells left out."""
        return self._tokens.standing

    @property
    def awaits_computer(self) -> bool:
        """Whether the computer of the side to act is to choose a turn now; see `Chosen`."""
        return self._computer.objection is None

    @property
    def coaches(self) -> bool:
        """Whether the side to act is to be asked about turns that lose much."""
        terms, state = self._log.terms, self._log.state
        return terms.coach and state.stage == "playing" and terms.advises(state.position.side)

    @property
    def considered(self) -> str | None:
        """The turn that stands on the board of which nobody knows yet what it costs."""
        turn = self._play.coach.unknown(self._play.reconciler.verdict)
        return turn.text if turn else None

    @property
    def waits_for_press(self) -> bool:
        """Whether nothing but a press of the clock ends a turn."""
        return self._log.terms.waits_for_press

    @property
    def awaits_hint(self) -> bool:
        """Whether the side to act waits for a hint; see `Hinted`."""
        return self._hints.awaited

    @property
    def amendable(self) -> bool:
        """Whether hands may go on with the turn that awaits a computer's answer."""
        return self._play.amendable

    @property
    def wake_at(self) -> float | None:
        """When `feed(Tick(t))` is due next, in the host's monotonic seconds, if at all."""
        own = self._own_wake()
        times = [
            self._play.reconciler.wake_at,
            self._hints.wake_at,
            self._waiting.wake_at,
            self._computer.wake_at,
            self._play.coach.wake_at,
            None if own is None else self._origin + (own - self._offset_ms) / 1000,
        ]
        return min((t for t in times if t is not None), default=None)

    def feed(self, item: Input) -> Batch:  # noqa: C901, PLR0912 - one case a kind of input
        """Take in what happened and return what it led to."""
        self._pass_time(item.t)
        at, play, log = self._moment(item.t), self._play, self._log
        if not isinstance(item, _BESIDE):
            play.let_go(at)  # whatever comes next comes after the press
        match item:
            case CellEvent() | Snapshot():
                self._feel(item, at)
            case ButtonEvent(button="white" | "black" as side):
                play.press(side, at)
            case ButtonEvent(button=button):
                buttons.pressed(play, button, at)
            case Answer(text=text, by=by):
                play.answer(text, by, at)
            case Declare(what=what, by=by):
                play.declare(what, by, at)
            case Call(what=what, by=by, data=data, own=own):
                play.call(what, by, dict(data), at, own=own)
            case RefereeOpened(address=address):
                log.apply(at, "opened", address=address)
            case Seated(side=side, taken=taken):
                log.apply(at, "seated", side=side, taken=taken)
            case Weakened(side=side):
                log.apply(at, "weakened", side=side)
            case Piped(side=side, lines=lines):
                log.apply(at, "piped", side=side, lines=list(lines))
            case Chosen():
                if self._puzzle.judge(at):
                    self._computer.choose(item, at)
            case Hinted():
                self._hints.give(item, at)
            case Coached():
                if play.coach.take_in(item):
                    play.let_go(at)
            case FactTold() | Wished() | SecretsOpened() | LineChanged():
                self.distant.listen(item, at)
        return self._give(at)

    def _feel(self, item: CellEvent | Snapshot, at: Moment) -> None:
        felt = tuple(self._tokens.felt(item, self._log.state.position))
        gap = isinstance(item, Snapshot)
        first, self._unheard = gap and self._unheard, False
        undone = gap and self._stands_undone(at)
        if first and not undone and self._log.terms.secret:  # as if heard of at once: tags tell
            self._play.judge_with(self._reconciler(at.t), at)
        elif not undone:
            self._computer.goes_on(item, at)
            self._play.feel(felt, at)
        if gap:
            self._look_after_gap(at, first=first)
        self._check_set_up(at)
        self._computer.feel(at)
        self._hints.feel(at)

    def _stands_undone(self, at: Moment) -> bool:
        """Take for no new turn what was taken back; return whether that is what stands there."""
        for position in self._log.state.undone:
            judge = self._reconciler(at.t, position=position)
            if judge.looks_right:
                self._play.judge_with(judge, at)
                self._play.agree(at)
                return True
        return False

    def _look_after_gap(self, at: Moment, *, first: bool) -> None:
        """Find a first turn; at the `first` look a game is taken up by what stands there."""
        if is_begun(self._log, self._tokens, lambda: self._reconciler(at.t)):
            self._start_from(self._log.state.position, at)
        if first:
            self._play.take_up(at)

    def objection(self, said: Call | Answer | Declare) -> str | None:
        """Return why this cannot be said now, as a key of the word catalogue, or `None`.

        So that whoever says it can be told alone; `feed` tells everyone. Whether the board shows
        what an answer says is found out by `feed` alone.
        """
        return self._play.objection(said, self._moment(said.t))

    def take_up(self) -> Batch:
        """Return what opening the table led to: to be written down before the first input."""
        return self._give(self._moment(self._origin))

    def fail(self) -> None:
        """Nothing can be written down any more: from now on every view says that, and no more."""
        self._display.failed = self._display.stale = True

    def view(self, t: float) -> PublicView:
        """Return the table as everyone may see it at `t`."""
        return self.summary().view(t)

    def summary(self) -> TableSummary:
        """Return what may be shown from now on: to be taken when all records are on disk."""
        facts = self._display.facts(self._moment(self._origin))
        return TableSummary(facts, self.records, self._table_ms, self._origin)

    def _agree(self, at: Moment, entropy: Entropy | None) -> None:
        """Write down what was agreed, and what a computer's pieces hide if nobody agreed on it."""
        log, game = self._log, self._log.terms.game
        log.apply(at, "begun", **self.agreement.to_data())
        if entropy is None or self._agreed is not None:
            return
        if log.terms.hides:
            log.apply(at, "seeded", seed=entropy(NONCE).hex())
            return
        for side in sorted(game.tokens):
            drawn = Commitment.draw(game, side, entropy, log.terms.computers)
            log.apply(at, "committed", **drawn.to_data())

    def _reconciler(
        self, now: float, *, begun: bool = False, position: Position | None = None
    ) -> Reconciler:
        """Return a judge of the board as it stands, from where the game does if nothing is said."""
        settings, state = self.agreement.settings, self._log.state
        bound = self._log.terms.hides and self._log.terms.here in state.pledges
        before_play = state.stage in ("set-up", "ready") and not begun
        conduct = Settings(
            clock=self._log.terms.waits_for_press,
            grace=settings.grace,
            settle=settings.settle,
            touch_move=settings.touch_move,
            take_backs=self._log.terms.take_backs,
            restore_first=self._log.terms.game.traits.owners_secret,
            learning=not bound and (before_play or (not state.played and is_start(state.position))),
            lying=self._tokens.kept(state.lying),
            elsewhere=self._log.terms.elsewhere,
            lifting_tells=not self._log.terms.secret,
            sealed=self._log.terms.sealed,
        )
        # What hands have still to carry out is agreed to when it stands, and judged afresh then.
        position = position or (state.played[-1].before if state.executing else state.position)
        standing = self._tokens.as_discs(position)
        world = self._tokens.world(position)
        return self._judge(world, self._tokens.sensing, conduct, standing, now)

    def _begin(self, at: Moment, *, at_once: bool) -> None:
        log, before = self._log, self._log.state
        if before.stage == "ready":
            log.apply(at, "reopened")
        if at_once:
            log.apply(at, "set-up", position=str(log.state.position))
            self._play.call("start", None, {}, at)
            if log.state.stage == "playing":
                log.hush()  # nobody waits to be told that a game under way has begun
            self._play.told.tell_at_first(at)
        if log.state.stage == "set-up":
            self._play.find(self._play.reconciler.adjust(at.t, on=True), at)
            self._check_set_up(at)
        elif before.under_way:
            log.apply(at, "reopened")
            log.say(at.t, "came-back")
            log.say(at.t, "paused")
        self._computer.go_on(at)
        self._stands_undone(at)
        self._look_after_gap(at, first=before.under_way)
        self._play.distrust(log.state.distrusted, at)

    def _check_set_up(self, at: Moment) -> None:
        """Compare the board with the start until it shows one.

        Before a game it is ready then; after a game another one is wanted.
        """
        stage = self._log.state.stage
        if stage == "ready":
            self._check_again(at)
        if stage not in ("set-up", "over"):
            return
        was_set_up = self._display.set_up.position is not None
        self._display.stale = True
        self._display.set_up = found = start_shown(self._log, self._tokens, self._agreed)
        wrong = len(found.missing) + len(found.surplus)
        self._rearranged |= wrong >= REARRANGED or bool(self._log.state.played)
        if found.position is None:
            return
        if stage == "over":
            if self._rearranged and not (was_set_up or self._log.terms.away):
                self._log.put(NewGameWanted(at.t, asked=False))
            return
        self._start_from(found.position, at)

    def _check_again(self, at: Moment) -> None:
        """See whether the start still stands, or players who are free have chosen another.

        Where all start squares are full, nobody has made a turn, whatever hands have exchanged.
        Where buttons begin the game, another start counts for more than a first turn that looks the
        same.
        """
        game, state, play = self._log.terms.game, self._log.state, self._play
        found = start_shown(self._log, self._tokens, self._agreed, state.position)
        if found.position is None:
            return
        kind = play.reconciler.verdict.kind
        if found.position.looks_like(state.position):
            if kind != "settled":
                play.find(play.reconciler.adjust(at.t, on=False), at)
        elif kind not in BEGUN or (game.free_start and self._log.terms.waits_for_press):
            self._start_from(found.position, at)

    def _start_from(self, position: Position, at: Moment) -> None:
        """Be ready to play from here on, where every piece has a home: the one it stands on now."""
        self._log.apply(at, "set-up", position=str(position))
        self._display.set_up = SetUp(None)
        self._play.judge_with(self._reconciler(at.t), at)
        if self._log.terms.puzzle:
            self._play.call("start", None, {}, at)

    def _pass_time(self, t: float) -> None:
        """Let everything happen that time alone brings before `t`, each at its own instant."""
        last = None
        while (due := self.wake_at) is not None and due <= t and due != last:
            last = due
            at = self._moment(due)
            self._own_time(at)
            if due == self._play.coach.wake_at:
                self._play.let_go(at)
            self._play.find(self._play.reconciler.tick(due), at)
            self._hints.feel(at)
            self._waiting.feel(at)
            self._computer.feel(at)
            self._display.repaint(at)
        self._offset_ms += self._off.learnt(self._table_ms(t))
        self._own_time(self._moment(t))
        self._play.find(self._play.reconciler.tick(t), self._moment(t))
        self._computer.rest(self._moment(t))

    def _own_time(self, at: Moment) -> None:
        log = self._log
        falls = log.state.clock.falls_at()
        if falls is not None and self._play.unanswered(falls) <= at.ms:
            log.apply(Moment(at.t, falls), "flag")
        elif self._beats and at.ms >= self._play.unanswered(days.next_beat(log.terms, log.records)):
            log.apply(at, "beat", **self._off.beat())

    @property
    def _beats(self) -> bool:
        """Whether thinking time runs that is written down."""
        clock = self._log.state.clock
        return clock.running is not None and not clock.control.untimed

    def _own_wake(self) -> int | None:
        falls = self._log.state.clock.falls_at()
        beat = days.next_beat(self._log.terms, self._log.records) if self._beats else None
        due = [self._play.unanswered(ms) for ms in (beat, falls) if ms is not None]
        if self._display.revealed_until:
            due.append(self._display.revealed_until)
        return min(due, default=None)

    def _give(self, at: Moment) -> Batch:
        """Return what has come since the last time, with the lights that go with it."""
        self._puzzle.judge(at, whole=False)
        if self._log.terms.hides and self._log.state.stage == "set-up":
            self._check_set_up(at)  # what is due may have been told only now
        self.distant.answer(at)
        self.distant.say_what_was_asked(at)
        self._waiting.feel(at)
        self._computer.rest(at)
        self._display.repaint(at)
        batch = self._log.drain()
        if not self.agreement.settings.quiet:
            return batch
        words = catalogue(self.agreement.settings.language, self.agreement.game)
        spoken = (o for o in batch.outputs if not isinstance(o, Said) or words.needed(o.key))
        return replace(batch, outputs=tuple(spoken))

    def _moment(self, t: float) -> Moment:
        return Moment(t, max(self._table_ms(t), self._log.state.t_ms))

    def _table_ms(self, t: float) -> int:
        return self._offset_ms + round((t - self._origin) * 1000)
