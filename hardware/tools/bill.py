"""The parts list: how many of what, and why, from the description alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from drivers.description import BoardDescription
from hardware.tools.catalogue import Build, Part, parts, priced
from hardware.tools.circuits import netlist
from hardware.tools.lengths import Lengths, stripboards
from hardware.tools.netlist import pinouts
from hardware.tools.wiring import harness_wires

_COLUMNS = (
    "part",
    "quantity",
    "name",
    "specification",
    "alternatives",
    "order as",
    "or as",
    "each, EUR",
    "estimated on",
    "why",
)


_FEET = 4
"""Standoffs under one stripboard."""
_PACK = (30, 10)
"""Metres of thin and of thick wire in one pack of hook-up wire, as the parts list has it."""
COUNTED = frozenset({"stripboard", "standoff", "wire", "magnet", "tag", "foil", "printed-disc"})
"""What is counted here although it is no part of a circuit: no build gives a number of these."""


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
        wanted = [line for line in wanted if line[0] not in build.at_hand]
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
    wired = netlist(description)
    for component in wired.components:
        yield component.part, 1, component.why
    housings = [pinouts()[component.part].housing for component in wired.components]
    chips = [housing for housing in housings if housing.startswith("DIP-")]
    for housing in chips:
        yield f"socket-{housing.removeprefix('DIP-')}", 1, "one a chip"
    signals, supplies = harness_wires(description)
    if chips:  # otherwise the wires lead straight from the Pico's legs to the reeds
        yield "header", -(-2 * signals // 40), "both ends of the harness"
    yield "jumper", -(-signals // 40), "the harness"
    plugs = sum(component.part == "supply-5v4a" for component in wired.components)
    yield "dc-socket", plugs, "the supply's plug"
    yield "terminal", supplies, "both ends of the supply lines, two wires each"
    boards = stripboards(wired)
    yield "stripboard", boards, "for the chips, twelve on each"
    yield "standoff", _FEET * boards, "four a stripboard"
    thin, thick = Lengths(description).metres
    if chips:  # an evening's few wires are those of the ribbon
        why = f"{thin:.0f} m for signals, {thick:.0f} m for supplies"
        yield "wire", max(-(-int(thin) // _PACK[0]), -(-int(thick) // _PACK[1])), why


def _pieces(build: Build) -> Iterator[tuple[str, int, str]]:
    identity = build.discs > 0
    yield "magnet", build.pieces_with_magnets + build.discs, "one a piece and disc"
    if identity:
        yield "tag", build.pieces_with_magnets + 2 * build.discs, "one a piece, two a disc"
        yield "foil", 2 * build.discs, "two a disc"
        yield "printed-disc", build.discs, "Reality Check"


def as_csv(lines: tuple[Line, ...]) -> str:
    """Return the list as CSV, with the sums of the price bands in its last line."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    for line in lines:
        part = line.part
        band = f"{part.price[0]:g} to {part.price[1]:g}"
        told = [part.id, line.quantity, part.name, part.spec, part.alternatives, *part.orders]
        table.writerow([*told, band, priced(), line.reason])
    low, high = cost(lines)
    band = f"{low:.0f} to {high:.0f}"
    table.writerow(["total", *[""] * 6, band, priced(), "planning, no quotation"])
    return text.getvalue()


def cost(lines: tuple[Line, ...]) -> tuple[float, float]:
    """Return the lowest and highest sum in euros."""
    return (
        sum(line.quantity * line.part.price[0] for line in lines),
        sum(line.quantity * line.part.price[1] for line in lines),
    )
