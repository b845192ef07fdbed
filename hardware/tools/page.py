"""The page of one build: what it is, what it draws, which pin does what, how to print its parts."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hardware.tools.bill import bill, cost
from hardware.tools.pins import controller, pin_uses
from hardware.tools.power import budget
from hardware.tools.printables import PRINTABLES, command

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from hardware.tools.catalogue import Build

_CAPTIONS = {
    "contact": "Contacts, in symbols",
    "supply": "Supplies",
    "reeds": "Reed contacts",
    "readers": "Tag readers",
    "lights": "Lights",
    "panel": "Buttons and buzzer",
}

_ORIGIN = """\
Made from the description `{name}` by `python -m hardware.tools.generate`; change the description,
not this page. Nothing here was measured on a real board: currents are sums of published figures."""

_SIDE, _DEPTH = 12, 45
"""Millimetres of the sides' plywood and of the case's inner depth, as in `case_corner.scad`."""


def page(description: BoardDescription, build: Build | None, drawings: list[str]) -> str:
    """Return the page as Markdown."""
    sections = [
        f"# {description.title or description.name}",
        _ORIGIN.format(name=description.name),
        _about(description, build) if build else "",
        _drawn(drawings),
        _pins(description),
        _power(description),
        _woodwork(description),
        _printing(description),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _about(description: BoardDescription, build: Build) -> str:
    low, high = cost(bill(description, build))
    return "\n".join(
        [
            "## What it is",
            "",
            build.summary,
            "",
            f"- Games: {', '.join(build.games)}.",
            f"- Cells: {len(description.squares)} squares, {len(description.reserves)} reserve.",
            f"- Parts: about {low:.0f} to {high:.0f} euros; the list is [parts.csv](parts.csv).",
            "- What to test, contact by contact: [test-plan.md](test-plan.md).",
            f"- Work: {build.hours[0]} to {build.hours[1]} hours, an estimate. {build.needs}",
        ]
    )


def _drawn(drawings: list[str]) -> str:
    lines = [
        "## Wiring",
        "",
        "Every connection is a line of [netlist.csv](netlist.csv), to tick off while you wire.",
        "",
        "![Harness: every wire from leg to terminal](harness.svg)",
    ]
    for name, caption in _CAPTIONS.items():
        if name in drawings:
            lines += ["", f"![{caption}]({name}.svg)"]
    return "\n".join(lines)


def _pins(description: BoardDescription) -> str:
    legs = controller(description).legs
    title = f"## Pins of the {controller(description).name}"
    lines = [title, "", "| GPIO | leg | direction | for | goes to |"]
    lines.append("|---|---|---|---|---|")
    for use in pin_uses(description):
        purpose = f"{use.section} {use.name}"
        leg = legs.get(use.gpio, "-")
        lines.append(f"| {use.gpio} | {leg} | {use.direction} | {purpose} | {use.goes_to} |")
    return "\n".join(lines)


def _power(description: BoardDescription) -> str:
    lines = ["## Power", ""]
    lines += ["Milliamperes; *most* and *switched on* are everything at its worst at once.", ""]
    lines += ["| taken from | typical | most | switched on | may give |", "|---|---|---|---|---|"]
    loads = budget(description)
    for load in loads:
        flowing = " | ".join(f"{current:.0f}" for current in load.current)
        lines.append(f"| {load.supply} | {flowing} | {load.limit} |")
    for load in loads:
        lines += ["", f"On {load.supply}:", ""]
        lines += [
            f"- {name}: {share.typical:.1f} to {share.most:.1f} mA, switched on {share.start:.1f}"
            for name, share in load.lines
        ]
    return "\n".join(lines)


def _woodwork(description: BoardDescription) -> str:
    sizes, grid, reserve = description.mechanics, description.grid, description.reserve
    beside = sum(-(-count // grid.ranks) for count in (reserve.white, reserve.black))
    width, length = (grid.files + beside) * sizes.cell_mm, grid.ranks * sizes.cell_mm
    lines = [
        "## Wood",
        "",
        f"Cells of {sizes.cell_mm:g} mm: {grid.files} files"
        + (f" and {beside} columns of reserve cells beside them" if beside else "")
        + f", {grid.ranks} ranks.",
        "",
        "| piece | how many | size, mm |",
        "|---|---|---|",
        f"| top plate, without metal | 1 | {width:g} x {length:g} x {sizes.top_mm:g} |",
        f"| long sides, plywood {_SIDE} mm | 2 | {length:g} x {_DEPTH} |",
        f"| short sides, plywood {_SIDE} mm | 2 | {width:g} x {_DEPTH} |",
        f"| bottom, plywood 4 mm | 1 | {width:g} x {length:g} |",
    ]
    return "\n".join(lines)


def _printing(description: BoardDescription) -> str:
    lines = [
        "## Printed parts",
        "",
        "In `hardware/printables`, with this board's sizes:",
        "",
        "```",
    ]
    lines += [
        shlex.join(command(printable, description, f"{printable.name}.stl"))
        for printable in PRINTABLES
    ]
    return "\n".join([*lines, "```"])
