"""The drilling template: the plate from below at its true size, on sheets of A4."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from fpdf import FPDF

from drivers.description import BoardDescription
from hardware.tools import layout
from hardware.tools.cell_drawings import outline

MARGIN = 12.0
"""Millimetres at each edge of a sheet that printers may leave white."""
WIDE, TALL = 210 - 2 * MARGIN, 297 - 2 * MARGIN - 14
"""Of the plate on one sheet; the rest is for the rule and the sheet's name."""
_FOOT = 297 - MARGIN
RULE = 100.0
_CROSS = 4.0


def template(description: BoardDescription) -> str:
    """Return the template as a PDF of plain ASCII, so that it is compared and kept as text."""
    return _Template(description).made()


def sheets_of(description: BoardDescription) -> tuple[int, int]:
    """Return how many sheets lie beside each other, and how many below."""
    width, height = layout.plate(description)
    return math.ceil(width / WIDE), math.ceil(height / TALL)


class _Template:
    """The sheets of one board."""

    def __init__(self, description: BoardDescription) -> None:
        self._description = description
        self._plate = layout.plate(description)
        self._corner = (0.0, 0.0)
        self._pdf = FPDF(unit="mm", format="A4")
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_compression(False)
        self._pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
        self._pdf.set_producer("")

    def made(self) -> str:
        """Draw all sheets."""
        across, down = sheets_of(self._description)
        for row in range(down):
            for column in range(across):
                self._sheet(
                    row,
                    column,
                    f"{row + 1}{chr(ord('A') + column)} of {down}{chr(ord('A') + across - 1)}",
                )
        # The mark for binary files is a comment; without it the file is plain text.
        return bytes(self._pdf.output()).replace(b"%\xe9\xeb\xf1\xbf", b"%%%%%").decode("ascii")

    def _sheet(self, row: int, column: int, name: str) -> None:
        pdf = self._pdf
        pdf.add_page()
        pdf.set_font("helvetica", size=8)
        self._corner = (column * WIDE, row * TALL)
        with pdf.local_context(), pdf.rect_clip(MARGIN - 1, MARGIN - 1, WIDE + 2, TALL + 2):
            pdf.set_line_width(0.3)
            pdf.rect(*self._at(0, self._plate[1]), *self._plate)
            for cell, (x, y) in layout.places(self._description).items():
                self._cell(cell, x, y)
        pdf.set_line_width(0.15)
        for x in (MARGIN, MARGIN + WIDE):
            for y in (MARGIN, MARGIN + TALL):
                pdf.line(x - _CROSS, y, x + _CROSS, y)
                pdf.line(x, y - _CROSS, x, y + _CROSS)
        pdf.set_line_width(0.1)
        pdf.line(MARGIN, _FOOT - 3, MARGIN + RULE, _FOOT - 3)
        words = f"This line: {RULE:g} mm. {self._description.name}, seen from below, sheet {name}."
        pdf.text(MARGIN, _FOOT + 1, f"{words} Print at 100 %; join the crosses.")

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a place of the plate is on the sheet: mirrored, since seen from below."""
        return MARGIN + x - self._corner[0], MARGIN + self._plate[1] - y - self._corner[1]

    def _cell(self, name: str, x: float, y: float) -> None:
        pdf, sizes = self._pdf, self._description.mechanics
        side, left = sizes.cell_mm, self._plate[0] - x
        middle_x, middle_y = self._at(left, y)
        reach = side / 2 + _CROSS
        if not (-reach < middle_x < 210 + reach and -reach < middle_y < 297 + reach):
            return
        pdf.set_line_width(0.1)
        pdf.rect(middle_x - side / 2, middle_y - side / 2, side, side)
        pdf.line(middle_x - _CROSS / 2, middle_y, middle_x + _CROSS / 2, middle_y)
        pdf.line(middle_x, middle_y - _CROSS / 2, middle_x, middle_y + _CROSS / 2)
        pdf.text(middle_x - side / 2 + 2, middle_y - side / 2 + 5, name)
        held = layout.holder(sizes)
        pdf.polygon([(middle_x - dx, middle_y - dy) for dx, dy in outline(sizes)])
        for ear in (-layout.EARS, layout.EARS):
            pdf.circle(middle_x - held.x, middle_y + ear, 0.5)
        for lamp in layout.lamps(self._description):
            pdf.circle(middle_x - lamp.x, middle_y - lamp.y, layout.LED_HOLE / 2)
        if found := layout.reader(self._description):
            board, _ = found
            corner = middle_x - board.x - board.width / 2, middle_y - board.height / 2
            with pdf.local_context():
                pdf.set_dash_pattern(dash=2, gap=1.5)
                pdf.rect(*corner, board.width, board.height)
