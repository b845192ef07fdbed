"""Looks after a board that nobody looks after.

A kiosk's game that was left behind is given up, and while nobody plays a show goes on. Whoever
comes alone is offered a computer to play with, and gets it by making a first turn that nobody
answers. Kiosk mode can be left, by whoever knows the PIN, until the service starts again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator

from drivers.beside import begin, end
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.messages import Call
from firmware_bridge.messages.verdict import WHOLE
from firmware_bridge.service.challenge import may_join, sit_down
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.demonstration import Frame
from firmware_bridge.service.exhibition import exhibition
from firmware_bridge.service.seat_process import Opponent, Start
from firmware_bridge.views import Announcement, PublicView

_LOG = logging.getLogger(__name__)

WARNING = 30.0
"""Seconds between the warning and the end of the game."""
GUIDED = 60.0
"""Seconds for which the lights show at least where pieces are missing, before the show begins."""
LOOKS = 0.25
"""Seconds between two looks."""
OFFERED_AFTER, OFFERED_AT_LAST = 5.0, 15.0
"""Seconds without a touch, and seconds since the first, until a visitor is offered a computer."""
UNANSWERED, JOINS_AFTER = 6.0, 10.0
"""Seconds for which nobody answers a first turn until that is said, and a computer does then."""
NOTHING_TO_GIVE_UP = {"waiting", "set-up", "ready"}


class KioskManager:
    """Looks after a kiosk.

    After `idle` seconds without a touch a game is given up; after `attract`, where none is under
    way, the show begins.

    Attributes:
        on: whether this still is a kiosk.
    """

    def __init__(
        self,
        controller: Controller,
        agreement: Agreement,
        idle: float,
        attract: float,
        start: Start = Opponent.start,
    ) -> None:
        self.on = True
        self._controller = controller
        self._agreement = agreement
        self._idle = idle
        self._attract = attract
        self._warned_of = 0.0
        self._touched = controller.touched
        self._met: float | None = None
        self._offered = False
        self._asked_of = 0.0
        self._start = start
        self._frames: AsyncGenerator[Frame] | None = None
        self._coming: asyncio.Task[Frame | None] | None = None
        self._next_frame_at = 0.0

    async def run(self) -> None:
        """Look after the board until kiosk mode is left, or cancelled."""
        try:
            while self.on:
                await self.look()
                await asyncio.sleep(LOOKS)
        finally:
            await self.rest()

    def leave(self) -> None:
        """Be no kiosk any more, until the service starts again."""
        _LOG.warning("kiosk mode is left until the service starts again")
        self.on = False
        self._controller.perform(None)
        self._controller.hub.touch()

    async def look(self) -> None:
        """Do what is due now."""
        controller = self._controller
        view = controller.view()
        quiet = controller.now() - controller.touched
        self._greet()
        if view.phase == "storage-failed":
            controller.perform(None)
        elif view.phase in NOTHING_TO_GIVE_UP:
            if quiet >= self._idle and controller.agreement.chosen:
                await self._begin_anew()  # whoever chose another game has left
                return
            guiding = view.missing or view.surplus
            if quiet >= (max(self._attract, GUIDED) if guiding else self._attract):
                await self._play_on()
                return
        elif quiet >= self._idle:
            await self._begin_anew()
        elif quiet >= self._idle - WARNING and self._warned_of != controller.touched:
            self._warned_of = controller.touched
            controller.notices.warn(
                Announcement("page-idle", {"seconds": f"{self._idle - quiet:.0f}"})
            )
        await self.rest()
        if may_join(view, controller.description):
            await self._keep_company(view, quiet)

    def _greet(self) -> None:
        """Notice when somebody comes."""
        if self._touched != self._controller.touched:
            self._touched = self._controller.touched
            if self._met is None:
                self._met = self._controller.now()

    def _part(self) -> None:
        """Whoever was here has left."""
        self._touched, self._met, self._offered = self._controller.touched, None, False

    async def _begin_anew(self) -> None:
        await self._controller.begin(self._agreement)
        self._part()

    async def _keep_company(self, view: PublicView, quiet: float) -> None:
        """Offer a computer to whoever is alone; one sits down where nobody answers a first turn."""
        controller = self._controller
        if self._met is None:
            return
        moved = view.phase == "playing" or view.judged.kind in WHOLE
        if not moved:
            here = controller.now() - self._met
            if not self._offered and (quiet >= OFFERED_AFTER or here >= OFFERED_AT_LAST):
                self._offered = True
                controller.call_out("offer-computer")
            return
        if view.number == 0 and view.phase != "ready":
            return  # the first turn is not complete
        if quiet >= UNANSWERED and self._asked_of != controller.touched:
            self._asked_of = controller.touched
            words = {"side": "side-black", "seconds": f"{JOINS_AFTER:.0f}"}
            controller.call_out("offer-computer-joins", **words)
        elif quiet >= UNANSWERED + JOINS_AFTER:
            if view.phase == "ready":  # nobody has told the visitor that a press ends his turn
                await controller.submit(Call(controller.now(), "press", "white"))
            if may_join(controller.view(), controller.description):
                await sit_down(controller)

    async def rest(self) -> None:
        """End whatever plays in the show; the next one begins anew."""
        if self._coming is not None:
            await end(self._coming)
        self._coming = None
        if self._frames is not None:
            await self._frames.aclose()
        self._frames = None

    async def _play_on(self) -> None:
        """Show the next picture when the last one was seen long enough, once it has been made."""
        controller = self._controller
        if controller.show is not None and controller.now() < self._next_frame_at:
            return
        if self._frames is None:
            self._frames = exhibition(self._start)
        if self._coming is None:
            self._coming = begin(_next(self._frames), "show")
        touched = controller.touched
        await asyncio.wait((self._coming,), timeout=LOOKS)
        if self._coming.done() and controller.touched == touched:
            frame = self._coming.result()
            self._coming = None
            if frame is None:  # it has failed: another one is begun in a while
                await self.rest()
                controller.wake()
                return
            self._next_frame_at = controller.now() + frame.seconds
            self._part()
            controller.perform(frame)


async def _next(frames: AsyncGenerator[Frame]) -> Frame:
    return await anext(frames)
