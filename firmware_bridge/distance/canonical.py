"""Canonical JSON: every value has one spelling, and readers refuse any other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

LARGEST = 2**53 - 1
"""Up to here every language has whole numbers."""
DEEPEST = 8
"""Levels of lists and objects; no body needs more, and no reader runs out of its stack."""


class Refused(Exception):  # noqa: N818 - names what happened
    """What came is not taken up; the message says why."""


def written(value: Mapping[str, object]) -> bytes:
    """Return an object's one form: ASCII, keys sorted, no spaces, no fractions."""
    _hold_to_the_rules(value, DEEPEST)
    return _bytes(value)


def read(data: bytes, fields: Iterable[str]) -> dict[str, object]:
    """Return the object that these bytes are, with exactly these fields.

    Raises:
        Refused: they are not canonical, or other fields.
    """
    try:
        value = json.loads(data.decode("ascii"))
        _hold_to_the_rules(value, DEEPEST)
        canonical = _bytes(value) == data
    except (ValueError, RecursionError):
        raise Refused("it is no canonical JSON") from None
    if not canonical or not isinstance(value, dict):
        raise Refused("it is no canonical JSON")
    if value.keys() != set(fields):
        raise Refused("its fields are not those of this version")
    return value


def _bytes(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _hold_to_the_rules(value: object, depth: int) -> None:
    """Refuse what another language would write in another way.

    Raises:
        ValueError: it is refused.
    """
    inside: Iterable[object] = ()
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key is no text")
        inside = (*value.keys(), *value.values())
    elif isinstance(value, (list, tuple)):
        inside = value
    elif isinstance(value, str):
        value.encode()  # half of a pair of surrogates is no text: UnicodeError is a ValueError
    elif isinstance(value, bool) or value is None:
        pass
    elif not isinstance(value, int) or abs(value) > LARGEST:
        raise ValueError("a fraction, or too large a number")
    if inside and depth == 0:
        raise ValueError("too deep")
    for each in inside:
        _hold_to_the_rules(each, depth - 1)
