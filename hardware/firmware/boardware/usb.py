"""The Pico's USB serial port, read and written a byte at a time: nothing else never waits.

`main.py` has switched off MicroPython's interrupt character, so that byte 03 is data here.
"""

import select
import sys

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Callable, Iterator
    from typing import TextIO

READ_MOST, WRITE_MOST = 16, 24
"""Bytes in one pass of the main loop, so that none takes long; most frames fit."""


def _polls(stream: "TextIO", event: int) -> "Callable[[int], Iterator[object]]":
    """Return what tells whether a stream is ready, and takes no memory for it, as `poll` does."""
    poll = select.poll()
    poll.register(stream, event)
    ready: Callable[[int], Iterator[object]] = poll.ipoll  # type: ignore[attr-defined]
    return ready


class UsbWire:
    """The USB serial port.

    It tells that there is something to read, or room to write, but not how much: a write of more
    than fits would wait for the host half a second and then lose the rest.
    """

    def __init__(self) -> None:
        self._came = _polls(sys.stdin, select.POLLIN)
        self._room = _polls(sys.stdout, select.POLLOUT)
        self._get = sys.stdin.buffer.read
        self._put = sys.stdout.buffer.write
        self._byte = bytearray(1)

    def read(self) -> bytes:
        """Return what has arrived, a few bytes at most."""
        data = b""
        while len(data) < READ_MOST:
            for _ in self._came(0):
                data += self._get(1)
                break
            else:
                break
        return data

    def write(self, data: bytes) -> int:
        """Send what there is room for, a few bytes at most; return how many went."""
        room, put, byte = self._room, self._put, self._byte
        for index in range(min(len(data), WRITE_MOST)):
            for _ in room(0):
                byte[0] = data[index]
                put(byte)
                break
            else:
                return index
        return min(len(data), WRITE_MOST)
