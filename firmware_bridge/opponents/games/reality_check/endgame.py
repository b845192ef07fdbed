"""Two true pieces against a last one, solved backwards from the capture, as endgame tablebases are.

Only the two hunters and their prey move; everything else stands still. It blocks, it guards
squares, and it may capture the prey, which then comes back on a home square. So this says where
hunters should stand and roughly how long it takes, not who wins. The hunted side may always pass,
as it has other pieces to move. Sets of squares are bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, permutations
from typing import NamedTuple, TypeVar

from firmware_bridge.opponents.engine import Stopped, nobody
from firmware_bridge.opponents.games.reality_check.packed_table import (
    OWNER,
    TRUE,
    UP,
    Ground,
    Table,
)
from firmware_bridge.opponents.games.reality_check.reach import (
    lines_of,
    occupied_of,
    set_of,
    squares_in,
)

Looked = TypeVar("Looked")

NEVER = 60
"""Plies, for what two hunters cannot win: on an empty board the longest win takes 57."""

_STOP_EACH = 128
"""After so many pairs of squares it is asked whether to stop."""

Pair = tuple[int, int]
"""The squares of the two hunters."""


class Still(NamedTuple):
    """What stands still, as sets of squares.

    Attributes:
        ours, theirs: the other pieces of the hunters' side and of the hunted one.
        deadly: where another true piece of the hunters' would capture the prey.
        taken: where a piece of the hunters' that is not true would.
        guarded: where a piece of the hunted side would capture a hunter.
        homes: the empty home squares of the hunted side.
    """

    ours: int
    theirs: int
    deadly: int
    taken: int
    guarded: int
    homes: int


class Endgame:
    """One pair of hunters and their prey, among what stands still.

    Hunters and prey are faces; `still` is everything else.

    Raises:
        Stopped: when it was stopped.
    """

    def __init__(
        self,
        ground: Ground,
        hunters: Pair,
        prey: int,
        still: Still,
        stopped: Callable[[], bool] = nobody,
    ) -> None:
        self._size, self._still, self._stopped = len(ground.squares), still, stopped
        self._plies = [bytearray([NEVER]) * self._size**3 for _ in range(2)]
        self._won: dict[Pair, int] = {}
        self._lost: dict[Pair, int] = {}
        self._steps: dict[Pair, list[Pair]] = {}
        self._calm: dict[Pair, int] = {}
        self._prepare(ground, hunters, prey)
        self._solve()

    def plies(self, hunters: Pair, prey: int, *, hunting: bool) -> int:
        """Return in how many plies the prey is captured at the latest, `NEVER` if it need not be.

        Args:
            hunters: their squares.
            prey: its square.
            hunting: whether the hunters are to act.
        """
        return self._plies[hunting][self._place(hunters, prey)]

    def _place(self, hunters: Pair, prey: int) -> int:
        return (hunters[0] * self._size + hunters[1]) * self._size + prey

    def _prepare(self, ground: Ground, hunters: Pair, prey: int) -> None:
        """Find where each piece goes, and where the prey is captured at once."""
        lines, still = lines_of(ground), self._still
        walls = still.ours | still.theirs
        free = [square for square in range(self._size) if not walls >> square & 1]
        empty = sum(1 << square for square in free)
        within = empty | still.ours  # the prey may have captured a piece that is guarded
        reached = [lines[prey][square].reached(walls) for square in range(self._size)]
        self._flights = [one.goals | one.met & still.ours for one in reached]
        beyond = [empty & ~sum(1 << r for r in free if reached[r].covered >> q & 1) for q in free]
        calm = dict(zip(free, beyond, strict=True))
        for p, q in self._unless_stopped(permutations(free, 2)):
            pair, stand = (p, q), 1 << p | 1 << q
            one, other = (
                lines[face][square].reached(walls | stand)
                for face, square in zip(hunters, pair, strict=True)
            )
            self._won[pair] = (one.covered | other.covered | still.deadly) & within & ~stand
            self._lost[pair] = 0
            self._steps[pair] = [(s, q) for s in squares_in(one.goals)]
            self._steps[pair] += [(p, s) for s in squares_in(other.goals)]
            self._calm[pair] = 0 if still.guarded & stand else calm[p] & calm[q] & ~stand

    def _unless_stopped(self, pairs: Iterable[Looked]) -> Iterator[Looked]:
        for number, pair in enumerate(pairs):
            if not number % _STOP_EACH and self._stopped():
                raise Stopped
            yield pair

    def _solve(self) -> None:
        plies, changed = 1, dict(self._won)
        while changed:
            self._note(changed, plies, hunting=True)
            lost = self._caught(changed)
            self._note(lost, plies + 1, hunting=False)
            changed = self._driven(lost)
            plies += 2

    def _note(self, found: dict[Pair, int], plies: int, *, hunting: bool) -> None:
        for pair, squares in self._unless_stopped(found.items()):
            for square in squares_in(squares):
                self._plies[hunting][self._place(pair, square)] = plies

    def _caught(self, pairs: Iterable[Pair]) -> dict[Pair, int]:
        """Return where the prey has no escape any more, by the hunters' squares."""
        caught = {}
        for pair in self._unless_stopped(pairs):
            won, found = self._won[pair], 0
            away = ~(won | 1 << pair[0] | 1 << pair[1])
            for square in squares_in(won & self._calm[pair] & ~self._lost[pair]):
                if not self._flights[square] & away:
                    found |= 1 << square
            if found:
                self._lost[pair] |= found
                caught[pair] = found
        return caught

    def _driven(self, caught: dict[Pair, int]) -> dict[Pair, int]:
        """Return where a step now wins, or a capture that sends the prey home."""
        driven = {}
        for pair, won in self._unless_stopped(self._won.items()):
            found = 0
            for after in self._steps[pair]:
                found |= caught.get(after, 0)
            stand = 1 << pair[0] | 1 << pair[1]
            if self._still.taken and not self._still.homes & ~(won | stand):
                found |= self._still.taken & ~(stand | self._still.theirs)
            if found := found & ~won:
                driven[pair] = found
        for pair, found in driven.items():
            self._won[pair] |= found
        return driven


class Endgames:
    """How true pieces of one side would catch the other's last, as things stand now.

    Args:
        tables: what may be; it is solved once for each face of the last true piece.
        hunter: the side that hunts.
        stopped: whether somebody wants the turn now; what is not solved by then stays so.
    """

    def __init__(
        self, tables: Sequence[Table], hunter: int, stopped: Callable[[], bool] = nobody
    ) -> None:
        self._hunter = hunter
        self._stopped = stopped
        self._solved: dict[tuple[int, int, int], Endgame] = {}
        with suppress(Stopped):
            for table in tables:
                hunters, prey = _true(table, hunter), _true(table, 1 - hunter)
                if table.true[1 - hunter] == 1 and prey:
                    for pair in combinations(sorted(hunters, key=lambda q: UP[table.cells[q]]), 2):
                        self._solve(table, pair, prey[0])

    def _solve(self, table: Table, pair: Pair, prey: int) -> None:
        first, second, third = (UP[table.cells[square]] for square in (*pair, prey))
        if (first, second, third) not in self._solved:
            still = _still(table, self._hunter, (*pair, prey))
            solved = Endgame(table.ground, (first, second), third, still, self._stopped)
            self._solved[first, second, third] = solved

    def plies(self, table: Table, hunters: Sequence[int], prey: int) -> int:
        """Return in how many plies some two of the hunters would capture the prey, or `NEVER`.

        Args:
            table: any; it is looked at as if everything else stood as it did at first.
            hunters: the squares of true pieces.
            prey: the square of the last one.
        """
        if not self._solved:
            return NEVER
        cells, hunting, plies = table.cells, table.side == self._hunter, NEVER
        for p, q in permutations(hunters, 2):
            endgame = self._solved.get((UP[cells[p]], UP[cells[q]], UP[cells[prey]]))
            if endgame:
                plies = min(plies, endgame.plies((p, q), prey, hunting=hunting))
        return plies


def _true(table: Table, side: int) -> list[int]:
    cells = table.cells
    return [q for q, cell in enumerate(cells) if TRUE[cell] and OWNER[cell] == side]


def _still(table: Table, hunter: int, moving: Sequence[int]) -> Still:
    """Return what stands still while the pieces on some squares move."""
    cells = [0 if square in moving else cell for square, cell in enumerate(table.cells)]
    walls = occupied_of(cells)
    ours = theirs = deadly = taken = guarded = 0
    for square, cell in enumerate(cells):
        if not cell:
            continue
        covered = lines_of(table.ground)[UP[cell]][square].reached(walls).covered
        if OWNER[cell] != hunter:
            theirs |= 1 << square
            guarded |= covered
            continue
        ours |= 1 << square
        if TRUE[cell]:
            deadly |= covered
        else:
            taken |= covered
    homes = set_of(table.homes[1 - hunter]) & ~walls
    return Still(ours, theirs, deadly, taken, guarded, homes)
