"""The reconciler: from what is felt on the board to verdicts, and to exactly one turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drivers.port import CellEvent
from firmware_bridge.reconciler.conclude import (
    as_conducted,
    conclude,
    disturbed,
    patience,
    put_back,
)
from firmware_bridge.reconciler.course import Course
from firmware_bridge.reconciler.discs import told_by_players
from firmware_bridge.reconciler.doubts import Doubts
from firmware_bridge.reconciler.faults import opens_late
from firmware_bridge.reconciler.findings import (
    AnswerRefused,
    Judged,
    KingsPlaced,
    PressRefused,
    StartShown,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.handling import Handling, handling
from firmware_bridge.reconciler.judgement import LIFTED, Judgement
from firmware_bridge.reconciler.rebuilt import CENTRE
from firmware_bridge.reconciler.rehearsal import is_due, rehearse
from firmware_bridge.reconciler.standing import Standing
from firmware_bridge.reconciler.taking import by_lift, by_next_lift, by_press
from firmware_bridge.reconciler.trail import BOUNCE, OVERLAP
from firmware_bridge.reconciler.view import View
from firmware_bridge.reconciler.why import why
from rules.interface import IllegalTurn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading, Snapshot
    from firmware_bridge.reconciler.blame import Blame
    from firmware_bridge.reconciler.findings import Cause, Finding
    from firmware_bridge.reconciler.settings import Sensing, Settings
    from firmware_bridge.verdict import Verdict
    from rules.interface import Position, Side, Square, Turn

_BUSY = ("lifted", "beginning")
"""What a board shows while hands are on the way."""


class Reconciler:
    """Judges one board against one position, and goes on to the next when a turn is taken.

    It is deterministic: what it says depends on the position, the events and their times alone.
    Every method first lets the time up to its `t` pass, so that findings carry their exact times;
    times must not run backwards. The events of one instant may come in any number of calls.

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
        if standing is None:
            standing = dict.fromkeys(position.placement, True)
        self._sensing = sensing
        self._settings = settings
        self._standing = Standing(sensing, standing)
        self._course = Course(
            position, sensing, self._standing.readings, take_backs=settings.take_backs
        )
        self._doubts = Doubts(self._course, self._standing, sensing.tags)
        self._blame: Blame | None = None
        self._wary = self._looked_closely = self._corrected = self._upset = False
        self._stage = 0
        self._due: float | None = None
        self._pressed_until: float | None = None
        self._adjusting = False
        self._touched: Square | None = None
        self._view: View = self._course.look()
        self._verdict = self._conclude()
        self._judged_at = self._felt_at = now
        self._wait(now)

    # --- What is so -----------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position that the board is judged against."""
        return self._course.position

    @property
    def judged_in(self) -> Position:
        """The position that the turns of the verdict belong to; see `Judged`."""
        return self._view.scene.position

    @property
    def verdict(self) -> Verdict:
        """The verdict in force."""
        return self._verdict

    @property
    def standing(self) -> Mapping[str, Reading]:
        """What every cell reads now; empty cells are left out."""
        return self._standing.readings

    @property
    def distrusted(self) -> frozenset[str]:
        """The cells that are done without, because they do not tell the truth."""
        return self._course.distrusted

    @property
    def wake_at(self) -> float | None:
        """When `tick` is due next, or `None` when time alone changes nothing."""
        due, pressed = self._due, self._pressed_until
        if due is None or pressed is None:
            return pressed if due is None else due
        return min(due, pressed)

    @property
    def handling(self) -> Handling:
        """What hands have carried since the position was agreed; there is no secret in it."""
        return handling(self._course.scene, amending=self._view.amending)

    def why(self) -> dict[str, Any]:
        """Return, as JSON values, what speaks for and against every turn; secrets are in it."""
        return why(self._view.scene)

    def prepare(self) -> None:
        """Do now, while there is time, what the next event would have to wait for."""
        self._course.prepare(self._view)
        if is_due(self.position.game.id, self._sensing.tier):
            standing = dict(self.standing)
            rehearse(Reconciler(self.position, self._sensing, self._settings, standing))

    # --- What happens ---------------------------------------------------------------------------

    def feel(self, event: CellEvent | Snapshot) -> tuple[Finding, ...]:
        """Take in what the board felt."""
        t = event.t
        out = self._pass_time(t)
        if self._goes_on_from_before(event):
            self._go_back(self._view.undone, t, out)
        changed = False
        for cell, reading in self._standing.take_in(event):
            changed = True
            self._felt_at = t
            self._corrected = False
            self._doubts.note(cell, reading, t, out)
            if reading is None and not self._adjusting:
                self._opponent_takes(cell, event, out)
            self._course.note(cell, reading, t)
        if changed and not self._adjusting:
            self._refresh(t, out)
        return tuple(out)

    def press(self, t: float, side: Side) -> tuple[Finding, ...]:
        """Take in a clock button; the press of a player who is not to move means nothing."""
        out = self._pass_time(t)
        if self._settings.clock and side == self.position.side and not self._adjusting:
            if self._doubts.lone is not None:
                return (*out, *self.distrust(self._doubts.lone, t))
            self._look_closely_if_busy()
            seen = self._view.judgement
            waits = self._verdict.kind in ("settled", "in-progress") and not seen.answered
            late = self._verdict.kind == "unexplained" and opens_late(self._view.scene)
            unfelt = seen.showing == "hovering" and bool(self._view.scene.missing)
            if (waits or late) and (unfelt or not seen.turns):
                self._pressed_until = t + self._settings.late
                if unfelt and by_press(self._view) is None:
                    self._question(t, out)
            else:
                self._answer_press(t, out)
        return tuple(out)

    def answer(self, t: float, text: str) -> tuple[Finding, ...]:
        """Take the turn `text`: the answer to a choice, or to a decision that needs no hands."""
        out = self._pass_time(t)
        position = self._view.scene.position
        try:
            turn = position.parse_turn(text)
        except IllegalTurn as error:
            return (*out, AnswerRefused(t, text, error.reason))
        shown = (*self._view.judgement.turns, *self._unheard())
        if turn in shown or not position.deed(turn).physical:
            self._doubts.believe_players(self._view, turn, t, out)
            self._take(turn, t, out, "answer")
            self._refresh(t, out)
        else:
            reason = "no-such-move" if self._course.scene.differs else "nothing-changed"
            out.append(AnswerRefused(t, text, reason))
        return tuple(out)

    def _unheard(self) -> tuple[Turn, ...]:
        """Return the turns that hands may have made, though nobody is asked about them."""
        showing = self._view.judgement.showing
        if showing not in (*_BUSY, "position") or self._blame is not None:
            return ()
        told = told_by_players(self._view.scene)
        if showing in _BUSY:
            return (*self._course.look(closely=True).judgement.turns, *told)
        return told

    def declare(self, t: float, what: str) -> tuple[Finding, ...]:
        """Take in a declaration (`reality-check`): the turn being made says more than hands do."""
        del what  # there is one declaration, and what it means is in the turns themselves
        out = self._pass_time(t)
        self._course.around.declared = True
        self._refresh(t, out)
        return tuple(out)

    def adjust(self, t: float, *, on: bool, touched_stays: bool = False) -> tuple[Finding, ...]:
        """Begin or end a declared adjustment, during which nothing is judged.

        Args:
            t: when.
            on: whether it begins.
            touched_stays: whether the piece that was touched before it must still move, where that
                has been agreed on; what was handled during it never does.
        """
        out = self._pass_time(t)
        before = self._touched if self._adjusting else self._course.scene.trail.touched
        self._adjusting = on
        if on:
            self._touched = before
            self._due = self._pressed_until = None
        else:
            self._course.begin_anew(before if touched_stays else None)
            self._refresh(t, out)
        return tuple(out)

    def tick(self, t: float) -> tuple[Finding, ...]:
        """Let time pass."""
        return tuple(self._pass_time(t))

    def agree(self, position: Position, t: float) -> tuple[Finding, ...]:
        """Go on from another position: a new game, a correction, a die, an obligation.

        Where it has the placement that the board is judged against already, what the hands have
        begun goes on; otherwise the board is judged afresh, and until a hand changes something what
        stands otherwise was there before and makes no turn.
        """
        out = self._pass_time(t)
        self._touched = None
        if self._course.agree(position):
            self._blame = None
            self._corrected = True
        self._refresh(t, out)
        return tuple(out)

    def distrust(self, cell: str, t: float) -> tuple[Finding, ...]:
        """Judge this cell by what the others say: people see that it does not tell the truth."""
        out = self._pass_time(t)
        self._doubts.disbelieve(cell, t, out)
        self._refresh(t, out)
        return tuple(out)

    # --- Time -----------------------------------------------------------------------------------

    def _pass_time(self, t: float) -> list[Finding]:
        """Do what was due up to `t`, each at its own time."""
        out: list[Finding] = []
        while (due := self.wake_at) is not None and due <= t:
            if due == self._pressed_until:
                self._pressed_until = None
                self._press_came_to_nothing(due, out)
            else:
                self._due = None
                self._stage += 1
                self._stood(due, out)
        return out

    def _stood(self, t: float, out: list[Finding]) -> None:
        """Do what follows when nothing has changed for as long as it takes."""
        view = self._view
        if view.sign == "undone":
            self._go_back(view.undone, t, out)
        elif view.sign is not None:
            start = view.sign == "start"
            out.append(StartShown(t) if start else KingsPlaced(t, CENTRE[view.centre]))
            self._judge(t, out)
        elif self._verdict.kind == "complete":
            self._take(view.judgement.turns[0], t, out, "stood")
            self._refresh(t, out)
        elif self._verdict.kind in ("illegal", "disturbed"):
            self._doubts.doubt(view, t, out)
        else:
            clock, looked = self._settings.clock, self._looked_closely
            if view.judgement.showing in _BUSY and not (clock or looked):
                self._look_closely()
                if self._view.judgement.showing in _BUSY:
                    self._stage = 0
            elif self._verdict.kind == "unexplained":
                self._ask(self._doubts.hidden(view, t, out) or self._answered())
            self._judge(t, out)
            self._wait(t)

    def _look_closely(self) -> None:
        """See whether pieces that seem to be in the air may stand where nobody feels them."""
        self._looked_closely = True
        self._view = as_conducted(self._course.look(closely=True), self._settings)

    def _look_closely_if_busy(self) -> None:
        if self._view.judgement.showing in _BUSY and not (self._blame or self._upset):
            self._look_closely()

    def _wait(self, t: float) -> None:
        """Note when time alone will change something."""
        wait = patience(
            self._view,
            self._settings,
            self._verdict,
            self._stage,
            wary=self._wary,
            looked=self._looked_closely,
        )
        self._due = None if wait is None else t + wait

    # --- Judging --------------------------------------------------------------------------------

    def _refresh(self, t: float, out: list[Finding]) -> None:
        """Look at the board again, because something has changed."""
        if self._adjusting:
            self._view = View(LIFTED, self._course.scene)  # nothing is judged, answers go on
            return
        if self._wary and not self._course.scene.differs:
            touched = self._course.scene.trail.touched
            self._course.begin_anew(None if self._upset else touched)
        self._doubts.look_anew()
        was, stage, due = self._view.judgement, self._stage, self._due
        self._view = as_conducted(self._course.look(), self._settings)
        if self._upset:
            self._view = put_back(self._view)
        self._stage = 0
        self._looked_closely = False
        self._judge(t, out)
        if self._view.judgement == was and was.showing == "turns":
            self._stage, self._due = stage, due
        else:
            self._wait(t)
        if self._pressed_until is not None and self._view.judgement.turns:
            self._answer_press(t, out)

    def _judge(self, t: float, out: list[Finding]) -> None:
        """Draw the conclusion and tell it if it is a new one."""
        verdict = self._conclude()
        if verdict.kind in ("illegal", "disturbed"):
            self._wary = True
        elif verdict.kind == "settled":
            self._wary = False
        if verdict != self._verdict:
            self._verdict, self._judged_at = verdict, t
            out.append(Judged(t, verdict, self.judged_in))

    def _conclude(self) -> Verdict:
        showing = self._view.judgement.showing
        if self._corrected and showing == "turns":
            return disturbed(self._view, self._standing.readings)
        self._upset = showing == "upset" or (self._upset and showing not in ("position", "turns"))
        if self._upset and self._blame is None and self._view.sign is None:
            return disturbed(self._view, self._standing.readings)  # until it is put right
        self._blame, verdict = conclude(
            self._view, self._settings, self._blame, self._stage, self._standing.readings
        )
        return verdict

    def _answered(self) -> tuple[Turn, ...]:
        """Return captures that nobody felt and that the opponent seems to have answered."""
        return () if self._settings.clock else self._course.answered()

    def _ask(self, turns: tuple[Turn, ...]) -> bool:
        """Ask which of these was made, though the board does not show it, if there are any."""
        if turns:
            self._view = self._view._replace(judgement=Judgement("hovering", turns, asked=True))
            self._stage = 1
        return bool(turns)

    # --- The clock ------------------------------------------------------------------------------

    def _answer_press(self, t: float, out: list[Finding]) -> None:
        """Take the turn that the mover's press confirms, or say why none is taken."""
        self._pressed_until = None
        blamed = self._blame is not None and self._settings.restore_first
        turn = None if blamed or self._corrected else by_press(self._view)
        if turn is not None:
            self._take(turn, t, out, "press")
            self._refresh(t, out)
        elif self._verdict.kind == "unexplained" or self._view.judgement.answered:
            self._lose_patience(t, out)
        else:
            self._question(t, out)
            out.append(PressRefused(t, self._verdict))

    def _question(self, t: float, out: list[Finding]) -> None:
        """Ask what was done, where pieces seem to be in the air."""
        if self._view.judgement.showing == "hovering":
            self._stage = 1
            self._judge(t, out)
            self._wait(t)

    def _lose_patience(self, t: float, out: list[Finding]) -> None:
        """Call illegal at once what the mover's press says is his turn."""
        self._stage = 2
        self._judge(t, out)
        self._wait(t)

    def _press_came_to_nothing(self, t: float, out: list[Finding]) -> None:
        """Judge a board on which nothing completed the turn that the mover's press announced."""
        self._look_closely_if_busy()
        if self._view.judgement.turns:
            self._answer_press(t, out)
        elif self._view.judgement.showing == "position":
            out.append(PressRefused(t, self._verdict))
        elif self._verdict.kind in ("in-progress", "unexplained"):
            if self._ask(self._doubts.vanished()):
                self._question(t, out)
            elif self._verdict.kind == "in-progress" and self._view.scene.any_read_too_late:
                out.append(PressRefused(t, self._verdict))
            else:
                self._lose_patience(t, out)

    # --- Turns ----------------------------------------------------------------------------------

    def _take(self, turn: Turn, t: float, out: list[Finding], cause: Cause) -> None:
        """Go on to where `turn` leads, in place of the turn taken before if it is amended."""
        view, stood = self._view, self.position
        if view.judgement.asked and self._doubts.stuck is not None:
            self._course.distrust(self._doubts.stuck)
        following = self._course.take(view, turn, amendable=cause in ("stood", "lifted"))
        self._pressed_until = None
        self._blame = None
        self._wary = self._upset = False
        if not view.amending:
            out.append(TurnTaken(t, turn, following, cause))
        elif following != stood:
            out.append(TurnAmended(t, turn, following))

    def _go_back(self, count: int, t: float, out: list[Finding]) -> None:
        """Go back to a position of the past that the board shows again."""
        position = self._course.go_back(count)
        self._blame = None
        out.append(TurnsUndone(t, count, position))
        self._refresh(t, out)

    def _goes_on_from_before(self, event: CellEvent | Snapshot) -> bool:
        """Return whether a piece is lifted from a board that was put back and has stood so."""
        if self._view.sign != "undone" or self._adjusting or not isinstance(event, CellEvent):
            return False
        lifted = event.reading is None and event.cell in self.standing
        return lifted and event.t - self._felt_at >= self._settings.settle

    def _opponent_takes(self, cell: str, event: CellEvent | Snapshot, out: list[Finding]) -> None:
        """See whether it is the opponent who lifts a piece: then the mover's turn is taken."""
        t = event.t
        if self._pressed_until is not None:
            if self._view.judgement.turns and by_lift(self._view, cell, event) is not None:
                self._answer_press(t, out)
            return
        # What seems to amend a turn may be the opponent's piece, on both cells of a border.
        least = OVERLAP if self._view.amending else BOUNCE
        complete = self._verdict.kind == "complete" and t - self._judged_at > least
        if self._settings.clock or not (complete or by_next_lift(self._view.judgement)):
            return
        turn = by_lift(self._view, cell, event)
        if turn is not None:
            self._take(turn, t, out, "lifted")
            self._refresh(t, out)
