"""The options of the game as its rules use them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.games.reality_check.geometry import Board


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What the options come to.

    Attributes:
        board: where it is played.
        retreat: one's own pieces may be captured.
        memory: two of the opponent's pieces may be turned over.
        flexible: the setup is free (always so on the advanced board).
        dice: how many dice decide what is flipped.
    """

    board: Board
    retreat: bool
    memory: bool
    flexible: bool
    dice: int

    @property
    def first_flip(self) -> bool:
        """Whether White's first turn may have a flip."""
        return self.flexible and not self.dice
