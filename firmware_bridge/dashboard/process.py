"""The wall as a process: it watches and serves until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

from firmware_bridge.dashboard.app import Wall, create_wall
from firmware_bridge.dashboard.subscriber import Watch
from firmware_bridge.pages.server import GRACEFUL, Server, address_of, listen

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.config import Config


async def run(config: Config, started: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        config: `mqtt` says where the boards are heard, `pages` where the wall is seen.
        started: called with the wall's address.

    Raises:
        ConfigError: a certificate or the password's file cannot be read.
        AddressRefused: the wall's address is taken or not ours.
    """
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    watch = Watch(config.mqtt)
    with listen(config.pages) as listener:
        server = Server(create_wall(Wall(watch, config)))
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(watch.run(), name="watch")
            pages = group.create_task(server.serve(sockets=[listener]), name="pages")
            started(address_of(listener))
            await stop.wait()
            server.should_exit = True
            await asyncio.wait([pages], timeout=GRACEFUL + 2)
            watching.cancel()
            pages.cancel()
