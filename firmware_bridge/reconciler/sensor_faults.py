"""Cells that do not tell the truth: noticing them, and judging the board without them."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import combinations
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assess import judge
from firmware_bridge.reconciler.assessment import BEGINNING, Assessment
from firmware_bridge.reconciler.event_trace import BOUNCE
from firmware_bridge.reconciler.whole_turns import judge_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square, Turn

FLICKERS = 12
"""So many changes of one cell within `FLICKER_SPAN` are no hand and no bounce."""
FLICKER_SPAN = (0.5, 3.0)
"""Seconds: bounces are shorter than the first, hands need longer than the second."""
MOST_AT_ONCE = 2
"""How many cells may be wrong at the same time for the others to make up for them."""


class CellWatch:
    """Remembers when cells changed, to notice those that change by themselves or never do."""

    def __init__(self) -> None:
        self._changes: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=FLICKERS))

    def note(self, cell: str, t: float) -> bool:
        """Take in a change and return whether the cell flickers."""
        times = self._changes[cell]
        if times and t - times[-1] <= BOUNCE:
            return False
        times.append(t)
        least, most = FLICKER_SPAN
        return len(times) == FLICKERS and least <= t - times[0] <= most

    def never_changed(self, cell: str) -> bool:
        """Return whether the cell has always read the same."""
        return cell not in self._changes


def judge_without(scene: BoardState, *, declared: bool, closely: bool) -> Assessment:
    """Return what the scene shows if the distrusted squares may show anything.

    They are taken to show the position. Where the board is odd then, they may show something else;
    where a piece seems to be in the air, it may also stand on one of them, so the players decide.
    """
    base = judge(scene, declared=declared, closely=closely)
    if base.showing == "position":
        return base
    others = [
        judge(scene, declared=declared, closely=closely)
        for _ in _otherwise(scene, scene.distrusted)
    ]
    turns = _union(base, *others)
    if base.showing in ("lifted", "beginning", "hovering"):
        return Assessment("hovering", turns) if turns else base
    if turns:
        return Assessment("turns", turns, longer=any(other.longer for other in (base, *others)))
    begun = any(other.showing in ("beginning", "lifted", "hovering") for other in others)
    return BEGINNING if begun else base


def stuck_cell(scene: BoardState, watch: CellWatch) -> tuple[Square, Assessment] | None:
    """Return the one cell that may be stuck closed, and the turns that it would hide.

    A piece has been set down, no piece seems to have left its square, and only one cell that has
    never changed would explain it.
    """
    if len(scene.extra) != 1 or scene.missing:
        return None
    found = [
        (square, Assessment("hovering", judgement.turns, asked=True))
        for square, judgement in _if_one_opened(scene)
        if watch.never_changed(square)
    ]
    return found[0] if len(found) == 1 else None


def opens_late(scene: BoardState) -> bool:
    """Return whether a legal turn would be there if one cell, slow to open, opened as well."""
    return any(True for _ in _if_one_opened(scene))


def _if_one_opened(scene: BoardState) -> Iterator[tuple[Square, Assessment]]:
    """Yield the squares of the mover that may hold nothing any more, and what the board shows so.

    Something has been set down then, though it seems that its piece has not left its square.
    """
    if not scene.extra or scene.wrong or not scene.extra <= scene.untagged:
        return
    for square, label in scene.placement.items():
        if label[0] == scene.mover and square in scene.untagged:
            with scene.showing_otherwise({square}):
                whole = judge_whole(scene, scene.seen(), declared=False)
            if whole is not None and whole.showing == "turns":
                yield square, whole


def onto_dead_cells(scene: BoardState, watch: CellWatch) -> tuple[Turn, ...]:
    """Return the turns that carry the only missing piece to a cell that has never felt anything."""
    if len(scene.differing) != 1 or not scene.missing:
        return ()
    return tuple(
        turn
        for turn in scene.position.turns()
        if (target := _only_target(scene, turn)) is not None and watch.never_changed(target)
    )


def _only_target(scene: BoardState, turn: Turn) -> Square | None:
    """Return the empty square to which a turn does no more than carry the missing piece."""
    changed = scene.deed(turn).changes(scene.placement).keys()
    if len(changed) != 2 or not scene.missing < changed:
        return None
    (target,) = changed - scene.missing
    return target if target not in scene.placement else None


def lone_oddity(scene: BoardState) -> Square | None:
    """Return the one square that differs, if it may do so because its cell is dead or stuck.

    A tag that is read leaves no doubt that something stands there.
    """
    if len(scene.differing) != 1:
        return None
    (square,) = scene.differing
    return square if square in scene.missing or square in scene.untagged else None


def _otherwise(scene: BoardState, squares: AbstractSet[Square]) -> Iterator[None]:
    """Let the scene show, in turn, some of the squares otherwise than it does."""
    for count in range(1, MOST_AT_ONCE + 1):
        for chosen in combinations(sorted(squares), count):
            with scene.showing_otherwise(chosen):
                yield


def _union(*judgements: Assessment) -> tuple[Turn, ...]:
    turns = (turn for judgement in judgements for turn in judgement.turns)
    return tuple(dict.fromkeys(turns))
