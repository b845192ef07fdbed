"""Cells that do not tell the truth, for a moment or for good.

Lifts that may be nothing are held back; a cell that is wrong for longer is noticed, told of once,
asked about, and done without.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from drivers.port import CellEvent, Snapshot
from firmware_bridge.reconciler.factors import holds_more
from firmware_bridge.reconciler.findings import (
    CellDoubted,
    CellSuspected,
    CellTrusted,
    TagUnknown,
)
from firmware_bridge.reconciler.identities import label_of_kind
from firmware_bridge.reconciler.stories import judge_whole
from firmware_bridge.reconciler.trace import TAKEN_UP

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from drivers.port import Reading
    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.findings import CellTrouble, Finding
    from firmware_bridge.reconciler.game_tracker import GameTracker
    from firmware_bridge.reconciler.readings import Readings
    from firmware_bridge.reconciler.settings import Sensing
    from rules.interface import Square, Turn


class Knocks:
    """Holds lifts back until they have lasted, or a hand does something besides.

    A cell that opens and closes again sooner than `least` seconds has most likely been knocked. So
    that nobody sees anything of it, nobody is told of a lift before.

    Example:
        With `least` 0.15, e2 emptied at 1.00 and filled again at 1.08 was never lifted; emptied at
        1.00 and not filled by 1.15 it was, at 1.00.

    Attributes:
        last_on: the cell of the event last held back.
    """

    def __init__(self, course: GameTracker, least: float) -> None:
        """Hold nothing yet; the `course` is that of the board as far as events were let pass."""
        self._course, self._least = course, least
        self._held: list[CellEvent] = []
        self._open: dict[str, float] = {}
        self._at = 0.0
        self.last_on: frozenset[str] = frozenset()

    @property
    def due(self) -> float | None:
        """When the oldest lift has lasted, `None` if none is held back."""
        return min(self._open.values()) + self._least if self._open else None

    @property
    def opened(self) -> AbstractSet[str]:
        """The cells that are open, though nobody is told of it yet."""
        return self._open.keys()

    @property
    def _many(self) -> bool:
        """Whether more cells have opened at once than a hand opens: then it is a knock."""
        return len({event.cell for event in self._held}) > TAKEN_UP

    def sift(self, event: CellEvent | Snapshot) -> list[CellEvent | Snapshot]:
        """Return what is to be taken in now: nothing while this may be part of a knock.

        Where nothing is due, and nothing has left its square, no piece was knocked.
        """
        scene, standing = self._course.scene, self._course.standing
        in_the_air = holds_more(scene)
        before, self._at = self._at, event.t
        if isinstance(event, Snapshot):
            return [*self.release(), event]
        stood = standing.get(event.cell)
        if isinstance(event.reading, str) and stood is True and not self._holds(event.cell):
            return [event]  # the tag of what stands there is read at last
        if event.reading is True is stood and event.cell not in self._open:
            # What closes was open, though nobody said so; how long ago no event tells.
            opened = CellEvent(min(before, event.t - self._least), event.cell, None)
            return [*self.release(), opened, event] if in_the_air else []
        holds = event.cell in scene.placement or scene.missing
        if not (holds and self._hold(event, standing)):
            # What comes down meanwhile was in the air before, if anything was; what it stands in
            # for was lifted.
            many = in_the_air and self._many
            return [*(self._lifted({event.cell}) if many else self.release()), event]
        if self._open:
            return []
        # Where something is in the air, it may have come down meanwhile.
        return [*(self._knocked() if self._many or not in_the_air else self.release())]

    def _hold(self, event: CellEvent, standing: Mapping[str, Reading]) -> bool:
        """Hold an event back, if it may be part of a knock; return whether it is held."""
        cell, stood = event.cell, standing.get(event.cell)
        if event.reading is None:
            if stood is None:
                return False
            self._open.setdefault(cell, event.t)
        elif self._holds(cell) and (event.reading in (stood, True) or stood is True):
            self._open.pop(cell, None)
        else:
            return False
        self._held.append(event)
        self.last_on = frozenset({cell})
        return True

    def _holds(self, cell: str) -> bool:
        """Return whether something is held back of a cell."""
        return any(event.cell == cell for event in self._held)

    def _lifted(self, cells: Collection[str]) -> list[CellEvent]:
        """Return the lifts from cells that are open, and hold these cells back no longer."""
        told = [e for e in self._held if e.cell in cells and e.t == self._open.get(e.cell)]
        self._held = [event for event in self._held if event.cell not in cells]
        self._open = {cell: at for cell, at in self._open.items() if cell not in cells}
        return told

    def lasted(self, t: float) -> list[CellEvent]:
        """Return the lifts that have lasted by `t`, with all that a hand did meanwhile."""
        if not self._many:
            return self.release()
        told = self._lifted([cell for cell, at in self._open.items() if at + self._least <= t])
        if not self._open:
            told += self._knocked()
        return told

    def _knocked(self) -> list[CellEvent]:
        """Return the tags of what was held back; a knock of squares is remembered for blame."""
        held, scene = self.release(), self._course.scene
        lifts = {event.cell: event.t for event in held if event.reading is None}
        scene.trail.knocked.update((s, t) for s, t in lifts.items() if s in scene.squares)
        return [event for event in held if isinstance(event.reading, str)]

    def done(self) -> list[CellEvent]:
        """Return what was held back if a hand may have done it, and hold it no longer."""
        return [] if self._many else self.release()

    def release(self) -> list[CellEvent]:
        """Return what was held back, in its order, and hold it no longer."""
        held, self._held = self._held, []
        self._open.clear()
        return held


GHOSTS = 5.0
"""When a cell has closed so often though nothing was in the air, it is done without."""
FORGOTTEN = 10.0
"""Seconds after which such a closing counts half."""
HEALED = 30.0
"""A cell that has not done so for this many seconds is believed again."""


def opens_late(scene: BoardState) -> bool:
    """Return whether a legal turn would be there if one cell, slow to open, opened as well.

    Where owners are secret, any turn might that sets down more than has left: to wait for the legal
    ones alone would tell whose the pieces are.
    """
    if not scene.secrecy.legality_tells:
        return _came_from_nowhere(scene) and len(scene.missing) < len(scene.extra)
    return next(_if_one_opened(scene), None) is not None


def _came_from_nowhere(scene: BoardState) -> bool:
    """Return whether all that is odd are pieces that no tag tells, where none stood."""
    return bool(scene.extra) and not scene.wrong and scene.extra <= scene.untagged


def _if_one_opened(scene: BoardState) -> Iterator[tuple[Square, tuple[Turn, ...]]]:
    """Yield the squares of the mover that may hold nothing any more, and the turns shown so.

    Something has been set down then, though it seems that its piece has not left its square.
    """
    if not _came_from_nowhere(scene):
        return
    for square, label in scene.placement.items():
        if label[0] == scene.mover and square in scene.untagged:
            with scene.showing_otherwise({square}):
                whole = judge_whole(scene, scene.seen())
            if whole is not None and whole.showing == "turns":
                yield square, whole.turns


def _carrying(scene: BoardState, target: Square) -> tuple[Turn, ...]:
    """Return the turns that do no more than carry the missing piece to an empty square."""
    with scene.showing_otherwise({target}):
        fits = scene.explainer.fitting(scene.seen())
    ends = scene.missing | {target}
    return tuple(t for t in fits if scene.deed(t).changes(scene.placement).keys() == ends)


STRANGERS = 100
"""So many unknown tags are told of; a reader that makes up tags makes up more."""


class Doubts:
    """Keeps what is doubted about one board, and tells of each doubt once.

    Attributes:
        stuck: the cell that is stuck if the players choose one of the turns that it would hide.
        lone: the cell that alone is odd, so that the mover's press says it tells no truth.
    """

    def __init__(self, course: GameTracker, standing: Readings, sensing: Sensing) -> None:
        self._course = course
        self._standing = standing
        self._tags = sensing.tags
        self._changed: set[str] = set()
        self._ghosts: dict[str, tuple[float, float]] = {}
        self._flickering: set[str] = set()
        self._strangers: set[str] = set()
        self._vanished: frozenset[Square] = frozenset()
        self._spare_in: BoardState | None = None
        self.stuck: str | None = None
        self.lone: str | None = None

    def note(self, cell: str, reading: Reading, t: float, out: list[Finding]) -> None:
        """Take in that a cell reads something else, and tell if it flickers or reads a stranger."""
        self._changed.add(cell)
        if reading is not None:
            self._weigh(cell, reading, t, out)
        self._heal(t, out)
        if isinstance(reading, str):
            known = reading in self._tags or label_of_kind(reading) is not None
            if not known and reading not in self._strangers and len(self._strangers) < STRANGERS:
                self._strangers.add(reading)
                out.append(TagUnknown(t, cell))
        elif reading is None and cell not in self._course.scene.squares:
            self._spare_in = self._course.scene

    def _weigh(self, cell: str, reading: Reading, t: float, out: list[Finding]) -> None:
        """Believe a cell less that closes though no piece is in the air, and more that reads a tag.

        A trembling hand closes and opens a cell as well, but its piece has left another square, if
        only by another reading of the turns made last.
        """
        now = self._course.scene
        bases = self._course.bases.all() if now.secrecy.legality_tells else ()
        scenes = [base.scene for base in bases] or [now]
        if reading in self._tags:
            self._ghosts.pop(cell, None)
        elif cell in now.squares and not any(map(holds_more, scenes)):
            before, at = self._ghosts.get(cell, (0.0, -math.inf))
            if t - at <= now.habits.bounce:
                return  # it chatters, as contacts do that close
            seen = before * 0.5 ** ((t - at) / FORGOTTEN) + 1.0
            self._ghosts[cell] = seen, t
            if seen >= GHOSTS and cell not in self._course.distrusted:
                self._flickering.add(cell)
                self.suspect(cell, "flickering", t, out)

    def _heal(self, t: float, out: list[Finding]) -> None:
        """Believe cells again that have behaved for long, or read a tag."""
        for cell in sorted(self._flickering):
            if t - self._ghosts.get(cell, (0.0, -HEALED))[1] >= HEALED:
                self._flickering.discard(cell)
                self._course.trust(cell, t)
                out.append(CellTrusted(t, cell))

    @property
    def lasting(self) -> frozenset[str]:
        """The cells that are done without for the rest of the game."""
        return self._course.distrusted - self._flickering

    def suspect(self, cell: str, trouble: CellTrouble, t: float, out: list[Finding]) -> None:
        """Tell of a cell that does not tell the truth, once, and do without it from now on."""
        if self._course.distrust(cell):
            out.append(CellSuspected(t, cell, trouble))

    def disbelieve(self, cell: str, t: float, out: list[Finding]) -> None:
        """Do without a cell that people see to be wrong: whatever it reads is not so."""
        self._flickering.discard(cell)
        empty = self._standing.readings.get(cell) is None
        self.suspect(cell, "dead" if empty else "stuck", t, out)

    def believe_players(self, scene: BoardState, turn: Turn, t: float, out: list[Finding]) -> None:
        """Do without cells that do not feel what a turn, as the players say, left on them.

        A disc that it turned over may be in a hand yet.
        """
        deed = replace(scene.deed(turn), flips=())
        for square, label in deed.changes(scene.placement).items():
            if label is not None and self._standing.readings.get(square) is None:
                self.suspect(square, "dead", t, out)

    def hidden(self, seen: Assessment, t: float, out: list[Finding]) -> tuple[Turn, ...]:
        """Return the turns that a stuck cell would hide, where that explains what is odd.

        What is odd in a reply alone is not looked into. A piece has been set down, no piece seems
        to have left its square, nor a reserve cell from where it may have come, and only one cell
        that has never changed would explain it. Where owners are secret, to ask about it would tell
        whose piece is on it.
        """
        scene = self._course.scene
        odd = seen.showing == "odd" and seen.sign is None and seen.scene is scene
        told = odd and scene.secrecy.legality_tells
        if not told or len(scene.extra) != 1 or scene.missing or self._spare_in is scene:
            return ()
        found = [one for one in _if_one_opened(scene) if one[0] not in self._changed]
        if len(found) != 1:
            return ()
        ((self.stuck, turns),) = found
        out.append(CellSuspected(t, self.stuck, "stuck"))
        return turns

    def doubt(self, seen: Assessment, t: float, out: list[Finding]) -> None:
        """Ask about a cell that nobody puts right: perhaps it does not tell the truth."""
        self.lone = cell = seen.scene.lone_oddity
        if cell is not None:
            trouble: CellTrouble = "dead" if cell in seen.scene.missing else "stuck"
            out.append(CellDoubted(t, cell, trouble))

    def vanished(self) -> tuple[Turn, ...]:
        """Return where a piece may stand unfelt that vanished before a press a second time.

        Where owners are secret, that there is such a square would tell whose piece it is.
        """
        scene, before = self._course.scene, self._vanished
        self._vanished = frozenset(scene.missing)
        again = len(before) == 1 and before == scene.differing
        if not (again and scene.secrecy.legality_tells):
            return ()
        free = scene.squares - scene.placement.keys()
        dead = sorted(free - self._changed)
        return tuple(turn for cell in dead for turn in _carrying(scene, cell))
