"""What hands do after a turn that is whole on the board while nobody has pressed the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from firmware_bridge.reconciler.acceptance import by_press
from firmware_bridge.reconciler.assess import judge
from firmware_bridge.reconciler.sensor_faults import judge_without

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.observation import View
    from rules.interface import Turn

MOST = 6
"""So many turns are followed of which no press takes one; about more the players must be asked."""


class After(NamedTuple):
    """What the board shows if it is taken that a turn has been made."""

    turn: Turn
    scene: BoardState
    judgement: Assessment


def whole(view: View) -> tuple[Turn, ...]:
    """Return the turns to which the opponent may reply: that of a press, or those asked about."""
    if view.judgement.showing != "turns" or view.amending or view.judgement.asked:
        return ()
    turn = by_press(view)
    turns = view.judgement.turns if turn is None else (turn,)
    return turns if len(turns) <= MOST else ()


def set_down(unpressed: Mapping[Turn, BoardState]) -> list[After]:
    """Return what hands have set down after each of these turns, nothing if they have not."""
    found = []
    for turn, scene in unpressed.items():
        down = scene.extra or scene.wrong or (scene.missing and scene.unsure)
        if down and not scene.rulebook.over:
            judged = judge_without if scene.distrusted else judge
            found.append(After(turn, scene, judged(scene, declared=False, closely=False)))
    return found


def lifted_since(base: BoardState, unpressed: Mapping[Turn, BoardState]) -> Turn | None:
    """Return the turn that stands untouched while the opponent holds pieces lifted after it.

    Where owners are secret, whoever owns these pieces.
    """
    if len(unpressed) != 1:
        return None
    ((turn, scene),) = unpressed.items()
    only_lifted = scene.differs and not (scene.extra or scene.wrong or scene.unsure)
    his = all(
        scene.owners_secret or scene.placement[square][0] != base.mover for square in scene.missing
    )
    touched = base.deed(turn).changes(base.placement).keys() & scene.missing
    return turn if only_lifted and his and not touched else None


def moved_later(base: BoardState, after: After) -> bool:
    """Return whether another piece than those of the turn was moved after it, to another square."""
    scene, origin = after.scene, after.scene.trail.origin
    moved = {target for _, target in base.deed(after.turn).moves}
    came = {origin[square] for square in scene.differing | scene.unsure if square in origin}
    return bool(came or scene.extra) and not came & moved
