"""What the rules say about one position, kept once it has been asked."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.explain import Explainer
    from rules.interface import Deed, Position, Square, Turn


class RulesCache:
    """The answers of the rules to what the reconciler asks again and again.

    Attributes:
        position: the position.
        alone: which single movements (from, to) are legal by themselves, as far as it was asked.
    """

    def __init__(self, position: Position) -> None:
        """Begin with nothing asked."""
        self.position = position
        self.alone: dict[tuple[Square, Square], bool] = {}
        self._deeds: dict[Turn, Deed] = {}

    @cached_property
    def explainer(self) -> Explainer:
        """The prepared search for turns; the first use prepares it."""
        return self.position.explainer()

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do to make a legal turn of the position."""
        deed = self._deeds.get(turn)
        if deed is None:
            deed = self._deeds[turn] = self.position.deed(turn)
        return deed

    @property
    def prepared(self) -> bool:
        """Whether the search for turns is prepared."""
        return "explainer" in self.__dict__

    @cached_property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None
