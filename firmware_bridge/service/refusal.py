"""What goes on while the journal cannot be opened: a page says so, and what to do."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from drivers.beside import meanwhile, when_told_to_end
from firmware_bridge.config import Config
from firmware_bridge.journal import JournalDamaged, set_aside
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.refused import create_refused_app
from firmware_bridge.pages.server import serving
from firmware_bridge.service.assembly import secret_of
from firmware_bridge.service.systemd import Notifier

_LOG = logging.getLogger(__name__)


async def until_set_aside(
    config: Config, refused: JournalDamaged, told: Callable[[str, str], None]
) -> None:
    """Show at the pages' address why the journal was refused, until somebody sets it aside.

    `told` is called with the address and the referee's PIN.

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

    notifier = Notifier()
    when_told_to_end(over.set)
    keys = Keys(secret_of(config.data), config.pages.referee_pin, time.monotonic)
    app = create_refused_app(config, keys, str(refused), move)
    async with serving(app, config.pages) as address, meanwhile(notifier.stay_alive()):
        notifier.status(str(refused))
        told(address, keys.pin)
        await over.wait()
    if not moved:
        raise refused
