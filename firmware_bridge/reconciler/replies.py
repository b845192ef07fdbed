"""How turns end: by a press, the opponent's lift, or his reply to what nobody has pressed for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drivers.port import CellEvent
from firmware_bridge.reconciler.factors import VICTIM_NUDGED, handled
from firmware_bridge.reconciler.identities import UNTOLD, grown_into, is_tag
from firmware_bridge.reconciler.stories import judge, may_stay_in_the_air

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.port import Reading, Snapshot
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.observation import View
    from firmware_bridge.reconciler.stories import Assessment
    from rules.interface import Deed, Label, Turn


def by_press(view: View) -> Turn | None:
    """Return the turn that a press confirms: the only one, or the plain one of several."""
    judgement = view.judgement
    turns = judgement.turns
    if judgement.asked:
        return None
    if len(turns) > 1 or (judgement.showing != "turns" and _moves(view, turns)):
        plain = tuple(turn for turn in turns if turn.plain)
        turns = plain or _without_more(view, turns)
    return turns[0] if len(turns) == 1 else None


def _without_more(view: View, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the turns of which all the others are the same and more, confirmed by a touch.

    There is one where a promotion has been answered by the piece that was set down.
    """
    deeds = [view.scene.deed(turn) for turn in turns]
    bare = [deed for deed in deeds if deed.touch is None]
    if view.judgement.showing != "turns" or len(bare) != 1:
        return ()
    (less,) = bare
    same = all(
        deed.moves == less.moves and set(less.becomes) <= set(deed.becomes) for deed in deeds
    )
    return (turns[deeds.index(less)],) if same else ()


def _moves(view: View, turns: tuple[Turn, ...]) -> bool:
    """Return whether one of these moves a piece, which may be meant otherwise."""
    return any(view.scene.deed(turn).moves for turn in turns)


def by_next_lift(view: View) -> bool:
    """Return whether a turn is likely enough for the opponent's lift to end it, if none is sooner.

    It is the capture that may have been a nudge, or beside which the others are far-fetched.
    """
    judgement, habits = view.judgement, view.scene.habits
    if not judgement.turns:
        return False
    first, *others = judgement.turns
    if others:
        plain = first.plain and not any(turn.plain for turn in others)
        return plain and not judgement.asked and judgement.lead(habits) >= habits.lead
    return judgement.sure(habits) == habits.weights[VICTIM_NUDGED.name]


def by_lift(view: View, cell: str, event: CellEvent | Snapshot) -> Turn | None:
    """Return the turn that the board shows, if it is the opponent who lifts the piece on `cell`.

    Args:
        view: what the board showed before.
        cell: the cell that was emptied.
        event: with what that was felt; what it contradicts does not stand any more.
    """
    turn, base = view.judgement.turns[0], view.scene
    owner = base.placement.get(cell, base.position.side)[0]
    deed = base.deed(turn)
    ends = owner != base.mover and cell not in handled(deed)
    return turn if ends and _stands(base, deed, event) else None


def _stands(base: BoardState, deed: Deed, event: CellEvent | Snapshot) -> bool:
    """Return whether what a deed left on the board stands yet, and nothing new, with this."""
    if isinstance(event, CellEvent):
        return True
    left, readings, stood = deed.changes(base.placement), event.readings, base.identities.on
    standing = {cell for cell, reading in readings.items() if reading is not None}
    return standing & base.squares <= base.shown.keys() | base.distrusted and all(
        (readings.get(square) is None) == (label is None)
        and not _other_tag(stood.get(square), readings.get(square))
        and _may_be(base, label, readings.get(square))
        for square, label in left.items()
    )


def _may_be(base: BoardState, due: Label | None, reading: Reading) -> bool:
    """Return whether what is read may be the piece that a deed left there."""
    if due is None or not is_tag(reading):
        return True
    told = base.identities.label(reading)
    return told == UNTOLD or grown_into(told, due, strict=False)


def _other_tag(stood: str | None, reading: Reading) -> bool:
    """Return whether a tag is read where another one stood: another piece is there now."""
    return stood is not None and isinstance(reading, str) and reading != stood


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
            found.append(After(turn, scene, judge(scene)))
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


def may_be_parked(scene: BoardState) -> bool:
    """Return whether what seems a reply may be a victim, set aside while the mover goes on."""
    if not scene.long_turns:
        return False
    origin = scene.trail.origin
    homes = {square: scene.placement.get(origin.get(square, square)) for square in scene.extra}
    aside = {square: None for square, was in homes.items() if was and was[0] != scene.mover}
    with scene.showing(aside):
        return bool(aside) and may_stay_in_the_air(scene)
