"""Finds the port of the only board that is plugged in, where the configuration names none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from drivers.board_reasons import Reason
from drivers.transport import Line, PortSettings, PortUnusableError, SerialTransport

STABLE_NAMES = Path("/dev/serial/by-id")
"""Where Linux names ports by what is plugged in, so that the name outlasts a restart."""
PICO = (0x2E8A, 0x0005)
"""USB vendor and product of a Pico with MicroPython."""


def stable_name(device: str) -> str:
    """Return the lasting name of a port, or its usual name if it has no other."""
    if STABLE_NAMES.is_dir():
        for link in sorted(STABLE_NAMES.iterdir()):
            if str(link.resolve()) == device:
                return str(link)
    return device


def port_of(plugged_in: Iterable[ListPortInfo]) -> str:
    """Return the only Pico among these ports, or the only one on USB where there is no Pico.

    Raises:
        PortUnusableError: there is none, or more than one; they are listed.
    """
    usb = sorted(port for port in plugged_in if port.vid is not None)
    picos = [port for port in usb if (port.vid, port.pid) == PICO]
    names = [stable_name(port.device) for port in picos or usb]
    if len(names) == 1:
        return names[0]
    if not names:
        raise PortUnusableError(Reason("no-port"))
    raise PortUnusableError(Reason("many-ports", {"ports": ", ".join(names)}))


class LookingTransport(SerialTransport):
    """Keeps the port of the only board open; it looks for that port again each time."""

    def __init__(self, settings: PortSettings) -> None:
        super().__init__(settings)
        self._anywhere = settings

    @property
    def name(self) -> str:
        """The device path, once the board was found."""
        return self.settings.port or "serial"

    def _open(self) -> Line:
        self.settings = replace(self._anywhere, port=port_of(comports()))
        return super()._open()
