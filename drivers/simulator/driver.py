"""The driver `simulated`: the serial driver, at the port where a simulated board appears."""

from __future__ import annotations

from drivers.description import BoardDescription
from drivers.serial_board import SerialBoard
from drivers.simulator.serving import default_link


def simulated_board(description: BoardDescription, port: str = "") -> SerialBoard:
    """Return the driver of a simulated board; `port` where it was started with another `--link`."""
    return SerialBoard(description, port or str(default_link()))
