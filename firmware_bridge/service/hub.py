"""Hands views to whoever watches: always the newest, numbered only when it really changed.

What one reader sees never depends on another reader's view: each has numbers of its own, so that
a number says nothing about secrets.
"""

from __future__ import annotations

import asyncio
import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

from firmware_bridge.views import PlayerView, PublicView, RefereeView

Reader = Literal["public", "white", "black", "referee"]
View = PublicView | PlayerView | RefereeView
V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class Seen(Generic[V]):
    """A view, the moment it holds for (host monotonic seconds), and its number for this reader."""

    number: int
    t: float
    view: V


class Hub:
    """Numbers views and wakes those who watch.

    Args:
        look: makes the view of a reader as of now.
        clock: the host's monotonic clock.
    """

    def __init__(self, look: Callable[[Reader], View], clock: Callable[[], float]) -> None:
        self._look = look
        self._clock = clock
        self._generation = 0
        self._moved = asyncio.Event()
        self._latest: dict[Reader, tuple[int, Seen[View]]] = {}

    def touch(self) -> None:
        """Something may have changed."""
        self._generation += 1
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    def latest(self, reader: Reader) -> Seen[View]:
        """Return what this reader may see now; made once, however many watch."""
        generation, before = self._latest.get(reader, (-1, None))
        if before is not None and generation == self._generation:
            return before
        view, t = self._look(reader), self._clock()
        number = 1 if before is None else before.number + (_still(before.view) != _still(view))
        seen = Seen(number, t, view)
        self._latest[reader] = (self._generation, seen)
        return seen

    async def wait(self, reader: Reader, after: int | None = None) -> Seen[View]:
        """Return the newest view as soon as it is another than number `after`.

        Whoever asks again and again misses nothing that lasts; what came and went in between is
        skipped, so that a slow reader never holds up anyone.
        """
        while True:
            moved = self._moved
            seen = self.latest(reader)
            if seen.number != after:
                return seen
            await moved.wait()


def _still(view: View) -> View:
    """Return the view without what time alone changes: where a running clock stands."""
    if isinstance(view, PublicView):
        return _still_public(view)
    return dataclasses.replace(view, public=_still_public(view.public))


def _still_public(view: PublicView) -> PublicView:
    clocks = {
        side: dataclasses.replace(face, left_ms=0, delay_ms=0) if face.running else face
        for side, face in view.clocks.items()
    }
    return dataclasses.replace(view, clocks=clocks)
