"""From what a board shows to the legal turns that explain it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from rules.values import Deed, Label, Square, Turn


class Difference(NamedTuple):
    """How what the board shows differs from what stood there before.

    Attributes:
        emptied: squares on which nothing stands any more.
        filled: squares on which something stands that were empty before.
        changed: every known label that was not there before, by square.
    """

    emptied: frozenset[Square]
    filled: frozenset[Square]
    changed: Mapping[Square, Label]


class Seen(NamedTuple):
    """What the board shows now, in the words of the rules.

    Attributes:
        occupied: squares on which something stands.
        known: the label of what stands there, where the board can tell: nothing on the occupancy
            tier, (nearly) every occupied square on the others. A piece that was left standing
            where it should have changed (a promoted pawn, a converted piece) shows its old label.
        difference: how this differs from the position that is asked about it. Whoever watches the
            board square by square knows that, and spares the explainers comparing whole boards.
    """

    occupied: AbstractSet[Square]
    known: Mapping[Square, Label] = MappingProxyType({})
    difference: Difference | None = None

    def since(self, before: Mapping[Square, Label]) -> Difference:
        """Return how this differs from the placement `before`, that of the position asked."""
        if self.difference is not None:
            return self.difference
        emptied, filled = before.keys() - self.occupied, self.occupied - before.keys()
        changed = dict(self.known.items() - before.items())
        return Difference(frozenset(emptied), frozenset(filled), changed)


@dataclass(frozen=True, slots=True)
class Lacking:
    """A turn that the board would show in full if some other pieces were not missing.

    Attributes:
        turn: the turn.
        missing: the squares of these pieces, which the turn leaves standing there.
    """

    turn: Turn
    missing: frozenset[Square]


def fewest_lacking(found: Iterable[Lacking], limit: int) -> tuple[Lacking, ...]:
    """Return the turns that lack the fewest pieces, at most `limit` of them."""
    ranked = list(found)
    least = min((len(one.missing) for one in ranked), default=0)
    return tuple(islice((one for one in ranked if len(one.missing) == least), limit))


class Explainer(Protocol):
    """The legal turns of one position, searchable by what the board shows.

    A turn *fits* when the occupied squares are those of its result and every known label is that
    of the result, or, on a square that merely `becomes` (see `Deed`), still the old one. Turns with
    one deed and one next position, such as two moves in either order, are one: the first is told,
    and another one only if it says more (`Turn.plain`).
    """

    def prepare(self) -> Iterator[None]:
        """Prepare for later questions, a few milliseconds at a time."""

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[Turn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""

    def leading_to(
        self, seen: Seen, limit: int = 1, *, handling: Collection[Square] = ()
    ) -> tuple[Turn, ...]:
        """Return turns that may have begun on the board.

        Such a turn explains every square that now holds something other than before (everything
        put down so far has arrived where the turn wants it). Squares now empty may be pieces in
        the air, whether the turn moves them or not; untouched squares may still change. A piece
        whose own square is known to show it still has not arrived anywhere.

        Such a turn also moves, takes or changes what stood on all squares of `handling`.
        """

    def lacking(self, seen: Seen, limit: int = 64) -> tuple[Lacking, ...]:
        """Return the turns that would fit if some of the pieces now missing stood on their squares.

        Only those that lack the fewest are returned, at most `limit` of them.
        """


class Explained(Protocol):
    """What is asked of a position."""

    @property
    def placement(self) -> Mapping[Square, Label]:
        """What stands where."""

    def turns(self) -> Iterator[Turn]:
        """Yield every legal turn."""

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do to make it."""

    def play(self, turn: Turn) -> object:
        """Return the next position."""


_bits = partial(defaultdict[Any, int], int)
"""Sets of turns by what they have in common, none of them with a turn yet."""
AT_A_TIME = 32
"""So many turns are indexed at a time: a few milliseconds' work on a slow machine."""


class TableExplainer:
    """The plain way: every legal turn indexed once by what it changes.

    A set of turns is an integer with one bit a turn, so that narrowing it down square by square
    costs next to nothing however many turns there are. They are indexed with the first question,
    unless `prepare` did it before.
    """

    __slots__ = (
        "_ends",
        "_filling",
        "_filling_from",
        "_filling_with",
        "_handling",
        "_left",
        "_outlines",
        "_placement",
        "_position",
        "_turns",
    )

    def __init__(self, position: Explained, turns: Iterable[Turn] | None = None) -> None:
        """Index the turns of a position, all legal ones by default."""
        self._position = position
        self._placement = position.placement
        self._ends: dict[Turn, object] = {}
        self._turns: list[tuple[Turn, dict[Square, tuple[Label, ...]]]] = []
        self._outlines: dict[frozenset[Square], dict[frozenset[Square], int]] = defaultdict(_bits)
        self._filling: dict[Square, int] = _bits()
        self._filling_with: dict[tuple[Square, Label], int] = _bits()
        self._filling_from: dict[Square, dict[Square, int]] = defaultdict(_bits)
        self._handling: dict[Square, int] = _bits()
        self._left = self._index(position.turns() if turns is None else turns)

    def _index(self, turns: Iterable[Turn]) -> Iterator[None]:
        """Index these turns, a few at a time."""
        for number, turn in enumerate(turns):
            deed = self._position.deed(turn)
            if deed.physical:  # what hands do nothing for, no board shows
                self._enter(turn, deed)
            if number % AT_A_TIME == AT_A_TIME - 1:
                yield

    def _enter(self, turn: Turn, deed: Deed) -> None:
        """Index one turn."""
        bit, placement = 1 << len(self._turns), self._placement
        changes = deed.changes(placement)
        gone = [square for square, label in changes.items() if label is None]
        shows: dict[Square, tuple[Label, ...]]
        shows = {square: (label,) for square, label in changes.items() if label is not None}
        filled = frozenset([square for square in shows if square not in placement])
        emptied = frozenset([square for square in gone if square in placement])
        self._outlines[filled][emptied] |= bit
        for source, target in deed.moves:
            self._filling_from[target][source] |= bit
        for square, label in deed.becomes:
            source = next((s for s, target in deed.moves if target == square), square)
            shows[square] = (label, placement[source])
        for square, labels in shows.items():
            self._filling[square] |= bit
            for label in labels:
                self._filling_with[square, label] |= bit
        for square in changes:
            self._handling[square] |= bit
        if deed.touch:
            self._handling[deed.touch] |= bit
        self._turns.append((turn, shows))

    def prepare(self) -> Iterator[None]:
        """Index the turns that are left, a few at a time."""
        for _ in self._left:
            yield

    @property
    def _every(self) -> int:
        """All turns, once they are indexed."""
        for _ in self._left:
            pass
        return (1 << len(self._turns)) - 1

    def fitting(self, seen: Seen, limit: int = 64) -> tuple[Turn, ...]:
        """Return the turns whose whole deed explains the board, at most `limit` of them."""
        emptied, filled, changed = seen.since(self._placement)
        bits = self._showing(changed, self._every)
        bits &= self._outlines.get(filled, {}).get(emptied, 0)
        return tuple(islice(self._agreeing(bits, seen.known), limit)) if bits else ()

    def leading_to(
        self, seen: Seen, limit: int = 1, *, handling: Collection[Square] = ()
    ) -> tuple[Turn, ...]:
        """Return turns that may have begun on the board, at most `limit` of them."""
        _, filled, changed = seen.since(self._placement)
        bits = self._showing(changed, self._every)
        for square in handling:
            bits &= self._handling.get(square, 0)
        for square in filled.union(changed):
            bits &= self._filling.get(square, 0)
            if not bits:
                return ()
            bits &= ~self._still_standing(square, seen.known)
        return tuple(turn for turn, _ in islice(self._members(bits), limit))

    def lacking(self, seen: Seen, limit: int = 64) -> tuple[Lacking, ...]:
        """Return the turns that lack the fewest of the pieces now missing, and nothing else."""
        gone, new, changed = seen.since(self._placement)
        allowed = self._showing(changed, self._every)
        if not allowed:
            return ()
        outlines = [
            (gone - emptied, bits)
            for emptied, bits in self._outlines.get(new, {}).items()
            if emptied <= gone
        ]
        found: list[Lacking] = []
        for missing, bits in sorted(outlines, key=lambda entry: len(entry[0])):
            if found and len(missing) > len(found[0].missing):
                break
            known = {**seen.known, **{square: self._placement[square] for square in missing}}
            if missing:
                fits = islice(self._agreeing(bits & allowed, known), limit - len(found))
                found += (Lacking(turn, missing) for turn in fits)
        return tuple(found)

    def _showing(self, changed: Mapping[Square, Label], bits: int) -> int:
        """Return those of the turns `bits` that leave all these labels on the board."""
        for change in changed.items():
            bits &= self._filling_with.get(change, 0)
        return bits

    def _agreeing(self, bits: int, known: Mapping[Square, Label]) -> Iterator[Turn]:
        """Yield the turns of the set `bits` that leave what is known on the squares they fill.

        All of them empty and fill the same squares; of those that are one to the board only the
        first is told.
        """
        told: list[tuple[Turn, Mapping[Square, tuple[Label, ...]]]] = []
        for turn, shows in self._members(bits):
            for square, labels in shows.items():
                if known.get(square, labels[0]) not in labels:
                    break
            else:
                if not any(shows == same and self._ends_as(turn, one) for one, same in told):
                    told.append((turn, shows))
                    yield turn

    def _ends_as(self, one: Turn, other: Turn) -> bool:
        """Return whether two turns lead to one position, and say no more one than the other."""
        if one.plain != other.plain:
            return False
        for turn in (one, other):
            if turn not in self._ends:
                self._ends[turn] = self._position.play(turn)
        return self._ends[one] == self._ends[other]

    def _still_standing(self, square: Square, known: Mapping[Square, Label]) -> int:
        """Return the turns that fill `square` with a piece known to stand where it stood."""
        bits = 0
        for source, turns in self._filling_from.get(square, {}).items():
            if known.get(source) == self._placement[source]:
                bits |= turns
        return bits

    def _members(self, bits: int) -> Iterator[tuple[Turn, Mapping[Square, tuple[Label, ...]]]]:
        """Yield the turns of the set `bits` with what they leave on the squares they fill."""
        while bits:
            yield self._turns[(bits & -bits).bit_length() - 1]
            bits &= bits - 1
