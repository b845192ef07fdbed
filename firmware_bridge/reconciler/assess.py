"""What a scene shows, leaving time aside: which legal turns explain it, or that none does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import POSITION, Assessment
from firmware_bridge.reconciler.open_yet import judge_tried
from firmware_bridge.reconciler.unfinished_turns import judge_lifted, judge_unfinished
from firmware_bridge.reconciler.unsensed_capture import judge_hovering, or_converted
from firmware_bridge.reconciler.whole_turns import judge_alike, judge_whole

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState


def judge(scene: BoardState, *, declared: bool = False, closely: bool = False) -> Assessment:
    """Return what the scene shows.

    Args:
        scene: the position and what was felt.
        declared: whether the mover declared that the turn says more than hands do.
        closely: whether pieces in the air are looked at as if they might stand somewhere unfelt,
            which nobody asks as long as hands are busy.
    """
    if not scene.differs:
        return judge_alike(scene) if scene.handled_alike else POSITION
    only_lifted = not (scene.extra or scene.wrong or scene.unsure)
    if only_lifted and not closely and scene.long_turns:
        return judge_lifted(scene)
    seen = scene.seen()
    whole = judge_whole(scene, seen, declared=declared)
    if whole is not None:
        return or_converted(scene, whole)
    hovering = judge_hovering(scene, declared=declared) or judge_tried(scene) if closely else None
    if hovering is not None:
        return hovering
    if only_lifted:
        return judge_lifted(scene)
    unfinished = judge_unfinished(scene, seen)
    unexplained = unfinished.showing == "odd" and not closely
    return (judge_hovering(scene, declared=declared) if unexplained else None) or unfinished
