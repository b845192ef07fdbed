"""How the board lies and how it is wired: what follows from the sensors that answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from drivers.description import BoardDescription
from firmware_bridge.calibration.progress import Progress

_TURNS: tuple[Literal[0, 90, 180, 270], ...] = (0, 180, 90, 270)


def corners(description: BoardDescription) -> tuple[str, ...]:
    """Return the two corners on White's side, left and right, that tell how a board lies."""
    pair = ("a1", f"{'abcdefgh'[description.grid.files - 1]}1")
    return pair if set(pair) <= set(description.squares) and pair[0] != pair[1] else ()


def ways_to_lie(description: BoardDescription) -> tuple[BoardDescription, ...]:
    """Return the board in every orientation; that of the file first: it holds until disproved."""
    ways = [(description.orientation.turned, description.orientation.mirrored)]
    ways += [(turned, mirrored) for mirrored in (False, True) for turned in _TURNS]
    boards = []
    for turned, mirrored in dict.fromkeys(ways):
        with suppress(ValidationError):  # a board that is not square cannot lie in all ways
            boards.append(description.oriented(turned, mirrored=mirrored))
    return tuple(boards)


def possible(
    ways: Iterable[BoardDescription], known: Mapping[str, int]
) -> Iterator[BoardDescription]:
    """Yield those ways to lie in which these cells have these sensors."""
    for board in ways:
        if all(board.numbers.get(cell) == sensor for cell, sensor in known.items()):
            yield board


@dataclass(frozen=True, slots=True)
class Lie:
    """The board as it was found to be.

    Attributes:
        described: the board of the file, whose names the driver uses.
        turned: the same board, lying as it was found to lie.
        cells: sensor number -> cell as the players see it, found out cell by cell.
        fits: whether the corners that answered can be corners at all.
        doubled: cells that were answered for by a sensor that answers for another one too.
    """

    described: BoardDescription
    turned: BoardDescription
    cells: tuple[str, ...]
    fits: bool
    doubled: tuple[str, ...]

    def lamp(self, cell: str) -> str:
        """Return what the driver calls the cell whose light lies under the players' `cell`."""
        return self.described.cells[self.turned.numbers[cell]]

    @property
    def rewired(self) -> tuple[str, ...]:
        """The cells by sensor as a board file's `wiring.cells` lists them; empty if unchanged."""
        if self.doubled or self.cells == self.turned.cells:
            return ()
        built = dict(zip(self.turned.cells, self.turned.built, strict=True))
        return tuple(built[cell] for cell in self.cells)


def lie_of(ways: Sequence[BoardDescription], book: Progress) -> Lie:
    """Return how the board lies and is wired, as far as the notebook tells; see `ways_to_lie`."""
    description = ways[0]
    known = {
        cell: book.answers[key].sensors[0]
        for cell in corners(description)
        if (key := f"corner {cell}") in book.answers and book.answers[key].sensors
    }
    turned = next(possible(ways, known), None)
    board = turned or description
    answered = {
        cell: answer.sensors[0]
        for cell in board.cells
        if (answer := book.answers.get(f"cell {cell}")) and answer.sensors
    }
    by_sensor: dict[int, list[str]] = {}
    for cell, sensor in answered.items():
        by_sensor.setdefault(sensor, []).append(cell)
    doubled = tuple(cell for alike in by_sensor.values() if len(alike) > 1 for cell in alike)
    cells = _all_cells(board, {sensor: alike[0] for sensor, alike in by_sensor.items()})
    return Lie(description, board, cells, turned is not None, doubled)


def _all_cells(board: BoardDescription, found: Mapping[int, str]) -> tuple[str, ...]:
    """Return the cell of every sensor: as found, else as described, else whichever is left."""
    named = set(found.values())
    kept = {
        sensor: cell
        for sensor, cell in enumerate(board.cells)
        if sensor not in found and cell not in named
    }
    left = iter([cell for cell in board.cells if cell not in named and cell not in kept.values()])
    known = {**kept, **found}
    return tuple(known.get(sensor) or next(left) for sensor in range(len(board.cells)))
