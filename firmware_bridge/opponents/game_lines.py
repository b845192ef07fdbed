"""Games played for measuring, a JSON line each, and tables of what came out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class OtherConditions(ValueError):  # noqa: N818 - names what is the matter
    """A line that is no game of this measurement."""


def games(lines: Iterable[str], conditions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the games that lines tell of.

    Raises:
        OtherConditions: when a line was not played under these conditions.
    """
    found = []
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            told = None
        if not isinstance(told, dict) or not conditions.items() <= told.items():
            raise OtherConditions(line)
        found.append(told)
    return found


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as text, each column as wide as it must be."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
