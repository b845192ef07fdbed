"""What a fabricator wants beside the gerbers: which parts, and where its machine puts them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from hardware.tools.pcb.copper import Circuit, Placed, Point

_BOUGHT = ("Manufacturer", "Part number", "LCSC")


def parts_file(circuit: Circuit) -> str:
    """Return the parts of one circuit as CSV, the same ones in one line."""
    kinds: dict[str, list[Placed]] = {}
    for part in circuit.parts:
        kinds.setdefault(part.component.value, []).append(part)
    return _csv(
        ("Comment", "Designator", "Footprint", "Quantity", *_BOUGHT, "By"),
        (
            (
                value,
                ",".join(part.reference for part in same),
                same[0].component.footprint.name,
                len(same),
                same[0].component.maker,
                same[0].component.order,
                same[0].component.lcsc,
                "machine" if same[0].component.assembled else "hand",
            )
            for value, same in kinds.items()
        ),
    )


def assembly_file(circuit: Circuit) -> str:
    """Return what the machine places as CSV, in the words that board houses read by themselves."""
    kinds: dict[tuple[str, str, str], list[str]] = {}
    for part in circuit.parts:
        bought = part.component
        if bought.assembled:
            key = (
                f"{bought.value} {bought.maker} {bought.order}",
                bought.footprint.name,
                bought.lcsc,
            )
            kinds.setdefault(key, []).append(part.reference)
    return _csv(
        ("Comment", "Designator", "Footprint", "LCSC Part #"),
        (
            (comment, ",".join(references), footprint, lcsc)
            for (comment, footprint, lcsc), references in kinds.items()
        ),
    )


def placement_file(circuit: Circuit) -> str:
    """Return where the machine puts its parts as CSV; y points up there, as in the gerbers."""
    return _csv(
        ("Designator", "Mid X", "Mid Y", "Layer", "Rotation"),
        (
            (
                part.reference,
                f"{_middle(part).x:.3f}mm",
                f"{-_middle(part).y:.3f}mm",
                "top",
                part.turned,
            )
            for part in circuit.parts
            if part.component.assembled
        ),
    )


def _middle(part: Placed) -> Point:
    """Return the middle of a part's pads, which is what machines go by."""
    pads = part.component.footprint.pads
    across, down = [pad.x for pad in pads], [pad.y for pad in pads]
    return part.place((min(across) + max(across)) / 2, (min(down) + max(down)) / 2)


def _csv(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    return text.getvalue()
