"""How long something took, and what many such times come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Stopwatch:
    """Processor time that all reconcilers of a game have taken so far, in nanoseconds."""

    spent_ns: int = 0


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of all do not exceed; 0 if there are none."""
    if not values:
        return 0.0
    ranked = sorted(values)
    return ranked[max(0, math.ceil(share * len(ranked)) - 1)]
