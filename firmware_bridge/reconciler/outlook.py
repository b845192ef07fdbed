"""What is made of the board at this moment: the look at it, the verdict, and what both rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

_BUSY = ("lifted", "beginning")
"""What a board shows while hands are on the way."""


class Outlook:
    """Looks at the board and draws the verdict; it takes no turn and knows no clock.

    Attributes:
        view: what the board shows.
        verdict: the verdict in force.
        judged_at: since when, in seconds.
        blame: what was illegal and has not been put right yet.
        wary: whether something illegal has just been on the board.
        upset: whether the board was upset and is not right again.
        corrected: whether the position was corrected and no hand has touched the board since.
        stage: how often patience has run out since the last change.
        looked_closely: whether pieces in the air were looked at closely since then.
    """

    def __init__(self, course: Course, standing: Standing, settings: Settings, now: float) -> None:
        self._course = course
        self._standing = standing
        self._settings = settings
        self.blame: Blame | None = None
        self.wary = self.looked_closely = self.corrected = self.upset = False
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
        if self.upset:
            self.view = put_back(self.view)
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
        if self.busy and not (self.blame or self.upset):
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
        if verdict != self.verdict:
            self.verdict, self.judged_at = verdict, t
            out.append(Judged(t, verdict, self.position))

    def acquit(self) -> None:
        """Hold nothing against the board any more: a turn is taken."""
        self.blame = None
        self.wary = self.upset = False

    def _conclude(self) -> Verdict:
        showing = self.view.judgement.showing
        if self.corrected and showing == "turns":
            return disturbed(self.view, self._standing.readings)
        self.upset = showing == "upset" or (self.upset and showing not in ("position", "turns"))
        if self.upset and self.blame is None and self.view.sign is None:
            return disturbed(self.view, self._standing.readings)  # until it is put right
        self.blame, verdict = conclude(
            self.view, self._settings, self.blame, self.stage, self._standing.readings
        )
        return verdict
