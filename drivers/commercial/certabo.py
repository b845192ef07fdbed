"""Certabo and Tabutronic boards: USB serial, 38400 baud; they send a line for every scan.

Boards with tags send five numbers a square, the Sentio eight numbers in all, one bit a square.
Which light frame a board understands it says itself; until it has, both are sent in turn.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Literal

from drivers.commercial.commercial_session import (
    CommercialSession,
    built_place,
    rows_of_bits,
)
from drivers.commercial.wires import at_serial_port
from drivers.port import BoardEvent, Reading
from drivers.probes import SerialProbe

_LONGEST = 4096
"""No line is longer: 320 numbers of three digits, with their spaces."""
_BRIGHTNESS = 0x40
"""A quarter of full, as programs that play with these boards set it."""
_SCANS = 3
"""Scans of which the majority counts: single ones show tags that are not there."""

Line = tuple[int, ...] | Literal["L", "D"]
"""A scan's numbers, or the letter by which a board tells its lights: `L` plain, `D` coloured."""


class Parser:
    """Bytes in, lines out. Some boards put a line feed anywhere, even inside a number.

    So a scan ends at a carriage return with a line feed, or where the next one begins, and counts
    only when it then has as many numbers as a scan must have.
    """

    def __init__(self, numbers: int) -> None:
        """Read scans of so many numbers: 320 with tags, 8 without."""
        self._numbers = numbers
        self._text: str | None = None  # of the scan being read, without breaks
        self._word = ""  # of a line outside a scan

    def feed(self, data: bytes) -> list[Line]:
        """Return the lines that these bytes complete."""
        lines: list[Line] = []
        for letter in data.decode("ascii", errors="replace"):
            if letter == ":":
                lines += self._scan()
                self._text = ""
            elif self._text is None:
                lines += self._outside(letter)
            elif letter == "\n" and self._text.endswith("\r"):
                lines += self._scan()
                self._text = None
            elif letter != "\n":
                self._text += letter
                if len(self._text) > _LONGEST:
                    self._text = None
        return lines

    def _scan(self) -> list[Line]:
        """Return the scan that has been read, if it is whole."""
        if self._text is None:
            return []
        words = self._text.split()
        if len(words) != self._numbers or not all(word.isdecimal() for word in words):
            return []
        numbers = tuple(int(word) for word in words)
        return [numbers] if max(numbers) <= 255 else []

    def _outside(self, letter: str) -> list[Line]:
        if letter not in "\r\n":
            self._word = (self._word + letter)[-2:]
            return []
        word, self._word = self._word, ""
        if word == "L":
            return ["L"]
        return ["D"] if word == "D" else []


class CertaboSession(CommercialSession[Line]):
    """A board with tags: each square's five numbers are the UID of the tag that stands there."""

    title = "Certabo board"
    board = "certabo"
    write_gap = lights_gap = 0.6
    """Different frames of lights need so long between them; nothing else is written."""
    farewell = 0.7
    numbers = 320
    """Five a square."""

    def _new_parser(self) -> Parser:
        return Parser(self.numbers)

    def _begin(self, now: float) -> None:  # noqa: ARG002 - it speaks without being asked
        self._scans: deque[tuple[Reading, ...]] = deque(maxlen=_SCANS)
        self._coloured: bool | None = None

    def _message(self, message: Line, now: float) -> list[BoardEvent]:
        if isinstance(message, str):
            self._coloured = message == "D"
            return []
        self._scans.append(self._readings(message))
        return self._felt(self._majority(), now) if len(self._scans) == _SCANS else []

    def _readings(self, line: tuple[int, ...]) -> tuple[Reading, ...]:
        tags = (bytes(line[start : start + 5]) for start in range(0, 320, 5))
        # An id of mostly zeros is noise.
        return tuple(None if tag.count(0) >= 3 else tag.hex().upper() for tag in tags)

    def _majority(self) -> list[Reading]:
        """Return what most of the last scans show on each square; in doubt what stood before."""
        readings: list[Reading] = []
        for before, *seen in zip(self._stands, *self._scans, strict=True):
            reading, times = Counter(seen).most_common(1)[0]
            readings.append(reading if times > _SCANS // 2 else before)
        return readings

    def _frame(self, lit_cells: frozenset[str], steps: dict[str, int]) -> bytes:  # noqa: ARG002
        coloured = self._coloured_frame(lit_cells)
        if self._coloured:
            return coloured
        if self._coloured is None:
            self._say(coloured)  # next, until the board has said which kind it understands
        return rows_of_bits(self.description, lit_cells, a_file_highest=False)

    def _coloured_frame(self, lit_cells: frozenset[str]) -> bytes:
        """Return the frame for 81 lights at the corners of the squares."""
        lights = bytearray(81)
        for cell in lit_cells:
            file, rank = built_place(self.description, cell)
            for line in (rank, rank + 1):
                for column in (7 - file, 8 - file):
                    lights[9 * line + column] = _BRIGHTNESS
        return b"\xff\x55" + b"".join(bytes([level] * 3) for level in lights) + b"\r\n"


class SentioSession(CertaboSession):
    """A board without tags: one bit a square, rank 8 first, the highest bit on the a-file."""

    title = "Tabutronic Sentio"
    board = "sentio"
    tiers = ("occupancy",)
    numbers = 8
    """One a rank, a bit a square."""

    def _readings(self, line: tuple[int, ...]) -> tuple[Reading, ...]:
        return tuple(True if row & 0x80 >> file else None for row in line for file in range(8))


_PROBE = SerialProbe(1.5, "listens")
# Sources disagree on which state of DTR and RTS a board needs: it is a setting.
certabo_board = DRIVER = at_serial_port(CertaboSession, _PROBE, 38400, lines=True)


sentio_board = at_serial_port(SentioSession, _PROBE, 38400, lines=True)
