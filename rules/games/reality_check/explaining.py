"""From what a board shows to the turns that explain it, without listing each move with each flip.

A move without capture and the flip that follows do not hinder each other: of a thousand such
turns a hundred moves and eighteen flips are all there is to look at.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from rules.explain import Lacking, Seen, TableExplainer, fewest_lacking
from rules.games.reality_check import legal
from rules.games.reality_check.pieces import placed_label
from rules.games.reality_check.turns import Move

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from rules.games.reality_check.position import RealityCheckPosition
    from rules.games.reality_check.turns import AnyTurn
    from rules.interface import Label, Square, Turn


class FlippingExplainer:
    """The explainer of a position in which moves come with a free flip; see `rules.explain`."""

    def __init__(self, position: RealityCheckPosition) -> None:
        state = position.state
        others = legal.turns_beside_flips(position.game.rules, state)
        self._others = TableExplainer(position, others)
        self._labels = position.placement
        self._occupied = frozenset(self._labels)
        self._turned = {s: placed_label(cell[::-1]) for s, cell in state.board.items()}
        self._flippable = legal.flippable(state)
        self._sources: dict[Square, list[Square]] = {}
        for source, target in legal.quiet(position.game.rules, state):
            self._sources.setdefault(target, []).append(source)

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[Turn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""
        others = self._others.fitting(seen, limit)
        return tuple(islice(chain(self._whole(seen), others), limit))

    def leading_to(
        self, seen: Seen, limit: int = 1, *, every_lift: bool = False
    ) -> tuple[Turn, ...]:
        """Return turns of which the board may show the beginning, at most `limit` of them."""
        others = self._others.leading_to(seen, limit, every_lift=every_lift)
        return tuple(islice(chain(self._begun(seen, every_lift=every_lift), others), limit))

    def lacking(self, seen: Seen, limit: int = 64) -> tuple[Lacking, ...]:
        """Return the turns that lack the fewest of the pieces now missing, and nothing else."""
        gone = self._occupied - seen.occupied
        found = [*self._others.lacking(seen, limit)]
        for source in gone if len(gone) > 1 else ():
            missing = gone - {source}
            known = {**seen.known, **{square: self._labels[square] for square in missing}}
            fits = self._whole(Seen(seen.occupied | missing, known))
            found += (Lacking(turn, missing) for turn in fits)
        return fewest_lacking(found, limit)

    def _whole(self, seen: Seen) -> Iterator[AnyTurn]:
        """Yield the moves with a flip that have been made in full."""
        new, gone = seen.occupied - self._occupied, self._occupied - seen.occupied
        if len(new) != 1 or len(gone) != 1:
            return
        (target,), (source,) = new, gone
        if source not in self._sources.get(target, ()):
            return
        stands = {**self._labels, target: self._labels[source]}
        wrong = {square for square, label in seen.known.items() if stands[square] != label}
        if len(wrong) > 1:
            return
        for flip, turned in self._flips(source, target, wrong):
            if seen.known.get(flip, turned) == turned:
                yield Move(source, target, flip)

    def _begun(self, seen: Seen, *, every_lift: bool) -> Iterator[AnyTurn]:
        """Yield the moves with a flip that may have been begun."""
        lifted = self._occupied - seen.occupied if every_lift else frozenset()
        changed = {s for s, label in seen.known.items() if self._labels.get(s) != label}
        filled = (seen.occupied - self._occupied) | changed
        for source, target in self._leading(filled):
            flipped = (filled - {target}) | (lifted - {source})
            if len(flipped) > 1:
                continue
            arrived = target in filled
            if arrived and seen.known.get(source) == self._labels[source]:
                continue
            for flip, turned in self._flips(source, target, flipped):
                shows = {target: self._labels[source], flip: turned}
                if all(seen.known.get(square, shows[square]) == shows[square] for square in filled):
                    yield Move(source, target, flip)

    def _leading(self, filled: AbstractSet[Square]) -> Iterator[tuple[Square, Square]]:
        """Yield the moves after which all but one of the `filled` squares may be filled so."""
        targets = self._sources.keys() if len(filled) < 2 else self._sources.keys() & filled
        for target in targets:
            for source in self._sources[target]:
                yield source, target

    def _flips(
        self, source: Square, target: Square, wanted: set[Square] | frozenset[Square]
    ) -> Iterator[tuple[Square, Label]]:
        """Yield what may be flipped after a move, and its label then; only `wanted`, if any are."""
        for square in self._flippable:
            flip = target if square == source else square
            if not wanted or flip in wanted:
                yield flip, self._turned[square]
