"""Which board is it? Asks every driver that carries a probe whether its board is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from drivers.description import load_description
from drivers.driver_registry import create, probes
from drivers.port import DriverError
from drivers.port_search import first_heard
from drivers.probes import MANNERS, Probe, RadioProbe, SerialProbe, SystemProbe

_LOG = logging.getLogger(__name__)
LISTENED = 6.0
"""Seconds: boards that are on make themselves known every second or so, and a person waits."""


@dataclass(frozen=True, slots=True)
class Found:
    """A board, and how it is reached.

    Attributes:
        description: the name of the board's description, or the path of its file.
        title: the board in words.
    """

    driver: str
    description: str
    settings: Mapping[str, str]
    title: str


def _found(driver: str, probe: Probe, **settings: str) -> Found:
    description = probe.description or driver
    return Found(driver, description, settings, load_description(description).title)


async def which_board(port: str) -> Found | None:
    """Return the board at a serial port, or `None` when none of the known ones answers."""
    known = [(name, probe) for name, probe in probes().items() if isinstance(probe, SerialProbe)]
    for name, probe in sorted(known, key=lambda one: (MANNERS.index(one[1].manner), one[0])):
        try:
            driver = create(name, load_description(probe.description or name), {"port": port})
        except DriverError as error:
            _LOG.error("%s is not looked for: %s", name, error)
            continue
        if link := await first_heard(driver, probe.patience):
            return _found(name, probe, port=port) if link.up else None
    return None


async def find_boards(ports: Iterable[str] | None = None) -> list[Found]:
    """Return the boards at these serial ports.

    By default at all of them, on USB, and at programs on this computer.
    """
    known: list[Found] = []
    if ports is None:
        from serial.tools.list_ports import comports

        ports = sorted(port.device for port in comports())
        for name, probe in probes().items():
            if isinstance(probe, SystemProbe):
                settings = await asyncio.to_thread(probe.settings)
                known += (_found(name, probe, **reached) for reached in settings)
    found = [await which_board(port) for port in ports]
    return [*(board for board in found if board), *known]


async def find_by_radio() -> list[Found]:
    """Return the boards that make themselves known over Bluetooth.

    Raises:
        DriverError: Bluetooth cannot be used; the message says what to do.
    """
    try:
        from bleak import BleakScanner
        from bleak.exc import BleakError
    except ImportError as error:
        raise DriverError("Bluetooth needs the package's extra `boards`; install it.") from error
    try:
        seen = await BleakScanner.discover(timeout=LISTENED, return_adv=True)
    except (BleakError, OSError) as error:
        raise DriverError(f"Bluetooth cannot be used: {error}. Is it switched on?") from error
    return [
        _found(name, probe, address=device.address)
        for device, advertised in seen.values()
        for name, probe in probes().items()
        if isinstance(probe, RadioProbe) and probe.gatt.fits(device, advertised)
    ]
