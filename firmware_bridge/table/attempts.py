"""What is illegal goes before the referee, once until the board is right again."""

from __future__ import annotations

import math

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler import Reconciler, Settings
from firmware_bridge.table.announcer import RIGHT_AGAIN, Announcer, second_thoughts
from firmware_bridge.table.game_log import GameLog, Moment

LATE = Settings().late
"""Seconds: what is found so soon after a press of the mover's clock belongs to it."""


class Attempts:
    """Puts what is illegal before the referee.

    Attributes:
        pressed: when the mover pressed the clock last in this turn, if he has.
    """

    def __init__(self, log: GameLog, told: Announcer) -> None:
        self._log = log
        self._told = told
        self.pressed: Moment | None = None
        self._asked_back = False

    def ends_turn(self, t: float) -> bool:
        """Return whether the mover ended a turn with what is found now, or could not say so."""
        pressed_until = self.pressed.t + LATE if self.pressed else -math.inf
        return t <= pressed_until or not self._log.terms.waits_for_press

    def put(self, verdict: Verdict, at: Moment, *, pressed: bool) -> None:
        """Put an attempt before the referee, unless he knows of it and nothing has been added."""
        state = self._log.state
        known = state.trouble
        if known and (known.charged or not pressed):
            return
        if not verdict.earned:
            if not self._asked_back:
                self.ask_back(verdict, at)
            self._asked_back = True
            return
        falls = state.clock.falls_at()
        if falls is not None and falls <= at.ms:  # it waited for this press, which ends no turn
            self._log.apply(Moment(at.t, falls), "flag")
            return
        nobodys = second_thoughts(self._log, verdict)
        move = "".join(verdict.attempt) if verdict.attempt and not nobodys else None
        reason = self._told.reason or verdict.reason or "no-such-move"
        pressed = pressed and not nobodys
        self._log.apply(
            at,
            "attempt",
            side=state.position.side,
            reason=reason,
            move=move,
            cells=list(self._told.verdict.cells),  # another host is told of them
            alone=verdict.alone,
            moved=_moved(verdict, reason),
            pressed=pressed,
        )

    def ask_back(self, verdict: Verdict, at: Moment) -> None:
        """Say why what was moved cannot be played, where that tells no secret; else what to do."""
        reason = verdict.reason
        if reason and _moved(verdict, reason) and not self._log.terms.secret:
            self._log.say(at.t, "answer-refused", reason=f"why-{reason}")
        else:
            self._log.say(at.t, "want-board-right")

    def put_right(self, at: Moment) -> bool:
        """Write down that the board is told to be right again; return whether that is news."""
        state = self._log.state
        right = self._told.verdict.kind in RIGHT_AGAIN
        self._asked_back &= not right
        if state.stage != "playing" or state.trouble is None or not right:
            return False
        self._log.apply(at, "restored")
        return True

    def wait_after_gap(self, reconciler: Reconciler, at: Moment) -> None:
        """Let no clock run while hands put right what nobody saw happen, and no hand be blamed."""
        state = self._log.state
        waits = state.trouble is not None and state.trouble.clock_stopped
        if state.stage != "playing" or waits or self._log.terms.plays_elsewhere(state):
            return
        if reconciler.gap and self._told.verdict.kind == "disturbed":
            self._log.apply(at, "disturbed")


def _moved(verdict: Verdict, reason: str) -> int:
    """Return how many pieces were moved, 0 where a piece that is missing may be all that is wrong.

    Sensors can lose a piece beside a legal turn of several; they cannot move two. Nor is it an
    illegal turn when another piece was touched first. Which of it is so, the `reason` says that is
    told: players may see what follows from it. Two that traded places go back over the table.
    """
    off = sum(step.target is None for step in verdict.restore)
    back = sum(step.source is None for step in verdict.restore)
    perhaps = reason in ("too-many-pieces", "not-your-piece") and off != back
    carried = sum(step.carried for step in verdict.restore) + min(off, back)
    return 0 if perhaps or reason == "touched-piece" else carried
