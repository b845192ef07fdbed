"""The board on the workbench: while it is built, set up or taught, nobody referees on it.

A board speaks to one program at a time. So the service ends, the walk has board and pages' address
for itself, and the service begins anew with what was found out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from starlette.types import Scope

from drivers.beside import alone, meanwhile, when_told_to_end
from drivers.port import DriverError
from firmware_bridge.calibration.files import Files, FilesError
from firmware_bridge.calibration.page import WalkPage, serving
from firmware_bridge.calibration.prompts import Line
from firmware_bridge.calibration.session import (
    ALL_PARTS,
    BRING_UP,
    FIRMWARE,
    PIECES,
    CalibrationSession,
    StoppedEarlyError,
)
from firmware_bridge.config import Config
from firmware_bridge.config.learnt import learnt_folder
from firmware_bridge.pages.clients import asks_from
from firmware_bridge.pages.keys import Keys, same
from firmware_bridge.service.assembly import secret_of
from firmware_bridge.service.systemd import Notifier
from firmware_bridge.service.works import Wanted, Work

WORKS: dict[Work, tuple[str, ...]] = {
    "bring-up": (BRING_UP,),
    "firmware": (FIRMWARE,),
    "setup": ALL_PARTS,
    "pieces": (PIECES,),
}
"""The parts of the walk that are gone through for each."""
AGAIN, BACK = "r", "b"


class Door:
    """Who may answer on the page: the browser that began, and whoever knows the PIN."""

    def __init__(self, keys: Keys, ticket: str) -> None:
        self._keys = keys
        self._ticket = ticket

    def is_open(self, cookies: Mapping[str, str]) -> bool:
        """Tell whether the browser with these cookies may answer."""
        return same(cookies.get("workshop", ""), self._ticket)

    def enter(self, scope: Scope, pin: str) -> tuple[int, str]:
        """Return a status, and the ticket where the PIN is right."""
        status = self._keys.judge_pin(asks_from(scope), pin)
        return status, self._ticket if status == 200 else ""


async def hold(config: Config, wanted: Wanted) -> bool:
    """Do what was asked for; return whether the service should restart afterwards.

    Raises:
        AddressRefused: the pages cannot be served.
        OSError: the folder cannot be used.
    """
    keys = Keys(secret_of(config.data), config.pages.referee_pin, time.monotonic)
    page = WalkPage(wanted.language, Door(keys, wanted.ticket))
    sitting = CalibrationSession(
        config.board,
        Files(learnt_folder(config)),
        WORKS[wanted.work],
        page=page,
        language=wanted.language,
        resident=True,
    )
    work = asyncio.current_task()
    assert work is not None  # noqa: S101 - a coroutine runs in one
    when_told_to_end(work.cancel)
    try:
        async with meanwhile(Notifier().stay_alive()), serving(page, config.pages):
            await _work(sitting, page)
    except asyncio.CancelledError:
        return False
    return True


async def _work(sitting: CalibrationSession, page: WalkPage) -> None:
    word = AGAIN
    while word == AGAIN:
        asked = Line("setup-workshop-done")
        try:
            await alone(sitting.hold())
        except StoppedEarlyError:
            return
        except (DriverError, FilesError) as failed:
            page.tell(str(failed))
            asked = Line("setup-workshop-failed")
        word = await page.choose(
            asked, {BACK: "setup-workshop-back", AGAIN: "setup-workshop-again"}
        )
