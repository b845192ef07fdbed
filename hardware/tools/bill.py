"""The parts list: how many of what, and why, from the description alone."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.tools.catalogue import Build, Part, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drivers.description import BoardDescription, Reeds

MCP_INPUTS = 14
"""Two of the MCP23017's sixteen pins must not be inputs (data sheet of 2022)."""
BANK = 8
"""Readers behind one 74HC138."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list."""

    part: Part
    quantity: int
    reason: str


def bill(description: BoardDescription, build: Build | None = None) -> tuple[Line, ...]:
    """Return the parts a board needs; with a build also what belongs around it."""
    catalogue = parts()
    wanted = list(_electronics(description))
    if build:
        wanted += _pieces(build)
        wanted += [(part, count, "for the build") for part, count in build.extras.items()]
    merged: dict[str, tuple[int, list[str]]] = {}
    for part, count, reason in wanted:
        before, reasons = merged.get(part, (0, []))
        merged[part] = (before + count, reasons if reason in reasons else [*reasons, reason])
    return tuple(
        Line(catalogue[part], count, "; ".join(reasons))
        for part, (count, reasons) in merged.items()
        if count
    )


def _electronics(description: BoardDescription) -> Iterator[tuple[str, int, str]]:
    cells = len(description.built)
    if description.controller == "pico":
        yield "pico", 1, "scans the board"
    if description.reeds:
        yield from _reeds(description.reeds, cells)
    yield from _readers(description)
    yield from _leds(description)
    if description.tags or (description.leds and description.leds.driver == "ws2812"):
        yield "fuse", 1, "behind the supply of lights and readers"
    yield "button", len(description.buttons), "buttons of the description"
    if description.buzzer and description.buzzer.pin is not None:
        yield "buzzer", 1, "sounds"


def _reeds(reeds: Reeds, cells: int) -> Iterator[tuple[str, int, str]]:
    yield "reed", cells, "one a cell"
    if reeds.kind == "diode-matrix":
        yield "diode-1n4148", cells, "one a reed"
        return
    if reeds.kind == "mcp23017":
        yield "mcp23017", len(reeds.addresses), "contacts of the cells"
        yield "capacitor-100n", len(reeds.addresses), "one a chip"
        return
    chips = chain_length(cells)
    yield "resistor-10k", chips * 8, "pull-up of every input, used or not"
    yield "74hc165", chips, "contacts of the cells, eight a chip"
    yield "capacitor-100n", chips, "one a chip"


def chain_length(cells: int) -> int:
    """Return how many 74HC165 hold that many contacts."""
    return -(-cells // 8)


def banks(readers: int) -> int:
    """Return into how many banks of eight that many readers are decoded."""
    return -(-readers // BANK)


def _readers(description: BoardDescription) -> Iterator[tuple[str, int, str]]:
    tags = description.tags
    if tags is None:
        return
    yield tags.kind, tags.count, "one a cell" if tags.multiplexing != "antenna" else "readers"
    yield "mfrc522-field", 1, "one field at a time"
    yield "regulator-3v3", 1, "3.3 V for the readers"
    if "enable" in tags.pins:
        count = banks(tags.count)
        yield "74hc138", count, "one a bank"
        yield "74hc154", 1, "chooses the bank"
        yield "74hc125", count, "one a bank"
        yield "capacitor-100n", 2 * count + 1, "one a chip"
        yield "resistor-10k", 1, "keeps all readers unchosen while the Pico starts"


def _leds(description: BoardDescription) -> Iterator[tuple[str, int, str]]:
    leds = description.leds
    if leds is None:
        return
    lit = sum(leds.per_cell for position in description.led_positions if position is not None)
    if leds.driver == "ws2812":
        yield "ws2812", lit, "lights of the cells"
        yield "74ahct125", 1, "lifts the LED data line to 5 V"
        yield "resistor-330", 1, "in the LED data line"
        yield "capacitor-1000u", 1, "at the start of the LED chain"
        yield "capacitor-100n", 1, "one a chip"
        return
    yield "led-single", lit, "lights of the cells"
    if leds.driver == "max7219":
        chips = -(-lit // 64)
        yield "max7219", chips, "64 LEDs a chip"
        yield "resistor-27k", chips, "one a MAX7219"
        yield "capacitor-10u", chips, "one a MAX7219"
        yield "74ahct125", 1, "lifts the lines to the MAX7219 to 5 V"
        yield "capacitor-100n", chips + 1, "one a chip"
        return
    yield "ht16k33", 1, "128 LEDs a chip"


def _pieces(build: Build) -> Iterator[tuple[str, int, str]]:
    identity = build.discs > 0
    yield "magnet", build.pieces_with_magnets + build.discs, "one a piece and disc"
    if identity:
        yield "tag", build.pieces_with_magnets + 2 * build.discs, "one a piece, two a disc"
        yield "ferrite", 2 * build.discs, "two a disc"
        yield "foil", 2 * build.discs, "two a disc"
        yield "printed-disc", build.discs, "Reality Check"


def as_csv(lines: tuple[Line, ...]) -> str:
    """Return the list as CSV, with the sums of the price bands in its last line."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(
        ["part", "quantity", "name", "specification", "alternatives", "each, EUR", "why"]
    )
    for line in lines:
        part = line.part
        if not part.price[1]:  # a current without a part
            continue
        band = f"{part.price[0]:g} to {part.price[1]:g}"
        table.writerow(
            [part.id, line.quantity, part.name, part.spec, part.alternatives, band, line.reason]
        )
    low, high = cost(lines)
    table.writerow(["total", "", "", "", "", f"{low:.0f} to {high:.0f}", "planning, no quotation"])
    return text.getvalue()


def cost(lines: tuple[Line, ...]) -> tuple[float, float]:
    """Return the lowest and highest sum in euros."""
    return (
        sum(line.quantity * line.part.price[0] for line in lines),
        sum(line.quantity * line.part.price[1] for line in lines),
    )
