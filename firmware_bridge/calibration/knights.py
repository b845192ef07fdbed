"""The puzzle of the four knights, for boards of eight squares and up. Pure; contacts suffice.

Two white and two black knights stand in the corners of three by three squares, whose middle stays
empty, and have to change sides. Paolo Guarini asked for it in 1512; sixteen moves do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from firmware_bridge.calibration.prompts import Line

WHITE, BLACK = "white", "black"
BEGIN = {"a1": WHITE, "c1": WHITE, "a3": BLACK, "c3": BLACK}
GOAL = {"a1": BLACK, "c1": BLACK, "a3": WHITE, "c3": WHITE}
CELLS = ("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")


def jumps(start: str, end: str) -> bool:
    """Return whether a knight goes from one cell to the other."""
    files, ranks = abs(ord(start[0]) - ord(end[0])), abs(int(start[1]) - int(end[1]))
    return {files, ranks} == {1, 2}


class Knights:
    """One try. Told what is felt once hands have been still, it says what to do next."""

    def __init__(self) -> None:
        self.moves = 0
        self._standing: dict[str, str] = {}
        self._told: frozenset[str] | None = None

    @property
    def solved(self) -> bool:
        """Whether all knights have changed sides."""
        return self._standing == GOAL

    def look(self, felt: Collection[str]) -> Line | None:
        """Take the cells on which something is felt; return what to say, if anything.

        Where they are as they were when something was said last, nothing is said again.
        """
        found = frozenset(felt) & set(CELLS)
        if found == self._told:
            return None
        self._told = found
        if not self._standing:
            return self._set_up(found)
        return self._played(found)

    def _set_up(self, found: frozenset[str]) -> Line:
        if found != BEGIN.keys():
            return Line("puzzle-begin", _repair(found, BEGIN))
        self._standing = dict(BEGIN)
        return Line("puzzle-play")

    def _played(self, found: frozenset[str]) -> Line:
        left, reached = self._standing.keys() - found, found - self._standing.keys()
        if not left and not reached:
            return Line("puzzle-as-before")
        if len(left) == 1 and not reached:
            return Line("puzzle-lifted", {"cell": ", ".join(left)})
        if len(left) != 1 or len(reached) != 1:
            return Line("puzzle-wrong", _repair(found, self._standing))
        (start,), (end,) = left, reached
        if not jumps(start, end):
            return Line("puzzle-no-jump", {"start": start, "end": end})
        self._standing[end] = self._standing.pop(start)
        self.moves += 1
        told = {"start": start, "end": end, "moves": str(self.moves)}
        return Line("puzzle-solved" if self.solved else "puzzle-move", told)


def _repair(found: frozenset[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return what to add and what to take away; a key of its own where that is nothing."""
    return {
        "add": ", ".join(sorted(wanted.keys() - found)) or "puzzle-none",
        "remove": ", ".join(sorted(found - wanted.keys())) or "puzzle-none",
    }
