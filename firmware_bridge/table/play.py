"""From what the reconciler finds and what people say to facts in the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from drivers.port import CellEvent, Snapshot
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Call, Declare
from firmware_bridge.messages.outputs import NewGameWanted
from firmware_bridge.messages.verdict import WHOLE, Verdict
from firmware_bridge.reconciler import (
    AnswerRefused,
    Arranged,
    CellDoubted,
    CellSuspected,
    CellTrusted,
    Finding,
    Judged,
    KingsPlaced,
    PressFirst,
    PressRefused,
    Presumed,
    Reconciler,
    StartShown,
    TagUnknown,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.findings import Cause
from firmware_bridge.referee import call_rules as calls
from firmware_bridge.referee.facts import is_asked
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.promised_dice import ROLL
from firmware_bridge.table import refusals
from firmware_bridge.table.announcer import Announcer
from firmware_bridge.table.attempts import LATE, Attempts
from firmware_bridge.table.coach import PATIENCE, Coach
from firmware_bridge.table.dice import Dice, decide, roll, typed_instead
from firmware_bridge.table.game_log import GameLog, Moment
from firmware_bridge.table.openings import Openings
from firmware_bridge.table.start_check import is_start, start_shown
from firmware_bridge.table.tokens import Tokens
from firmware_bridge.views.static_part import declarable
from rules.interface import Position, Side, Turn

_SAID: dict[type[Finding], str] = {PressFirst: "press-first", Presumed: "presumed-queen"}


class Play:
    """The game between its two judges.

    Attributes:
        told: what the board shows, as far as players may be told.
        dice: what rolls the dice, if anything does.
        faults: cells that cannot be relied on.
        new_start: whether the start stands there again, and a press begins another game.
        openings: what is told of secrets to somebody far away.
        coach: asks before a press about a turn that loses much.
    """

    def __init__(
        self, log: GameLog, reconciler: Reconciler, tokens: Tokens, dice: Dice | None
    ) -> None:
        self.log = log
        self.reconciler = reconciler
        self.told = Announcer(log, reconciler, tokens.sensing)
        self.dice = dice
        self.faults: tuple[str, ...] = ()
        self._tokens = tokens
        self._attempts = Attempts(log, self.told)
        self.openings = Openings(log, tokens)
        self.coach = Coach(log)
        self.new_start = False

    def judge_with(self, reconciler: Reconciler, at: Moment) -> None:
        """Let another reconciler judge from now on, without the cells that do not tell."""
        self.reconciler = reconciler
        self.told.tell(reconciler, reconciler.verdict, reconciler.judged_in, at)
        self.distrust(self.log.state.distrusted, at)

    def feel(self, felt: Iterable[CellEvent | Snapshot], at: Moment) -> None:
        """Let the board be judged by what was felt."""
        for each in felt:
            self.find(self.reconciler.feel(each), at)

    def find(self, findings: Iterable[Finding], at: Moment) -> None:
        """Act on what the reconciler found."""
        before = self.log.state.position
        for finding in findings:
            moment = Moment(finding.t, at.ms + round(1000 * (finding.t - at.t)))
            self._act_on(finding, moment)
        position, judged = self.log.state.position, self.reconciler.position
        changed = self.log.terms.game.tokens and position is not before
        ahead = self.log.state.put is not None  # hands, of what the other host has yet to tell
        if changed and not ahead and self._tokens.world(position, judged) is not judged:
            self.agree(at)  # it looks otherwise than hands could tell
        self._keep_distrust(at)
        if self._tokens.judged_here(position, self.reconciler.position):
            self.log.keep_sides(self._tokens.kept(self.reconciler.lying), at)

    def agree(self, at: Moment) -> None:
        """Judge from where the game stands now, as those see it who judge hands."""
        world = self._tokens.world(self.log.state.position, self.reconciler.position)
        self.find(self.reconciler.agree(world, at.t), at)

    def _keep_distrust(self, at: Moment) -> None:
        """Write down which cells the board is judged without, so that it stays so after a crash."""
        known = self.log.state.distrusted
        if len(self.reconciler.distrusted) > len(known):
            for cell in sorted(self.reconciler.distrusted.difference(known)):
                self.log.apply(at, "call", what="distrust", by=None, data={"cell": cell})

    def press(self, side: Side, at: Moment) -> None:
        """A clock button was pressed, on the board or on a phone."""
        state, by = self.log.state, self.log.terms.here or side  # who sits here presses both
        mover = side == state.position.side
        if self.new_start and start_shown(self.log, self._tokens, None).position is not None:
            self.new_start = False
            self.log.put(NewGameWanted(at.t, asked=False))
        elif self.openings.unbound or (state.stage == "ready" and not mover):
            self.call("start", by, {}, at)
        elif state.paused:
            ends_turn = self._ends_turn_after_a_pause()
            self.call("resume", by, {}, at)
            if ends_turn:
                self._end_turn(side, at)
        elif state.stage in ("ready", "playing"):
            self._press_in_play(side, at)

    def _press_in_play(self, side: Side, at: Moment) -> None:
        """Let a press end a turn, or roll the dice, unless nobody's hands can play now."""
        state = self.log.state
        mover = side == state.position.side
        # Hands cannot play for it, before the game either: whether they could tells a secret.
        rests = self.computer_rests or (mover and side in self.log.terms.elsewhere)
        if mover and state.stage == "playing":
            self._adjusted(side, at)
        if rests or self._doubted(side, at):
            return
        if mover and decide(self.dice, self.log.state) and self.told.verdict.kind == "settled":
            self._roll(at)  # the press can mean nothing else
        else:
            self._end_turn(side, at)

    def _end_turn(self, side: Side, at: Moment) -> None:
        """Take the turn that stands, or put before the referee what is none."""
        mover = side == self.log.state.position.side
        if mover:
            self._turn_over_what_is_held(at)
            self._attempts.pressed = at
        self.find(self.reconciler.press(at.t, side), at)
        trouble = self.log.state.trouble
        illegal = self.reconciler.verdict.kind == "illegal"
        if mover and illegal and trouble and not trouble.charged:
            self._attempt(self.reconciler.verdict, at, pressed=True)

    def _doubted(self, side: Side, at: Moment) -> bool:
        """Return whether the coach has something to ask, or to find out, before this press."""
        mover = side == self.log.state.position.side
        return mover and self.coach.stops(self.reconciler.verdict, side, at)

    def let_go(self, at: Moment) -> None:
        """Let a press that has waited for the coach end its turn, as at the time it was made."""
        kept = self.coach.release(self.reconciler.verdict)
        if kept is not None:
            self.press(kept.side, Moment(at.t, kept.at.ms))

    def _turn_over_what_is_held(self, at: Moment) -> None:
        """Take tokens in hand for turned over, if that makes a turn of what stands on the board."""
        tokens, position = self._tokens, self.log.state.position
        verdict = self.reconciler.verdict
        if verdict.kind != "in-progress":
            return
        self.feel(tokens.in_hand(position, at.t), at)
        if self.reconciler.verdict.kind != "complete":
            self.feel(tokens.put_back(position, at.t), at)

    def _ends_turn_after_a_pause(self) -> bool:
        """Return whether the press that goes on with the game also ends a turn.

        Only one that everybody was shown to stand whole, after a pause that nobody wished for. What
        is still open, or odd, is asked about or shown first; what is secret would be told by it.
        """
        shown = self.told.verdict.kind == "complete" and not self._plays_elsewhere
        return shown and self.log.state.goes_on

    @property
    def _plays_elsewhere(self) -> bool:
        return self.log.terms.plays_elsewhere(self.log.state)

    @property
    def amendable(self) -> bool:
        """Whether hands may go on with their turn until a computer answers it.

        Without a clock button nothing else ends a turn, here as between people.
        """
        state, terms = self.log.state, self.log.terms
        by_hand = bool(state.played) and state.played[-1].side not in terms.elsewhere
        awaited = self._plays_elsewhere and state.stage == "playing" and not state.executing
        return awaited and by_hand and not (terms.waits_for_press or self.reconciler.confirmed)

    @property
    def computer_rests(self) -> bool:
        """Whether nothing is judged because a computer plays."""
        return self._plays_elsewhere and not self.amendable

    def unanswered(self, ms: int) -> int:
        """Return when what is due at `ms` may happen: not while an earlier press is unanswered."""
        kept = self.coach.kept
        if kept is not None and kept.at.ms < ms:
            return max(ms, kept.at.ms + round(1000 * PATIENCE) + 1)
        pressed = self._attempts.pressed
        if pressed is None or pressed.ms >= ms:
            return ms
        return max(ms, pressed.ms + round(1000 * LATE) + 1)

    def _refusal(self, by: Side | None) -> str | None:
        """Return why nobody, or not this player, may say anything of the turn being made."""
        state = self.log.state
        if self.computer_rests:
            return "want-board-right" if state.executing else "refused-turn"
        if not state.goes_on:
            return "refused-not-playing"
        return "refused-turn" if by is not None and by != state.position.side else None

    def _unanswerable(self, by: Side | None) -> str | None:
        """Return why no answer, or none of this player, is taken now."""
        terms = self.log.terms
        # Of a cell that does not tell, and where no button ends a turn, only people can tell.
        blind = terms.blind and terms.waits_for_press and not self.faults
        asked = self.told.verdict.kind == "choice" or self.log.state.position.awaited
        free = asked or not (terms.sealed or blind)
        # An answer is no way to try a turn for free.
        return self._refusal(by) or (None if free else "refused-answer")

    def _undeclarable(self, what: str, by: Side | None) -> str | None:
        """Return why this cannot be declared now."""
        if what not in metadata.of(self.log.terms.game.id).declarations:
            return self._refusal(by) or "refused-unknown"
        possible = what in declarable(self.log.state.position)
        return self._refusal(by) or (None if possible else "refused-declaration")

    def answer(self, text: str, by: Side | None, at: Moment) -> None:
        """Somebody answered a choice or a decision."""
        refusal = self._unanswerable(by)
        if text == ROLL:
            self.call("roll", by, {}, at)
        elif refusal is not None or (refusal := typed_instead(self.dice, self.log.state)):
            self.log.say(at.t, refusal)
        else:
            self._adjusted(by, at)
            self.find(self.reconciler.answer(at.t, self._in_full(text)), at)

    def declare(self, what: str, by: Side | None, at: Moment) -> None:
        """Somebody declared that the turn being made says more than the hands do."""
        refusal = self._undeclarable(what, by)
        if refusal is not None:
            self.log.say(at.t, refusal)
        else:
            self.find(self.reconciler.declare(at.t, what), at)

    def _adjusted(self, by: Side | None, at: Moment) -> None:
        """End an adjustment: who goes on with the game has done with it."""
        if self.log.state.adjusting:
            self.call("adjust", by, {}, at)

    def _in_full(self, text: str) -> str:
        """Return the decision that an answer means which names no secret."""
        position = self.reconciler.position
        if not position.awaited:
            return text
        meant = [str(turn) for turn in position.turns() if turn.public == text]
        return meant[0] if len(meant) == 1 else text

    def call(
        self, what: str, by: Side | None, data: dict[str, str], at: Moment, *, own: bool = False
    ) -> None:
        """Somebody said something besides turns; `own`: the computer that has the seat itself."""
        if what == "start" and self.openings.unbound:
            self.openings.bind(at)
        elif objection := calls.objection(self._spoken(what, by, data, at, own=own)):
            self.log.say(at.t, objection)
        elif what == "press":
            assert by is not None  # noqa: S101 - `objection` has seen to it
            self.press(by, at)
        elif what == "roll":
            self._roll(at)
        elif is_asked(self.log.terms, self.log.state, what):
            self.log.apply(at, "asked", what=what)
        else:
            self.called(at, {"what": what, "by": by, "data": data})
            if what == "distrust":
                self.distrust((data["cell"],), at)

    def distrust(self, cells: Iterable[str], at: Moment) -> None:
        """Do without the sensors of these cells from now on."""
        for cell in cells:
            self.find(self.reconciler.distrust(cell, at.t), at)

    def objection(self, said: Call | Answer | Declare, at: Moment) -> str | None:
        """Return why this cannot be said now, as a key of the word catalogue, or `None`."""
        match said:
            case Answer(by=by):
                return self._unanswerable(by)
            case Declare(what=what, by=by):
                return self._undeclarable(what, by)
        if said.what == "start" and self.openings.unbound:
            return "refused-not-ready" if said.own or not self.openings.own_start() else None
        spoken = self._spoken(said.what, said.by, dict(said.data), at, own=said.own)
        return calls.objection(spoken)

    def _spoken(
        self, what: str, by: Side | None, data: dict[str, str], at: Moment, *, own: bool = False
    ) -> calls.Spoken:
        return calls.Spoken(self.log.terms, self.log.state, what, by, data, at.ms, own)

    def called(self, at: Moment, record: Mapping[str, object]) -> None:
        """Let stand what somebody said, and let it take effect."""
        before = self.log.state
        self.log.apply(at, "call", **record)
        self.follow(before, at)
        self.let_judge(at, begun=before.under_way)

    def follow(self, before: State, at: Moment) -> None:
        """Let the reconciler go on from where the referee's word has led, if anywhere.

        When a game has begun in a position that was given, each piece is known from then on.
        """
        state = self.log.state
        begun = before.stage == "ready" and state.stage == "playing"
        if begun and not is_start(before.position):
            self.reconciler.stop_learning()
        if state.position is not before.position:
            self.agree(at)

    def take_up(self, at: Moment) -> None:
        """Go on with a game by what stands on the board."""
        if self.reconciler.learning:
            self.arranged(self.reconciler.position, at)
        self.let_judge(at)

    def let_judge(self, at: Moment, *, begun: bool = False) -> None:
        """Judge nothing while the game rests or somebody adjusts pieces.

        Where a game has `begun`, what was touched stays touched.
        """
        state = self.log.state
        judged = state.goes_on or state.stage == "over"
        rests = state.adjusting or not judged or self.computer_rests
        self.find(self.reconciler.adjust(at.t, on=rests, touched_stays=begun), at)
        if not rests:
            self._attempts.put_right(at)  # perhaps while nobody looked
            self._attempts.wait_after_gap(self.reconciler, at)

    def _roll(self, at: Moment) -> None:
        if self.dice is None:
            self.log.say(at.t, "refused-no-dice")
            return
        self._adjusted(None, at)
        self.find(self.reconciler.answer(at.t, str(roll(self.dice, self.log.state, at))), at)

    def _act_on(self, finding: Finding, at: Moment) -> None:
        match finding:
            case Judged(verdict=verdict, position=position):
                self._tell(verdict, position, at)
                self._judged(verdict, at)
            case Arranged(position=position):
                self.arranged(position, at)
            case TurnTaken(turn=turn, cause=cause):
                self._taken(turn, cause, at)
            case TurnAmended(turn=turn):
                if self._goes_on():
                    self.log.apply(at, "amended", turn=str(turn), public=turn.public)
            case TurnsUndone(count=count):
                for _ in range(count if self._goes_on() else 0):
                    self.log.apply(at, "taken-back")
            case KingsPlaced(winner=winner):
                if self.log.state.stage == "playing" and not self.log.terms.away:
                    self.log.apply(at, "kings", winner=winner)
            case _:
                self._remark(finding, at)

    def _tell(self, verdict: Verdict, position: Position, at: Moment) -> None:
        """Tell of a verdict what may be told."""
        self.new_start &= verdict.kind == "disturbed"
        was, state = self.told.verdict.kind, self.log.state
        self.told.tell(self.reconciler, verdict, position, at)
        whole = self.told.verdict.kind in WHOLE and was not in WHOLE
        if state.stage == "ready" and whole and self.log.terms.waits_for_press:
            self.log.say(at.t, "want-begin", side=f"side-{state.position.side}")
        if state.stage == "ready" and verdict.kind == "illegal" and was != "illegal":
            self._attempts.ask_back(verdict, at)
        if verdict.kind == "choice" and verdict.attempt:
            self.log.say(at.t, "want-tried", square=verdict.attempt[1])

    def arranged(self, position: Position, at: Moment) -> None:
        """Take in which like pieces stand where, unless hands still carry out the turn after it."""
        state = self.log.state
        if state.stage not in ("set-up", "over") and not state.executing:
            learnt = self._tokens.learnt(state.position, position)
            self.log.apply(at, "arranged", position=str(learnt))

    def _remark(self, finding: Finding, at: Moment) -> None:
        match finding:
            case StartShown() if self.log.state.stage != "over" and not self.log.terms.away:
                self._start_shown(at)
            case PressRefused(hangs=True):
                self.log.say(at.t, "set-down-again")
            case PressFirst() | Presumed():
                self.log.say(at.t, _SAID[type(finding)])
            case PressRefused(verdict=verdict):
                refusals.say_of_press(self.log, self.told, self.reconciler, verdict, at)
            case AnswerRefused():
                refusals.say_of_answer(self.log, finding, at)
            case CellSuspected(cell=cell, trouble=trouble):
                self.log.say(at.t, f"cell-{trouble}", cell=cell)
                self.faults = tuple(sorted({*self.faults, cell}))
            case CellTrusted(cell=cell):
                self.faults = tuple(one for one in self.faults if one != cell)
            case CellDoubted(cell=cell, trouble=trouble):
                people = "clock" if self.log.terms.buttons else "referee"
                self.log.say(at.t, f"cell-perhaps-{trouble}-{people}", cell=cell)
            case TagUnknown(cell=cell):
                self.log.say(at.t, "tag-unknown", cell=cell)

    def _start_shown(self, at: Moment) -> None:
        """The game is given up for another one; with a clock only when somebody says so."""
        self.new_start = self.log.terms.waits_for_press
        self.log.say(at.t, "want-new-start" if self.new_start else "new-start")
        self.log.put(NewGameWanted(at.t, asked=self.new_start))

    def _goes_on(self) -> bool:
        """Return whether hands can still change the last turn, even one that ended the game."""
        state = self.log.state
        if not state.played or state.stage not in ("playing", "over") or self.log.terms.away:
            return False
        return state.stage == "playing" or state.ending == state.position.outcome

    def _taken(self, turn: Turn, cause: Cause, at: Moment) -> None:
        state, pressed = self.log.state, self._attempts.pressed
        if state.stage == "over":
            return
        if state.position.side in self.log.terms.elsewhere or not self.openings.bound:
            self.agree(at)  # hands cannot play for it, or not yet: it goes back
            return
        # The last contact may come after the press, which counts all the same.
        when = Moment(at.t, pressed.ms) if cause == "press" and pressed else at
        self._attempts.pressed = None
        if self.log.terms.hides:
            self.openings.put(turn, when)
            return
        self.log.apply(when, "taken", turn=str(turn), public=turn.public)
        if cause == "replied":
            self.log.say(at.t, "not-pressed", side=f"side-{state.position.side}")
        elif cause == "presumed":
            self.log.say(at.t, "presumed-queen-stands")

    def _judged(self, verdict: Verdict, at: Moment) -> None:
        if self._plays_elsewhere or not self.log.terms.charges(self.log.state):
            return
        self._attempts.wait_after_gap(self.reconciler, at)
        if verdict.kind == "illegal":
            self._attempt(verdict, at, pressed=self._attempts.ends_turn(at.t))
            return
        restored = self._attempts.put_right(at)
        if verdict.kind == "settled" and (restored or self.log.terms.forgets):
            # What was handled to put the board right is no evidence for the next turn; nor, where
            # it could tell a secret, what was handled before.
            self.find(self.reconciler.adjust(at.t, on=False, touched_stays=True), at)

    def _attempt(self, verdict: Verdict, at: Moment, *, pressed: bool) -> None:
        """Put what is illegal before the referee, and go on from where his ruling leads."""
        before = self.log.state
        self._attempts.put(verdict, at, pressed=pressed)
        self.follow(before, at)
