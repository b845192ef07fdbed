"""What illegal attempts cost, as agreed before the game.

    none                  they are signalled and put right, nothing more
    5m                    5 minutes off the offender's clock, every time
    warning, +2m, loss    a warning, then 2 minutes to the opponent, then the game is lost

The last step holds for every further offence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from firmware_bridge.clock import durations

PenaltyKind = Literal["none", "warning", "deduct", "give", "loss"]


class BadPenalty(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A penalty table that cannot be understood; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """What one offence costs; `ms` is time off the offender's clock or onto the opponent's."""

    kind: PenaltyKind
    ms: int = 0

    @property
    def off_ms(self) -> int:
        """Time off the offender's clock."""
        return self.ms if self.kind == "deduct" else 0

    def __str__(self) -> str:
        if self.kind == "deduct":
            return durations.show(self.ms)
        if self.kind == "give":
            return f"+{durations.show(self.ms)}"
        return self.kind


@dataclass(frozen=True, slots=True)
class PenaltyTable:
    """Penalties by the number of the offence."""

    steps: tuple[Penalty, ...]

    def of(self, offence: int) -> Penalty:
        """Return what the player's n-th offence costs, counted from 1."""
        return self.steps[min(offence, len(self.steps)) - 1]

    def __str__(self) -> str:
        return ", ".join(map(str, self.steps))


_NAMED = {
    "none": Penalty("none"),
    "warning": Penalty("warning"),
    "loss": Penalty("loss"),
}


def parse(text: str) -> PenaltyTable:
    """Return the penalty table that `text` describes (see the module's examples).

    Raises:
        BadPenalty: with what is wrong and what to write.
    """
    return PenaltyTable(tuple(_step(part.strip().lower()) for part in text.split(",")))


def _step(text: str) -> Penalty:
    named = _NAMED.get(text)
    if named:
        return named
    try:
        ms = durations.parse(text.lstrip("+-"))
    except ValueError:
        raise BadPenalty(
            f"{text!r} is no penalty: write none, warning, loss, a time off the offender's clock "
            "such as 5m, or one given to the opponent such as +2m; several with commas"
        ) from None
    return Penalty("give" if text.startswith("+") else "deduct", ms)
