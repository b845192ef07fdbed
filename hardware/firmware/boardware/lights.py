"""From signals to LEDs: what every cell shows at a given moment, within the current allowed."""

from boardware import ticks

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Generator, Sequence

    Look = tuple[tuple[int, int, int], str]
    """Red, green, blue at full brightness; and the pattern."""

FRAME_MS = 20
"""How often patterns move on: 50 times a second."""
REFRESH_MS = 1000
"""How often an unchanged frame is sent again: a disturbance on the LEDs' line heals by it."""
CELLS_A_STEP = 3
"""Cells painted between two scans: more would hold up the scanning."""
DIMMED_A_STEP = 24
"""Bytes of a frame dimmed between two scans."""
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

    Only what has changed is painted: most of the time nothing has, and the processor is free.

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
        self._frame = bytearray(count * 3)
        self._dimmed = bytearray(count * 3)
        self._lit: dict[int, list[int]] = {}  # what is shown -> the cells that show it
        self._levels: dict[int, int] = {}  # what is shown -> how bright it was painted last
        self._leaving: list[int] = []  # cells that show nothing any more
        self._work: Generator[None, None, bytearray] | None = None
        self._at = 0
        self._sent_at = 0

    def set(self, signals: "bytes | bytearray") -> None:
        """Take what every cell shows, as `BoardSession.lights` gives it: one byte a sensor."""
        before = self._lit
        self._lit = {}
        for number, shown in enumerate(signals):
            if shown and shown & 31 in self._looks:
                self._lit.setdefault(shown, []).append(number)
        self._leaving += [number for cells in before.values() for number in cells]
        self._levels = {}
        self._work = None

    def step(self, now_ms: int) -> "bytearray | None":
        """Paint a few cells; return the frame when it is complete and not what was shown before.

        The buffer must be out before the next call.
        """
        if self._work is None:
            if ticks.diff(now_ms, self._at) < FRAME_MS:
                return None
            self._at = now_ms
            due = self._changed()
            again = ticks.diff(now_ms, self._sent_at) >= REFRESH_MS
            if not due and not self._leaving and not again:
                return None
            self._sent_at = now_ms
            self._work = self._painting(due)
        try:
            next(self._work)
        except StopIteration as done:
            self._work = None
            frame: bytearray = done.value
            return frame
        return None

    def _changed(self) -> list[int]:
        """Return what is shown that is now brighter or darker than it was painted."""
        due = []
        for shown in self._lit:
            level = strength(self._looks[shown & 31][1], self._at, shown >> 5)
            if not self._colours:
                # On or off is all such LEDs can: half the frames are half the light.
                level = 255 if level > DIM or (level and self._at // FRAME_MS & 1) else 0
            if self._levels.get(shown) != level:
                self._levels[shown] = level
                due.append(shown)
        return due

    def _painting(self, due: list[int]) -> "Generator[None, None, bytearray]":
        """Paint what is due, yielding between small steps; return the frame to show."""
        painted = 0
        while self._leaving:
            self._paint(self._leaving.pop(), (0, 0, 0))
            painted += 1
            if painted % CELLS_A_STEP == 0:
                yield
        for shown in due:
            colour = self._looks[shown & 31][0]
            scale = self._levels[shown] * self._scale
            levels = [colour[channel] * scale // 255 >> 8 for channel in self._order]
            for number in self._lit[shown]:
                self._paint(number, levels)
                painted += 1
                if painted % CELLS_A_STEP == 0:
                    yield
        yield
        total = sum(self._frame)
        if not self._limit or total <= self._limit:
            return self._frame
        # Dim the whole frame: it would draw more than the supply gives.
        for first in range(0, len(self._frame), DIMMED_A_STEP):
            yield
            for index in range(first, min(first + DIMMED_A_STEP, len(self._frame))):
                if self._frame[index]:
                    self._dimmed[index] = self._frame[index] * self._limit // total
                else:
                    self._dimmed[index] = 0
        return self._dimmed

    def _paint(self, number: int, levels: "Sequence[int]") -> None:
        first = self._positions[number]
        if first is not None:
            for at in range(first * 3, (first + self._per_cell) * 3, 3):
                self._frame[at], self._frame[at + 1], self._frame[at + 2] = levels
