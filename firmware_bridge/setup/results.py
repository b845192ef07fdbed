"""What comes of a walk: a summary for people, and a board file that they can read and edit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from firmware_bridge.setup.steps import Empty, Sound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from firmware_bridge.setup.lying import Lie
    from firmware_bridge.setup.notebook import Notebook

WEAK = 3
"""So many flickers of one cell are no accident."""


def summary(lie: Lie, book: Notebook) -> tuple[str, ...]:
    """Return what was found, a sentence each, what needs work last."""
    return (*_how_it_lies(lie), *(tuple(_weak(lie, book)) or ("Nothing weak was found.",)))


def board_file(text: str, lie: Lie) -> str:
    """Return a board file's text with what was found out; all else, comments too, stays."""
    found = lie.turned.orientation
    if found != lie.described.orientation:
        mirrored = str(found.mirrored).lower()
        text = _with_table(text, "orientation", f"turned = {found.turned}\nmirrored = {mirrored}")
    if lie.rewired:
        rows = (lie.rewired[first : first + 8] for first in range(0, len(lie.rewired), 8))
        lines = "".join(f"  {', '.join(map(json.dumps, row))},\n" for row in rows)
        text = _with_table(text, "wiring", f"cells = [\n{lines}]")
    return text


def _with_table(text: str, name: str, body: str) -> str:
    kept, inside = [], False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.partition("#")[0].strip() == f"[{name}]"
        if not inside:
            kept.append(line)
    rest = "\n".join(kept).rstrip()
    return f"{rest}\n\n[{name}]\n{body}\n"


def _how_it_lies(lie: Lie) -> Iterator[str]:
    found = lie.turned.orientation
    mirrored = ", with left and right exchanged" if found.mirrored else ""
    if not lie.fits:
        yield "The corners that answered are no corners: check the wiring of the ranks."
    elif found == lie.described.orientation:
        yield "The board lies as its file says."
    else:
        yield f"The board lies turned by {found.turned} degrees{mirrored}."
    if lie.doubled:
        yield f"Several of these answer alike, check their wires: {_listed(lie.doubled)}."
    elif lie.rewired:
        pairs = zip(lie.turned.cells, lie.cells, strict=True)
        moved = [f"{cell} by that of {wired}" for wired, cell in pairs if wired != cell]
        yield f"Wires lie in another order: {_listed(moved)}."


def _weak(lie: Lie, book: Notebook) -> Iterator[str]:
    answers = book.answers
    cells = {key[5:]: answer for key, answer in answers.items() if key.startswith("cell ")}
    stuck = [lie.cells[n] for n in answers[Empty.key].sensors] if Empty.key in answers else []
    flickers = [
        f"{lie.cells[n]} ({count} times)"
        for n, count in sorted(book.flickers.items())
        if count >= WEAK
    ]
    lamps = [answer.cells for key, answer in answers.items() if key.startswith("lights")]
    findings: list[tuple[str, Iterable[str]]] = [
        ("Felt something on the empty board", stuck),
        ("Did not answer", [cell for cell, a in cells.items() if not a.sensors]),
        ("Felt the piece, but read no tag", [cell for cell, a in cells.items() if a.tagless]),
        ("Flickered, perhaps a bad joint or a weak magnet", flickers),
        ("Did not shine", dict.fromkeys(cell for dark in lamps for cell in dark)),
        (
            "Buttons that did not answer",
            [key[7:] for key, a in answers.items() if key.startswith("button ") and not a.ok],
        ),
    ]
    for what, which in findings:
        if names := _listed(which):
            yield f"{what}: {names}."
    if Sound.key in answers and not answers[Sound.key].ok:
        yield "The sound was not heard: check the buzzer's pin and polarity."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
