"""Which board is it? Asks every board's driver in turn whether it understands what is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drivers.commercial import chessnut, hid
from drivers.description import load_description
from drivers.port import LinkChanged
from drivers.registry import create

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drivers.port import Driver

ON_SERIAL: tuple[tuple[str, float], ...] = (
    ("certabo", 1.5),
    ("sentio", 1.5),
    ("dgt", 2.0),
    ("chesslink", 1.5),
    ("cpp", 1.0),
)
"""Driver -> seconds in which its board answers.

The order is for safety: those that only listen come first, then the DGT board, which has commands
that must never be sent, so that nothing said to others at another speed can reach it garbled.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A board: the driver to use, which is also its description's name, the port, and its title."""

    driver: str
    port: str
    title: str


async def which_board(port: str, drivers: Iterable[tuple[str, float]] = ON_SERIAL) -> Found | None:
    """Return the board at a serial port, or `None` when none of the known ones answers."""
    for name, patience in drivers:
        description = load_description(name)
        try:
            async with asyncio.timeout(patience):
                if await _answers(create(name, description, {"port": port})):
                    return Found(name, port, description.title)
                return None
        except TimeoutError:
            continue
    return None


async def find_boards(ports: Iterable[str] | None = None) -> list[Found]:
    """Return the boards at these serial ports (at all of them by default) and on USB."""
    if ports is None:
        from serial.tools.list_ports import comports

        ports = sorted(port.device for port in comports())
        device = hid.find(chessnut.VENDOR)
    else:
        device = None
    found = [await which_board(port) for port in ports]
    if device:
        found.append(Found("chessnut", device, load_description("chessnut").title))
    return [board for board in found if board]


async def _answers(driver: Driver) -> bool:
    """Return whether the board appears; `False` when the port itself cannot be used."""
    async with driver:
        async for event in driver.events():
            if isinstance(event, LinkChanged):
                return event.up
    return False
