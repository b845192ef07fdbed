"""What is made of the board at this moment: the look at it, the verdict, and what both rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from firmware_bridge.reconciler.findings import Judged, PressFirst
from firmware_bridge.reconciler.observation import look
from firmware_bridge.reconciler.replies import (
    lifted_since,
    may_be_parked,
    moved_later,
    set_down,
    whole,
)
from firmware_bridge.reconciler.settings import CATCHING_UP
from firmware_bridge.reconciler.stories import Assessment, busy
from firmware_bridge.reconciler.verdict_policy import (
    as_conducted,
    conclude,
    disturbed,
    patience,
    put_back,
)

if TYPE_CHECKING:
    from firmware_bridge.messages.verdict import Verdict
    from firmware_bridge.reconciler.factors import Factor
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.game_tracker import GameTracker
    from firmware_bridge.reconciler.readings import Readings
    from firmware_bridge.reconciler.redress import Blame
    from firmware_bridge.reconciler.settings import Phase, Settings
    from rules.interface import Position, Turn

Disorder = Literal["upset", "gap", "agreed", "early"]

_BUSY = ("lifted", "beginning", "halfway")
"""What a board shows while hands are on the way."""
_REPLYING = ("turns", "lifted", "beginning", "halfway", "hovering")
"""What a board shows while the opponent is about to reply."""


class CurrentAssessment:
    """Looks at the board and draws the verdict; it takes no turn and knows no clock.

    Attributes:
        seen: what the board shows.
        verdict: the verdict in force.
        judged_at: since when, in seconds.
        blame: what was illegal and has not been put right yet.
        wary: whether something illegal has just been on the board.
        gap: whether nobody saw how the board came to show what it shows: from the first look after
            a gap until it has been right once, or a turn is taken.
        disorder: why it must be put right before anything is judged, if it must: it was `upset`,
            what is odd was found after a `gap`, another position was `agreed` on and no hand has
            touched the board since, or a piece was set down wrongly too `early`, after a whole turn
            and before the press.
        replied: the turn that the opponent has answered though nobody pressed, if he has.
        reply_waits: whether that is only known for certain once somebody presses.
        phase: how long hands have rested.
    """

    def __init__(
        self, course: GameTracker, standing: Readings, settings: Settings, now: float
    ) -> None:
        self._course = course
        self._standing = standing
        self._settings = settings
        self.blame: Blame | None = None
        self.disorder: Disorder | None = None
        self.wary = False
        self.gap = course.scene.differs
        self.replied: Turn | None = None
        self.reply_waits = False
        self._warned = False
        self._right_since: float | None = None
        self.phase: Phase = "waiting"
        self.seen: Assessment = look(course)
        self.verdict: Verdict = self._conclude()
        self.judged_at = now

    @property
    def position(self) -> Position:
        """The position that the turns of the verdict belong to."""
        return self.seen.scene.position if self.seen.ahead is None else self._course.position

    @property
    def busy(self) -> bool:
        """Whether hands are on the way."""
        return self.seen.showing in _BUSY

    @property
    def patience(self) -> float | None:
        """After how many seconds without change something follows, `None` if nothing does."""
        return patience(self.seen, self._settings, self.verdict, self.phase, wary=self.wary)

    def look(self) -> None:
        """Look at the board, because something has changed."""
        seen = look(self._course)
        self.seen = as_conducted(seen, self._settings)
        if self.disorder not in (None, "early"):
            self.seen = put_back(self.seen, unseen=self.disorder != "upset")
        self.phase = "waiting"
        if self._settings.clock:
            self._look_for_replies(seen)

    def _look_for_replies(self, seen: Assessment) -> None:
        """See whether hands go on after a whole turn, though nobody has pressed the clock."""
        self.replied = None
        if self.seen.showing == "position":
            self._course.unpressed = []
        elif turns := whole(self.seen):
            self._course.await_press(turns)
        if self.blame is not None or self.disorder not in (None, "early"):
            return
        if self.seen.sign is not None or not (seen.showing in ("odd", "upset") or seen.answered):
            return  # what the mover himself is about to do goes first
        afters = set_down(self._course.unpressed)
        replied = tuple(a.ahead for a in afters if a.ahead and a.showing == "turns")
        parked = bool(replied) and may_be_parked(self._course.scene)
        self.reply_waits = self._settings.sealed or parked
        if len(self._course.unpressed) > 1:
            self.ask(replied, "unseen")
        elif replied and not self.reply_waits:
            (self.replied,) = replied
        elif afters:
            self._follow(afters[0])

    def _follow(self, after: Assessment) -> None:
        """Judge the board by what it shows after a turn that nobody has pressed for."""
        turn = after.ahead
        if after.showing == "turns":  # which only a press may tell
            self.replied, after = turn, busy(after.scene, "beginning")._replace(ahead=turn)
        elif turn is None or not moved_later(self._course.scene, turn, after.scene):
            return
        elif after.showing not in _REPLYING and self._warned and self.disorder != "early":
            return  # it was said once: now it is the mover's own attempt
        self.blame = None
        self.seen = as_conducted(after, self._settings)

    @property
    def confirmed(self) -> Turn | None:
        """The turn that the mover's press takes, whatever the opponent does after it already."""
        if self.seen.ahead is not None:
            return self.seen.ahead
        if self.seen.turns or self.blame or self.disorder:
            return None
        return lifted_since(self._course.scene, self._course.unpressed)

    @property
    def replying(self) -> bool:
        """Whether what was handled after a whole turn may become a reply to it."""
        return self.seen.showing in _REPLYING

    def look_away(self) -> None:
        """Judge nothing while pieces are adjusted."""
        self.seen = busy(self._course.scene, "lifted")

    def look_closely(self) -> None:
        """See whether pieces that seem to be in the air may stand where nobody feels them."""
        self.seen = as_conducted(look(self._course, closely=True), self._settings)

    def look_closely_if_busy(self) -> None:
        """Do so where hands are on the way and nothing is to be put right."""
        if self.busy and self.seen.ahead is None and not (self.blame or self.disorder):
            self.look_closely()

    def ask(self, turns: tuple[Turn, ...], why: Factor) -> bool:
        """Ask which of these was made, though the board does not show it, if there are any."""
        if turns:
            self.seen = self.seen.asking(turns, why)
            self.phase = "asking"
        return bool(turns)

    def judge(self, t: float, out: list[Finding]) -> None:
        """Draw the conclusion and tell it if it is a new one."""
        orderly = self.disorder != "early"
        verdict = self._conclude()
        if orderly and self.disorder == "early":
            self.warn(t, out)
        if verdict.kind in ("illegal", "disturbed"):
            self.wary = True
        elif verdict.kind == "settled":
            self.wary = False
        if self.seen.showing != "position":
            self._right_since = None
        elif self._right_since is None:
            self._right_since = t
        if verdict != self.verdict:
            self.verdict, self.judged_at = verdict, t
            out.append(Judged(t, verdict, self.position))

    def acquit(self, disorder: Disorder | None) -> None:
        """Hold nothing else against the board any more: a turn is taken."""
        self.blame, self.disorder = None, disorder
        self.wary = self.gap = self._warned = False

    def open_gap(self, disorder: Disorder | None = None) -> None:
        """Blame nobody for what is found on the board, nor for anything on the way back from it.

        Args:
            disorder: why it is certain already that something must be put right, if it is.
        """
        self.blame, self.gap, self._right_since = None, True, None
        self.disorder = disorder or self.disorder

    def warn(self, t: float, out: list[Finding]) -> None:
        """Say, once a turn, that the clock is pressed first."""
        if not self._warned:
            self._warned = True
            out.append(PressFirst(t))

    def touched(self) -> None:
        """A hand has changed something."""
        if self.disorder == "agreed":
            self.disorder = None

    def pass_time(self, t: float) -> None:
        """See whether the board has been right since the last gap, for as long as news may lag."""
        if self._right_since is not None and t - self._right_since > CATCHING_UP:
            self.gap = False

    def _conclude(self) -> Verdict:
        showing, standing = self.seen.showing, self._standing.readings
        if showing in ("position", "turns"):
            self.disorder = None
        elif showing == "upset":
            self.disorder = "gap" if self.gap else self.disorder or "upset"
        agreed = self.seen
        if agreed.amending:  # second thoughts are over: the way back leads to where the game stands
            agreed = agreed._replace(scene=self._course.scene)
        if self.disorder is not None and self.blame is None and self.seen.sign is None:
            return disturbed(agreed, standing)  # until it is put right
        blamed, verdict = conclude(self.seen, self._settings, self.blame, self.phase, standing)
        if verdict.kind == "illegal" and (self.gap or self.seen.ahead is not None):
            self.disorder = "gap" if self.gap else "early"
            return disturbed(agreed, standing)
        self.blame = blamed
        return verdict
