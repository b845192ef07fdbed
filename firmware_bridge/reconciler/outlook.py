"""What is made of the board at this moment: the look at it, the verdict, and what both rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from firmware_bridge.reconciler.conclude import (
    as_conducted,
    conclude,
    disturbed,
    patience,
    put_back,
)
from firmware_bridge.reconciler.findings import Judged
from firmware_bridge.reconciler.judgement import LIFTED, Judgement
from firmware_bridge.reconciler.view import View

if TYPE_CHECKING:
    from firmware_bridge.reconciler.blame import Blame
    from firmware_bridge.reconciler.course import Course
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.settings import Settings
    from firmware_bridge.reconciler.standing import Standing
    from firmware_bridge.verdict import Verdict
    from rules.interface import Position, Turn

Disorder = Literal["upset", "gap", "agreed"]

_BUSY = ("lifted", "beginning")
"""What a board shows while hands are on the way."""
CATCHING_UP = 0.1
"""Seconds that news of what happened in a gap may come after the first of it."""


class Outlook:
    """Looks at the board and draws the verdict; it takes no turn and knows no clock.

    Attributes:
        view: what the board shows.
        verdict: the verdict in force.
        judged_at: since when, in seconds.
        blame: what was illegal and has not been put right yet.
        wary: whether something illegal has just been on the board.
        gap: whether nobody saw how the board came to show what it shows: from the first look after
            a gap until it has been right once, or a turn is taken.
        disorder: why it must be put right before anything is judged, if it must: it was `upset`,
            what is odd was found after a `gap`, or another position was `agreed` on and no hand has
            touched the board since.
        stage: how often patience has run out since the last change.
        looked_closely: whether pieces in the air were looked at closely since then.
    """

    def __init__(self, course: Course, standing: Standing, settings: Settings, now: float) -> None:
        self._course = course
        self._standing = standing
        self._settings = settings
        self.blame: Blame | None = None
        self.disorder: Disorder | None = None
        self.wary = self.looked_closely = False
        self.gap = course.scene.differs
        self._right_since: float | None = None
        self.stage = 0
        self.view: View = course.look()
        self.verdict: Verdict = self._conclude()
        self.judged_at = now

    @property
    def position(self) -> Position:
        """The position that the turns of the verdict belong to."""
        return self.view.scene.position

    @property
    def busy(self) -> bool:
        """Whether hands are on the way."""
        return self.view.judgement.showing in _BUSY

    @property
    def patience(self) -> float | None:
        """After how many seconds without change something follows, `None` if nothing does."""
        return patience(
            self.view,
            self._settings,
            self.verdict,
            self.stage,
            wary=self.wary,
            looked=self.looked_closely,
        )

    def look(self) -> None:
        """Look at the board, because something has changed."""
        self.view = as_conducted(self._course.look(), self._settings)
        if self.disorder is not None:
            self.view = put_back(self.view, unseen=self.disorder != "upset")
        self.stage = 0
        self.looked_closely = False

    def look_away(self) -> None:
        """Judge nothing while pieces are adjusted."""
        self.view = View(LIFTED, self._course.scene)

    def look_closely(self) -> None:
        """See whether pieces that seem to be in the air may stand where nobody feels them."""
        self.looked_closely = True
        self.view = as_conducted(self._course.look(closely=True), self._settings)

    def look_closely_if_busy(self) -> None:
        """Do so where hands are on the way and nothing is to be put right."""
        if self.busy and not (self.blame or self.disorder):
            self.look_closely()

    def ask(self, turns: tuple[Turn, ...]) -> bool:
        """Ask which of these was made, though the board does not show it, if there are any."""
        if turns:
            self.view = self.view._replace(judgement=Judgement("hovering", turns, asked=True))
            self.stage = 1
        return bool(turns)

    def judge(self, t: float, out: list[Finding]) -> None:
        """Draw the conclusion and tell it if it is a new one."""
        verdict = self._conclude()
        if verdict.kind in ("illegal", "disturbed"):
            self.wary = True
        elif verdict.kind == "settled":
            self.wary = False
        if self.view.judgement.showing != "position":
            self._right_since = None
        elif self._right_since is None:
            self._right_since = t
        if verdict != self.verdict:
            self.verdict, self.judged_at = verdict, t
            out.append(Judged(t, verdict, self.position))

    def acquit(self) -> None:
        """Hold nothing against the board any more: a turn is taken."""
        self.blame = self.disorder = None
        self.wary = self.gap = False

    def open_gap(self) -> None:
        """Blame nobody for what is found on the board, nor for anything on the way back from it."""
        self.blame, self.gap, self._right_since = None, True, None

    def agree(self) -> None:
        """Take it that nobody has made a turn by what stands on the board."""
        self.open_gap()
        self.disorder = "agreed"

    def touched(self) -> None:
        """A hand has changed something."""
        if self.disorder == "agreed":
            self.disorder = None

    def pass_time(self, t: float) -> None:
        """See whether the board has been right since the last gap, for as long as news may lag."""
        if self._right_since is not None and t - self._right_since > CATCHING_UP:
            self.gap = False

    def _conclude(self) -> Verdict:
        showing, standing = self.view.judgement.showing, self._standing.readings
        if showing in ("position", "turns"):
            self.disorder = None
        elif showing == "upset":
            self.disorder = "gap" if self.gap else self.disorder or "upset"
        if self.disorder is not None and self.blame is None and self.view.sign is None:
            return disturbed(self.view, standing)  # until it is put right
        blamed, verdict = conclude(self.view, self._settings, self.blame, self.stage, standing)
        if verdict.kind == "illegal" and self.gap:
            self.disorder = "gap"
            return disturbed(self.view, standing)
        self.blame = blamed
        return verdict
