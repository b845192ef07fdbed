"""What is felt and may not be true: cells that flicker, are stuck or dead, tags of no piece set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.findings import CellDoubted, CellSuspected, TagUnknown
from firmware_bridge.reconciler.labels import label_of_kind
from firmware_bridge.reconciler.sensor_faults import (
    CellWatch,
    lone_oddity,
    onto_dead_cells,
    stuck_cell,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.findings import CellTrouble, Finding
    from firmware_bridge.reconciler.game_tracker import GameTracker
    from firmware_bridge.reconciler.observation import View
    from firmware_bridge.reconciler.readings import Readings
    from rules.interface import Label, Square, Turn

STRANGERS = 100
"""So many unknown tags are told of; a reader that makes up tags makes up more."""


class Doubts:
    """Keeps what is doubted about one board, and tells of each doubt once.

    Attributes:
        stuck: the cell that is stuck if the players choose one of the turns that it would hide.
        lone: the cell that alone is odd, so that the mover's press says it tells no truth.
    """

    def __init__(self, course: GameTracker, standing: Readings, tags: Mapping[str, Label]) -> None:
        self._course = course
        self._standing = standing
        self._tags = tags
        self._watch = CellWatch()
        self._strangers: set[str] = set()
        self._vanished: frozenset[Square] = frozenset()
        self._spare_in: BoardState | None = None
        self.stuck: str | None = None
        self.lone: str | None = None

    def note(self, cell: str, reading: Reading, t: float, out: list[Finding]) -> None:
        """Take in that a cell reads something else, and tell if it flickers or reads a stranger."""
        if self._watch.note(cell, t):
            self.suspect(cell, "flickering", t, out)
        if isinstance(reading, str):
            self._met(cell, reading, t, out)
        elif reading is None and cell not in self._course.scene.squares:
            self._spare_in = self._course.scene

    def _met(self, cell: str, uid: str, t: float, out: list[Finding]) -> None:
        """Tell of a tag that is in no piece set, once for each."""
        known = uid in self._tags or label_of_kind(uid) is not None
        if not known and uid not in self._strangers and len(self._strangers) < STRANGERS:
            self._strangers.add(uid)
            out.append(TagUnknown(t, cell, uid))

    def suspect(self, cell: str, trouble: CellTrouble, t: float, out: list[Finding]) -> None:
        """Tell of a cell that does not tell the truth, once, and do without it from now on."""
        if self._course.distrust(cell):
            out.append(CellSuspected(t, cell, trouble))

    def disbelieve(self, cell: str, t: float, out: list[Finding]) -> None:
        """Do without a cell that people see to be wrong: whatever it reads is not so."""
        empty = self._standing.readings.get(cell) is None
        self.suspect(cell, "dead" if empty else "stuck", t, out)

    def believe_players(self, view: View, turn: Turn, t: float, out: list[Finding]) -> None:
        """Do without cells that do not feel what a turn, as the players say, left on them."""
        scene = view.scene
        for square, label in scene.deed(turn).changes(scene.placement).items():
            if label is not None and self._standing.readings.get(square) is None:
                self.suspect(square, "dead", t, out)

    def look_anew(self) -> None:
        """Drop what was asked about a board that has changed since."""
        self.stuck = self.lone = None

    def hidden(self, view: View, t: float, out: list[Finding]) -> tuple[Turn, ...]:
        """Return the turns that a stuck cell would hide, where that explains what is odd."""
        if self._spare_in is self._course.scene:
            return ()  # what came from nowhere may be the piece that left a reserve cell
        found = stuck_cell(self._course.scene, self._watch)
        if found is None or view.judgement.showing != "odd" or view.sign is not None:
            return ()
        self.stuck, judgement = found
        out.append(CellSuspected(t, self.stuck, "stuck"))
        return judgement.turns

    def doubt(self, view: View, t: float, out: list[Finding]) -> None:
        """Ask about a cell that nobody puts right: perhaps it does not tell the truth."""
        self.lone = cell = lone_oddity(view.scene)
        if cell is not None:
            trouble: CellTrouble = "dead" if cell in view.scene.missing else "stuck"
            out.append(CellDoubted(t, cell, trouble))

    def vanished(self) -> tuple[Turn, ...]:
        """Return where a piece may stand unfelt that vanished before a press a second time."""
        scene, before = self._course.scene, self._vanished
        self._vanished = frozenset(scene.missing)
        return onto_dead_cells(scene, self._watch) if before == scene.missing else ()
