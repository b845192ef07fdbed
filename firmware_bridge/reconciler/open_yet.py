"""What is open yet of a turn, whatever the board shows: forbidden captures, and replies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import Assessment
from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.event_trace import NUDGE
from firmware_bridge.reconciler.identities import UNTOLD
from firmware_bridge.reconciler.rules_cache import RulesCache
from firmware_bridge.reconciler.unfinished_turns import may_stay_in_the_air

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drivers.port import Reading
    from rules.interface import Label, Square, Turn


def judge_tried(scene: BoardState) -> Assessment | None:
    """See whether a capture may have been made that no rule allows: nobody felt what came down.

    One piece of the mover is missing, and the square of a piece of the opponent was filled again.
    """
    if len(scene.missing) != 1 or scene.extra or scene.wrong:
        return None
    if scene.discs or scene.owners_secret:
        return None  # the question would tell a secret
    (source,) = scene.missing
    filled = {s for s in scene.unsure & scene.resettled(NUDGE) if not _own(scene, s)}
    if not _own(scene, source) or not filled:
        return None
    target = max(filled, key=lambda square: (scene.trail.placed_at[square], square))
    return Assessment("hovering", cells=(target,), asked=True, tried=(source, target))


def judge_answered(
    scene: BoardState,
    looked: Assessment,
    judge: Callable[[], Assessment],
    is_answered: Callable[[Turn], bool],
    *,
    closely: bool,
) -> Assessment | None:
    """See whether the opponent's hands are on the board while it is open what the mover did.

    Args:
        scene: what the board shows.
        looked: what is made of it so far.
        judge: judges the scene, looked at closely.
        is_answered: whether the board shows a reply to a turn of the position.
        closely: whether it is time to ask about pieces that may only be in the air.
    """
    untouched = _without_the_opponent(scene)
    replied = looked.showing == "odd"
    if untouched is None or not (replied or looked.showing == "lifted"):
        return None
    if not replied and (scene.discs or scene.owners_secret or may_stay_in_the_air(scene)):
        return None
    with scene.showing(untouched):
        before = judge()
    if before.tried is not None:
        return before._replace(answered=True)
    if before.showing != "hovering" and len(before.turns) < 2:
        return None
    turns = tuple(turn for turn in before.turns if not replied or is_answered(turn))
    plain = before.showing == "hovering" and any(turn.plain for turn in turns)
    if not turns or (plain and not (replied or closely)):
        return None
    return Assessment("hovering", turns, asked=True, answered=replied or not plain)


def shows_a_reply(
    scene: BoardState,
    turn: Turn,
    standing: Mapping[str, Reading],
    tags: Mapping[str, Label],
    judge: Callable[[BoardState], Assessment],
) -> bool:
    """Return whether the board shows a whole turn from where `turn` leads."""
    rulebook = RulesCache(scene.position.play(turn))
    roles, distrusted = scene.identities.roles, scene.distrusted
    return (
        judge(BoardState(rulebook, standing, tags, roles, distrusted=distrusted)).showing == "turns"
    )


def _without_the_opponent(scene: BoardState) -> Mapping[Square, Label | None] | None:
    """Return what the squares would show on which the opponent's hands were after the mover's."""
    own = [square for square in scene.missing if _own(scene, square)]
    his = scene.missing.difference(own)
    if len(own) != 1 or not his:
        return None
    lifted = scene.trail.lifted_at
    if any(lifted.get(square, 0.0) < lifted.get(own[0], 0.0) for square in his):
        return None
    carried = {s for s in scene.extra | scene.wrong if scene.trail.origin.get(s) in his}
    back = {square: UNTOLD if square in scene.placement else None for square in carried}
    return {**dict.fromkeys(his, UNTOLD), **back}


def _own(scene: BoardState, square: Square) -> bool:
    return scene.placement[square][0] == scene.mover
