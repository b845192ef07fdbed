"""Finding the own board among the serial ports, when nobody has said where it is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.port import LinkChanged
from drivers.serial_board import SerialBoard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drivers.description import BoardDescription

STABLE_NAMES = Path("/dev/serial/by-id")
"""Where Linux names ports by what is plugged in, so that the name outlasts a restart."""
PATIENCE = 4.0
"""Seconds that a board may take to greet."""


def ports() -> tuple[str, ...]:
    """Return every serial port of this machine, by its stable name where it has one."""
    from serial.tools.list_ports import comports

    stable = {}
    if STABLE_NAMES.is_dir():
        stable = {str(link.resolve()): str(link) for link in sorted(STABLE_NAMES.iterdir())}
    return tuple(stable.get(port.device, port.device) for port in sorted(comports()))


async def find_port(
    description: BoardDescription, where: Iterable[str], patience: float = PATIENCE
) -> tuple[str | None, list[str]]:
    """Return the first port at which this board answers, or `None`.

    Besides, what was heard at the other ports, a sentence each.
    """
    heard: list[str] = []
    for port in where:
        up, text = await _greet(description, port, patience)
        if up:
            return port, heard
        heard.append(text or f"{port}: nothing answers.")
    return None, heard


async def _greet(description: BoardDescription, port: str, patience: float) -> tuple[bool, str]:
    """Return what is first heard of this port: that the board is there, or why it is not."""
    board = SerialBoard(description, port)
    try:
        async with asyncio.timeout(patience), board:
            async for event in board.events():
                if isinstance(event, LinkChanged):
                    return event.up, event.text
    except TimeoutError:
        pass
    return False, ""
