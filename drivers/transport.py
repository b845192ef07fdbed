"""A serial port that comes and goes: opened for us alone, found again after every loss.

Any driver of a board at a serial port uses this. It says in plain words why a port cannot be used,
waits from half a second to ten between attempts, and never blocks the event loop.
"""

from __future__ import annotations

import asyncio
import errno
import getpass
import grp
import os
import termios
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import serial

from drivers.beside import alone, begin, end, log
from drivers.board_reasons import Reason

__all__ = ["PortSettings", "PortUnusableError", "Reconnecting", "SerialTransport"]

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds between attempts; each pause is twice the one before."""
_CHUNK = 4096  # what a Linux terminal holds at the most
_OUT_LIMIT = 16384
"""Bytes that wait to be sent: over a second at 115200 baud; who takes none for so long is gone."""


@dataclass(frozen=True, slots=True)
class PortSettings:
    """A port and how its line is set; 8 data bits, no parity, one stop bit unless said otherwise.

    Attributes:
        port: device path; a stable one from `/dev/serial/by-id/` is best.
        assert_lines: state of DTR and RTS while open; `None` leaves them to the system.

    Example:
        >>> PortSettings("/dev/ttyACM0", 115200).port
        '/dev/ttyACM0'
    """

    port: str
    baudrate: int = 115200
    bytesize: int = serial.EIGHTBITS
    parity: str = serial.PARITY_NONE
    assert_lines: bool | None = None


class Line(Protocol):
    """An open device, read and written by its file descriptor without waiting."""

    def fileno(self) -> int:
        """Return the file descriptor."""

    def close(self) -> None:
        """Close the device."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The port is open; nothing has been read yet."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The port cannot be opened, or is gone; said once for each new reason."""

    reason: Reason


class PortUnusableError(OSError):
    """The port cannot be opened now; the reason says why and what to do."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


def open_port(settings: PortSettings) -> serial.Serial:
    """Open a port for us alone, without waiting for anything.

    Raises:
        PortUnusableError: with a reason for people.
    """
    line = serial.Serial()
    line.port = settings.port
    line.baudrate = settings.baudrate
    line.bytesize = settings.bytesize
    line.parity = settings.parity
    line.timeout = 0
    line.write_timeout = 0
    line.exclusive = True
    if settings.assert_lines is not None:
        line.dtr = line.rts = settings.assert_lines
    try:
        line.open()
    except (OSError, ValueError, termios.error) as error:  # SerialException is an OSError
        raise PortUnusableError(explain(settings.port, error)) from error
    return line


def explain(port: str, error: Exception) -> Reason:
    """Return why a port cannot be opened."""
    cause = error.__context__ or error  # pyserial keeps some reasons in its text alone
    number = getattr(error, "errno", None) or next(iter(cause.args), None)
    text = str(error).lower()
    gone = number == errno.EIO and not Path(port).exists()  # while it was being opened
    if gone or number in {errno.ENOENT, errno.ENODEV, errno.ENXIO}:
        return Reason("port-missing", {"port": port})
    if number in {errno.EACCES, errno.EPERM}:
        allowed = {"port": port, "group": _group(port), "user": _user()}
        return Reason("port-forbidden", allowed)
    if number in {errno.EBUSY, errno.EAGAIN} or "exclusively lock" in text:
        return Reason("port-busy", {"port": port})
    if number in {errno.ENOTTY, errno.EINVAL, errno.EISDIR, errno.EIO}:
        return Reason("port-not-serial", {"port": port})
    return Reason("port-unusable", {"port": port, "error": str(error)})


def failed(error: Exception) -> Reason:
    """Return why there is no board after an unforeseen error: its type, not its text."""
    return Reason("driver-failed", {"error": type(error).__name__})


def failure(wire: str, error: Exception) -> Reason:
    """Return the same of what happened on one wire."""
    return Reason("on-wire", {"wire": wire}, (failed(error),))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without a name, as in containers
        return "$USER"


def _group(port: str) -> str:
    with suppress(OSError, KeyError):
        return grp.getgrgid(Path(port).stat().st_gid).gr_name
    return "dialout"


class Reconnecting(ABC):
    """Keeps one wire open and opens it again when it breaks; a subclass says how.

    Iterate over `traffic` for `Opened`, bytes and `Lost`; `write` at any time: what is written
    while the wire is closed is dropped. `give_up` closes an open wire and says why; it is opened
    again after a pause. The pauses grow until `settled` says that all is well.
    """

    def __init__(self) -> None:
        self._items: asyncio.Queue[bytes | Opened | Lost | None] = asyncio.Queue(maxsize=256)
        self._lost = asyncio.Event()
        self._reason: Reason | None = None
        self._said: Reason | None = None
        self._pause = FIRST_PAUSE
        self._task: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """What people call the wire: a device path, an address."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether bytes can pass now."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send bytes as soon as the wire takes them; dropped while it is closed or jammed."""

    @abstractmethod
    async def _connect(self) -> None:
        """Open the wire, or raise `PortUnusableError`."""

    @abstractmethod
    async def _listen(self) -> None:
        """Begin to bring what comes, after `Opened` has been told."""

    @abstractmethod
    async def _disconnect(self) -> None:
        """Close the wire if it is open."""

    async def __aenter__(self) -> Self:
        """Begin to look for the other end."""
        self._task = begin(self._keep_open(), f"port {self.name}")
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Close, and end `traffic`, even if cancelled meanwhile. Idempotent."""
        if self._task is None:
            return
        task, self._task = self._task, None
        try:
            await end(task)
        finally:
            try:
                await self._disconnect()
            finally:
                self._make_room()
                self._items.put_nowait(None)

    async def traffic(self) -> AsyncIterator[bytes | Opened | Lost]:
        """Yield what happens on the wire, in order, until the transport is closed."""
        while (item := await self._items.get()) is not None:
            yield item

    def give_up(self, reason: Reason) -> None:
        """Close the wire for this reason, if it is open, and try again after a pause."""
        if self.is_open and not self._lost.is_set():
            self._reason = reason
            self._lost.set()

    def fail(self, error: Exception) -> None:
        """Close the wire, since what speaks over it has failed, and try again after a pause."""
        self.give_up(failure(self.name, error))

    def settled(self) -> None:
        """All is well: after the next loss begin with the shortest pause, and say every reason."""
        self._pause = FIRST_PAUSE
        self._said = None

    async def _keep_open(self) -> None:
        while True:
            try:
                self._say(await alone(self._carry()))
            except Exception as error:  # noqa: BLE001 - whatever it is, the next attempt comes
                log(f"port {self.name}", error)
                self._say(failure(self.name, error))
            pause, self._pause = self._pause, min(self._pause * 2, LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _carry(self) -> Reason | None:
        """Keep the wire open as long as it can be; return why it is not any more."""
        try:
            await self._connect()
            self._lost.clear()
            await self._items.put(Opened())
            await self._listen()
            await self._lost.wait()
        except PortUnusableError as error:
            return error.reason
        finally:
            await self._disconnect()
        return self._reason

    def _say(self, reason: Reason | None) -> None:
        if reason is not None and reason != self._said:
            self._said = reason
            self._make_room()
            self._items.put_nowait(Lost(reason))

    def _make_room(self) -> None:
        while self._items.full():
            self._items.get_nowait()


class SerialTransport(Reconnecting):
    """Keeps one serial port open."""

    def __init__(self, settings: PortSettings) -> None:
        super().__init__()
        self.settings = settings
        self._line: Line | None = None
        self._out = bytearray()

    @property
    def name(self) -> str:
        """The device path."""
        return self.settings.port

    @property
    def is_open(self) -> bool:
        """Whether the port is open now."""
        return self._line is not None

    def write(self, data: bytes) -> None:
        """Send bytes as soon as the port takes them; dropped while it is closed or jammed."""
        if self._line is None or len(self._out) + len(data) > _OUT_LIMIT:
            return
        self._out += data
        self._flush()

    def _open(self) -> Line:
        """Open the port, or raise `PortUnusableError`; another kind of device overrides this."""
        line: Line = open_port(self.settings)
        return line

    async def _connect(self) -> None:
        self._line = self._open()

    async def _listen(self) -> None:
        self._resume_reading()

    async def _disconnect(self) -> None:
        self._out.clear()
        if self._line is not None:
            self._forget_descriptor()
            line, self._line = self._line, None
            with suppress(OSError):
                line.close()

    def _readable(self) -> None:
        if self._line is None:
            return
        if self._items.full():  # nobody listens: leave it to the kernel until somebody does
            asyncio.get_running_loop().call_later(0.01, self._resume_reading)
            asyncio.get_running_loop().remove_reader(self._line.fileno())
            return
        try:
            data = os.read(self._line.fileno(), _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._items.put_nowait(data)
        else:
            self.give_up(Reason("port-vanished", {"port": self.settings.port}))

    def _resume_reading(self) -> None:
        if self._line is not None:
            asyncio.get_running_loop().add_reader(self._line.fileno(), self._readable)

    def _flush(self) -> None:
        if self._line is None:
            return
        loop, descriptor = asyncio.get_running_loop(), self._line.fileno()
        try:
            sent = os.write(descriptor, self._out)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.give_up(Reason("port-vanished", {"port": self.settings.port}))
            return
        del self._out[:sent]
        if self._out:
            loop.add_writer(descriptor, self._flush)
        else:
            loop.remove_writer(descriptor)

    def give_up(self, reason: Reason) -> None:
        """Close the port for this reason, if it is open, and try again after a pause."""
        if self.is_open and not self._lost.is_set():
            self._forget_descriptor()
        super().give_up(reason)

    def _forget_descriptor(self) -> None:
        if self._line is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._line.fileno())
            loop.remove_writer(self._line.fileno())
