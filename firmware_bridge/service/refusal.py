"""What goes on while the journal cannot be opened: a page says so, and what to do."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Callable

from drivers.beside import begin
from firmware_bridge.config import Config
from firmware_bridge.journal import JournalDamaged, set_aside
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.refused import create_refused_app
from firmware_bridge.pages.server import Server, address_of, listen
from firmware_bridge.service.assembly import secret_of
from firmware_bridge.service.systemd import Notifier

_LOG = logging.getLogger(__name__)
ALIVE_EVERY = 5.0
"""Seconds between two signs of life, where systemd wants none more often."""


async def until_set_aside(
    config: Config, refused: JournalDamaged, told: Callable[[str, str], None]
) -> None:
    """Show at the pages' address why the journal was refused, until somebody sets it aside.

    Args:
        config: the configuration.
        refused: why the journal cannot be opened.
        told: called with the address and the referee's PIN.

    Raises:
        JournalDamaged: the same, when the service was told to stop instead.
        AddressRefused: the pages cannot be served.
        OSError: the folder cannot be used.
    """
    over, moved = asyncio.Event(), False

    def move() -> None:
        nonlocal moved
        if not moved:
            _LOG.warning("the journal's files were moved to %s", set_aside(config.data))
        moved = True
        over.set()

    loop, notifier = asyncio.get_running_loop(), Notifier()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    keys = Keys(secret_of(config.data), config.pages.referee_pin, time.monotonic)
    with listen(config.pages) as listener:
        server = Server(create_refused_app(config, keys, str(refused), move))
        serving = begin(server.serve(sockets=[listener]), "refusal")
        notifier.ready()
        notifier.status(str(refused))
        told(address_of(listener), keys.pin)
        while not over.is_set():
            notifier.alive()
            every = min(ALIVE_EVERY, (notifier.watchdog_seconds or 2 * ALIVE_EVERY) / 2)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(every):
                    await over.wait()
        server.should_exit = True
        await serving
    if not moved:
        raise refused
