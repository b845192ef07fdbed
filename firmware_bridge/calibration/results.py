"""What comes of a walk: a summary for people, and a board file that they can read and edit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from firmware_bridge.calibration.orientation_probe import Lie
from firmware_bridge.calibration.progress import Progress
from firmware_bridge.calibration.prompts import Line, words_of
from firmware_bridge.calibration.stages import KEY
from firmware_bridge.calibration.walk_steps import Empty, Sound
from firmware_bridge.words import Catalogue

WEAK = 3
"""So many flickers of one cell are no accident."""


def summary(lie: Lie, book: Progress, language: str = "en") -> tuple[str, ...]:
    """Return what was found, a sentence each, what needs work last."""
    words = words_of(language)
    weak = tuple(_weak(lie, book, words)) or (Line("setup-weak-none"),)
    return tuple(line.told(words) for line in (*_how_it_lies(lie, words), *weak))


def unfinished(book: Progress, language: str = "en") -> str:
    """Return which stages of the bring-up were not as they should be, in a sentence."""
    words = words_of(language)
    names = [
        key.removeprefix(KEY) for key, a in book.answers.items() if key.startswith(KEY) and not a.ok
    ]
    if not names:
        return words.text("setup-stages-right")
    titles = ", ".join(words.text(f"setup-stage-{name}") for name in names)
    return words.text("setup-stages-wrong", {"stages": titles})


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


def _how_it_lies(lie: Lie, words: Catalogue) -> Iterator[Line]:
    found = lie.turned.orientation
    if not lie.fits:
        yield Line("setup-no-corners")
    elif found == lie.described.orientation:
        yield Line("setup-lies-as-told")
    else:
        key = "setup-lies-mirrored" if found.mirrored else "setup-lies-turned"
        yield Line(key, {"degrees": str(found.turned)})
    if lie.doubled:
        yield Line("setup-doubled", {"cells": ", ".join(lie.doubled)})
    elif lie.rewired:
        pairs = zip(lie.turned.cells, lie.cells, strict=True)
        moved = [Line("setup-by-that-of", {"cell": cell, "wired": wired}).told(words)
                 for wired, cell in pairs if wired != cell]  # fmt: skip
        yield Line("setup-rewired", {"cells": ", ".join(moved)})


def _weak(lie: Lie, book: Progress, words: Catalogue) -> Iterator[Line]:
    answers = book.answers
    cells = {key[5:]: answer for key, answer in answers.items() if key.startswith("cell ")}
    stuck = [lie.cells[n] for n in answers[Empty.key].sensors] if Empty.key in answers else []
    flickers = [
        Line("setup-times", {"cell": lie.cells[n], "count": str(count)}).told(words)
        for n, count in sorted(book.flickers.items())
        if count >= WEAK
    ]
    lamps = [answer.cells for key, answer in answers.items() if key.startswith("lights")]
    findings: dict[str, Iterable[str]] = {
        "stuck": stuck,
        "silent": [cell for cell, a in cells.items() if not a.sensors],
        "tagless": [cell for cell, a in cells.items() if a.tagless],
        "flickers": flickers,
        "dark": dict.fromkeys(cell for dark in lamps for cell in dark),
        "buttons": [
            key[7:] for key, a in answers.items() if key.startswith("button ") and not a.ok
        ],
    }
    for what, which in findings.items():
        if names := ", ".join(which):
            yield Line(f"setup-weak-{what}", {"cells": names})
    if Sound.key in answers and not answers[Sound.key].ok:
        yield Line("setup-weak-sound")
