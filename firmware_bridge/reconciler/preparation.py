"""What is done ahead of time, so that hands need not wait."""

from __future__ import annotations

from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from drivers.port import CellEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from drivers.port import Reading
    from rules.explain import Explainer, Seen
    from rules.interface import Deed, Position, Side, Square, Tier, Turn


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
        return left_of(self._left)

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


ROUNDS = 8
"""So many pieces are carried about: the interpreter specialises what has run eight times."""
ROUNDS_OF_LONG_TURNS = 3
"""The same where a turn may move several pieces, and every event takes longer."""
PACE = 0.05
"""Seconds from one event to the next: hands so quick outrun every patience."""


_rehearsed: set[tuple[str, Tier]] = set()


def is_due(game_id: str, tier: Tier) -> bool:
    """Return whether this game has not been rehearsed on this tier in this process; now it has."""
    due = (game_id, tier) not in _rehearsed
    _rehearsed.add((game_id, tier))
    return due


def left_of(work: Iterator[None]) -> Iterator[None]:
    """Yield the bits that are left of work, which can be gone on with when this is given up."""
    for bit in work:  # noqa: UP028 - `yield from` would end the work too
        yield bit


def wholly(work: Iterator[None]) -> None:
    """Do work that comes a bit at a time."""
    for _ in work:
        pass


def rehearse(
    position: Position,
    pieces: Mapping[str, Reading],
    feel: Callable[[CellEvent], object],
    press: Callable[[float, Side], object],
) -> Iterator[None]:
    """Carry pieces to where another one may go, to where they may, and back; press the clock.

    Each event is a bit of work by itself, for a judge that nobody else uses.
    """
    rounds = ROUNDS_OF_LONG_TURNS if position.game.traits.long_turns else ROUNDS
    deeds = (position.deed(turn) for turn in position.turns())
    moves = (deed.moves[0] for deed in deeds if deed.moves and not deed.taken)
    t = 0.0
    for (home, target), (_, elsewhere) in pairwise(islice(moves, rounds + 1)):
        at = home
        for square in (elsewhere, target, home):
            feel(CellEvent(t := t + PACE, at, None))
            yield
            feel(CellEvent(t := t + PACE, square, pieces.get(home)))
            yield
            at = square
    press(t, position.side)
