"""Games of days a turn that go on with another one on the board: nobody's hands are needed for it.

What the friend tells stands at once, what his host asks for is answered, and flags fall. Whoever
takes such a game up finds it as it stands then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from firmware_bridge.journal import Journal
from firmware_bridge.messages import Input
from firmware_bridge.reconciler import Sensing
from firmware_bridge.table import Table

SET = 1_767_225_600
"""2026 began so many seconds after 1970: what says less was never set."""


SYNCED = Path("/run/systemd/timesync/synchronized")
"""There since the network has told the date; systemd, where it asks for that, makes the folder."""


def calendar() -> int:
    """Return the milliseconds since 1970; 0 where nobody has told this machine the date.

    A Raspberry Pi without a clock of its own begins with the day on which it was switched off, or
    on which its card was made.
    """
    now, told = time.time(), SYNCED.exists() or not SYNCED.parent.exists()
    return round(1000 * now) if told and now > SET else 0


class TakenUp(Exception):  # noqa: N818 - it is no error
    """The game is on the board meanwhile."""


class DaysAside:
    """The games that go on aside."""

    def __init__(
        self,
        journal: Journal,
        sensing: Sensing,
        now: Callable[[], float],
        on_board: Callable[[], str],
    ) -> None:
        self.now = now
        self._journal, self._sensing, self._on_board = journal, sensing, on_board
        self._tables: dict[str, Table] = {}
        self._one_at_a_time = asyncio.Lock()

    async def place(self, game_id: str) -> Place:
        """Return where such a game goes on.

        Raises:
            TakenUp: it is on the board.
            JournalDamaged: it cannot be read.
            StorageFailed: it cannot be written down that it was looked at.
        """
        async with self._one_at_a_time:
            self._hold_aside(game_id)
            if game_id not in self._tables:
                records = await asyncio.to_thread(self._journal.read, game_id)
                self._tables[game_id] = Table.resume(
                    records, self._sensing, now=self.now(), calendar=calendar
                )
        return Place(self, game_id, self._tables[game_id])

    async def feed(self, game_id: str, table: Table, item: Input) -> None:
        """Let something be told; it is written down when this returns.

        Raises:
            TakenUp: it is on the board, or has been since.
            StorageFailed: it cannot be written down.
        """
        async with self._one_at_a_time:
            self._hold_aside(game_id)
            if self._tables.pop(game_id, None) is not table:
                raise TakenUp
            records = table.take_up().records + table.feed(item).records
            await asyncio.to_thread(self._journal.append, game_id, records)
            self._tables[game_id] = table  # what cannot be written down was never told

    @asynccontextmanager
    async def taking_up(self, game_id: str) -> AsyncIterator[None]:
        """Let nothing be told of a game in a block, after which it is on the board."""
        async with self._one_at_a_time:
            self._tables.pop(game_id, None)
            yield

    def _hold_aside(self, game_id: str) -> None:
        if game_id == self._on_board():
            raise TakenUp


class Place:
    """Where one game goes on aside, as `Controller` is where the one on the board does."""

    def __init__(self, aside: DaysAside, game_id: str, table: Table) -> None:
        self._aside, self._game_id, self.table = aside, game_id, table
        self.now = aside.now

    async def submit(self, item: Input) -> None:
        """Let something be told of the game; see `DaysAside.feed`."""
        await self._aside.feed(self._game_id, self.table, item)
