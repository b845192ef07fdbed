"""What hands have carried since the position was agreed: from where to where, never what.

Made from which cells are filled, from the order in which they changed and from which tag stood
where, but never from what a piece is: what is told here may be shown to everyone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.event_trace import OVERLAP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square


@dataclass(frozen=True, slots=True)
class Handling:
    """Where the pieces of the agreed position are now.

    Attributes:
        vacated: squares whose piece is not there: in the air, beside the board, or elsewhere.
        carried: square -> the square whose piece seems to stand there now; `None` where the board
            does not tell. Squares whose own piece stands there are left out.
        amending: whether the turns of the verdict replace the one taken last.
    """

    vacated: frozenset[Square] = frozenset()
    carried: Mapping[Square, Square | None] = field(default_factory=dict)
    amending: bool = False


def handling(scene: BoardState, *, amending: bool) -> Handling:
    """Return what hands have done to the position of this scene."""
    if not (scene.missing or scene.extra or scene.identities.on):
        return Handling(amending=amending)
    carried: dict[Square, Square | None] = {}
    if scene.by_faces:
        carried.update(dict.fromkeys(sorted(scene.extra)))
        return Handling(frozenset(scene.missing), carried, amending)
    for cell, uid in scene.identities.on.items():
        home = scene.identities.stood_on.get(uid)
        # A piece that belonged to no square of this position is none of its pieces moved elsewhere.
        if home is not None and home != cell and home in scene.placement:
            carried[cell] = home
    free = scene.missing.difference(carried.values())
    for cell in sorted(
        scene.extra - carried.keys(), key=lambda c: scene.trail.placed_at.get(c, 0.0)
    ):
        carried[cell] = _lifted_last(scene, free, cell)
        free.discard(carried[cell] or "")
    return Handling(frozenset(scene.missing), carried, amending)


def _lifted_last(scene: BoardState, free: set[Square], cell: Square) -> Square | None:
    """Return the square that was emptied last before this one was filled."""
    if cell not in scene.trail.placed_at:
        return None  # it stood here before anybody lifted anything
    until = scene.trail.placed_at[cell] + OVERLAP
    lifted = [home for home in free if scene.trail.lifted_at.get(home, 0.0) <= until]
    return max(lifted, key=lambda home: (scene.trail.lifted_at.get(home, 0.0), home), default=None)
