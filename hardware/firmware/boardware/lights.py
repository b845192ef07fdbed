"""From signals to LEDs: what every cell shows at a given moment, within the current allowed."""

from boardware import ticks

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Sequence

    Look = tuple[tuple[int, int, int], str]
    """Red, green, blue at full brightness; and the pattern."""

FRAME_MS = 20
"""How often patterns move on: 50 times a second."""
CELLS_A_STEP = 6
"""Cells painted between two scans: more would hold up the scanning."""
CYCLE_MS = 1920
"""All patterns begin anew together after this time."""
DIM = 64
"""How bright `steady-dim` is, of 255."""
MILLIAMPERES = 20
"""What one colour of one WS2812 draws at full power (data sheet: 50 to 60 for all three)."""

# On-times in milliseconds within the cycle of 1920 ms.
_BLINKS = {
    "slow-blink": ((0, 480), (960, 1440)),
    "fast-blink": tuple((start, start + 120) for start in range(0, 1920, 240)),
    "double-blink": ((0, 120), (240, 360), (960, 1080), (1200, 1320)),
    "triple-blink": ((0, 120), (240, 360), (480, 600)),
}


def strength(pattern: str, at: int, place: int) -> int:
    """Return how bright a pattern is, 0 to 255.

    Args:
        pattern: one of the patterns of the signals.
        at: milliseconds since any start of a cycle.
        place: the cell's place in a chase; the light runs from low places to high ones.
    """
    at %= CYCLE_MS
    if pattern == "steady":
        return 255
    if pattern == "steady-dim":
        return DIM
    if pattern == "slow-pulse":
        return abs(CYCLE_MS // 2 - at) * 255 // (CYCLE_MS // 2)
    if pattern == "chase":
        return 255 if (at // 160 - place) % 4 < 2 else DIM
    return 255 if any(start <= at < end for start, end in _BLINKS[pattern]) else 0


class Lights:
    """Keeps what every cell shows and paints LED frames of it, a few cells at a time.

    Args:
        positions: sensor number -> first LED of that cell, or None.
        per_cell: LEDs that light one cell.
        count: LEDs in all.
        looks: signal number -> how it looks.
        colours: whether the LEDs have colours; if not, dim is shown as every other frame.
        order: the colours in the order of a frame, see `boardware.lamps`.
        brightness: share of full power, 0 to 1.
        limit_ma: the most all LEDs together may draw, or 0 for no limit.
    """

    def __init__(  # noqa: PLR0913 - all of it is configuration
        self,
        *,
        positions: "Sequence[int | None]",
        per_cell: int,
        count: int,
        looks: "dict[int, Look]",
        colours: bool,
        order: "tuple[int, int, int]",
        brightness: float,
        limit_ma: int,
    ) -> None:
        self._positions = positions
        self._per_cell = per_cell
        self._looks = looks
        self._colours = colours
        self._order = order
        self._scale = int(brightness * 256)
        self._limit = limit_ma * 255 // MILLIAMPERES
        self._signals: bytes | bytearray = bytes(len(positions))
        self._dark = bytes(count * 3)
        self._frame = bytearray(count * 3)
        self._next = 0
        self._at = 0

    def set(self, signals: "bytes | bytearray") -> None:
        """Take what every cell shows, as `BoardSession.lights` gives it: one byte a sensor."""
        self._signals = signals

    def step(self, now_ms: int) -> "bytearray | None":
        """Paint a few cells; return the frame when it is complete.

        The buffer is the same every time; it must be out before the next call.
        """
        if self._next == 0:
            if ticks.diff(now_ms, self._at) < FRAME_MS:
                return None
            self._at = now_ms
            self._frame[:] = self._dark
        end = min(self._next + CELLS_A_STEP, len(self._positions))
        for number in range(self._next, end):
            shown = self._signals[number]
            look = self._looks.get(shown & 31)
            first = self._positions[number]
            if look and first is not None:
                self._paint(first, look, shown >> 5)
        if end < len(self._positions):
            self._next = end
            return None
        self._next = 0
        self._cap()
        return self._frame

    def _paint(self, first: int, look: "Look", place: int) -> None:
        level = strength(look[1], self._at, place)
        if not self._colours:
            # On or off is all such LEDs can: half the frames are half the light.
            level = 255 if level > DIM or (level and self._at // FRAME_MS & 1) else 0
        for led in range(first, first + self._per_cell):
            for channel in range(3):
                value = look[0][self._order[channel]] * level // 255
                self._frame[led * 3 + channel] = value * self._scale >> 8

    def _cap(self) -> None:
        """Dim the whole frame when it would draw more than the supply gives."""
        total = sum(self._frame)
        if self._limit and total > self._limit:
            for index, value in enumerate(self._frame):
                self._frame[index] = value * self._limit // total
