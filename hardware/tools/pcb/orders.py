"""What a fabricator wants beside the gerbers: which parts, and where its machine puts them."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardware.tools.pcb.copper import Circuit, Placed


def parts_file(circuit: Circuit) -> str:
    """Return the parts of one circuit as CSV, the same ones in one line."""
    kinds: dict[str, list[Placed]] = {}
    for part in circuit.parts:
        kinds.setdefault(part.component.value, []).append(part)
    return _csv(
        ("Comment", "Designator", "Footprint", "Quantity", "Manufacturer", "Part number", "By"),
        (
            (
                value,
                ",".join(part.reference for part in same),
                same[0].component.footprint.name,
                len(same),
                same[0].component.maker,
                same[0].component.order,
                "machine" if same[0].component.assembled else "hand",
            )
            for value, same in kinds.items()
        ),
    )


def placement_file(circuit: Circuit) -> str:
    """Return where the machine puts its parts as CSV; y points up there, as in the gerbers."""
    return _csv(
        ("Designator", "Mid X", "Mid Y", "Layer", "Rotation"),
        (
            (part.reference, f"{part.at.x:.3f}mm", f"{-part.at.y:.3f}mm", "top", part.turned)
            for part in circuit.parts
            if part.component.assembled
        ),
    )


def _csv(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    return text.getvalue()
