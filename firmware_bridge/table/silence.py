"""Nobody waits in silence: what a board waits for that has long not shown the position."""

from __future__ import annotations

from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.table.game_log import Moment
from firmware_bridge.table.play import Play

SILENT = 6.0
"""Seconds for which hands may be on their way before it is said that the board waits for them."""


class Waiting:
    """What has been told for how long, as far as nothing else says what is to be done.

    It rests on what was told to all, and on time: so it tells nothing that the verdict does not.
    """

    def __init__(self, play: Play) -> None:
        self._play = play
        self._since: tuple[Verdict, float] | None = None
        self._said = False

    @property
    def wake_at(self) -> float | None:
        """When it is to be said, in host seconds, if nothing changes."""
        return self._since[1] + SILENT if self._since and not self._said else None

    def feel(self, at: Moment) -> None:
        """See what is told now, and say that the board waits if it has been so for long."""
        play = self._play
        verdict, state = play.told.verdict, play.log.state
        if verdict.kind != "in-progress" or state.stage != "playing" or play.computer_rests:
            self._since = None
        elif self._since is None or self._since[0] != verdict:
            self._since, self._said = (verdict, at.t), False
        elif at.t >= self._since[1] + SILENT and not self._said:
            self._said = True
            lacking = f"want-{verdict.reason}" if verdict.reason else "waits-for-hands"
            play.log.say(at.t, lacking)
