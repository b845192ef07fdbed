"""One look at the board: held against this position, the one before, and those of the past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import BUSY, NOTHING, Assessment, Sign, busy, hovering
from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.factors import against, centre_of, handled, middle
from firmware_bridge.reconciler.identities import UNTOLD
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.redress import without_the_opponent
from firmware_bridge.reconciler.secrecy import decides
from firmware_bridge.reconciler.stories import judge, may_stay_in_the_air, stands
from firmware_bridge.reconciler.trace import NOWHERE
from rules.values import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from firmware_bridge.reconciler.bases import Base
    from firmware_bridge.reconciler.game_tracker import GameTracker
    from rules.interface import Deed, Label, Square, Turn


# --- The turn taken last, amended -------------------------------------------------------------


def _own_came(scene: BoardState) -> bool:
    """Return whether all that stands astray is known to be the mover's: it amends no turn."""
    origin, placement = scene.whereabouts.origin, scene.placement
    own = all(placement.get(origin.get(s, ""), " ")[0] == scene.mover for s in scene.extra)
    return own and scene.turned() <= scene.wrong  # another one was turned over, or back


def _amended(course: GameTracker, seen: Assessment) -> Assessment | None:
    """See whether the mover goes on with the turn that was taken already."""
    scene, before = course.scene, course.before
    lifted = seen.showing == "lifted"
    begun = seen.showing in ("beginning", "halfway")
    if before is None or (begun and scene.secrecy.lifts_tell and _own_came(scene)):
        return None
    judged = judge(before, declared=course.declared, closely=seen.closely)._replace(amending=True)
    answering = _lifted_in_answer(scene, before)
    shown = judged.showing == "turns" or (judged.showing == "hovering" and seen.closely)
    if shown and (before.differs or (scene.discs and seen.showing != "turns")):  # by tags
        turns = [turn for turn in judged.turns if answering <= handled(before.deed(turn))]
        if lifted and not seen.closely:
            turns = [turn for turn in turns if not _may_be_nudged(before, before.deed(turn))]
        if turns:  # else it is as if there were none: that there are would tell
            return judged.of(turns)
    if lifted:
        return None
    goes_on = busy(before, "beginning")._replace(amending=True)
    if not before.differs:
        return goes_on._replace(sign=Sign("undone", 1)) if course.settings.take_backs else goes_on
    if not scene.secrecy.legality_tells:
        now, was = scene.placement, before.placement
        busy_yet = any(was.get(square) == now[square] for square in scene.missing)
        told = judged if judged.showing == "odd" and not busy_yet else goes_on
        return told if scene.moved_last_alone else None
    undone = not (before.extra or before.wrong)  # what is lifted now may as well be adjusted
    goes_on_so = undone or not answering or may_stay_in_the_air(before)
    on_the_way = judged.showing in BUSY and goes_on_so
    whole = bool(judged.cells) and answering.issuperset(judged.cells)
    return goes_on if on_the_way or whole else None


def _came_home(scene: BoardState) -> bool:
    """Return whether what the turn taken last has moved stood again where it had come from.

    Nothing else was in the air then that may have come down there.
    """
    sources = scene.trail.moved_last - scene.placement.keys() - scene.whereabouts.visited
    return not sources.isdisjoint(scene.trail.lifted_at)


def _may_be_nudged(scene: BoardState, deed: Deed) -> bool:
    """Return whether its victims were empty for a moment only: the opponent may hold what moved."""
    taken = {target for _, target in deed.moves} & scene.unsure
    return scene.secrecy.lifts_tell and bool(taken) and all(map(scene.trail.nudged, taken))


def _lifted_in_answer(scene: BoardState, before: BoardState) -> set[Square]:
    """Return whose pieces the opponent has lifted since the turn: amended, it captures them."""
    if before.mover == scene.mover:
        return set()
    lifted = scene.trail.lifted_at.keys() & before.differing
    if not scene.secrecy.lifts_tell:  # all but what the turn itself has moved, whoever owns it
        return {s for s in lifted if before.placement.get(s) == scene.placement.get(s)}
    return {square for square in lifted if scene.placement.get(square, " ")[0] == scene.mover}


# --- The opponent's hands, ahead of his time --------------------------------------------------


def _answered(course: GameTracker, seen: Assessment) -> Assessment | None:
    """See whether the opponent's hands are on the board, though nobody said what the mover did."""
    scene, replied = course.scene, seen.showing == "odd"
    untold = course.settings.clock or decides(scene.position)
    untouched = {} if untold else _ahead(scene)
    if not untouched or not (replied or seen.showing == "lifted"):
        return None
    secret = scene.discs or not scene.secrecy.legality_tells
    if not replied and (secret or may_stay_in_the_air(scene)):
        return None
    with scene.showing(untouched):
        before = stands(scene, declared=course.declared, closely=True)
    if before.tried is not None:
        return before._replace(answered=True)
    if before.showing != "hovering" and len(before.turns) < 2:
        return None
    turns = tuple(turn for turn in before.turns if not replied or course.replied_to(turn))
    plain = before.showing == "hovering" and any(turn.plain for turn in turns)
    if not turns or (plain and not (replied or seen.closely)):
        return None
    return hovering(scene, turns, "unseen")._replace(answered=replied or not plain)


def _ahead(scene: BoardState) -> Mapping[Square, Label | None]:
    """Return what the squares would show on which the opponent's hands were after the mover's."""
    own = [square for square in scene.missing if scene.placement[square][0] == scene.mover]
    lifted = scene.trail.lifted_at
    if len(own) != 1 or any(lifted.get(s, 0.0) < lifted.get(own[0], 0.0) for s in scene.missing):
        return {}
    return without_the_opponent(scene)


def lifted_since(
    base: BoardState, unpressed: Collection[Base], *, taken: bool, lifting: bool
) -> Turn | None:
    """Return the turn that stands while the opponent holds pieces lifted after it.

    Where owners are secret, whoever owns these pieces; elsewhere his own, or what a reply takes.
    What the turn has moved stands untouched, or may be `taken` by him, who holds another one, or is
    `lifting` it now.
    """
    if len(unpressed) != 1:
        return None
    (after,) = unpressed
    turn, scene = after.turn, after.scene
    if turn is None or not scene.missing or scene.extra or scene.wrong or scene.unsure:
        return None
    moved = base.deed(turn).changes(base.placement).keys()
    held = scene.missing - moved if taken else scene.missing
    if not (held or lifting) or held & moved or _held_already(scene, held):
        return None
    own = any(base.secrecy.own(base.mover, scene.placement[square]) for square in held)
    return None if own and not may_stay_in_the_air(scene) else turn


def moved_later(base: BoardState, turn: Turn, after: BoardState) -> bool:
    """Return whether another piece than those of the turn was moved after it, to another square.

    That one of them is read elsewhere, or its victim where it stood, tells that it was not made.
    What came from nowhere may be that victim, or what took one that was perhaps only nudged. What
    is to be set down once more was.
    """
    origin, was, deed = after.whereabouts.origin, base.whereabouts.origin, base.deed(turn)
    moved = {target for _, target in deed.moves}
    came = {origin[square] for square in after.differing | after.unsure if square in origin}
    read = {was.get(square) for square in after.extra & base.identities.on.keys()}
    made = read.isdisjoint(home for home, _ in deed.moves)
    made &= not any(map(base.same_piece, deed.taken))
    since = came - _held_already(after, came)
    anew = (s for s in after.extra if origin.get(s) not in came - since)
    strange = any(was.get(square) not in deed.taken for square in anew)
    sure = not against(base, turn, ("victim-nudged",))
    later = since or (strange and sure) or after.trail.asked
    return made and bool(later) and not came & moved


def _held_already(after: BoardState, squares: Iterable[Square]) -> set[Square]:
    """Return from which of these the piece was lifted before the turn was whole that led here."""
    lifted, begun = after.trail.lifted_at, after.trail.begun
    return {square for square in squares if lifted.get(square, begun) < begun}


# --- The past ---------------------------------------------------------------------------------


def _undone(course: GameTracker, seen: Assessment) -> Assessment | None:
    """See whether the board shows a position of the past, or is on the way back to the last."""
    scene = course.scene
    if not course.settings.take_backs or not (scene.extra or seen.showing in ("odd", "upset")):
        return None
    filled = course.standing.keys() & scene.squares
    for count, past in enumerate(reversed(course.past), start=1):
        whole = past.placement.keys() == scene.shown.keys()
        if (whole or (count == 1 and seen.showing == "odd")) and filled <= past.placement.keys():
            cache, roles = RulesCache(past.position), past.roles
            then = BoardState(cache, course.standing, course.sensing, roles, strict=roles)
            if not then.differs:
                if count > 2 and _shows_start(scene, course.start):
                    return None
                return busy(scene, "beginning")._replace(sign=Sign("undone", count))
            if not then.wrong:
                return seen._replace(showing="lifted")
    return None


def _set_up_anew(course: GameTracker, seen: Assessment) -> Assessment | None:
    """See whether the start was set up in the middle of a game."""
    if seen.showing in BUSY or not (course.under_way or len(course.past) > 1):
        return None
    began = course.past[0].placement if course.past else None
    start = _shows_start(course.scene, course.start, began)
    return seen._replace(sign=Sign("start")) if start else None


def _shows_start(
    scene: BoardState, start: Mapping[Square, Label], began: Mapping[Square, Label] | None = None
) -> bool:
    """Return whether the board shows the starting position; of two-faced discs only the sides.

    So most of them must have been set down for that, or all lie as they lay when the game began: a
    few others that come home begin nothing.
    """
    if scene.shown.keys() != start.keys():
        return False
    set_down = len(scene.trail.placed_at.keys() & start.keys())
    face = scene.position.game.face
    if scene.discs and 2 * set_down < len(start):
        looks = {square: face(label) for square, label in scene.shown.items()}
        if looks != {square: face(label) for square, label in (began or {}).items()}:
            return False
    for square, have in scene.shown.items():
        due = start[square]
        if have != UNTOLD and (have[0] != due[0] if ":" in due else face(have) != face(due)):
            return False
    return True


# --- The kings --------------------------------------------------------------------------------


def _kings_tell(course: GameTracker, seen: Assessment) -> Assessment | None:
    """See whether both kings stand in the centre, to tell the result; one may have made a turn."""
    for scene in filter(None, (course.scene, course.before)):
        gone = scene.missing | scene.wrong
        both = map(scene.position.king, SIDES) if len(gone) > 1 else ()
        kings = {square for square in both if square in gone}
        if len(kings) != 2 or (scene.extra and seen.showing in BUSY):
            continue
        due = {scene.placement[square] for square in kings}
        for squares, winner in centre_of(scene.squares).items():
            if squares <= scene.shown.keys() and not squares & kings:
                labels = {scene.shown[square] for square in squares}
                untold = labels == {UNTOLD} and _only_kings_were_set_down(scene, squares, kings)
                if untold or labels == due:
                    return seen._replace(sign=Sign("kings", winner=winner))
    return None


def _only_kings_were_set_down(
    scene: BoardState, squares: frozenset[Square], homes: Collection[Square]
) -> bool:
    """Return whether only the kings left their squares, and what stood in the centre for them."""
    if scene.shown.keys() == squares:
        return True
    set_down = scene.extra | scene.unsure
    gone = scene.missing
    return set(homes) <= gone <= middle(scene).union(homes) and set_down == squares


def amends_yet(seen: Assessment) -> bool:
    """Return whether the mover seems to be in the middle of changing the turn taken last."""
    return seen.amending and seen.showing in BUSY and seen.sign is None


def look(course: GameTracker, *, closely: bool = False) -> Assessment:
    """Return what the board shows: held against where play stands, or, without a turn, elsewhere.

    Args:
        course: the course of the game so far.
        closely: whether it is time to ask where pieces in the air may stand unfelt.
    """
    seen = judge(course.scene, declared=course.declared, closely=closely)
    if course.position.side in course.settings.elsewhere and seen.showing != "position":
        seen = busy(course.scene, "lifted")  # hands make none of its turns: what is legal tells
    if closely:
        seen = seen._replace(closely=True)
    if seen.showing == "turns" and course.scene.discs:
        amended = _amended(course, seen)
        if amended is not None and amended.turns:  # two stories: nobody guesses
            return seen._replace(showing="hovering", stories=(*seen.stories, NOTHING))
    scene, before = course.scene, course.before
    right = seen.showing == "position" and scene.secrecy.legality_tells
    turned = scene.discs and scene.turned()  # with like faces, perhaps back, and another one
    agreed = scene.whereabouts.agreed
    if right and before and (turned or _came_home(scene) or NOWHERE in agreed.values()):
        other, after = _amended(course, seen), before.rulebook.after
        turns = [t for t in (other.turns if other else ()) if after(t).position != course.position]
        amended = other.of(turns) if other and turns else seen
        return amended if amended.likelihood > scene.habits.weights["left-turned"] else seen
    if seen.showing in ("position", "turns", "hovering"):
        return seen
    others = (hypothesis(course, seen) for hypothesis in HYPOTHESES)
    found = next((one for one in others if one is not None), seen)
    if amends_yet(found) and (undone := _undone(course, seen)) and undone.sign:
        found = undone  # a whole position is likelier than a hand on its way
    return found if found.closely == closely else found._replace(closely=closely)


HYPOTHESES = (
    _amended,
    _undone,
    _set_up_anew,
    _kings_tell,
    _answered,
)
"""What else a board may show that shows no turn, the likelier first."""
