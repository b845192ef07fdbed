"""WS2812 LEDs on a data output of the Pi's SPI: three bits of the bus for every bit of a LED."""

from __future__ import annotations

from collections.abc import Callable

HZ = 2_400_000
"""Three bits at this rate take 1.25 us, the time of one WS2812 bit."""
MOST_BYTES = 4096
"""What Linux sends in one go; a pause within a frame would end it."""
_LATCH = bytes(90)
"""300 us of silence, after which LEDs of all makes show what they were sent."""


def _spread(byte: int) -> bytes:
    """Return a byte as the bus sends it: 110 for a one, 100 for a zero."""
    bits = 0
    for place in range(7, -1, -1):
        bits = bits << 3 | (0b110 if byte >> place & 1 else 0b100)
    return bits.to_bytes(3, "big")


_SPREAD = tuple(map(_spread, range(256)))


class SpiLine:
    """A WS2812 data line; see `boardware.lamps.ws2812`. `send` returns when the bytes are out."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send

    def busy(self) -> bool:
        """Never: `send` waits."""
        return False

    def send(self, data: bytearray) -> None:
        """Send a frame, three bytes a LED."""
        self._send(b"\0" + b"".join(_SPREAD[byte] for byte in data) + _LATCH)


def longest_chain() -> int:
    """Return how many LEDs fit into one frame."""
    return (MOST_BYTES - 1 - len(_LATCH)) // 9
