"""What the board shows, as far as players may be told."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler import Reconciler, Sensing
from firmware_bridge.referee import rulings
from firmware_bridge.table.game_log import GameLog, Moment
from firmware_bridge.table.tokens import label_read
from firmware_bridge.views.redaction import masked, names_owners
from rules.interface import Position, Turn

RIGHT_AGAIN = ("settled", "complete", "extendable", "choice")
"""Verdicts on a board on which nothing has to be put right."""
_HARMLESS = ("game-over", "not-in-hand", "touched-piece")
"""Reasons that tell nothing of whose piece it is."""


class Announcer:
    """Keeps what has been told of the verdicts.

    Attributes:
        verdict: what the board shows, as far as it may be told.
        judged_in: the position that the verdict's turns belong to.
        begun: the turns that explained the board before hands went on with them.
        reason: why the board is illegal, once it is, where that is not what the reconciler says.
    """

    def __init__(self, log: GameLog, reconciler: Reconciler, sensing: Sensing) -> None:
        self.judged_in = reconciler.judged_in
        self.begun: tuple[Turn, ...] = ()
        self.reason: str | None = None
        self._log = log
        self._sensing = sensing
        # What stands there after a power cut may be told no sooner than in play.
        self.verdict = self._masked(reconciler, reconciler.verdict, reconciler.judged_in)

    def unread(self, reconciler: Reconciler) -> frozenset[str]:
        """Cells that feel something and do not tell what, where it matters what lies underneath."""
        if not self._log.terms.game.traits.records_forbidden:
            return frozenset()
        standing = reconciler.standing.items()
        return frozenset(c for c, reading in standing if label_read(self._sensing, reading) is None)

    def tell_at_first(self, at: Moment) -> None:
        """Tell what a board shows that is not right when play begins at once."""
        if self.verdict.kind != "settled":
            self._log.put(VerdictChanged(at.t, self.verdict))

    def tell(
        self, reconciler: Reconciler, verdict: Verdict, judged_in: Position, at: Moment
    ) -> None:
        """Tell of a verdict what may be told."""
        shown = self._masked(reconciler, verdict, judged_in)
        if shown.kind != "in-progress" or judged_in is not self.judged_in:
            self.begun = () if self._log.terms.secret else shown.turns
        self.judged_in = judged_in
        self._show(self._ruled(reconciler, shown), at)

    def carry_out(self, verdict: Verdict, judged_in: Position, at: Moment) -> None:
        """Tell what hands have still to do for a computer, which is open to all."""
        self.judged_in, self.begun, self.reason = judged_in, (), None
        self._show(verdict, at)

    def ask(self, reconciler: Reconciler, verdict: Verdict, at: Moment) -> bool:
        """Ask about a turn that was not told until the press; return whether it may be asked."""
        if names_owners(reconciler.position, verdict, self.judged_in):
            return False
        self._show(masked(reconciler.position, verdict, self.judged_in), at)
        return True

    def _show(self, verdict: Verdict, at: Moment) -> None:
        shown, before = verdict, self.verdict
        if self._log.terms.secret:
            shown, before = _unnamed(shown), _unnamed(before)
        self.verdict = verdict
        if shown != before:
            self._log.put(VerdictChanged(at.t, verdict))

    def _masked(self, reconciler: Reconciler, verdict: Verdict, judged_in: Position) -> Verdict:
        """Return a verdict that can be shown as play is conducted here.

        Once the game is over, hands clear the board and set it up: nothing is odd any more.
        """
        terms = self._log.terms
        if self._log.state.stage == "over" and verdict.kind not in RIGHT_AGAIN:
            return Verdict("in-progress")
        # Without buttons a question of a promotion is open to be answered, and to nothing else.
        blind = terms.blind and (terms.waits_for_press or verdict.kind != "choice")
        return masked(
            reconciler.position,
            verdict,
            judged_in,
            sealed=terms.sealed,
            blind=blind,
            looks_right=reconciler.looks_right,
        )

    def _ruled(self, reconciler: Reconciler, verdict: Verdict) -> Verdict:
        """Give as the reason what the game's own referee rules, which may be less than is known."""
        own = self._log.state.own
        if verdict.kind != "illegal":
            self.reason = None if verdict.kind in RIGHT_AGAIN else self.reason
            return verdict
        if second_thoughts(self._log, verdict):
            self.reason = "no-such-move"
        elif own is None:
            return verdict
        elif self.reason is None:
            vacated = len(reconciler.handling.vacated)
            charged = verdict.earned and self._log.terms.charges(self._log.state)
            if not charged:  # what costs nothing tells nothing
                return replace(verdict, reason=_by_number(vacated))
            ruled = rulings.reason(own, verdict.attempt, alone=verdict.alone)
            self.reason = ruled or _harmless(verdict, vacated)
        return replace(verdict, reason=self.reason)


def _unnamed(verdict: Verdict) -> Verdict:
    """Return the verdict without saying which piece goes where: it may be another like one."""
    return replace(verdict, restore=tuple(step._replace(label=None) for step in verdict.restore))


def second_thoughts(log: GameLog, verdict: Verdict) -> bool:
    """Return whether the piece that moved last was moved on, where no button ends a turn.

    It must go back, but it was not the player to move who did it.
    """
    state = log.state
    if log.terms.waits_for_press or not state.played:
        return False
    last = state.played[-1]
    moved = {target for _, target in last.before.deed(last.turn).moves}
    back = {step.target for step in verdict.restore if step.carried}
    return last.side != state.position.side and not moved.isdisjoint(back)


def _harmless(verdict: Verdict, vacated: int) -> str:
    """Return a reason that tells nothing of whose pieces are in the air: to lift is free."""
    if verdict.reason in _HARMLESS:
        return verdict.reason
    return _by_number(vacated)


def _by_number(vacated: int) -> str:
    return "too-many-pieces" if vacated > 1 else "no-such-move"
