"""The running service: one event loop from the board's bytes to the pages."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from drivers.beside import kept_up, log, when_told_to_end
from drivers.port import BoardNotice, LinkChanged
from drivers.serial_board import SerialBoard
from drivers.simulator.guard import LOOPBACK
from firmware_bridge.config import Config
from firmware_bridge.config.learnt import learnt
from firmware_bridge.diagnostics.checkup import VOLATILE, file_system_of
from firmware_bridge.diagnostics.support_bundle import keep_crash
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Tick
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.forms import own_address
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.server import GRACEFUL, Server, address_of, listen
from firmware_bridge.service import assembly as parts
from firmware_bridge.service.alerts import BLIND, LASTING, MENDED, announcement
from firmware_bridge.service.board_link import BoardLink, events_of
from firmware_bridge.service.coaching import CoachingService, HintGiver
from firmware_bridge.service.computer_players import ComputerPlayers
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_follower import GameFollower
from firmware_bridge.service.indicator_runner import IndicatorRunner
from firmware_bridge.service.manners import Answers
from firmware_bridge.service.systemd import Notifier
from firmware_bridge.service.works import Wanted, works
from firmware_bridge.views import Announcement

_LOG = logging.getLogger(__name__)


class Service:
    """Everything that runs, put together from the configuration.

    Attributes:
        wanted: what somebody wants the board for, now that the service has ended.

    Raises:
        DriverError: the board, its description or its pieces cannot be used.
        UnknownGame, BadSetting: the game that is to be offered cannot be.
        AddressRefused: the pages' address is taken or not ours.
        StorageFailed: games cannot be kept where they should.
    """

    def __init__(self, config: Config) -> None:
        named, config = config, learnt(config)
        description, self._driver = parts.board_of(config)
        sensing = parts.sensing_of(config, description)
        self._agreement = parts.agreement_of(config, description)
        self._listener = listen(config.pages)
        try:
            self._journal = Journal(config.data)
        except Exception:
            self._listener.close()
            raise
        if (kind := file_system_of(config.data)) in VOLATILE:
            _LOG.warning("games are lost when the power goes: %s is a %s", config.data, kind)
        self._notifier = Notifier()
        self.controller = Controller(self._journal, sensing, description, time.monotonic)
        # The pages speak where the speaker cannot be heard.
        speaker = parts.speaker_of(
            config, lambda audible: self.controller.let_pages_speak(not audible)
        )
        self.controller.let_pages_speak(config.sound.speech and speaker is None)
        self.keys = Keys(parts.secret_of(config.data), config.pages.referee_pin, time.monotonic)
        self._kiosk_manager = parts.kiosk_manager_of(config, self.controller, self._agreement)
        self._friends = parts.friends_of(config, self.controller)
        context = AppContext(self.controller, self.keys, config, self._kiosk_manager, self._friends)
        self._server = Server(create_app(context))
        self._indicators = parts.indicators(config, self.controller, self._driver, speaker)
        computers = ComputerPlayers(self.controller)
        self._followers: dict[str, IndicatorRunner | GameFollower] = {
            **{f"indicator {runner.name}": runner for runner in self._indicators},
            "computers": computers,
            "answers": Answers(self.controller, computers.expects),
            "hints": HintGiver(self.controller),
            "coach": CoachingService(self.controller),
        }
        if self._friends:
            self._followers["distant games"] = self._friends.games
        self._mqtt = parts.bridge_of(config, self.controller, self._reached(config))
        self._measure()
        self._overflowed, self._trying = False, config.updates.trying
        self._stop = asyncio.Event()
        self.wanted: Wanted | None = None
        context.leave_for, context.works = self._leave_for, (*works(named, description),)
        self._board_link = BoardLink(self.controller)

    def _reached(self, config: Config) -> str:
        """Return where the display is found from elsewhere, empty if it is not."""
        if config.pages.host in LOOPBACK:
            return ""
        return f"http://{own_address()}:{self._listener.getsockname()[1]}/"

    def _measure(self) -> None:
        """Let the metrics see what no input or output tells."""
        driver, mqtt = self._driver, self._mqtt
        if isinstance(driver, SerialBoard):
            self.controller.metrics.watch_link(lambda: driver.statistics)
        if mqtt:
            self.controller.metrics.watch_queue("broker", lambda: mqtt.waiting)

    @property
    def address(self) -> str:
        """Where the display is found from this machine."""
        return address_of(self._listener)

    async def run(self, started: Callable[[Service], None] = lambda _: None) -> None:
        """Serve until a signal says to end, or until somebody wants the board for something else.

        Args:
            started: called when the game is restored and the pages can be reached.

        Raises:
            JournalDamaged: this version is on trial and cannot go on with the last game.
        """
        asyncio.get_running_loop().set_exception_handler(self._failed_in_passing)
        when_told_to_end(self._end)
        self.controller.listeners += [follower.hear for follower in self._followers.values()]
        async with AsyncExitStack() as closing:  # all, whatever comes between
            closing.callback(self._listener.close)
            closing.callback(self._journal.close)
            closing.push_async_callback(self.controller.analyst.close)
            closing.push_async_callback(self.controller.reviewer.close)
            await self.controller.open(self._agreement, instead=not self._trying)
            async with self._driver:
                await self._run_parts(started)

    def _end(self) -> None:
        """End for good, also on the way to the workbench."""
        self.wanted = None
        self._stop.set()

    async def _run_parts(self, started: Callable[[Service], None]) -> None:
        runs: dict[str, Callable[[], Awaitable[object]]] = {
            "controller": self.controller.run,
            "board": self._listen_to_board,
            "life": self._show_life,
            "metrics": self.controller.metrics.watch_loop,
            "pages": partial(self._server.serve, sockets=[self._listener]),
            **{name: follower.run for name, follower in self._followers.items()},
        }
        if self._kiosk_manager:
            runs["kiosk"] = self._kiosk_manager.run
        if self._mqtt:
            self.controller.listeners.append(self._mqtt.hear)
            runs["broker"] = self._mqtt.run
        if self._friends:
            runs["friends"] = self._friends.run
        async with asyncio.TaskGroup() as group:
            tasks = {
                name: group.create_task(
                    kept_up(run, name, partial(self._tell_failure, name)), name=name
                )
                for name, run in runs.items()
            }
            self._notifier.ready()
            started(self)
            await self._stop.wait()
            if not self.wanted:
                self._notifier.stopping()
            self.controller.hub.close()
            self._server.should_exit = True
            await asyncio.wait([tasks["pages"]], timeout=GRACEFUL + 2)
            for task in tasks.values():
                task.cancel()

    def _tell_failure(self, part: str, error: Exception) -> None:
        _LOG.error(
            "%s `firmware-bridge support` packs what helps to find the fault.",
            keep_crash(self._journal.path.parent, error),
        )
        self.controller.notices.post(Announcement("page-part-failed", {"part": part}))

    def _failed_in_passing(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take in what failed where nobody waits for it: in what a timer or a file set off."""
        error = context.get("exception")
        if isinstance(error, Exception):
            log(str(context["message"]), error)
        else:
            _LOG.error("%s", context["message"])

    async def _listen_to_board(self) -> None:
        async for event in events_of(self._driver):
            self.controller.metrics.felt(event, self.controller.now)
            if isinstance(event, LinkChanged):
                await self._link(event)
            elif isinstance(event, BoardNotice):
                self._notice(event)
            else:
                await self.controller.submit(event)

    def _notice(self, event: BoardNotice) -> None:
        known = event.code == "overflow" and self._overflowed
        self._overflowed |= event.code == "overflow"  # from now on they are only counted
        _LOG.log(
            logging.DEBUG if known else logging.WARNING, "board: %s (%s)", event.text, event.code
        )
        if event.code in BLIND:
            self.controller.blind_spots.lost(event.cells)
        if event.code == MENDED:
            self.controller.notices.mend()
        news = announcement(event)
        if news and event.code in LASTING:
            self.controller.notices.break_down(event.code, news)
        elif news:
            self.controller.notices.post(news)

    async def _link(self, event: LinkChanged) -> None:
        _LOG.log(logging.INFO if event.up else logging.WARNING, "board: %s", event.text)
        self._notifier.status(event.text)
        self.controller.notices.mend()  # it says anew what is broken
        await self._board_link.changed(event)

    async def _show_life(self) -> None:
        """Tell systemd that everything gets on: the controller takes in a tick."""
        while True:
            due = self._notifier.watchdog_seconds
            begun = self.controller.now()
            await asyncio.sleep(due / 2)
            await self.controller.submit(Tick(self.controller.now()))
            self._notifier.alive()
            if self.controller.now() - begun > due:
                self.controller.metrics.watchdog_missed.inc()
            if isinstance(self._driver, SerialBoard):
                self.controller.metrics.round_trip(self._driver.statistics)

    def _leave_for(self, wanted: Wanted) -> None:
        """End soon, so that the board and the pages' address are free for this."""
        if not self._stop.is_set():
            self.wanted = wanted
            asyncio.get_running_loop().call_later(GRACEFUL, self._stop.set)
