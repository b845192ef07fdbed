"""What may have happened to an odd board without anybody's offence, and what that is worth.

A ruling needs an offence that is likelier than every innocent story, by what it costs to fine
somebody who did nothing wrong. The stories are weighed by the table that all others are weighed by.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from firmware_bridge.reconciler.factors import against, handled, kings_in_the_middle, weight
from firmware_bridge.reconciler.identities import UNTOLD, same_disc
from firmware_bridge.reconciler.knocks import TAKEN_UP
from firmware_bridge.reconciler.secrecy import decides
from firmware_bridge.reconciler.trace import adjoin
from rules.values import king_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from firmware_bridge.reconciler.assessment import Assessment
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.factors import Factor
    from rules.interface import Label, Square, Turn


CASTLING = 2
"""So many squares a king goes at once, at most."""


def earned(
    scene: BoardState,
    cells: Collection[Square],
    attempt: tuple[Square, Square] | None,
    *,
    clock: bool,
    warned: bool,
) -> bool:
    """Return whether an offence is so much likelier than all else that a ruling is earned.

    Args:
        scene: the board, of which no legal turn is shown.
        cells: what is odd of it.
        attempt: the one hand movement that was tried, if it was one.
        clock: whether the mover says by his button what is his turn.
        warned: whether both were told in this turn that the clock is pressed first.
    """
    habits = scene.habits
    offence: tuple[Factor, ...] = ("against-the-rules",)
    if swept(scene):
        offence += ("swept",)
    innocent = [*_innocent(scene, clock=clock, warned=warned)]
    if _cell_wrong(scene, cells, attempt):
        innocent.append("cell-wrong")
    likeliest = max(weight(habits, (factor,)) for factor in innocent)
    return weight(habits, offence) - likeliest >= habits.fine


def _cell_wrong(
    scene: BoardState, cells: Collection[Square], attempt: tuple[Square, Square] | None
) -> bool:
    """Return whether pieces are gone that nobody set down elsewhere, or more came than have left.

    Sensors do that, a piece that falls over and a thing that is laid on the board; they take no
    other piece by it.
    """
    gone = bool(cells) and scene.missing.issuperset(cells)
    stand = scene.extra | scene.wrong | scene.resettled()
    taker = attempt is not None and attempt[0] in cells and attempt[1] in stand
    more = len(scene.extra) > len(scene.missing)
    return (gone and not taker) or (more and not scene.extra.isdisjoint(scene.untagged))


def _pushed(scene: BoardState) -> bool:
    """Return whether all that is astray was pushed there by a hand with another piece."""
    homes = {s: scene.whereabouts.origin.get(s, "") for s in scene.extra | scene.wrong}
    return bool(homes) and all(
        adjoin(home, square) and _in_passing(scene, home, square) for square, home in homes.items()
    )


def _in_passing(scene: BoardState, home: Square, square: Square) -> bool:
    """Return whether no hand took a piece up, and one held another piece at that moment."""
    trail, stands = scene.trail, {s: at for at, s in scene.whereabouts.origin.items()}
    t, left = trail.placed_at.get(square, math.inf), trail.lifted_at.get(home, -math.inf)
    held = {
        other
        for other, at in trail.lifted_at.items()
        if at < t and not at <= trail.placed_at.get(stands.get(other, other), math.inf) <= t
    }
    return t - left <= scene.habits.touch and bool(held - {home, square})


def _innocent(scene: BoardState, *, clock: bool, warned: bool) -> Iterator[Factor]:
    """Yield what speaks against each story in which hands were innocent."""
    yield "accident"
    if _pushed(scene):
        yield "pushed"
    if victim_aside(scene):
        yield "victim-aside"
    if _kings_tell(scene):
        yield "kings-tell"
    if scene.secrecy.legality_tells and _took_elsewhere(scene):
        yield "unfelt-victim"
    if not warned and scene.secrecy.lifts_tell and _others_alone(scene, clock=clock):
        yield "other-hand"


def swept(scene: BoardState) -> bool:
    """Return whether more pieces left their squares at once, or came down, than a hand moves.

    A sleeve or a knock does that, and so do both hands; one hand takes up one piece, or one and its
    victim, whose square it fills, and sets down one.
    """
    lifted, placed = scene.trail.lifted_at, scene.trail.placed_at
    astray = (scene.extra | scene.wrong) & placed.keys()
    if any(len(_together(scene, placed, square) & astray) > 1 for square in astray):
        return True
    for square in scene.differing & lifted.keys() & scene.placement.keys():
        together = _together(scene, lifted, square) & scene.placement.keys()
        filled = together - scene.missing
        taken = len(filled) == 1 and not together.isdisjoint(
            {home for s in filled for home in scene.whereabouts.may_be_from(s) if home != s}
        )
        if len(together) > TAKEN_UP or (len(together) == TAKEN_UP and not taken):
            return True
    return False


def swept_along(seen: Assessment) -> bool:
    """Return whether other pieces left their squares at once with those of the turns shown."""
    scene, lifted = seen.scene, seen.scene.trail.lifted_at
    own = {square for turn in seen.turns for square in handled(scene.deed(turn))}
    return not all(_together(scene, lifted, square) <= own for square in own & lifted.keys())


def _together(scene: BoardState, times: Mapping[Square, float], square: Square) -> set[Square]:
    """Return the squares on which the same happened at the same time."""
    at = times[square]
    return {other for other, t in times.items() if abs(t - at) <= scene.habits.nudge}


def _took_elsewhere(scene: BoardState) -> bool:
    """Return whether the piece in the air may stand on another victim's square, which never opened.

    What was put down where a piece stood is that piece then, which somebody set upright.
    """
    loose = scene.seen_by_tags()
    turns = scene.explainer.fitting(loose) if loose is not None else ()
    return any(not against(scene, turn, ("not-lifted",)) for turn in turns)


def _kings_tell(scene: BoardState) -> bool:
    """Return whether all that stands astray are kings in the middle, where no king could step."""
    kings = kings_in_the_middle(scene)
    return len(kings) > 1 or any(king_steps(*way) > CASTLING for way in kings.items())


def victim_aside(scene: BoardState) -> bool:
    """Return whether the board shows a whole capture but for its victim, put down beside it.

    Where owners are secret, any piece counts on whose square another one was put.
    """
    if scene.secrecy.legality_tells:
        return any(_taken_by(scene, square) for square in sorted(scene.extra))
    homes = [scene.whereabouts.may_be_from(square) for square in scene.extra]
    return bool(scene.missing) and any(not scene.resettled().isdisjoint(home) for home in homes)


def _taken_by(scene: BoardState, square: Square) -> tuple[Turn, ...]:
    """Return the captures that the board shows if what stands on `square` is their victim."""
    label = scene.shown[square]
    with scene.showing({square: None}):
        turns = scene.explainer.fitting(scene.seen())
    placement = scene.placement
    return tuple(
        turn
        for turn in turns
        if scene.deed(turn).moves and not against(scene, turn, ("unexposed",))
        if any(_may_be(label, placement.get(taken, UNTOLD)) for taken in scene.deed(turn).taken)
    )


def _may_be(label: Label, victim: Label) -> bool:
    return label in (UNTOLD, victim) or same_disc(label, victim)


def _others_alone(scene: BoardState, *, clock: bool) -> bool:
    """Return whether the opponent may have moved all that stands astray.

    With a clock that is certain to be his only where a turn of the mover is seen whole besides, or
    where the mover decides in secret: whether his decision stands besides, nobody may be told.
    """
    hidden = without_the_opponent(scene)
    if not hidden or decides(scene.position):
        return bool(hidden)
    with scene.showing(hidden):
        if not scene.differs:  # whether a turn would look like none may be secret
            return not clock
        return bool(scene.explainer.fitting(scene.seen()))


def without_the_opponent(scene: BoardState) -> Mapping[Square, Label | None]:
    """Return what the squares would show on which the opponent's pieces were moved or are gone."""
    mover, placement = scene.mover, scene.placement
    his = {square for square in scene.missing if placement[square][0] != mover}
    origin = scene.whereabouts.origin
    carried = {s for s in scene.extra | scene.wrong if origin.get(s) in his}
    back = {square: UNTOLD if square in placement else None for square in carried}
    return {**dict.fromkeys(his, UNTOLD), **back}
