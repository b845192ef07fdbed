"""What the reconciler is told once: what is felt, what is known of it, how play is conducted."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import Label, Side, Square, Tier

# Seconds. The other times are in `Settings` and, what hands and contacts do, in `habits.toml`.

CATCHING_UP = 0.1
"""News of what happened in a gap may come so long after the first of it."""
PUT_RIGHT = 3.0
"""A legal turn must stand so long that comes about while something illegal is put right."""
DOUBTED = 10.0
"""After so long a cell that alone is odd may be one that does not tell the truth."""


Phase = Literal["waiting", "asking", "over"]
"""How long hands have rested: patience has not run out since the last change (`waiting`), it has
once, or a question was put (`asking`), or none is left, as when the mover has pressed (`over`).
"""


IMPOSSIBLE = -12.0
"""The weight of what cannot be, `never` in the table: no explanation bears it."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What hands and sensors are known to do; `habits.toml` tells what each of it means.

    Times in seconds, sums of weights, and `weights`: by the name of the factor, how much rarer it
    is than its absence, as a logarithm.
    """

    bounce: float
    knock: float
    touch: float
    overlap: float
    nudge: float
    crossing: float
    slow: float
    carried: float
    kept: float
    unread: float
    fine: float
    weights: Mapping[str, float]


def _shipped() -> tuple[Habits, Mapping[str, Mapping[str, Any]]]:
    data = tomllib.loads(files(__package__).joinpath("habits.toml").read_text(encoding="utf-8"))
    logs = {name: row["weight"] for name, row in data["factors"].items()}
    logs = {name: IMPOSSIBLE if log == "never" else log for name, log in logs.items()}
    habits = Habits(**data["times"], **data["sums"], weights=MappingProxyType(logs))
    return habits, data["factors"]


SHIPPED, FACTORS = _shipped()
"""The habits that come with the project, and the rows of its table of factors."""


@dataclass(frozen=True, slots=True)
class Sensing:
    """What the board can feel.

    Attributes:
        tier: how much a cell tells of what stands on it.
        tags: the piece set, tag UID -> label of the piece (and face) that carries it.
        cells: every cell of the board, reserve cells included; events of others are ignored.
            Empty means: whatever is named exists.
        habits: what its contacts, and the hands on it, are known to do.
        other_faces: tags of discs turned over that show another face, though the label is the same.
        unlit: whether no lights lie under its cells, so that words say what they would.
    """

    tier: Tier = "occupancy"
    tags: Mapping[str, Label] = field(default_factory=dict)
    cells: frozenset[str] = frozenset()
    habits: Habits = SHIPPED
    other_faces: frozenset[str] = frozenset()
    unlit: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """How play is conducted. All times are in seconds.

    Attributes:
        clock: whether a turn waits for a press of the clock; else it is taken when it stands, or
            at a press, if somebody makes one.
        grace: how long something unexplained may stand unchanged before it is illegal.
        settle: how long a complete turn must stand before it is taken without a clock button.
        touch_move: whether the first own piece touched must move, if it can.
        take_backs: whether turns may be undone on the board.
        elsewhere: whose turns no hands here make, such as a computer's.
        sealed: whether nothing may be concluded from a turn before somebody presses the clock.
        restore_first: whether, after a ruling, the board must show the position again before any
            turn is taken; sealed, it must after anything illegal.
        in_the_air: how long pieces that no turn handles may be off the board.
        lifting_tells: whether it may be seen that no turn handles the one or two pieces that are
            off the board, whose piece was lifted beside a whole turn, and what a disc that came
            from hand unread can be.
        hovering: how long a piece may be off the board before its captures are asked about, where
            the board cannot feel whether it stands on its victim's square (without a clock).
        late: how far the last contact of a turn may lag behind the press of the clock.
        learning: whether no turn has been made yet, so that of pieces which look alike any may
            stand where one of them is due; see `seats`.
        lying: by which tag each disc lay when the game was left, in which it is taken up again.
        rebuilt: how long the starting position, or the kings in the centre, must stand.
    """

    clock: bool = True
    grace: float = 0.8
    settle: float = 0.3
    touch_move: bool = False
    take_backs: bool = False
    elsewhere: frozenset[Side] = frozenset()
    sealed: bool = False
    restore_first: bool = False
    in_the_air: float = 5.0
    lifting_tells: bool = True
    hovering: float = 3.0
    late: float = 0.3
    learning: bool = False
    lying: Mapping[Square, str] = field(default_factory=dict)
    rebuilt: float = 1.0
