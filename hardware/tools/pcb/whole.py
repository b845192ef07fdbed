"""Everything that is bought for a board of printed ranks, from the ranks themselves to the wood."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING

from hardware.tools.catalogue import builds, parts
from hardware.tools.circuits import netlist
from hardware.tools.netlist import pinouts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drivers.description import BoardDescription
    from hardware.tools.pcb.copper import Circuit

_LIKE = "starter"
"""The build whose pieces, wood and Raspberry Pi it shares."""


def whole_board(description: BoardDescription, circuit: Circuit) -> str:
    """Return the list as CSV: what, how many, how to order it, and what for."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("what", "quantity", "order as", "or as", "for"))
    table.writerows(_ranks(description, circuit))
    table.writerows(_beside(description))
    return text.getvalue()


def _ranks(description: BoardDescription, circuit: Circuit) -> Iterator[tuple[object, ...]]:
    many = description.grid.ranks
    size = f"{circuit.width:g} x {circuit.height:g} mm"
    yield (
        f"printed circuit {circuit.name}, {size}, upper side assembled",
        many,
        "gerbers.zip, parts.csv, placement.csv",
        "",
        "one a rank",
    )
    catalogue = parts()
    by_hand = Counter(p.component.value for p in circuit.parts if not p.component.assembled)
    for value, count in by_hand.items():
        found = next(p.component for p in circuit.parts if p.component.value == value)
        orders = (f"{found.maker} {found.order}", "") if found.order else catalogue["reed"].orders
        yield value, count * many, *orders, "soldered by hand onto the ranks"
    last = circuit.parts[0].component.footprint.pads[-1].number
    yield (
        f"cable with {last} poles, XH at both ends, straight, 100 mm",
        many,
        f"by name: JST XH 2.5 mm, {last} poles, double-headed, same side",
        f"JST XHP-{last} and SXH-001T-P0.6, crimped",
        "from rank to rank; one is cut for the Pico",
    )
    screws = ("by name: nylon screws and nuts M3 x 10", "by name: nylon spacers M3 x 3, no thread")
    yield "screw M3 x 10, nut, spacer 3 mm", len(circuit.holes) * many, *screws, "ranks"


def _beside(description: BoardDescription) -> Iterator[tuple[object, ...]]:
    """Yield what is wired by hand, and what the build that it is most like needs besides."""
    needed = Counter[str]()
    reasons: dict[str, str] = {}
    for component in netlist(description).components:
        if component.sheet != "reeds" and component.part != "ws2812":
            needed[component.part] += 1
            reasons.setdefault(component.part, component.why)
            housing = pinouts()[component.part].housing
            if housing.startswith("DIP-"):
                needed[f"socket-{housing.removeprefix('DIP-')}"] += 1
    build = builds()[_LIKE]
    for part, count in (build.extras | {"magnet": build.pieces_with_magnets}).items():
        needed[part] += count
    for part, count in needed.items():
        entry = parts()[part]
        yield entry.name, count, *entry.orders, reasons.get(part, "the build")
