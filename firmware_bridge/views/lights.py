"""What the board's lights show, made from the public view alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firmware_bridge.games import metadata
from firmware_bridge.messages.verdict import ALARMS, WHOLE
from firmware_bridge.views.types import PublicView


def lights(view: PublicView) -> Mapping[str, str]:
    """Return cell -> signal id. What is more urgent is painted over what is less."""
    shown: dict[str, str] = {}
    for cells, signal in _layers(view):
        shown.update(dict.fromkeys(cells, signal))
    return dict(sorted(shown.items()))


def _layers(view: PublicView) -> Iterable[tuple[Iterable[str], str]]:
    """Yield cells and their signal, the least urgent first."""
    yield view.faults, "fault"
    if view.phase in ("waiting", "set-up"):
        yield view.missing, "setup"
        yield view.surplus, "must-go-back"
        return
    if view.phase in ("over", "storage-failed"):
        return
    if view.phase == "executing":
        yield [move.source for move in view.judged.restore if move.source], "must-go-back"
        yield [move.target for move in view.judged.restore if move.target], "must-go-here"
        return
    yield view.last_turn, "last-turn"
    for name, mark in metadata.of(view.game).marks.items():
        if mark.light:
            cells = [square for square, piece in view.board.items() if name in piece.marks]
            yield cells, mark.light
    if view.check:
        yield (view.check,), "check"
    if view.obligation:
        yield (view.obligation,), "awaited"
    if view.judged.kind not in WHOLE:
        yield view.room, "setup"
    if view.hint:
        yield [move.source for move in view.hint.moves if move.source], "awaited"
        yield [move.target for move in view.hint.moves if move.target], "setup"
    yield from _judged(view)


def _judged(view: PublicView) -> Iterable[tuple[Iterable[str], str]]:
    judged = view.judged
    if judged.kind in ALARMS:
        yield [move.target for move in judged.restore if move.target], "must-go-here"
        yield [move.source for move in judged.restore if move.source], "must-go-back"
    elif judged.kind == "unexplained":
        yield judged.cells, "unexplained"
    else:
        if judged.kind in WHOLE and view.buttons:
            yield judged.cells, "press-clock"
        yield judged.realm, "realm"
        yield judged.convertible, "convertible"
        if judged.kind == "choice" and not judged.convertible:
            yield judged.cells, "awaited"
