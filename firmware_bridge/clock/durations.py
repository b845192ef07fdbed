"""Lengths of time as people write them (`45m`, `1h30`, `5 min`), in whole milliseconds inside."""

from __future__ import annotations

import re

__all__ = ["LONGEST_MS", "parse", "show", "unified"]

_UNITS = {"h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_NEXT = {"h": "m", "m": "s"}
_UNNAMED = re.compile(r"([hm])(\d+)$")
"""A number after hours or minutes needs no unit: it counts the next smaller one."""
_SPELLINGS = (
    (re.compile(r"\b(\d+):([0-5]\d)\b"), r"\1m\2s"),  # as a clock shows it
    (re.compile(r"(?<=[\d\s])min(ut(es?|en?))?\b", re.IGNORECASE), "m"),
    (re.compile(r"(?<=[\d\s])se[ck](onds?|unden?)?\b", re.IGNORECASE), "s"),
    (re.compile(r"(?<=\d)\s+(?=(ms|[hms])\b)", re.IGNORECASE), ""),
    (re.compile(r"(?<=\d[hms])\s+(?=[\d.]+(ms|[ms])\b)", re.IGNORECASE), ""),
)
"""What people write otherwise, and how it is written here."""
LONGEST_MS = 24 * _UNITS["h"]
"""More than any game takes; keeps a slip of the finger from becoming a time control."""


def unified(text: str) -> str:
    """Return a text in which each length of time has our units: `10:00` and `10 min` are `10m`."""
    for spelling, usual in _SPELLINGS:
        text = spelling.sub(usual, text)
    return text


def parse(text: str, bare: str = "") -> int:
    """Return the milliseconds of `45m`, `1h30m`, `1h30`, `2.5s`, `5 min`.

    A number that stands alone is in the unit `bare`; without one it needs its own.

    Raises:
        ValueError: when it is no length of time, with what to write instead.
    """
    compact = unified(text).strip().lower().replace(" ", "")
    compact = _UNNAMED.sub(lambda found: f"{found[0]}{_NEXT[found[1]]}", compact)
    if bare and compact.replace(".", "", 1).isdecimal():
        compact += bare
    parts = {unit: number for number, unit in _PART.findall(compact)}  # each unit once
    if not parts or "".join(number + unit for unit, number in parts.items()) != compact:
        raise ValueError(f"{text!r} is no length of time: write for example 45m, 1h30 or 10s")
    exact = [float(number) * _UNITS[unit] for unit, number in parts.items()]
    if sum(exact) > LONGEST_MS:  # before anything is rounded: it may be endless
        raise ValueError(f"{text!r} is longer than 24 hours")
    return sum(map(round, exact))


def show(ms: int) -> str:
    """Return the text that `parse` reads as these milliseconds, in minutes as players count."""
    if ms == 0:
        return "0s"
    parts = []
    for unit in ("m", "s", "ms"):
        count, ms = divmod(ms, _UNITS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts)
