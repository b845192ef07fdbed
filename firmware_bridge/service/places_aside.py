"""Games with friends that are not on the board: where what is told of them comes to stand.

Nobody's hands are needed for it. Whoever takes such a game up finds it as it stands then.
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
from firmware_bridge.recordings.export import RecordedGame
from firmware_bridge.service.game_archive import understood
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


class PlacesAside:
    """Where games go on that are not on the board, by the names of their letters."""

    def __init__(
        self,
        journal: Journal,
        sensing: Sensing,
        now: Callable[[], float],
        on_board: Callable[[], str],
    ) -> None:
        self.now = now
        self._journal, self._sensing, self._on_board = journal, sensing, on_board
        self._places: dict[str, Place] = {}
        self._one_at_a_time = asyncio.Lock()

    async def place(self, line: str) -> Place | None:
        """Return where the game with these letters is, `None` if the journal does not have it.

        Raises:
            TakenUp: it is on the board.
            JournalDamaged: it cannot be read.
            StorageFailed: the journal cannot.
        """
        async with self._one_at_a_time:
            self._hold_aside(line)
            if line not in self._places:
                found = await asyncio.to_thread(self._found, line)
                if found is None:
                    return None
                self._places[line] = found
            return self._places[line]

    def _found(self, line: str) -> Place | None:
        game_id = self._journal.with_letters(line)
        if game_id is None:
            return None
        records = self._journal.read(game_id)
        with understood(game_id):
            table = Table.resume(records, self._sensing, now=self.now(), calendar=calendar)
        return Place(self, game_id, table)

    async def feed(self, place: Place, item: Input) -> None:
        """Let something be told; it is written down when this returns.

        Raises:
            TakenUp: the game is on the board, or has been since.
            StorageFailed: it cannot be written down.
        """
        line, table = place.table.agreement.line, place.table
        async with self._one_at_a_time:
            self._hold_aside(line)
            if self._places.pop(line, None) is not place:
                raise TakenUp
            records = table.take_up().records + table.feed(item).records
            await asyncio.to_thread(self._journal.append, place.game_id, records)
            self._places[line] = place  # what cannot be written down was never told

    def forget(self, line: str) -> None:
        """Read this game anew when something is told of it."""
        self._places.pop(line, None)

    @asynccontextmanager
    async def taking_up(self) -> AsyncIterator[None]:
        """Let nothing be told of any game in a block, after which one of them is on the board."""
        async with self._one_at_a_time:
            self._places.clear()
            yield

    def _hold_aside(self, line: str) -> None:
        if line == self._on_board():
            raise TakenUp


class Place:
    """Where one game goes on aside, as `Controller` is where the one on the board does.

    Attributes:
        game_id: names the game in the journal.
        table: how far it has come.
        goes_on: whether it may still be played; one that may not be, and is not over, was left.
    """

    def __init__(self, aside: PlacesAside, game_id: str, table: Table) -> None:
        self._aside = aside
        self.game_id, self.table, self.now = game_id, table, aside.now
        self.goes_on = False

    @property
    def kept(self) -> RecordedGame:
        """The game as it was written down."""
        agreement, state, records = self.table.agreement, self.table.state, self.table.records
        left = state.stage != "over" and not self.goes_on
        return RecordedGame(agreement, state, records, left)

    async def submit(self, item: Input) -> None:
        """Let something be told of the game; see `PlacesAside.feed`."""
        await self._aside.feed(self, item)
