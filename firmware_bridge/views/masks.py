"""Verdicts that would tell a secret before a rule does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.verdict import Verdict

if TYPE_CHECKING:
    from rules.interface import Position

SECRET_DECISIONS = ("hand", "sacrifice")
"""Decisions whose very answers are secret until one of them has been given."""
_TELLING = ("complete", "extendable", "choice", "unexplained", "in-progress")


def masked(position: Position, verdict: Verdict) -> Verdict:
    """Return a verdict that can be shown.

    While a player decides on pieces that only he knows, to lift one must not tell whether it is
    one of those that he may give up; only a decision that was made, or ruled illegal, tells it.
    """
    if position.awaited in SECRET_DECISIONS and verdict.kind in _TELLING:
        return Verdict("in-progress")
    return verdict
