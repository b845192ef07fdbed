"""What is done ahead of time, so that hands need not wait."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rules.explain import Explainer, Seen
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
        self._after: dict[Turn, RulesCache] = {}
        self._left: Iterator[None] | None = None

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

    def after(self, turn: Turn) -> RulesCache:
        """Return the answers of the rules where a legal turn of the position has led."""
        found = self._after.get(turn)
        if found is None:
            found = self._after[turn] = RulesCache(self.position.play(turn))
        return found

    def prepare(self, seen: Callable[[], Seen]) -> Iterator[None]:
        """Find out what is asked sooner or later, a bit at a time; go on where it was left.

        Args:
            seen: returns what the board shows, for the first question.
        """
        if self._left is None:
            self._left = self._prepare(seen)
        return (bit for bit in self._left)  # `yield from` would end the work when this is given up

    def _prepare(self, seen: Callable[[], Seen]) -> Iterator[None]:
        if self.over:
            return
        yield
        explainer = self.explainer
        yield
        yield from explainer.prepare()
        explainer.leading_to(seen())

    @cached_property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None


def wholly(work: Iterator[None]) -> None:
    """Do work that comes a bit at a time."""
    for _ in work:
        pass
