"""USB HID devices as Linux offers them: one file, one report a read."""

from __future__ import annotations

import os
from pathlib import Path

from drivers.board_reasons import Reason
from drivers.probes import SystemProbe
from drivers.transport import Line, PortSettings, PortUnusableError, SerialTransport, explain

_CLASS = Path("/sys/class/hidraw")
_VENDOR_PAGE = b"\x06\x00\xff"
"""How the report descriptor of an interface made for programs begins: usage page FF00."""


class _Device:
    """An open device file."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._descriptor

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


class HidTransport(SerialTransport):
    """Keeps a HID device open; what comes and goes are whole reports, report number first."""

    def __init__(self, vendor: int, path: str = "", devices: Path = _CLASS) -> None:
        """Prepare to open `path`, or else the first device of a maker, by his USB number."""
        super().__init__(PortSettings(path))
        self._vendor = vendor
        self._path = path
        self._devices = devices

    @property
    def name(self) -> str:
        """The device file, or what is looked for."""
        return self._path or f"USB {self._vendor:04X}"

    def _open(self) -> Line:
        path = self._path or find(self._vendor, self._devices)
        if path is None:
            raise PortUnusableError(Reason("usb-missing"))
        try:
            return _Device(path)
        except OSError as error:
            raise PortUnusableError(_advice(path, error)) from error


def find(vendor: int, devices: Path = _CLASS) -> str | None:
    """Return the device file of the first device of a maker with an interface for programs."""
    for device in sorted(devices.glob("hidraw*")):
        try:
            facts = (device / "device" / "uevent").read_text(encoding="ascii", errors="replace")
            descriptor = (device / "device" / "report_descriptor").read_bytes()
        except OSError:
            continue
        if f":{vendor:08X}:" in facts.upper() and descriptor.startswith(_VENDOR_PAGE):
            return f"/dev/{device.name}"
    return None


class UsbProbe(SystemProbe):
    """Boards with a maker's USB number; the driver takes the setting `port`."""

    def __init__(self, vendor: int) -> None:
        self._vendor = vendor

    def settings(self) -> list[dict[str, str]]:
        """Return where the first of them is."""
        device = find(self._vendor)
        return [{"port": device}] if device else []


def _advice(path: str, error: OSError) -> Reason:
    if isinstance(error, PermissionError):
        return Reason("usb-forbidden", {"port": path})
    return explain(path, error)
