"""Which board is it? Asks every board's driver in turn whether it understands what is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drivers.commercial import chessnut, hid
from drivers.description import load_description
from drivers.port import DriverError, LinkChanged
from drivers.registry import create

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drivers.commercial.ble import Gatt
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


def on_radio() -> dict[str, Gatt]:
    """Return driver -> how its boards are known in the air.

    Raises:
        ImportError: without the package's extra `boards`.
    """
    from drivers.commercial import bluetooth, ichessone, pegasus, square_off

    return {
        "chessnut-bluetooth": bluetooth.CHESSNUT,
        "chesslink-bluetooth": bluetooth.CHESSLINK,
        "cpp-bluetooth": bluetooth.CPP,
        "pegasus": pegasus.GATT,
        "ichessone": ichessone.GATT,
        "square-off": square_off.GATT,
    }


@dataclass(frozen=True, slots=True)
class Found:
    """A board, and how it is reached.

    Attributes:
        driver: the driver to use.
        description: the name of the board's description.
        settings: what the driver needs to know.
        title: the board in words.
    """

    driver: str
    description: str
    settings: Mapping[str, str]
    title: str


def _found(driver: str, **settings: str) -> Found:
    description = driver.removesuffix("-bluetooth")
    return Found(driver, description, settings, load_description(description).title)


async def which_board(port: str, drivers: Iterable[tuple[str, float]] = ON_SERIAL) -> Found | None:
    """Return the board at a serial port, or `None` when none of the known ones answers."""
    for name, patience in drivers:
        driver = create(name, load_description(name), {"port": port})
        try:
            async with asyncio.timeout(patience):
                return _found(name, port=port) if await _answers(driver) else None
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
        found.append(_found("chessnut", port=device))
    return [board for board in found if board]


async def find_by_radio(seconds: float = 6.0) -> list[Found]:
    """Return the boards that make themselves known over Bluetooth.

    Raises:
        DriverError: Bluetooth cannot be used; the message says what to do.
    """
    try:
        from bleak import BleakScanner
        from bleak.exc import BleakError

        kinds = on_radio()
    except ImportError as error:
        raise DriverError("Bluetooth needs the package's extra `boards`; install it.") from error
    try:
        seen = await BleakScanner.discover(timeout=seconds, return_adv=True)
    except (BleakError, OSError) as error:
        raise DriverError(f"Bluetooth cannot be used: {error}. Is it switched on?") from error
    return [
        _found(driver, address=device.address)
        for device, advertised in seen.values()
        for driver, gatt in kinds.items()
        if gatt.fits(device, advertised)
    ]


async def _answers(driver: Driver) -> bool:
    """Return whether the board appears; `False` when the port itself cannot be used."""
    async with driver:
        async for event in driver.events():
            if isinstance(event, LinkChanged):
                return event.up
    return False
