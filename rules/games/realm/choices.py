"""Which steps may belong to one turn of a kind in a realm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.realm.bitboard import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rules.games.realm.realms import Realm
    from rules.games.realm.steps import Step, Steps


def everything(step: Step) -> bool:  # noqa: ARG001 - a filter that lets all steps pass
    """Want every step."""
    return True


class Choices:
    """The wanted steps of a position, sorted by where they begin and end.

    Attributes:
        single: the wanted steps, rearrangements not among them.
    """

    def __init__(
        self,
        steps: Steps,
        wanted: Callable[[Step], bool] = everything,
        among: Iterable[Step] | None = None,
    ) -> None:
        """Sort the wanted steps.

        Args:
            steps: every step of the position.
            wanted: tells which of them are wanted, rearrangements included.
            among: the steps to go through, rearrangements not among them; all by default.
        """
        self._steps = steps
        self._wanted = wanted
        self.single = tuple(filter(wanted, steps.all() if among is None else among))
        self._from: dict[int, list[Step]] = {}
        self._to: dict[int, list[Step]] = {}
        for step in self.single:
            source, target, _ = step.moves[0]
            self._from.setdefault(source, []).append(step)
            self._to.setdefault(target, []).append(step)

    def narrowed(self, wanted: Callable[[Step], bool]) -> Choices:
        """Return those of the choices that are wanted."""
        return Choices(self._steps, wanted, self.single)

    def leaving(self, square: int) -> Iterator[Step]:
        """Yield the wanted steps after which `square` is left or its pawn taken en passant."""
        return (step for step in self.single if (step.leaves | step.victim) >> square & 1)

    def entering(self, square: int) -> Iterator[Step]:
        """Yield the wanted steps that enter `square`."""
        return (step for step in self.single if step.enters >> square & 1)

    def of(self, parts: str, realm: Realm) -> list[Step]:
        """Return the steps of the `parts` (some of D, C and R) that a turn in `realm` may hold."""
        steps: list[Step] = []
        if "D" in parts:
            steps.extend(self._out_of(realm))
        if "C" in parts:
            steps.extend(self._into(realm))
        if "R" in parts:
            steps.extend(self._within(realm))
        return steps

    def _out_of(self, realm: Realm) -> Iterator[Step]:
        for source in scan(realm.squares):
            for step in self._from.get(source, ()):
                if not realm.squares >> step.moves[0].target & 1:
                    yield step

    def _into(self, realm: Realm) -> Iterator[Step]:
        for target in scan(realm.squares):
            for step in self._to.get(target, ()):
                if not realm.squares >> step.moves[0].source & 1:
                    yield step

    def _within(self, realm: Realm) -> Iterator[Step]:
        for source in scan(realm.squares & self._steps.board.own):
            for target in scan(realm.squares):
                yield from filter(self._wanted, self._steps.arranging(source, target))
