"""The scene of a position while only faces count: made anew when other pieces belong to squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.rules_cache import RulesCache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.seats import Seats
    from rules.interface import Label, Position, Square

    Make = Callable[[RulesCache, Mapping[str, Reading], Mapping[str, Label]], BoardState]


class Opening:
    """What was felt since the board was right, and which pieces belong to its squares.

    What hands do is seen as if every piece had stood all the time on the square to which it belongs
    now, so that nothing depends on which of two like ones stood there.

    Args:
        seats: who belongs where, nothing on the board yet.
        standing: what every cell reads now.
        make: makes a scene of a position, what its cells read, and what tagged pieces are.

    Attributes:
        agreed: the position with the pieces that stood when all looked right last.
    """

    def __init__(self, seats: Seats, standing: Mapping[str, Reading], make: Make) -> None:
        self.seats = seats
        self.agreed = seats.agreed
        self._make = make
        self._rulebook = RulesCache(seats.position)
        self._log: list[tuple[str, Reading, float] | None] = []
        for cell, reading in standing.items():
            seats.note(cell, reading)
        seats.adopt()
        if seats.right:
            self.agreed = seats.position
        self._standing = dict(standing)

    def go_on(self, position: Position) -> BoardState:
        """Go on with another position of the same placement; return its scene."""
        self.seats.go_on(position)
        self.agreed = position
        return self.scene()

    def begin_anew(self, standing: Mapping[str, Reading]) -> BoardState:
        """Forget what hands did; return a fresh scene."""
        self._log.clear()
        self.seats.adopt()
        self._standing = dict(standing)
        self.agreed = self.seats.position
        return self.scene()

    def arranged(self, standing: Mapping[str, Reading], t: float) -> BoardState:
        """Return a fresh scene, now that all looks right; discs turned over are still that."""
        self._log.clear()
        for cell, uid in self.seats.turned().items():
            self._log += [(cell, None, t), (cell, uid, t)]
        self._standing = {**standing, **self.seats.of}
        self.agreed = self.seats.position
        return self.scene()

    def forget_times(self) -> None:
        """Forget when and in which order things were lifted and put back."""
        self._log.append(None)

    def note(self, cell: Square, reading: Reading, t: float) -> BoardState | None:
        """Take in what a cell reads now; return the scene if it must be another one."""
        self._log.append((cell, reading, t))
        return self.scene() if self.seats.note(cell, reading) else None

    def scene(self) -> BoardState:
        """Return the scene, with all that was felt noted in it."""
        position = self.seats.position
        if position != self._rulebook.position:
            self._rulebook = RulesCache(position)
        stood = {cell: self.seats.seated(cell, was) for cell, was in self._standing.items()}
        scene = self._make(self._rulebook, stood, self.seats.roles)
        scene.by_faces = self.seats.cleared
        scene.identities.roles.update(self.seats.roles)
        for square, uid in self.seats.of.items():
            scene.identities.remember(square, uid)
        for felt in self._log:
            if felt is None:
                scene.trail.forget_times()
            else:
                scene.note(*felt)
        return scene
