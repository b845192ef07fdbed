"""Of which form facts are that another host tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

LONGEST = 200
"""Characters of a text in a fact; the longest turn of Realm Chess has some 60."""
_YEARS = 10**12  # milliseconds: no clock shows more


def told(kind: str, data: Mapping[str, object], *, hides: bool = False) -> dict[str, object]:
    """Return what the other host is told of a fact: what is only here is left out.

    Args:
        kind: the kind of fact.
        data: what this host has written down of it.
        hides: whether the pieces hide something from the other host.
    """
    return {name: data[name] for name in _forms(hides)[kind]}


def has_form(kind: str, data: Mapping[str, object], *, hides: bool = False) -> bool:
    """Return whether a fact has the fields of its kind, each of its form."""
    form = _forms(hides).get(kind)
    if form is None or data.keys() != form.keys():
        return False
    return all(fits(data[name]) for name, fits in form.items())


def _text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def _optional_text(value: object) -> bool:
    return value is None or _text(value)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _side(value: object) -> bool:
    return value in ("white", "black")


def _anybody(value: object) -> bool:
    return value is None or _side(value)


def _number(value: object) -> bool:
    return type(value) is int and 0 <= value <= 100


def _clock(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(each) is int and abs(each) <= _YEARS for each in value)


def _cells(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(map(_text, value))


def _nothing(value: object) -> bool:
    return value == {}


def _hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _link(value: object) -> bool:
    return value is None or _hash(value)


def _hashes(value: object) -> bool:
    if not isinstance(value, dict) or len(value) > 100:
        return False
    return all(map(_text, value)) and all(map(_hash, value.values()))


def _opened(value: object) -> bool:
    if not isinstance(value, dict) or len(value) > 100 or not all(map(_text, value)):
        return False
    return all(isinstance(x, list) and len(x) == 2 and all(map(_text, x)) for x in value.values())


_ALWAYS: Mapping[str, Callable[[object], bool]] = {"at": _side, "clock": _clock}
_FORMS: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    "taken": {**_ALWAYS, "turn": _text, "public": _optional_text},
    "call": {**_ALWAYS, "what": _text, "by": _anybody, "data": _nothing},
    "flag": _ALWAYS,
    "attempt": {
        **_ALWAYS,
        "side": _side,
        "reason": _text,
        "move": _optional_text,
        "cells": _cells,
        "alone": _flag,
        "moved": _number,
        "pressed": _flag,
    },
}
"""The fields of each kind of fact."""
_SHOWN: Mapping[str, Callable[[object], bool]] = {
    **_ALWAYS,
    "opened": _opened,
    "told": _text,
    "link": _link,
}
_HIDING: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    **_FORMS,
    "pledged": {**_ALWAYS, "pieces": _hashes, "dice": _hash, "told": _text},
    "put": {**_SHOWN, "public": _text},
    "taken": _SHOWN,
}
"""The same where pieces hide something from the other host."""


def _forms(hides: bool) -> Mapping[str, Mapping[str, Callable[[object], bool]]]:
    return _HIDING if hides else _FORMS
