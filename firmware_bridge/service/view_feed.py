"""Hands views to whoever watches: always the newest, numbered only when it really changed.

What one reader sees never depends on another reader's view: each has numbers of its own, so that
a number says nothing about secrets.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from firmware_bridge.service.demonstration import Frame
from firmware_bridge.views import Announcement, PlayerView, PublicView, RefereeView

Reader = Literal["public", "white", "black", "referee"]
View = PublicView | PlayerView | RefereeView


@dataclass(frozen=True, slots=True)
class News(Announcement):
    """An announcement with its number: the same again is another one.

    Attributes:
        number: counts what was announced.
        stale: whether an alarm has come since, or a turn after a ruling, beside which it is not
            shown any more.
    """

    number: int = 0
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """What a reader sees.

    Attributes:
        view: the table.
        news: what was announced last, the latest first; what came together, in its order.
        link: what is wrong with the board's connection, sentence after sentence.
        show: what a kiosk shows while nobody plays.
        speaks: whether pages are to say aloud what is announced, since nothing else does.
        game_id: names the game in the journal.
    """

    view: View
    news: tuple[News, ...] = ()
    link: tuple[Announcement, ...] = ()
    show: Frame | None = None
    speaks: bool = False
    game_id: str = ""

    @property
    def public(self) -> PublicView:
        """What everyone may see of the table."""
        return self.view if isinstance(self.view, PublicView) else self.view.public


@dataclass(frozen=True, slots=True)
class NumberedSight:
    """A sight, the moment it holds for (host monotonic seconds), and its number for this reader."""

    number: int
    t: float
    sight: Sight


GATHER = 0.02
"""Seconds for which changes are gathered before the watchers are woken: a hand's next contact, and
the board's own lights, must not wait until fifty pages have been told of the one before."""


class Hub:
    """Numbers views and wakes those who watch.

    Attributes:
        closed: nothing is shown any more, and nobody waits.
        watchers: called when something may have changed, and at the end.
    """

    def __init__(self, look: Callable[[Reader], Sight], clock: Callable[[], float]) -> None:
        self._look = look
        self._clock = clock
        self.closed = False
        self.watchers: list[Callable[[], None]] = []
        self._generation = 0
        self._moved = asyncio.Event()
        self._waking: asyncio.TimerHandle | None = None
        self._latest: dict[Reader, tuple[int, NumberedSight]] = {}

    def touch(self) -> None:
        """Something may have changed."""
        self._generation += 1
        if self._waking is None:
            self._waking = asyncio.get_running_loop().call_later(GATHER, self._wake)

    def latest(self, reader: Reader) -> NumberedSight:
        """Return what this reader may see now; made once, however many watch."""
        generation, before = self._latest.get(reader, (-1, None))
        if before is not None and generation == self._generation:
            return before
        sight, t = self._look(reader), self._clock()
        number = 1 if before is None else before.number + (_still(before.sight) != _still(sight))
        newest = NumberedSight(number, t, sight)
        self._latest[reader] = (self._generation, newest)
        return newest

    async def wait(self, reader: Reader, after: int | None = None) -> NumberedSight:
        """Return the newest view as soon as it is another than number `after`, or at the end.

        Whoever asks again and again misses nothing that lasts; what came and went in between is
        skipped, so that a slow reader never holds up anyone.
        """
        while True:
            moved = self._moved
            newest = self.latest(reader)
            if newest.number != after or self.closed:
                return newest
            await moved.wait()

    def close(self) -> None:
        """Send everyone home who watches."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._waking = None
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
        for watch in self.watchers:
            watch()


def _still(sight: Sight) -> Sight:
    """Return the sight without what time alone changes: where a running clock stands."""
    view = sight.view
    if isinstance(view, PublicView):
        return dataclasses.replace(sight, view=_still_public(view))
    still = dataclasses.replace(view, public=_still_public(view.public))
    return dataclasses.replace(sight, view=still)


def _still_public(view: PublicView) -> PublicView:
    clocks = {
        side: dataclasses.replace(face, left_ms=0, delay_ms=0) if face.running else face
        for side, face in view.clocks.items()
    }
    return dataclasses.replace(view, clocks=clocks)
