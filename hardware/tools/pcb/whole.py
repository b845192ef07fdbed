"""Everything that is bought for a board of printed ranks, from the circuits to the wood."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from drivers.description import BoardDescription
from hardware.tools.catalogue import builds, parts
from hardware.tools.circuits import netlist
from hardware.tools.pcb.copper import Circuit
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import RIB, rank

_LIKE = "starter"
"""The build whose pieces, wood and Raspberry Pi it shares."""
BESIDE = {"usb-cable", "supply-5v4a", "button", "buzzer"}
"""What of the board's wiring is on neither circuit."""
_MECHANICS = (
    ("socket strip, 20 poles, 2.54 mm", 2, "Harwin M20-7822046", "Samtec SSW-120-01-T-S", "Pico"),
    (
        "fuse clips 5 x 20 mm, one pair, 22.6 mm apart",
        1,
        "by name: fuse clips 5 x 20 mm for circuits, two",
        "by name: fuse holder 5 x 20 mm for circuits, 22.6 mm",
        "fuse",
    ),
)


def whole_board(description: BoardDescription) -> str:
    """Return the list as CSV: what, how many, how to order it, and what for."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("what", "quantity", "order as", "or as", "for"))
    table.writerows(_circuits(description))
    table.writerows(_MECHANICS)
    table.writerows(_beside(description))
    return text.getvalue()


def _circuits(description: BoardDescription) -> Iterator[tuple[object, ...]]:
    many = description.grid.ranks
    ranks, first = rank(description), head(description)
    for circuit, count in ((ranks, many), (first, 1)):
        size = f"{circuit.width:g} x {circuit.height:g} mm"
        name = f"printed circuit {circuit.name}, {size}, upper side assembled"
        yield name, count, "gerbers.zip, parts.csv, placement.csv", "", circuit.name
    yield from _by_hand(((ranks, many), (first, 1)))
    yield (
        "cable with 7 poles, XH at both ends, straight, 100 mm",
        many,
        "by name: JST XH 2.5 mm, 7 poles, double-headed, same side",
        "JST XHP-7 and SXH-001T-P0.6, crimped",
        "from the head to the first rank, and from rank to rank",
    )
    wide, high = RIB
    long = description.grid.files * description.mechanics.cell_mm
    yield (
        f"rib, {wide:g} x {high:g} x {long:g} mm",
        many,
        "by name: planed batten, pine, cut to length",
        "by name: planed batten, beech",
        "below each rank, on the sides of the board: it carries plate and rank",
    )
    holes = len(ranks.holes) * many
    screws = ("by name: pan-head screw for wood, brass, 3 x 20", "by name: DIN 7981 A4, 2.9 x 19")
    yield (
        "screw 3 x 20 mm, not magnetic",
        holes,
        *screws,
        "ranks, into their ribs; a felt dot on each",
    )
    spacers = ("by name: nylon spacers M3 x 3, no thread", "by name: nylon washers M3, 3 mm in all")
    yield "spacer 3 mm", holes + len(first.holes), *spacers, "below ranks and head"
    nylon = ("by name: nylon screws and nuts M3 x 10", "by name: nylon screws M3 x 10, set")
    yield "screw M3 x 10, nut", len(first.holes), *nylon, "head"


def _by_hand(circuits: tuple[tuple[Circuit, int], ...]) -> Iterator[tuple[object, ...]]:
    """Yield what the fabricator's machine does not place, the same ones in one line."""
    needed = Counter[tuple[str, str]]()
    for circuit, count in circuits:
        for part in circuit.parts:
            if not part.component.assembled:
                order = f"{part.component.maker} {part.component.order}".strip()
                needed[part.component.value, order] += count
    for (value, order), count in needed.items():
        orders = (order, "") if order else parts()["reed"].orders
        yield value, count, *orders, "soldered by hand onto the circuits"


def _beside(description: BoardDescription) -> Iterator[tuple[object, ...]]:
    build = builds()[_LIKE]
    needed = Counter(c.part for c in netlist(description).components if c.part in BESIDE)
    needed.update(build.extras)
    needed["wire"] = 1
    needed["dc-socket"] = needed["supply-5v4a"]
    needed["magnet"] = build.pieces_with_magnets
    for part, count in needed.items():
        yield parts()[part].name, count, *parts()[part].orders, "beside the circuits"
