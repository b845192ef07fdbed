"""A Pico's USB port for an emulated machine, whose kernel finds a Pico and its own driver for it.

QEMU hands USB devices on by the *usbredir* protocol: packets of a head (type, length, number), a
fixed part and data, little-endian. What a Pico with MicroPython says of itself is answered here;
the bytes of its serial port come from, and go to, a port of this machine's.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
import tty
from contextlib import suppress
from pathlib import Path
from select import select

VENDOR, PRODUCT = 0x2E8A, 0x0005
SERIAL = "e66038b713596f2e"

_HELLO, _CONNECT, _INTERFACES, _ENDPOINTS = 0, 1, 4, 5
_SET_CONFIGURATION, _GET_CONFIGURATION, _CONFIGURATION = 6, 7, 8
_SET_ALTERNATIVE, _GET_ALTERNATIVE, _ALTERNATIVE = 9, 10, 11
_START_INTERRUPTS, _STOP_INTERRUPTS, _INTERRUPTS = 15, 16, 17
_CANCEL, _CONTROL, _BULK = 21, 100, 101
_KNOWS = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6
"""Versions, sizes of packets, long numbers, long transfers: what a port for USB 3 asks for."""
_FIRST_HEAD, _HEAD, _TRANSFER = "<III", "<IIQ", "<BBHIH"
_WELL, _CANCELLED, _STALLED = 0, 1, 4
_FULL_SPEED = 1
_TO_HOST = 0x80
_NOTIFY, _OUT, _IN = 0x81, 0x02, 0x82
_PACKET = 64
_GET_DESCRIPTOR = 6

_CDC_FUNCTIONS = bytes.fromhex("05240020 01 05240100 01 04240202 05240600 01".replace(" ", ""))


def _endpoint(address: int, kind: int, size: int, interval: int) -> bytes:
    return struct.pack("<BBBBHB", 7, 5, address, kind, size, interval)


def _configuration() -> bytes:
    parts = (
        bytes((8, 11, 0, 2, 2, 2, 0, 0))
        + bytes((9, 4, 0, 0, 1, 2, 2, 0, 4))
        + _CDC_FUNCTIONS
        + _endpoint(_NOTIFY, 3, 8, 16)
        + bytes((9, 4, 1, 0, 2, 10, 0, 0, 0))
        + _endpoint(_OUT, 2, _PACKET, 0)
        + _endpoint(_IN, 2, _PACKET, 0)
    )
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(parts), 2, 1, 0, 0x80, 125) + parts


_DEVICE = struct.pack(
    "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0xEF, 2, 1, _PACKET, VENDOR, PRODUCT, 0x0100, 1, 2, 3, 1
)
_TEXTS = ("", "MicroPython", "Board in FS mode", SERIAL, "Board CDC")


def _text(number: int) -> bytes:
    body = struct.pack("<H", 0x0409) if number == 0 else _TEXTS[number].encode("utf-16-le")
    return bytes((2 + len(body), 3)) + body


def descriptor(kind: int, number: int) -> bytes | None:
    """Return what the device says of itself, or None where it has nothing of that kind."""
    if kind == 1:
        return _DEVICE
    if kind == 2:
        return _configuration()
    return _text(number) if kind == 3 and number < len(_TEXTS) else None


def _place(address: int) -> int:
    """Return where an endpoint stands in the protocol's tables."""
    return (address & 15) | (address & _TO_HOST) >> 3


def _transfer(endpoint: int, status: int, length: int) -> bytes:
    """Return the fixed part of what tells how a transfer went."""
    return struct.pack(_TRANSFER, endpoint, status, length & 0xFFFF, 0, length >> 16)


class UsbPico:
    """One Pico, plugged in as soon as a machine comes to its socket.

    Args:
        path: the socket, which is made.
        port: the port of this machine's that it leads to.
    """

    def __init__(self, path: Path, port: Path) -> None:
        path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen(1)
        self._port = os.open(port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._port)
        self._lock = threading.Lock()
        self._asked: list[tuple[int, int]] = []
        self._came = bytearray()
        self._link = socket.socket(socket.AF_UNIX)  # until a machine comes
        self._pulled = os.eventfd(0)
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._serve, self._listen_to_port)
        ]
        self._threads[0].start()

    def unplug(self) -> None:
        """Pull the cable."""
        os.eventfd_write(self._pulled, 1)
        for end in (self._server, self._link):
            with suppress(OSError):  # nobody may have come, or have gone already
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()  # or it would read from whatever has the port's number next
        for end in (self._server, self._link):
            end.close()
        os.close(self._port)
        os.close(self._pulled)

    def _serve(self) -> None:
        with suppress(OSError):  # the machine is off, or the cable pulled
            self._link.close()
            self._link, _ = self._server.accept()
            knows = struct.pack("<I", _KNOWS)
            hello = bytes(64) + knows
            self._link.sendall(struct.pack(_FIRST_HEAD, _HELLO, len(hello), 0) + hello)
            self._receive(struct.unpack(_FIRST_HEAD, self._receive(12))[1])
            self._tell_endpoints(0)
            class_and_names = (_FULL_SPEED, 0xEF, 2, 1, VENDOR, PRODUCT, 0x0100)
            self._say(_CONNECT, 0, struct.pack("<BBBBHHH", *class_and_names))
            self._threads[1].start()
            while True:
                kind, length, number = struct.unpack(_HEAD, self._receive(16))
                self._obey(kind, number, self._receive(length))

    def _receive(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            more = self._link.recv(length - len(data))
            if not more:
                raise OSError
            data += more
        return data

    def _say(self, kind: int, number: int, body: bytes) -> None:
        self._link.sendall(struct.pack(_HEAD, kind, len(body), number) + body)

    def _tell_endpoints(self, number: int) -> None:
        classes = bytes((2, 10)), bytes((2, 0)), bytes(2)
        tables = b"".join(row.ljust(32, b"\0") for row in (bytes((0, 1)), *classes))
        self._say(_INTERFACES, number, struct.pack("<I", 2) + tables)
        kinds, intervals, interfaces = bytearray(b"\xff" * 32), bytearray(32), bytearray(32)
        sizes = [0] * 32
        kinds[0] = kinds[16] = 0
        sizes[0] = sizes[16] = _PACKET
        for address, kind, interface in ((_NOTIFY, 3, 0), (_OUT, 2, 1), (_IN, 2, 1)):
            place = _place(address)
            kinds[place], interfaces[place] = kind, interface
            sizes[place] = 8 if kind == 3 else _PACKET
            intervals[place] = 16 if kind == 3 else 0
        tables = bytes(kinds + intervals + interfaces) + struct.pack("<32H", *sizes)
        self._say(_ENDPOINTS, number, tables)

    def _obey(self, kind: int, number: int, body: bytes) -> None:
        if kind == _CONTROL:
            self._control(number, body)
        elif kind == _BULK:
            self._bulk(number, body)
        elif kind == _CANCEL:
            self._cancel(number)
        elif kind in (_SET_CONFIGURATION, _GET_CONFIGURATION):
            self._tell_endpoints(number)
            self._say(_CONFIGURATION, number, bytes((_WELL, 1)))
        elif kind in (_SET_ALTERNATIVE, _GET_ALTERNATIVE):
            self._say(_ALTERNATIVE, number, bytes((_WELL, body[0], 0)))
        elif kind in (_START_INTERRUPTS, _STOP_INTERRUPTS):
            self._say(_INTERRUPTS, number, bytes((_WELL, body[0])))

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, kind, _, value, index, length = struct.unpack("<BBBBHHH", body[:10])
        status, answer = _WELL, b""
        if kind & _TO_HOST:
            found = None
            if kind & 0x7F == 0 and request == _GET_DESCRIPTOR:
                found = descriptor(value >> 8, value & 255)
            status, answer = (_STALLED, b"") if found is None else (_WELL, found[:length])
            length = len(answer)
        head = struct.pack("<BBBBHHH", endpoint, request, kind, status, value, index, length)
        self._say(_CONTROL, number, head + answer)

    def _bulk(self, number: int, body: bytes) -> None:
        endpoint, _, length, _, long = struct.unpack(_TRANSFER, body[:10])
        length += long << 16
        if endpoint & _TO_HOST:
            with self._lock:
                self._asked.append((number, length))
            self._hand_over()
        else:
            data = body[10:]
            while data:
                data = data[os.write(self._port, data) :]
            self._say(_BULK, number, _transfer(endpoint, _WELL, length))

    def _cancel(self, number: int) -> None:
        with self._lock:
            waiting = [asked for asked in self._asked if asked[0] == number]
            self._asked = [asked for asked in self._asked if asked[0] != number]
        if waiting:
            self._say(_BULK, number, _transfer(_IN, _CANCELLED, 0))

    def _listen_to_port(self) -> None:
        with suppress(OSError):
            while self._pulled not in select([self._port, self._pulled], [], [])[0]:
                data = os.read(self._port, _PACKET)
                if not data:
                    return
                with self._lock:
                    self._came += data
                self._hand_over()

    def _hand_over(self) -> None:
        """Answer what the machine has asked for as far as bytes have come."""
        with self._lock:
            while self._asked and self._came:
                number, length = self._asked.pop(0)
                data = bytes(self._came[: min(length, _PACKET)])
                del self._came[: len(data)]
                self._say(_BULK, number, _transfer(_IN, _WELL, len(data)) + data)
