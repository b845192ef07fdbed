"""How the facts of a game are told by letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from firmware_bridge.distance.letters import Kind, Letter
from firmware_bridge.messages import FactTold
from firmware_bridge.messages.records import Record, RecordKind
from firmware_bridge.referee.fact_forms import told

_LETTERS: Mapping[RecordKind, Kind] = {
    "taken": "turn",
    "attempt": "ruling",
    "call": "answer",
    "flag": "end",
}
_HIDING: Mapping[RecordKind, Kind] = {
    **_LETTERS,
    "pledged": "commitment",
    "put": "turn",
    "taken": "reveal",
}
"""In which kind of letter each kind of fact is told; where pieces hide something, a turn in two."""


def numbers(letters: Iterable[Any]) -> list[int]:
    """Return the numbers of the facts that letters tell."""
    told_in = (each.letter.body.get("fact") for each in letters)
    return [number for number in told_in if isinstance(number, int)]


def letter_of(number: int, fact: Record, *, hides: bool) -> tuple[Kind, dict[str, object]]:
    """Return the kind and the body of the letter that tells a fact.

    Args:
        number: the fact's.
        fact: what was written down here.
        hides: whether pieces hide something from the other host.
    """
    kind = (_HIDING if hides else _LETTERS)[fact.kind]
    return kind, {"fact": number, "data": told(fact.kind, fact.data, hides=hides)}


def fact_in(letter: Letter, line: str, now: float, *, hides: bool) -> FactTold | None:
    """Return the fact that a letter tells, if it is about one."""
    number, data = letter.body.get("fact"), letter.body.get("data")
    kinds = {of: kind for kind, of in (_HIDING if hides else _LETTERS).items()}
    kind = kinds.get(letter.kind)
    if kind is None or not isinstance(data, dict) or type(number) is not int or number < 1:
        return None
    return FactTold(now, line, number, kind, data)
