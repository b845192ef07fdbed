"""The page of one build: what it is, what it draws, which pin does what, how to print its parts."""

from __future__ import annotations

import shlex

from drivers.bus_speed import buses
from drivers.description import BoardDescription
from hardware.tools import layout, magnetics
from hardware.tools.bill import bill, cost
from hardware.tools.case import BOTTOM, DEPTH, ROOM, SIDE, case
from hardware.tools.catalogue import Build
from hardware.tools.lengths import BOARD_MM, CHIPS, Lengths, board_width
from hardware.tools.pins import controller, pin_uses
from hardware.tools.power import budget
from hardware.tools.printables import amounts, command

_CAPTIONS = {
    "contact": "Contacts, in symbols",
    "supply": "Supplies",
    "reeds": "Reed contacts",
    "readers": "Tag readers",
    "lights": "Lights",
    "panel": "Buttons and buzzer",
}
_CELL = {
    "cell": "What lies under a cell",
    "section": "Section of a cell",
    "sensed": "Where a reed feels a piece",
}

_ORIGIN = """\
Made from the description `{name}` by `python -m hardware.tools.generate`; change the description,
not this page. Nothing here was measured on a real board: currents are sums of published figures."""

_CELLS = """\
To scale, from this board's sizes. The middle of the reed's glass is {offset:g} mm off the middle
of the cell (8 to 10 mm do), the glass *points at the middle of the cell*, in all cells to the same
side. Over the middle of the glass is a narrow strip where the field crosses it: of pieces as clumsy
hands put them, {hands:g} mm off the middle, {felt:.0%} are felt, computed for the weakest magnet
and the least sensitive reed of the parts list. With the strongest magnets and the most sensitive
reed, pieces on all eight neighbours, one of them {off:g} mm off its middle, leave an empty cell's
reed open, whichever way up their magnets lie ({held:.0%} of what would hold it closed)."""
_TEMPLATE = """\
[template.pdf](template.pdf) has all of this at its true size, seen from below, on sheets of A4:
print at 100 %, check its rule of 100 mm, join the sheets at their crosses and tape them under the
plate; drill the holes of the LEDs through, and mount the holders on their outlines."""
_LAID = """\
Stripboards lie on the bottom, along the ranks, in the lanes between the pillars: {chips} chips on
each, sawn to {wide:g} x {long:g} mm. Their middles, in millimetres from the lower left corner of
the cells: {middles}; the controller: {controller}. The longest wire of the harness has
{harness:.0f} mm; the rest takes {wires.thin:.0f} m of thin wire and {wires.thick:.0f} m of thick
(`hardware/tools/lengths.py`, computed)."""
_BOUGHT_MM = 100.0
"""Width of a stripboard as it is bought."""
_RESERVES = """\
White's reserve cells lie right of the board, from the first rank up; Black's left of it, from the
last rank down."""


def page(description: BoardDescription, build: Build | None, drawings: list[str]) -> str:
    """Return the page as Markdown."""
    cased = build is None or build.case
    sections = [
        f"# {description.title or description.name}",
        _ORIGIN.format(name=description.name),
        _about(description, build) if build else "",
        _drawn(drawings),
        _pins(description),
        _buses(description),
        _power(description),
        _woodwork(description) if cased else "",
        _cells(description),
        _printing(description, build) if cased else "",
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
            f"- Games: {', '.join(build.games) or 'none; the puzzle of the four knights'}.",
            f"- Cells: {len(description.squares)} squares, {len(description.reserves)} reserve.",
            f"- Parts: about {low:.0f} to {high:.0f} euros; the list is [parts.csv](parts.csv).",
            "- Stage by stage, with what to measure: [bring-up.md](bring-up.md).",
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


def _buses(description: BoardDescription) -> str:
    reeds, tags, leds = description.reeds, description.tags, description.leds
    kinds = (reeds and reeds.kind, tags and tags.kind, leds and leds.driver)
    made = buses(description)
    rows = [
        f"| {kind} | {made[kind].what} | {made[kind].hz / 1e6:g} | {made[kind].why} |"
        for kind in kinds
        if kind in made
    ]
    head = ["## Buses", "", "| bus of | kind | MHz | why not faster |", "|---|---|---|---|"]
    return "\n".join([*head, *rows]) if rows else ""


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
    made, beside = case(description), sum(layout.reserve_columns(description))
    (_, inside), (width, length) = made.inside, made.outside
    lines = [
        "## Wood",
        "",
        f"Cells of {made.cell:g} mm: {description.grid.files} files"
        + (f" and {beside} columns of reserve cells beside them" if beside else "")
        + f", {made.rows} ranks. How it goes together: [the case](../../printables/README.md).",
        *([_RESERVES] if beside else []),
        "",
        "| piece | how many | size, mm |",
        "|---|---|---|",
        f"| top plate, without metal | 1 | {width:g} x {length:g} x {made.top:g} |",
        f"| sides at the left and right, plywood {SIDE:g} mm | 2 | {inside:g} x {DEPTH:g} |",
        f"| sides in front and behind, plywood {SIDE:g} mm | 2 | {width:g} x {DEPTH:g} |",
        f"| bottom, plywood {BOTTOM:g} mm | 1 | {width:g} x {length:g} |",
        "",
        f"The cells lie in the middle of the plate, {SIDE + ROOM / 2:g} mm from each of its edges.",
    ]
    return "\n".join([*lines, *_stripboards(description)])


def _stripboards(description: BoardDescription) -> list[str]:
    """Say where the stripboards lie, from the lower left corner of the cells."""
    lengths = Lengths(description)
    if not lengths.boards:
        return []
    told = _LAID.format(
        chips=CHIPS,
        wide=min(board_width(description), _BOUGHT_MM),
        long=BOARD_MM,
        middles="; ".join(f"{x:.0f}, {y:.0f}" for x, y in lengths.boards),
        controller=f"{lengths.controller[0]:.0f}, {lengths.controller[1]:.0f}",
        harness=lengths.harness,
        wires=lengths.metres,
    )
    return ["", told]


def _cells(description: BoardDescription) -> str:
    if description.reeds is None:
        return ""
    sizes = description.mechanics
    told = _CELLS.format(
        offset=sizes.reed_offset_mm,
        hands=magnetics.HANDS_MM,
        off=magnetics.OFF_MM,
        held=magnetics.reed(sizes, description.tier).held,
        felt=magnetics.reed(sizes, description.tier).felt,
    )
    pictures = [f"![{caption}]({name}.svg)" for name, caption in _CELL.items()]
    return "\n\n".join(["## A cell", told, *pictures, _TEMPLATE])


def _printing(description: BoardDescription, build: Build | None) -> str:
    needed = amounts(description, build)
    lines = ["## Printed parts", "", "| part | how many |", "|---|---|"]
    lines += [f"| {printable.name} | {count} |" for printable, count in needed.items()]
    lines += ["", "In `hardware/printables`, with this board's sizes:", "", "```"]
    lines += [
        shlex.join(command(printable, description, f"{printable.name}.stl")) for printable in needed
    ]
    return "\n".join([*lines, "```"])
