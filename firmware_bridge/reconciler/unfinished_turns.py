"""Boards that show no whole turn: its beginning, pieces in the air, or what no turn explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import BEGINNING, LIFTED, Assessment
from firmware_bridge.reconciler.disc_evidence import borne_out
from firmware_bridge.reconciler.labels import same_disc
from rules.explain import Difference, Seen

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square, Turn

LEADS = 24
"""How many turns that the board may lead to are looked at."""
MISSED = 7
"""With more pieces than this off the board nobody asks which of them have part in a turn."""
UPSET_BEYOND = 6
"""So many squares more than any turn changes are no turn gone wrong, but a board upset."""


def judge_unfinished(scene: BoardState, seen: Seen) -> Assessment:
    """Judge a board that shows no whole turn."""
    put_down = bool(scene.extra or scene.wrong)
    if not put_down and not scene.unsure:
        return judge_lifted(scene)
    if scene.explainer.leading_to(seen, every_lift=True):
        return BEGINNING if put_down else LIFTED
    also = _beside_a_turn(scene, seen)
    if also is not None:
        answered = _ahead_of_time(scene, also)
        return Assessment("lifted" if answered else "odd", cells=also, answered=answered)
    if not put_down or scene.explainer.leading_to(seen):
        return judge_lifted(scene)
    return _upset(scene) or _turned_over(scene, seen) or Assessment("odd", cells=_odd(scene))


def judge_lifted(scene: BoardState) -> Assessment:
    """Judge pieces that are off the board, where nothing is set down wrongly."""
    return _upset(scene) or LIFTED


def _upset(scene: BoardState) -> Assessment | None:
    """See whether more has changed than hands do in one turn."""
    changed = len(scene.differing)
    cleared = not scene.shown and len(scene.placement) > 2
    reach = 10 if scene.long_turns else 4
    if cleared or changed >= reach + UPSET_BEYOND:
        return Assessment("upset", cells=tuple(sorted(scene.differing)))
    return None


def _beside_a_turn(scene: BoardState, seen: Seen) -> tuple[Square, ...] | None:
    """Return the fewest pieces that are missing beside a whole turn, `None` if there is none."""
    if len(scene.missing) > MISSED:
        return None
    lacking = scene.explainer.lacking(seen, LEADS)
    found = [one for one in lacking if borne_out(scene, (one.turn,))]
    if not found:
        return None
    _, also = min((_unlikeliness(scene, one.turn), sorted(one.missing)) for one in found)
    return tuple(also)


def _unlikeliness(scene: BoardState, turn: Turn) -> int:
    """Return how many pieces of a turn seem to have come from elsewhere than it says."""
    moves = scene.deed(turn).moves
    return sum(scene.trail.origin.get(target) != source for source, target in moves)


def _ahead_of_time(scene: BoardState, squares: tuple[Square, ...]) -> bool:
    """Return whether the opponent seems to have lifted these after the mover's turn was there."""
    mover = scene.mover
    put_down = max(scene.trail.placed_at.values(), default=0.0)
    return all(
        scene.placement[square][0] != mover and scene.trail.lifted_at.get(square, 0.0) >= put_down
        for square in squares
    )


def _odd(scene: BoardState) -> tuple[Square, ...]:
    """Return the squares that no legal turn explains, or all if each alone might be right."""
    suspects = sorted(scene.extra | scene.wrong)
    if len(suspects) == 1:
        return tuple(suspects)
    occupied = frozenset(scene.shown) - scene.extra
    known = {s: label for s, label in scene.shown.items() if label and s not in scene.differing}
    odd = []
    for square in suspects:
        label = scene.shown[square]
        told = {square: label} if label else {}
        filled = frozenset({square} & scene.extra)
        difference = Difference(frozenset(scene.missing), filled, told)
        alone = Seen(occupied | {square}, {**known, **told}, difference)
        if not scene.explainer.leading_to(alone):
            odd.append(square)
    return tuple(sorted(_with_partners(scene, odd) if odd else suspects))


def _with_partners(scene: BoardState, odd: list[Square]) -> set[Square]:
    """Return the odd squares and those with which their pieces traded places."""
    homes = {scene.trail.origin.get(square) for square in odd} & (scene.extra | scene.wrong)
    return {*odd, *(home for home in homes if home is not None)}


def _turned_over(scene: BoardState, seen: Seen) -> Assessment | None:
    """See whether pieces turned over where they stand are about to be taken off the board."""
    turned = {s for s in scene.wrong if same_disc(scene.shown[s], scene.placement[s])}
    if not turned:
        return None
    without = Seen(
        seen.occupied - turned, {s: label for s, label in seen.known.items() if s not in turned}
    )
    turns = (*scene.explainer.fitting(without), *scene.explainer.leading_to(without, LEADS))
    if any(turned <= set(scene.deed(turn).taken) for turn in turns):
        return BEGINNING
    return None


def may_stay_in_the_air(scene: BoardState) -> bool:
    """Return whether some legal turn handles everything that is off the board now."""
    return bool(scene.explainer.leading_to(scene.seen(), every_lift=True))


def can_move(scene: BoardState, square: Square) -> bool:
    """Return whether some legal turn moves the piece on `square`, or takes it."""
    without = Seen(frozenset(scene.placement) - {square})
    return bool(scene.explainer.leading_to(without, every_lift=True))
