"""The one place where a game goes on: what is felt and said goes in, one thing after the other.

What comes of it is on disk before anyone is shown it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from secrets import token_bytes

from drivers.beside import begin
from drivers.description import BoardDescription
from drivers.port import CellEvent, Reading, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.diagnostics.metrics import Metrics
from firmware_bridge.journal import Journal, JournalDamaged, StorageFailed
from firmware_bridge.messages import (
    Answer,
    Call,
    Declare,
    Input,
    LightsChanged,
    Piped,
    PublicOutput,
    RefereeOpened,
    Said,
    Tick,
)
from firmware_bridge.messages.outputs import NewGameWanted
from firmware_bridge.messages.records import PhoneSeat, Record, before_play, is_over
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.export import GameSoFar, RecordedGame
from firmware_bridge.recordings.recorder import Recorder
from firmware_bridge.service.analyst import Analyst
from firmware_bridge.service.blind_spots import BlindSpots
from firmware_bridge.service.compatibility import obstacles
from firmware_bridge.service.demonstration import Frame
from firmware_bridge.service.game_archive import Archive, understood
from firmware_bridge.service.inbox import Inbox, Request, TakeUp
from firmware_bridge.service.ladder import at_fair_level
from firmware_bridge.service.places_aside import PlacesAside, calendar
from firmware_bridge.service.reviewer import Reviewer
from firmware_bridge.service.state_feed import StateFeed
from firmware_bridge.service.view_feed import Hub, Reader, Sight
from firmware_bridge.table import Batch, Table, TableSummary
from firmware_bridge.views import Announcement, ClockFace, PublicView
from rules.interface import Side

Listener = Callable[[tuple[PublicOutput, ...]], None]

_LOG = logging.getLogger(__name__)

AGAIN_AFTER = 5.0
"""Seconds after which writing is tried again, when storage has failed."""
LOOKS_AFTER = 10.0
"""Seconds after which it is seen to that what was written down still is, if nothing is written."""


class Controller:
    """Owns the table and lets everyone else ask and tell.

    Attributes:
        notices: what is announced, broken or warned of, as pages show it.
        listeners: called with everything that may be shown, after it has been written down.
        metrics: what is counted and timed.
        archive: the games that are over.
        recorders: what was felt in the game on the table, and in the one before it, by their ids.
        aside: where games with friends go on that are not on the board.
        reviewer: what is thought of them.
        analyst: what is thought of the position of them that somebody looks at.
        blind_spots: cells that nobody watched for a while.
        show: the frame of the show that is to be seen, if any.
        link: what is wrong with the board's connection, sentence after sentence.
        game_id: names the game in the journal.
        touched: when somebody last did or said something, on the host's monotonic clock.
    """

    def __init__(
        self,
        journal: Journal,
        sensing: Sensing,
        description: BoardDescription,
        clock: Callable[[], float],
    ) -> None:
        self.description = description
        self.hub = Hub(self._look, clock)
        self.notices = StateFeed(self.hub.touch)
        self.metrics = Metrics()
        self.listeners: list[Listener] = [self.metrics.hear]
        self.show: Frame | None = None
        self.link: tuple[Announcement, ...] = ()
        self.game_id = ""
        self.now = clock
        self.archive = Archive(journal)
        self.aside = PlacesAside(journal, sensing, clock, lambda: self.agreement.line)
        self.reviewer = Reviewer(self.archive)
        self.analyst = Analyst(lambda: self.table)
        self.blind_spots = BlindSpots(description.cells)
        self._journal = journal
        self._sensing = sensing
        self.recorders: dict[str, Recorder] = {}
        self._pages_speak = False
        self._standing: dict[str, Reading] | None = None
        self._inbox = Inbox(clock, self._look_at_the_time)
        self.metrics.watch_queue("controller", self._inbox.size)
        self._heard = self.touched = clock()
        self._begun = False
        self._again_at: float | None = None  # when to try to write again, while storage fails
        self._looks_at = 0.0  # when to look after what was written down
        self._opened: set[tuple[str, str]] = set()
        self._table: Table | None = None
        self._summary: TableSummary | None = None

    @property
    def table(self) -> Table:
        """The table; `open` must have been called."""
        if self._table is None:
            raise RuntimeError("the controller has not been opened")
        return self._table

    @property
    def agreement(self) -> Agreement:
        """What was agreed for the game that is on the table."""
        return self.table.agreement

    @property
    def shown(self) -> TableSummary:
        """Return the table as it is on disk; it may have gone on since."""
        if self._summary is None:
            raise RuntimeError("the controller has not been opened")
        return self._summary

    @property
    def keeps(self) -> bool:
        """Whether what happens can be written down."""
        return self._again_at is None

    @property
    def kept(self) -> RecordedGame:
        """The game on the table as far as it is on disk: what others may be told of."""
        return RecordedGame(self.agreement, self.shown.facts.state, self.shown.records)

    @property
    def whole_game(self) -> GameSoFar:
        """The game on the table, secrets included: for the referee alone."""
        return self.table

    def objection(self, said: Call | Answer | Declare) -> str | None:
        """Return why this cannot be said now, as a key of the word catalogue, or `None`."""
        return self.table.objection(said)

    def view(self) -> PublicView:
        """Return the public view as of now."""
        return self.shown.view(self.now())

    def clocks(self) -> Mapping[Side, ClockFace]:
        """Return the clocks as of now."""
        return self.shown.clocks(self.now())

    @property
    def seats(self) -> Mapping[Side, PhoneSeat]:
        """Who plays with a phone, as the disk has it."""
        return self.shown.seats

    async def open(self, otherwise: Agreement, *, instead: bool = True) -> None:
        """Go on with the last game, or else begin the one given.

        One in which nothing has happened yet goes on, with those seated at it, and one that is over
        still shows how it ended, if people chose it or it is the one given. One that was damaged
        stays in the journal, and people are told. Without `instead` none is begun then.

        Raises:
            JournalDamaged: it was, and nothing is begun instead.
        """
        try:
            last = await asyncio.to_thread(self._journal.last_game)
            self.game_id, records = last or ("", ())
            with understood(self.game_id):
                idle = before_play(records) or is_over(records)
                wanted = not idle or self._still_chosen(records, otherwise)
            if wanted:
                await self._go_on_with(self.game_id, records)
                return
        except JournalDamaged as error:
            if not instead:
                raise
            await self._begin_instead(otherwise, error)
        else:
            await self._begin(otherwise)

    async def _begin_instead(self, agreement: Agreement, of: JournalDamaged) -> None:
        """Begin a game instead of one that stays in the journal, and tell people why."""
        _LOG.error("the last game cannot go on: %s", of)
        await self._begin(agreement)
        self.notices.post(Announcement("page-game-damaged", {"what": str(of)}))

    async def _prepare(self) -> None:
        """Do ahead what the next input would have to wait for, as long as none is there."""
        for _ in self.table.reconciler.prepare():
            if self._inbox.size():
                return
            await asyncio.sleep(0)  # the board, displays and computers come first

    def _still_chosen(self, records: tuple[Record, ...], otherwise: Agreement) -> bool:
        """Return whether this game is wanted: people chose it and the board carries it (still)."""
        if not records:
            return False
        wanted = Agreement.from_data(records[0].data)
        carried = not obstacles(self.description, wanted.terms().game)
        return (wanted.chosen and carried) or wanted == otherwise

    async def run(self) -> None:
        """Take in what comes and let time pass, until cancelled.

        After a failure it goes on from what is on disk: what was taken in last is not.
        """
        if self._begun and self.keeps:
            await self._go_on_from_disk()
        self._begun = True
        while True:
            item, done = await self._inbox.next(
                lambda: self.table.wake_at if self._again_at is None else self._again_at
            )
            said: tuple[Said, ...] = ()
            try:
                said = await self._take(item)
            finally:
                if not done.done():
                    done.set_result(said)
            if not self._inbox.size():
                await self._prepare()

    async def _go_on_from_disk(self) -> None:
        try:
            records = await asyncio.to_thread(self._journal.read, self.game_id)
            self._again_at = None
            await self._go_on_with(self.game_id, records)
        except KeyError:  # it has no record yet
            self._again_at = None
            await self._begin(self.agreement)
        except JournalDamaged as error:
            self._again_at = None
            await self._begin_instead(self.agreement, error)
        except StorageFailed as error:
            await self._give(self._stop_at((), error))

    async def submit(self, item: Input) -> tuple[Said, ...]:
        """Tell the controller something; returns when it has taken effect and is written down.

        Returns:
            What was announced to everyone because of it.
        """
        return await self._inbox.enter(item)

    async def begin(self, agreement: Agreement) -> None:
        """Begin another game; the one on the table stays in the journal as it is."""
        await self._inbox.enter(agreement)

    def tell(self, item: Input) -> None:
        """Tell the controller something without waiting; for what happens outside any task."""
        begin(self._inbox.enter(item), "what the controller was told")

    def referee_opened(self, address: str) -> None:
        """Leave a trace that somebody sees everything: one for each game and address."""
        if (self.game_id, address) not in self._opened:
            self._opened.add((self.game_id, address))
            self.tell(RefereeOpened(self.now(), address))

    def call_out(self, key: str, **words: str) -> None:
        """Say to everyone, aloud too, what is not of the game itself."""
        said = (Said(self.now(), key, words),)
        self.notices.note(said, open_to_all=False)
        for listener in self.listeners:
            listener(said)
        self.hub.touch()

    def let_pages_speak(self, wanted: bool) -> None:
        """Let pages say aloud what is announced, or leave it to the service's own voice."""
        self._pages_speak = wanted
        if self._table:
            self.hub.touch()

    def perform(self, frame: Frame | None) -> None:
        """Show a frame of the show, or end it. Touching the board ends it too."""
        if frame is not self.show:
            self.show = frame
            self.hub.touch()

    def wake(self) -> None:
        """Somebody is there, though nothing on the board was touched."""
        self.touched = self.now()
        self.notices.withdraw_warning()
        self.perform(None)

    def link_changed(self, trouble: tuple[Announcement, ...]) -> None:
        """The board's connection is well (nothing is said) or not."""
        if trouble:
            self.blind_spots.lost()
        if trouble != self.link:
            self.link = trouble
            self.hub.touch()

    async def rematch(self) -> Agreement:
        """Return what is agreed for another game of the same players, colours exchanged."""
        agreed = self.agreement.rematch(self.game_id, self.seats, self.table.state.ending)
        return await at_fair_level(agreed, self.archive)

    async def take_up(self, game_id: str) -> None:
        """Go on with a game that was adjourned; the one on the table stays as it is.

        Raises:
            KeyError: when there is no such game among those that are adjourned.
        """
        if game_id not in {game.id for game in await self.archive.adjourned()}:
            raise KeyError(game_id)
        await self._inbox.enter(TakeUp(game_id))

    def _look_at_the_time(self) -> None:
        """See whether the service was stopped or held up; what that means comes before all else."""
        stood = self.blind_spots.looked(asyncio.get_running_loop().time(), self.now())
        if stood:
            _LOG.warning("the service stood still for %.0f seconds", stood)
            self.notices.post(Announcement("page-stood-still", {"seconds": f"{stood:.0f}"}))

    async def _take(self, item: Request) -> tuple[Said, ...]:
        if self._again_at is not None:
            await self._try_again(item, self._again_at)
            return ()
        if isinstance(item, Agreement | TakeUp):
            if isinstance(item, TakeUp):
                await self._take_up(item.game_id)
            elif item.rematch_of in {"", self.game_id}:  # of two that ask for one, one is first
                await self._begin(item)
            self.wake()
            return ()
        if getattr(item, "game_id", "") not in {"", self.game_id}:
            return ()  # another game has begun meanwhile
        for first in self.blind_spots.first(item, self.table):
            await self._feed(first)
        return await self._feed(item)

    async def _try_again(self, item: Request, due: float) -> None:
        """Note what stands on the board, and nothing else, until the journal can be written."""
        if not isinstance(item, Agreement | TakeUp):
            self._remember(item)
        if self.now() < due:
            return
        try:
            await asyncio.to_thread(self._journal.open_again)
        except (StorageFailed, JournalDamaged):
            self._again_at = self.now() + AGAIN_AFTER
        else:
            await self._go_on_from_disk()

    async def _feed(self, item: Input) -> tuple[Said, ...]:
        # Boards stamp their events with their own time: what comes late happened now at the latest.
        self._heard = max(self._heard, item.t)
        item = dataclasses.replace(item, t=self._heard)
        self.recorders[self.game_id].hear(item, self.table)
        self._remember(item)
        # That the machine looked, and nothing came of it, is not even counted. How long it takes to
        # judge a turn tells whether it is legal: where that is secret, nothing is timed.
        untimed = isinstance(item, Tick) or self.shown.facts.terms.secret
        with nullcontext() if untimed else self.metrics.reconcile.time():
            batch = self.table.feed(item)
        await self._give(batch)
        return tuple(output for output in batch.outputs if isinstance(output, Said))

    def _remember(self, item: Input) -> None:
        if not isinstance(item, Snapshot | Tick | Piped):
            self.wake()
        if isinstance(item, Snapshot):
            self._standing = dict(item.readings)
        elif isinstance(item, CellEvent) and self._standing is not None:
            self._standing[item.cell] = item.reading

    async def _begin(self, agreement: Agreement) -> None:
        self._heard = max(self._heard, self.now())
        recorder = Recorder(self._sensing)
        make = partial(Table, agreement, self._sensing, now=self._heard, dice=recorder.roll)
        standing = self._standing or {}
        table = await asyncio.to_thread(
            make, standing=standing, entropy=token_bytes, calendar=calendar
        )
        await self._adopt(await asyncio.to_thread(self._journal.new_game), table, recorder)

    async def _take_up(self, game_id: str) -> None:
        self._heard = max(self._heard, self.now())
        async with self.aside.taking_up():
            try:
                records = await asyncio.to_thread(self._journal.read, game_id)
                resumed = await self._read(game_id, records)
                await asyncio.to_thread(self._journal.take_up, game_id)
            except (StorageFailed, JournalDamaged) as error:
                _LOG.error("game %s cannot be taken up: %s", game_id, error)
                self.notices.post(Announcement("page-game-not-taken-up", {"what": str(error)}))
                return
            await self._adopt(game_id, *resumed)

    async def _go_on_with(self, game_id: str, records: tuple[Record, ...]) -> None:
        await self._adopt(game_id, *await self._read(game_id, records))

    async def _read(self, game_id: str, records: tuple[Record, ...]) -> tuple[Table, Recorder]:
        with understood(game_id):
            return await asyncio.to_thread(self._resumed, records)

    async def _adopt(self, game_id: str, table: Table, recorder: Recorder) -> None:
        """Go on with another table, for everyone at once: until it is on disk, nobody sees it."""
        opened = table.take_up()
        dark = LightsChanged(self._heard, {})  # the lights of the table before go out with it
        batch = dataclasses.replace(opened, outputs=(dark, *opened.outputs))
        failure = await self._write(game_id, batch)
        if game_id != self.game_id:
            self._lay_aside(game_id)
        self._table, self.recorders[game_id] = table, recorder
        await self._show(batch, failure)

    def _lay_aside(self, following: str) -> None:
        """Make room for another game; what was felt in the one before can still be asked for."""
        self.recorders = {
            name: kept for name, kept in self.recorders.items() if name == self.game_id
        }
        self.game_id = following
        self.notices.begin_anew()

    async def _give(self, batch: Batch) -> None:
        await self._show(batch, await self._write(self.game_id, batch))

    async def _write(self, game_id: str, batch: Batch) -> StorageFailed | None:
        """Write down what has happened; return why it cannot be."""
        looks = self.keeps and self.now() >= self._looks_at
        if not (batch.records or looks):
            return None
        self._looks_at = self.now() + LOOKS_AFTER
        try:
            with self.metrics.journal_sync.time():
                await asyncio.to_thread(self._journal.append, game_id, batch.records)
        except StorageFailed as error:
            self.metrics.journal_failures.inc()
            return error
        return None

    async def _show(self, batch: Batch, failure: StorageFailed | None) -> None:
        if failure:
            written = len(self.table.records) - len(batch.records)
            batch = self._stop_at(self.table.records[:written], failure)
        self._summary = self.table.summary()
        shown = self._summary.told(batch.outputs)
        self.notices.note(shown, open_to_all=bool(self._summary.facts.view.revealed))
        self._tell_harm()
        # The board's own lights come first: fifty displays must not make them late.
        for listener in self.listeners:
            listener(shown)
        self.hub.touch()
        for output in batch.outputs:
            if isinstance(output, NewGameWanted) and not output.asked:
                over = self.table.state.stage == "over"
                await self._begin(await self.rematch() if over else self.agreement)

    def _tell_harm(self) -> None:
        """Say what was wrong with the journal's files, and what of the game was kept."""
        if harm := self._journal.take_harm():
            turns = sum(record.kind == "taken" for record in self.table.records)
            text = "the journal was %s: %s Turns that were kept: %d. A copy of what was found: %s"
            _LOG.error(text, harm.kind, harm.text, turns, harm.copy)
            copy = harm.copy.name if harm.copy else "-"
            words = {"what": harm.text, "turns": str(turns), "copy": copy}
            self.notices.post(Announcement(f"page-journal-{harm.kind}", words))

    def _stop_at(self, written: tuple[Record, ...], error: Exception) -> Batch:
        """Stop at what is on disk: what is not must never be shown as taken."""
        if self.keeps:
            _LOG.critical("storage failed, the game stops until it can be written: %s", error)
        self._again_at = self.now() + AGAIN_AFTER
        if written:
            self._table, self.recorders[self.game_id] = self._resumed(written)
        self.table.fail()
        said = self.table.take_up().outputs
        return Batch(tuple(out for out in said if isinstance(out, LightsChanged)))

    def _resumed(self, records: tuple[Record, ...]) -> tuple[Table, Recorder]:
        recorder = Recorder(self._sensing)
        standing = self._standing
        if standing is None and before_play(records):
            standing = {}  # only what is felt can say that the pieces stand
        take_up = partial(Table.resume, records, self._sensing, now=self.now(), dice=recorder.roll)
        return take_up(standing=standing, calendar=calendar), recorder

    def _look(self, reader: Reader) -> Sight:
        t, news = self.now(), self.notices.shown
        if reader == "public":
            return Sight(self.view(), news, self.link, self.show, self._pages_speak, self.game_id)
        if reader == "referee":
            return Sight(self.shown.referee_view(t), news, self.link)
        return Sight(self.shown.seat(reader, t), news, self.link)
