"""What the reconciler concludes from the board: verdicts, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from rules.interface import Label, Turn

VerdictKind = Literal[
    "settled",
    "in-progress",
    "complete",
    "extendable",
    "choice",
    "unexplained",
    "illegal",
    "disturbed",
]
WHOLE: tuple[VerdictKind, ...] = ("complete", "extendable")
"""Verdicts on a board that shows a turn to which only the press is lacking."""
ALARMS: tuple[VerdictKind, ...] = ("illegal", "disturbed")
"""Verdicts on a board that has to be put right."""


class Step(NamedTuple):
    """One hand movement on the way back to the position.

    `source` is `None` for a piece that must be brought back from beside the board, `target` is
    `None` for one that must be taken off. With `source == target` the piece is turned over
    where it stands. `label` is what must stand on `target` afterwards, where the tier
    can tell; it may be secret.
    """

    source: str | None
    target: str | None
    label: Label | None = None

    @property
    def carried(self) -> bool:
        """Whether a piece of the board stands on another square than it should."""
        return None not in (self.source, self.target) and self.source != self.target


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the board shows, judged against the position.

    Attributes:
        kind: one of the eight verdicts.
        turns: the turn of `complete` and `extendable`, the alternatives of `choice`.
        reason: a reason code of the rules: with `illegal` why, with `in-progress` what a movement
            still lacks to be a turn, if that is known.
        cells: the cells that matter: those that glow, or that the question is about.
        restore: the fewest hand movements that lead to `settled`, in a doable order.
        attempt: with `illegal`, the one hand movement that was tried, as (from, to), if it was one;
            with `choice`, the forbidden capture of which it is asked whether it was.
        earned: with `illegal`, whether an offence is so much likelier than an accident, another
            hand or a sensor at fault that a ruling is earned; otherwise there is but a way back.
    """

    kind: VerdictKind
    turns: tuple[Turn, ...] = ()
    reason: str | None = None
    cells: tuple[str, ...] = ()
    restore: tuple[Step, ...] = ()
    attempt: tuple[str, str] | None = None
    earned: bool = True

    @property
    def alone(self) -> bool:
        """Whether the one hand movement, a capture perhaps, is all that differs on the board."""
        if self.attempt is None:
            return False
        touched = {cell for step in self.restore for cell in (step.source, step.target)}
        return touched <= {None, *self.attempt}
