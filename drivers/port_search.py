"""Finding the own board among the serial ports, when nobody has said where it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from drivers.description import BoardDescription
from drivers.looking import stable_name
from drivers.port import Driver, LinkChanged
from drivers.serial_board import SerialBoard

PATIENCE = 4.0
"""Seconds that a board may take to greet."""


def ports() -> tuple[str, ...]:
    """Return every serial port of this machine, by its stable name where it has one."""
    from serial.tools.list_ports import comports

    return tuple(stable_name(port.device) for port in sorted(comports()))


async def find_port(
    description: BoardDescription, where: Iterable[str]
) -> tuple[str | None, list[str]]:
    """Return the first port at which this board answers, or `None`.

    Besides, what was heard at the other ports, a sentence each.
    """
    heard: list[str] = []
    for port in where:
        link = await first_heard(SerialBoard(description, port), PATIENCE)
        if link and link.up:
            return port, heard
        heard.append(link.text if link else f"{port}: nothing answers.")
    return None, heard


async def first_heard(driver: Driver, patience: float) -> LinkChanged | None:
    """Return what is first heard of a board: that it is there, or why it is not."""
    with suppress(TimeoutError):
        async with asyncio.timeout(patience), driver:
            async for event in driver.events():
                if isinstance(event, LinkChanged):
                    return event
    return None
