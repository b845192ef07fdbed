"""Finding the own board among the serial ports, when nobody has said where it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from drivers.description import BoardDescription
from drivers.looking import stable_name
from drivers.port import LinkChanged
from drivers.serial_board import SerialBoard

PATIENCE = 4.0
"""Seconds that a board may take to greet."""


def ports() -> tuple[str, ...]:
    """Return every serial port of this machine, by its stable name where it has one."""
    from serial.tools.list_ports import comports

    return tuple(stable_name(port.device) for port in sorted(comports()))


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
