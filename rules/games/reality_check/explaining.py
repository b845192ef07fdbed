"""From what a board shows to the turns that explain it, without listing each move with each flip.

A move without capture and the flip that follows do not hinder each other: of a thousand such
turns a hundred moves and eighteen flips are all there is to look at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from itertools import chain, islice

from rules.explain import Difference, Lacking, Seen, TableExplainer, fewest_lacking
from rules.games.reality_check import legal
from rules.games.reality_check.discs import placed_label
from rules.games.reality_check.fields import State
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.turns import AnyTurn, Move
from rules.interface import Label, Position, Square, Turn


class FlippingExplainer:
    """The explainer of a position in which moves come with a free flip; see `rules.explain`."""

    def __init__(self, position: Position, rules: Ruleset, state: State) -> None:
        others = legal.turns_beside_flips(rules, state)
        self._others = TableExplainer(position, others)
        self._labels = position.placement
        flippable = legal.flippable(state)
        self._turned = {square: placed_label(state.board[square][::-1]) for square in flippable}
        self._moves = tuple(legal.quiet(rules, state))
        self._sources: dict[Square, list[Square]] = {}
        self._targets: dict[Square, list[Square]] = {}
        for source, target in self._moves:
            self._sources.setdefault(target, []).append(source)
            self._targets.setdefault(source, []).append(target)

    def prepare(self) -> Iterator[None]:
        """Index the other turns, a few at a time."""
        return self._others.prepare()

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[Turn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""
        others = self._others.fitting(seen, limit)
        return tuple(islice(chain(self._whole(seen), others), limit))

    def leading_to(
        self, seen: Seen, limit: int = 1, *, handling: Collection[Square] = ()
    ) -> tuple[Turn, ...]:
        """Return turns that may have begun on the board, at most `limit` of them."""
        others = self._others.leading_to(seen, limit, handling=handling)
        return tuple(islice(chain(self._begun(seen, handling), others), limit))

    def lacking(self, seen: Seen, limit: int = 64) -> tuple[Lacking, ...]:
        """Return the turns that lack the fewest of the pieces now missing, and nothing else."""
        gone, new, changed = seen.since(self._labels)
        found = [*self._others.lacking(seen, limit)]
        if len(gone) < 2 or len(new) != 1:
            return fewest_lacking(found, limit)
        (target,) = new
        for source in gone.intersection(self._sources.get(target, ())):
            missing = gone - {source}
            known = {**seen.known, **{square: self._labels[square] for square in missing}}
            moved = Difference(frozenset({source}), new, changed)
            fits = self._whole(Seen(seen.occupied | missing, known, moved))
            found += (Lacking(turn, missing) for turn in fits)
        return fewest_lacking(found, limit)

    def _whole(self, seen: Seen) -> Iterator[AnyTurn]:
        """Yield the moves with a flip that have been made in full."""
        gone, new, changed = seen.since(self._labels)
        if len(new) != 1 or len(gone) != 1:
            return
        (target,), (source,) = new, gone
        if source not in self._sources.get(target, ()):
            return
        moved = (target, self._labels[source])
        wrong = {change[0] for change in changed.items() if change != moved}
        if len(wrong) > 1:
            return
        for flip, turned in self._flips(source, target, wrong):
            if seen.known.get(flip, turned) == turned:
                yield Move(source, target, flip)

    def _begun(self, seen: Seen, handling: Collection[Square]) -> Iterator[AnyTurn]:
        """Yield the moves with a flip that may have been begun."""
        _, new, changed = seen.since(self._labels)
        known = seen.known
        filled = new.union(changed)
        lifted = set(handling) - filled
        for source, target in self._leading(seen, filled, lifted):
            flipped = (filled - {target}) | (lifted - {source})
            arrived = target in filled
            if arrived and known.get(source) == self._labels[source]:
                continue
            for flip, turned in self._flips(source, target, flipped):
                lies = turned if flip == target else self._labels[source]
                if arrived and known.get(target, lies) != lies:
                    continue
                if flip not in filled or known.get(flip, turned) == turned:
                    yield Move(source, target, flip)

    def _leading(
        self, seen: Seen, filled: AbstractSet[Square], lifted: AbstractSet[Square]
    ) -> Iterator[tuple[Square, Square]]:
        """Yield the moves that explain all but at most one of these squares; that may be flipped.

        Squares that are `filled` are other ones than those `lifted`, so it is a matter of counting.
        """
        explained = len(filled) + len(lifted) - 1
        if explained < 1 and all(self._may_be_flipped(square, seen) for square in filled):
            yield from self._moves
        elif explained < 2:
            yield from ((s, t) for t in filled for s in self._sources.get(t, ()))
            yield from ((s, t) for s in lifted for t in self._targets.get(s, ()) if t not in filled)
        elif explained == 2:
            yield from ((s, t) for t in filled for s in self._sources.get(t, ()) if s in lifted)

    def _may_be_flipped(self, square: Square, seen: Seen) -> bool:
        """Return whether a square shows what it shows after a flip, as far as is known."""
        turned = self._turned.get(square)
        return turned is not None and seen.known.get(square, turned) == turned

    def _flips(
        self, source: Square, target: Square, wanted: AbstractSet[Square]
    ) -> Iterator[tuple[Square, Label]]:
        """Yield what may be flipped after a move, and its label then; only `wanted`, if any are."""
        if not wanted:
            for square, turned in self._turned.items():
                yield (target if square == source else square), turned
        for flip in wanted:
            square = source if flip == target else flip
            if flip != source and square in self._turned:
                yield flip, self._turned[square]
