"""What the reconciler is told once: what the board can feel, and how play is conducted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import Label, Tier

# What hands and contacts do, in seconds. All other times of the reconciler are in `Settings`.

BOUNCE = 0.025
"""A contact that closes again so soon has only chattered; hands are not so quick."""
TOUCH = 0.1
"""A hand that lifts a piece to touch it, or to turn it over, needs longer."""
CATCHING_UP = 0.1
"""News of what happened in a gap may come so long after the first of it."""
OVERLAP = 0.12
"""While a piece crosses a border, its old cell may open this much after the new one closed."""
NUDGE = 0.2
"""A piece that comes back sooner was nudged, not lifted by a hand that means it."""
CROSSING = 0.25
"""A piece that slides slowly to the next cell may keep the old one closed so long."""
SLOW = 0.9
"""A reed that closes on a neighbour's magnet may do so this long before that one opens."""
FLICKER_SPAN = (0.5, 3.0)
"""For twelve changes of a cell bounces need less than the first, hands more than the second."""
OTHER_KING = 2.0
"""A king on a centre square is given so long for the other one to be set beside him."""
PUT_RIGHT = 3.0
"""A legal turn must stand so long that comes about while something illegal is put right."""
DOUBTED = 10.0
"""After so long a cell that alone is odd may be one that does not tell the truth."""


Phase = Literal["waiting", "asking", "over"]
"""How long hands have rested: patience has not run out since the last change (`waiting`), it has
once, or a question was put (`asking`), or none is left, as when the mover has pressed (`over`).
"""


@dataclass(frozen=True, slots=True)
class Sensing:
    """What the board can feel.

    Attributes:
        tier: how much a cell tells of what stands on it.
        tags: the piece set, tag UID -> label of the piece (and face) that carries it.
        cells: every cell of the board, reserve cells included; events of others are ignored.
            Empty means: whatever is named exists.
    """

    tier: Tier = "occupancy"
    tags: Mapping[str, Label] = field(default_factory=dict)
    cells: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Settings:
    """How play is conducted. All times are in seconds.

    Attributes:
        clock: whether there are clock buttons; without them turns are taken when they stand.
        grace: how long something unexplained may stand unchanged before it is illegal.
        settle: how long a complete turn must stand before it is taken without a clock button.
        touch_move: whether the first own piece touched must move, if it can.
        take_backs: whether turns may be undone on the board.
        sealed: whether nothing may be concluded from a turn before somebody presses the clock.
        restore_first: whether, after something illegal, the board must show the position again
            before any turn is taken.
        in_the_air: how long pieces that no turn handles may be off the board.
        lifting_tells: whether it may be seen that no turn handles the one or two pieces that are
            off the board, whose piece was lifted beside a whole turn, and what a disc that came
            from hand unread can be.
        hovering: how long a piece may be off the board before its captures are asked about, where
            the board cannot feel whether it stands on its victim's square (without a clock).
        late: how far the last contact of a turn may lag behind the press of the clock.
        learning: whether no turn has been made yet, so that of pieces which look alike any may
            stand where one of them is due; see `seats`.
        rebuilt: how long the starting position, or the kings in the centre, must stand.
    """

    clock: bool = True
    grace: float = 0.8
    settle: float = 0.3
    touch_move: bool = False
    take_backs: bool = False
    sealed: bool = False
    restore_first: bool = False
    in_the_air: float = 5.0
    lifting_tells: bool = True
    hovering: float = 3.0
    late: float = 0.3
    learning: bool = False
    rebuilt: float = 1.0
