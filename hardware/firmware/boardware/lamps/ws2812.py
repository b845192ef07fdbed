"""WS2812 LEDs: one data line, 24 bits a LED, green first."""

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from typing import Protocol

    class Line(Protocol):
        """Sends bytes as WS2812 bits, by itself."""

        def busy(self) -> bool:
            """Whether bytes are still on their way."""
            ...

        def send(self, data: bytearray) -> None:
            """Begin to send; `data` must not change until it is out."""
            ...


class Ws2812:
    """A chain of WS2812 LEDs.

    Args:
        line: what sends the bits.
        count: LEDs in the chain.
    """

    ORDER = (1, 0, 2)

    def __init__(self, line: "Line", count: int) -> None:
        self._line = line
        self._sent = bytearray(count * 3)

    def show(self, frame: bytearray) -> bool:
        """Send the frame as soon as the line is free; see `boardware.lamps`."""
        if self._line.busy():
            return False
        self._sent[:] = frame
        self._line.send(self._sent)
        return True
