"""Where the stripboards lie, and how long the wires between everything are, from place to place.

Under the light grid pillars stand, one in the middle of every four cells; between two rows of them
is a lane, in which a stripboard lies along the ranks, its headers at the end where the controller
lies. Twelve chips, with what belongs to them, find room on one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from drivers.description import BoardDescription
from hardware.tools.circuits import netlist
from hardware.tools.layout import places, plate
from hardware.tools.netlist import GROUND, SUPPLIES, Component, Netlist, pinouts

Place = tuple[float, float]

CHIPS = 12
"""On one stripboard: two rows of six, each with 26 x 39 mm for its resistors and wires."""
BOARD_MM = 160.0
"""Length of a stripboard."""
PILLAR_MM, PLAY_MM = 18.0, 2.0
"""Width of a pillar (`hardware/printables`), and what a stripboard is narrower than its lane."""
JUMPER_MM = 300.0
"""Length of the harness's ribbon, as the parts list has it."""
SLACK_MM = 40.0
"""What a wire is longer than its way: it rises, bends, and is stripped at either end."""
THICK = frozenset({"LED", "supply", "readers", "5V"})
"""Nets that carry more than a signal does."""


class Metres(NamedTuple):
    """Hook-up wire of a board, in metres."""

    thin: float
    thick: float


def stripboards(wired: Netlist) -> int:
    """Return how many stripboards hold the chips of a board."""
    return -(-len(_chips(wired)) // CHIPS)


def board_width(description: BoardDescription) -> float:
    """Return how wide a stripboard may be that lies between the pillars, in millimetres."""
    return 2 * description.mechanics.cell_mm - PILLAR_MM - PLAY_MM


def _chips(wired: Netlist) -> list[Component]:
    return [c for c in wired.components if pinouts()[c.part].housing.startswith("DIP-")]


@dataclass(frozen=True)
class Lengths:
    """How long the wires of one board are."""

    description: BoardDescription

    @cached_property
    def wired(self) -> Netlist:
        """What is wired to what."""
        return netlist(self.description)

    @cached_property
    def boards(self) -> tuple[Place, ...]:
        """The middle of every stripboard on the plate: in lanes beside each other, in its middle.

        Those in the middle lanes come first, so that the harness is short.
        """
        width, height = plate(self.description)
        pitch = 2 * self.description.mechanics.cell_mm
        lanes = max(1, int(height // pitch))
        middle = (lanes - 1) / 2
        order = sorted(range(lanes), key=lambda lane: (abs(lane - middle), lane))
        many = stripboards(self.wired)
        rows = [order[n % lanes] for n in range(many)]
        columns = [n // lanes for n in range(many)]
        wide = max(columns, default=0) + 1
        return tuple(
            (width / 2 + (column - (wide - 1) / 2) * (BOARD_MM + 10), (row + 1) * pitch)
            for row, column in zip(rows, columns, strict=True)
        )

    @cached_property
    def controller(self) -> Place:
        """Where the controller lies: beside the end of the stripboards in the middle."""
        width, height = plate(self.description)
        if not self.boards:
            return width / 2, height / 2
        x = max(x for x, _ in self.boards) + BOARD_MM / 2 + 15
        ys = sorted(y for _, y in self.boards)
        return x, (ys[0] + ys[-1]) / 2

    @cached_property
    def harness(self) -> float:
        """The longest wire between the controller and a stripboard's header, in millimetres."""
        x, y = self.controller
        ends = [(at + BOARD_MM / 2, row) for at, row in self.boards]
        return max((abs(x - at) + abs(y - row) + SLACK_MM for at, row in ends), default=0.0)

    @cached_property
    def at(self) -> dict[str, Place]:
        """Where every component lies on the plate, by its reference."""
        cells = places(self.description)
        chips = {chip.ref: n // CHIPS for n, chip in enumerate(_chips(self.wired))}
        found = {}
        for component in self.wired.components:
            cell = component.ref.partition(" ")[2].partition(".")[0]
            if cell in cells:
                found[component.ref] = cells[cell]
            elif self.boards and component.part not in {"pico", "pi", "usb-cable"}:
                nearest = chips.get(component.ref, chips.get(component.at, 0))
                found[component.ref] = self.boards[nearest]
            else:
                found[component.ref] = self.controller
        return found

    def of(self, net: str) -> float:
        """Return the length of a net's wire, each piece by the shortest way to what is wired."""
        points = list(dict.fromkeys(self.at[end.component.ref] for end in self.wired.nets[net]))
        return sum(length + SLACK_MM for length in _tree(points))

    @cached_property
    def metres(self) -> Metres:
        """Hook-up wire for everything but the harness."""
        lit = any(net in THICK - {"5V"} for net in self.wired.nets)
        thin = thick = 0.0
        for net in self.wired.nets:
            if net in THICK or (net == GROUND and lit):
                thick += self.of(net)
            elif net in SUPPLIES or not self._harnessed(net):
                thin += self.of(net)
        return Metres(thin / 1000, thick / 1000)

    def _harnessed(self, net: str) -> bool:
        """Whether a net runs between the controller and stripboards alone, by the ribbon."""
        return {self.at[end.component.ref] for end in self.wired.nets[net]} <= {
            self.controller,
            *self.boards,
        }


def _tree(points: list[Place]) -> Iterator[float]:
    """Yield the pieces of the shortest tree that joins points, along and across the plate."""
    if not points:
        return
    joined, *waiting = points
    near = {point: _way(point, joined) for point in waiting}
    while near:
        point = min(near, key=near.__getitem__)
        yield near.pop(point)
        near = {other: min(way, _way(other, point)) for other, way in near.items()}


def _way(one: Place, other: Place) -> float:
    return math.fabs(one[0] - other[0]) + math.fabs(one[1] - other[1])


def too_far(description: BoardDescription) -> Iterator[str]:
    """Say what lies too far apart for what joins it, or finds no place."""
    lengths = Lengths(description)
    if lengths.harness > JUMPER_MM:
        yield (
            f"mechanics.cell_mm: the farthest stripboard lies {lengths.harness:.0f} mm of wire "
            f"from the controller, the harness's ribbon has {JUMPER_MM:.0f}; take smaller cells."
        )
