"""The reconciler: from what is felt on the board to verdicts, and to exactly one turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drivers.port import CellEvent, Snapshot
from firmware_bridge.messages.verdict import ALARMS, Verdict
from firmware_bridge.reconciler.assessment import busy
from firmware_bridge.reconciler.current_assessment import CurrentAssessment, may_reply
from firmware_bridge.reconciler.factors import may_be_named
from firmware_bridge.reconciler.faults import Doubts, Knocks, opens_late
from firmware_bridge.reconciler.findings import (
    AnswerRefused,
    Arranged,
    KingsPlaced,
    PressRefused,
    StartShown,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.game_tracker import GameTracker
from firmware_bridge.reconciler.late_press import LatePress
from firmware_bridge.reconciler.readings import Readings
from firmware_bridge.reconciler.reports import Handling, handling, looks_right, why
from firmware_bridge.reconciler.verdict_policy import Trouble, by_lift, by_press, set_down_unfelt
from rules.interface import IllegalTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.findings import Cause, Finding
    from firmware_bridge.reconciler.settings import Phase, Sensing, Settings
    from rules.interface import Position, Side, Square, Turn


class Reconciler:
    """Judges one board against one position, and goes on to the next when a turn is taken.

    It is deterministic: what it says depends on the position, the events and their times alone.
    Every method first lets the time up to its `t` pass; times must not run backwards. The events of
    one instant may come in any number of calls.

    Args:
        position: the position agreed on.
        sensing: what the board can feel.
        settings: how play is conducted.
        standing: what every cell reads now (empty cells may be left out); `None` when the board
            is taken to show the position.
        now: the time in seconds.
    """

    def __init__(
        self,
        position: Position,
        sensing: Sensing,
        settings: Settings,
        standing: Mapping[str, Reading] | None = None,
        now: float = 0.0,
    ) -> None:
        full: Mapping[str, Reading] = dict.fromkeys(position.placement, True)
        self._sensing, self._settings = sensing, settings
        self._standing = Readings(sensing, full if standing is None else standing)
        self._course = GameTracker(position, sensing, self._standing.readings, settings)
        self._knocks = Knocks(self._course, sensing.habits.knock)
        self._doubts = Doubts(self._course, self._standing, sensing)
        self._outlook = CurrentAssessment(self._course, settings, now)
        self._due: float | None = None
        self._press = LatePress()
        self._adjusting = self.confirmed = False
        self._touched: Square | None = None
        self._felt_at = self._pressed_at = now
        self._wait(now)

    @property
    def position(self) -> Position:
        """The position that the board is judged against."""
        return self._course.position

    @property
    def judged_in(self) -> Position:
        """The position that the turns of the verdict belong to; see `Judged`."""
        return self._outlook.position

    @property
    def verdict(self) -> Verdict:
        """The verdict in force."""
        return self._outlook.verdict

    @property
    def gap(self) -> bool:
        """Whether what is odd was found after a gap, and the board has not been right since."""
        return self._outlook.trouble.disorder == "gap" and self._outlook.verdict.kind == "disturbed"

    @property
    def standing(self) -> Mapping[str, Reading]:
        """What every cell reads now; empty cells are left out."""
        opened = self._knocks.opened
        return self._standing.without(opened) if opened else self._standing.readings

    @property
    def distrusted(self) -> frozenset[str]:
        """The cells that are done without for good, because they do not tell the truth."""
        return self._doubts.lasting

    @property
    def learning(self) -> bool:
        """Whether it is still being learnt which discs lie where; `position` tells it so far."""
        return self._course.learning

    @property
    def lying(self) -> Mapping[Square, str]:
        """By which tag each disc lies by agreement, where that is known; empty without discs."""
        return scene.identities.first if (scene := self._course.scene).discs else {}

    @property
    def wake_at(self) -> float | None:
        """When `tick` is due next, or `None` when time alone changes nothing."""
        times = (self._due, self._press.until, self._knocks.due)
        return min((t for t in times if t is not None), default=None)

    @property
    def declared(self) -> bool:
        """Whether the turn being made was declared to say more than hands do."""
        return self._course.declared

    @property
    def handling(self) -> Handling:
        """What hands have carried since the position was agreed; there is no secret in it."""
        return handling(self._course.scene, amending=self._outlook.seen.amending)

    @property
    def looks_right(self) -> bool:
        """Whether all that anybody sees on the board is as the position has it."""
        return looks_right(self._course.scene)

    def why(self) -> dict[str, Any]:
        """Return, as JSON values, what speaks for and against every turn; secrets are in it."""
        return why(self._outlook.seen)

    def prepare(self) -> Iterator[None]:
        """Do what the next event would have to wait for, a bit at a time while there is time."""
        return self._course.prepare(self._outlook.seen)

    def feel(self, event: CellEvent | Snapshot) -> tuple[Finding, ...]:
        """Take in what the board felt; a snapshot tells of what nobody saw happen."""
        out = self._pass_time(event.t)
        if isinstance(event, CellEvent) and event.reading is None and event.cell in self.standing:
            self._opponent_takes(event.cell, event.t, out)
        sifts = self._knocks.opened or not self._press.until  # what is held is held to its end
        told = self._knocks.sift(event) if sifts else [event]
        if not (told or self._adjusting) and self._knocks.last_on & self._course.scene.differing:
            self._wait(event.t)  # a hand that trembles is on it
        self._take_in(told, event.t, out)
        return tuple(out)

    def _take_in(self, felt: Iterable[CellEvent | Snapshot], t: float, out: list[Finding]) -> None:
        """Take in what was felt up to `t`, each thing as it was when that happened."""
        changed = False
        for event in felt:
            lifts = event.cell if isinstance(event, CellEvent) and event.reading is None else None
            since = 0.0 if self._adjusting else event.t - self._felt_at
            if goes_on := lifts and changed and since > 0.0:  # nobody hears what was shown then
                self._look(t, out)
                self._outlook.judge(self._felt_at, out, between=True)
                self._wait(t)
            if isinstance(event, Snapshot):
                changed = True
                self._outlook.open_gap()
            sign = self._outlook.seen.sign if since > self._sensing.habits.nudge else None
            if sign and sign.undone and lifts and self._course.undone_by(sign.undone, lifts):
                self._go_back(sign.undone, t, out)  # hands go on from before those turns
            self._course.open_awaited()
            for cell, reading in self._standing.take_in(event):
                changed = True
                self._felt_at = event.t
                self._doubts.note(cell, reading, event.t, out)
                amending = self._outlook.seen.amending
                told = goes_on or (isinstance(event, CellEvent) and (event.reading or amending))
                if reading is None and told:
                    self._opponent_takes(cell, event.t if goes_on else t, out)
                self._course.note(cell, reading, event.t)
                self._outlook.touched()
            changed |= self._course.read_on_both(self._standing.doubled)
        if changed and self._course.learn(t):
            out.append(Arranged(t, self.position))
        if changed and not self._adjusting:
            self._refresh(t, out)

    def press(self, t: float, side: Side) -> tuple[Finding, ...]:
        """Take in a clock button; the press of a player who is not to move means nothing."""
        out, now = self._pass_time(t), self._outlook
        if self._adjusting:
            return tuple(out)
        if side != self.position.side and (now.seen.replied or self._settings.sealed):
            self._take_if_any(now.seen.ahead, t, out, "replied")
        if side != self.judged_in.side:
            if now.seen.showing == "position" and not (self._settings.clock or self._knocks.opened):
                self.confirmed = True  # whoever made the turn says that it stands
                self._course.close()
            return tuple(out)
        self._pressed_at = t
        self._take_in(self._knocks.done(), t, out)  # hands are done, say those who press
        if self._doubts.lone is not None:
            return (*out, *self.distrust(self._doubts.lone, t))
        if self._take_if_any(now.confirmed(rested=False), t, out, "press"):
            return tuple(out)
        now.look_closely_if_busy()
        seen, kind = now.seen, now.verdict.kind
        unfelt = seen.showing in ("hovering", "beginning", "halfway") and seen.scene.missing
        upset_but_one = now.trouble.disorder == "upset" and seen.scene.hangs
        waits = (kind in ("settled", "in-progress") and not seen.answered) or upset_but_one
        late = kind == "unexplained" and (self._settings.sealed or opens_late(seen.scene))
        if (waits or late) and (unfelt or not seen.turns):
            opened = frozenset(self._knocks.opened)
            self._press.begin(seen.scene, opened, t + self._settings.late)
            if now.sealed_on(self._press.on) and opened:
                self._press_came_to_nothing(t, out)  # what was taken up just now is judged after it
            elif unfelt and by_press(seen) is None and not seen.scene.hangs:
                self._rest("asking", t, out)
        else:
            self._answer_press(t, out)
        return tuple(out)

    def answer(self, t: float, text: str) -> tuple[Finding, ...]:
        """Take the turn `text`: the answer to a choice, or to a decision that needs no hands.

        Where the players are asked whether a forbidden capture was made, it says that it was.
        """
        out, seen = self._pass_time(t), self._outlook.seen
        if seen.tried is not None and text == "".join(seen.tried):
            self._rest("over", t, out)
            return tuple(out)
        try:
            turn = (position := self._outlook.position).parse_turn(text)
        except IllegalTurn as error:
            return (*out, AnswerRefused(t, text, error.reason))
        told = turn in seen.turns or not position.deed(turn).physical
        held, scene = self._outlook.trouble.holds(self._settings), self._outlook.scene
        secret = self._settings.clock and not scene.secrecy.legality_tells  # a press is to cost
        if told or (not (held or secret) and may_be_named(scene, turn)):
            self._doubts.believe_players(scene, turn, t, out)
            self._take(turn, t, out, "answer")
            if not told:
                self._outlook.open_gap()  # nobody saw how the board came to show it
            self._refresh(t, out)
        else:
            reason = "no-such-move" if self._course.scene.differs else "nothing-changed"
            out.append(AnswerRefused(t, text, reason))
        return tuple(out)

    def declare(self, t: float, _what: str) -> tuple[Finding, ...]:
        """Take in a declaration (`reality-check`): the turn being made says more than hands do."""
        out = self._pass_time(t)  # there is one declaration: what it means is in the turns
        self._course.declared = True
        self._refresh(t, out)
        return tuple(out)

    def adjust(self, t: float, *, on: bool, touched_stays: bool = False) -> tuple[Finding, ...]:
        """Begin or end (`on`) a declared adjustment, during which nothing is judged.

        A piece that was touched before it must still move if `touched_stays`, where that has been
        agreed on; what was handled during it never does.
        """
        out = self._pass_time(t)
        before = self._touched if self._adjusting else self._course.scene.trail.touched
        self._adjusting, self._touched = on, before
        if on:
            self._due = self._press.until = None
        else:
            self._course.begin_anew(before if touched_stays else None)
            self._refresh(t, out)
        return tuple(out)

    def tick(self, t: float) -> tuple[Finding, ...]:
        """Let time pass."""
        return tuple(self._pass_time(t))

    def agree(self, position: Position, t: float) -> tuple[Finding, ...]:
        """Go on from another position: a new game, one that was given, a die, an obligation.

        Where it has the placement that the board is judged against already, what the hands have
        begun goes on; otherwise the board is judged afresh, and while no hand has changed any of
        what stands otherwise, that was there before and makes no turn.
        """
        out = self._pass_time(t)
        self._touched = None
        if self._course.agree(position, t):
            self._outlook.open_gap("agreed")  # nobody has made a turn by what stands there
        self._refresh(t, out)
        return tuple(out)

    def stop_learning(self) -> None:
        """Know every piece from now on by its tag, also before the first turn."""
        self._course.stop_learning()

    def distrust(self, cell: str, t: float) -> tuple[Finding, ...]:
        """Judge this cell by what the others say: people see that it does not tell the truth."""
        out = self._pass_time(t)
        self._doubts.disbelieve(cell, t, out)
        self._refresh(t, out)
        return tuple(out)

    def _pass_time(self, t: float) -> list[Finding]:
        """Do what was due up to `t`, each at its own time."""
        out: list[Finding] = []
        self._outlook.pass_time(t)
        while (due := self.wake_at) is not None and due <= t:
            if due == self._knocks.due:
                self._take_in(self._knocks.lasted(due), due, out)
            elif due == self._press.until:
                if not self._press.carries(self._outlook.seen.scene):
                    self._press_came_to_nothing(due, out)
            elif self._knocks.due is not None:
                self._due = self._knocks.due  # what stands so long must not be in a hand by now
            else:
                self._due = None
                self._outlook.phase = "asking" if self._outlook.phase == "waiting" else "over"
                self._stood(due, out)
        return out

    def _stood(self, t: float, out: list[Finding]) -> None:
        """Do what follows when nothing has changed for as long as it takes."""
        now = self._outlook
        seen, kind, sign = now.seen, now.verdict.kind, now.seen.sign
        if sign is not None and sign.what == "undone":
            self._go_back(sign.undone, t, out)
            self._refresh(t, out)
        elif sign is not None:
            out.append(StartShown(t) if sign.what == "start" else KingsPlaced(t, sign.winner))
            now.judge(t, out)
        elif now.certain:
            self._take_if_any(seen.turns[0], t, out, "stood")
        elif seen.ahead is not None and now.reply_stands:
            self._take_if_any(seen.ahead, self._felt_at, out, "replied")  # then it was whole
        elif kind == "illegal" and now.phase == "asking" and not seen.shows_turn:
            now.seen = now.seen._replace(closely=True)  # a board that rests is no hand on its way
            now.read_anew(t, out)
            self._conclude(t, out)  # what was added has stood as long as the first
        elif kind in ALARMS and not seen.shows_turn:
            self._doubts.doubt(seen, t, out)
        elif now.busy and seen.scene.hangs and len(seen.scene.captures) > 1:
            now.ask_to_set_down(t, out, pressed=False)
            self._refresh(t, out)
        else:
            if now.busy and not (self._settings.clock or seen.closely):
                now.look_closely(t, out)
            elif kind == "unexplained":
                now.ask(self._doubts.hidden(seen, t, out), "cell-stuck")
            self._conclude(t, out)

    def _conclude(self, t: float, out: list[Finding]) -> None:
        """Draw the verdict again, and note when time alone will change it."""
        self._outlook.judge(t, out)
        self._wait(t)

    def _wait(self, t: float) -> None:
        """Note when time alone will change something."""
        self._due = None if (wait := self._outlook.patience) is None else t + wait

    def _refresh(self, t: float, out: list[Finding]) -> None:
        """Look at the board again, because something has changed."""
        now = self._outlook
        if self._adjusting:
            now.seen = busy(self._course.scene, "lifted")  # nothing is judged; answers go on
            return
        was, phase = now.seen, now.phase
        self._look(t, out)
        replied = now.seen.replied and not now.reply_waits
        if replied and self._take_if_any(now.seen.ahead, t, out, "replied"):
            return
        now.judge(t, out)
        if now.seen == was and was.showing == "turns":
            now.phase = phase
        else:
            self._wait(t)
        if self._press.until and now.seen.shows_turn and not self._settings.sealed:
            self._press.until = min(self._press.until, t + self._sensing.habits.overlap)

    def _look(self, t: float, out: list[Finding]) -> None:
        """Look at what the board shows."""
        now, touched = self._outlook, self._course.scene.trail.touched
        if now.put_right:
            self._course.begin_anew(None if now.trouble.disorder else touched)
        self._doubts.stuck = self._doubts.lone = None  # that was asked about another board
        now.look()
        now.read_anew(t, out)

    def _answer_press(self, t: float, out: list[Finding], *, lifting: bool = False) -> None:
        """Take the turn that the press confirms, or refuse; the opponent may be `lifting`."""
        self._press.until, now = None, self._outlook
        turn = now.confirmed(rested=True, lifting=lifting)
        if turn is None and not now.trouble.holds(self._settings):
            turn = by_press(now.seen)
        if self._take_if_any(turn, t, out, "press"):
            return
        over = now.verdict.kind == "unexplained" or now.seen.answered
        self._rest("over" if over else "asking", t, out)
        if not over:
            out.append(PressRefused(t, now.verdict))

    def _rest(self, phase: Phase, t: float, out: list[Finding]) -> None:
        """Go on as if hands had rested: ask what was done, or lose patience (`over`)."""
        seen = self._outlook.seen  # with a clock, a press of a forbidden capture asks nobody
        if phase == "over" or seen.turns or (seen.tried and not self._settings.clock):
            self._outlook.phase = phase
            self._conclude(t, out)

    def _press_came_to_nothing(self, t: float, out: list[Finding]) -> None:
        """Judge a board on which nothing completed the turn that the mover's press announced."""
        self._press.until, now, scene = None, self._outlook, self._outlook.seen.scene
        if self._press.is_void(scene):
            out.append(PressRefused(t, now.verdict))
            return
        stands_until = self._felt_at + self._settings.grace
        if self._settings.sealed and self._press.lets_stand(scene, stands_until):
            return
        if self._take_if_any(now.confirmed(rested=True), t, out, "press"):
            return  # its last contact came late
        now.look_closely_if_busy()
        now.read_anew(t, out)
        verdict, view, astray = now.verdict, now.seen, now.seen.scene.extra | now.seen.scene.wrong
        if view.scene.hangs and (now.trouble.restoring or not set_down_unfelt(view.scene)):
            now.ask_to_set_down(t, out, pressed=True)
            self._refresh(t, out)
        elif view.turns:
            self._answer_press(t, out)
        elif verdict.kind in ("in-progress", "unexplained"):
            if now.ask(self._doubts.vanished(), "unseen"):
                self._rest("asking", t, out)
            elif verdict.reason:
                out.append(PressRefused(t, verdict))
            elif not astray or (self._press.came or self._press.on) & astray:
                self._rest("over", t, out)
            else:
                self._wait(max(self._felt_at, t - self._settings.grace))  # what came later, too

    def _take(self, turn: Turn, t: float, out: list[Finding], cause: Cause) -> None:
        """Go on to where `turn` leads, in place of the turn taken before if it is amended."""
        now, seen, stood = self._outlook, self._outlook.seen, self.position
        learning = self._course.learning
        if self._doubts.stuck is not None:
            self._course.distrust(self._doubts.stuck)
        pressed, self._press.until = cause == "press", None
        told = self._settings.clock or seen.showing == "turns"  # without one, what stands whole
        said = told and self._pressed_at >= self._felt_at  # else, of less than this
        self.confirmed, amendable = pressed, not said if pressed else cause in ("stood", "lifted")
        following = self._course.take(turn, amending=seen.amending, amendable=amendable)
        if learning:
            out.append(Arranged(t, self._course.past[-1].position))
        half_way = seen.showing == "halfway" and turn in seen.turns  # what was exchanged goes back
        now.trouble = Trouble(disorder="upset" if half_way else None)
        if not seen.amending:
            out.append(TurnTaken(t, turn, following, cause, seen.against(turn)))
        elif following != stood:
            out.append(TurnAmended(t, turn, following))

    def _take_if_any(self, turn: Turn | None, t: float, out: list[Finding], cause: Cause) -> bool:
        """Take a turn, if there is one; what was handled after it, beside it, costs nobody."""
        if turn is None:
            return False
        seen, replying = self._outlook.seen, self._settings.sealed or may_reply(self._outlook.seen)
        astray = seen.ahead is not None and not replying  # sealed, the reply's own press tells
        if astray:
            self._outlook.warn(t, out)
        if cause == "replied" and (seen.turns[1:] or self._press.until):
            cause = "press" if self._press.until else "presumed"
        lifted = cause == "replied" and not self._settings.clock
        self._take(turn, t, out, "lifted" if lifted else cause)
        if astray:
            self._look(t, out)
            if not self._outlook.seen.replied:  # it goes back, or becomes part of the reply
                self._outlook.trouble = Trouble(disorder="upset")
        self._refresh(t, out)
        return True

    def _go_back(self, count: int, t: float, out: list[Finding]) -> None:
        """Go back to a position of the past that the board shows again."""
        out.append(TurnsUndone(t, count, self._course.go_back(count)))
        self._outlook.trouble = self._outlook.trouble._replace(blame=None)

    def _opponent_takes(self, cell: str, t: float, out: list[Finding]) -> None:
        """See whether it is the opponent who lifts a piece: then the mover's turn is taken.

        Sealed, what waits for a late contact is judged before anything is taken up again.
        """
        now, seen, settings = self._outlook, self._outlook.seen, self._settings
        if self._press.until is not None:
            if seen.turns and by_lift(seen, cell) is not None and not self._press.came:
                self._answer_press(t, out, lifting=True)
            elif now.sealed_on(self._press.on):
                self._press_came_to_nothing(t, out)  # if it were legal, it would have been taken
            return
        alone = seen.scene.trail.opened_about(t) | seen.scene.trail.beside_at(t) <= {cell}
        replied = now.reply_stands and now.patience == settings.settle  # by nobody else
        if alone and not self._adjusting and (replied if settings.clock else now.certain):
            self._take_if_any(by_lift(seen, cell), t, out, "replied")
