"""One look at the board: what it shows against this position, the one before, and the past."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.factors import UNSEEN, handled
from firmware_bridge.reconciler.identities import UNTOLD
from firmware_bridge.reconciler.preparation import RulesCache
from firmware_bridge.reconciler.stories import (
    BEGINNING,
    BUSY,
    LIFTED,
    POSITION,
    Assessment,
    can_move,
    judge,
    may_stay_in_the_air,
    told,
)
from rules.values import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from drivers.port import Reading
    from firmware_bridge.reconciler.game_tracker import GameTracker, Past
    from firmware_bridge.reconciler.settings import Sensing
    from rules.interface import Label, Side, Square, Turn


@cache
def centre_of(squares: frozenset[Square]) -> Mapping[frozenset[Square], Side | None]:
    """Return where both kings are set to tell the result, by the squares of the board.

    On the light ones of the four squares in the middle White has won, on the dark ones Black, one
    above the other it is a draw. A board without four squares in its middle has no such sign.
    """
    files = sorted({square[0] for square in squares})
    ranks = sorted({square[1:] for square in squares}, key=int)
    if len(files) % 2 or len(ranks) % 2:
        return {}
    left, right = files[len(files) // 2 - 1 : len(files) // 2 + 1]
    low, high = ranks[len(ranks) // 2 - 1 : len(ranks) // 2 + 1]
    rising, falling = frozenset({left + low, right + high}), frozenset({right + low, left + high})
    light = (ord(left) + int(low)) % 2  # a1 is dark
    return {
        rising: "white" if light else "black",
        falling: "black" if light else "white",
        frozenset({left + low, left + high}): None,
        frozenset({right + low, right + high}): None,
    }


def turns_undone(
    past: Sequence[Past],
    scene: BoardState,
    standing: Mapping[str, Reading],
    sensing: Sensing,
) -> int:
    """Return how many turns back the board shows a position of the past; 0 if it shows none."""
    occupied = scene.shown.keys()
    for count, before in enumerate(reversed(past), start=1):
        if before.placement.keys() != occupied:
            continue
        roles = before.roles
        if not BoardState(
            RulesCache(before.position), standing, sensing, roles, strict=roles
        ).differs:
            return count
    return 0


def on_the_way_back(past: Past, scene: BoardState, tags: Mapping[str, Label]) -> bool:
    """Return whether only what the last turn changed has been lifted, and set down as it was."""
    before, now = past.placement, scene.placement
    if any(before.get(square) == now.get(square) for square in scene.differing):
        return False
    for square in scene.extra | scene.wrong:
        uid = scene.identities.on.get(square)
        was = past.roles.get(uid) or tags.get(uid, UNTOLD) if uid else scene.shown[square]
        if square not in past.placement or was not in (UNTOLD, past.placement[square]):
            return False
    return True


def shows_start(
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


def kings_in_centre(scene: BoardState) -> frozenset[Square] | None:
    """Return the two centre squares on which the kings tell the result, or `None`."""
    position = scene.position
    kings = {square for square in map(position.king, SIDES) if square}
    homes = {square: scene.placement[square] for square in kings}
    if len(homes) != 2 or not kings <= scene.missing | scene.wrong:
        return None
    for squares in centre_of(scene.squares):
        if not squares <= scene.shown.keys() or squares & homes.keys():
            continue
        labels = {scene.shown[square] for square in squares}
        if labels == set(homes.values()):
            return squares
        if labels == {UNTOLD} and _only_kings_were_set_down(scene, squares, kings):
            return squares
    return None


def _only_kings_were_set_down(
    scene: BoardState, squares: frozenset[Square], homes: Collection[Square]
) -> bool:
    """Return whether only the kings left their squares, and what stood in the centre for them."""
    if scene.shown.keys() == squares:
        return True
    set_down = scene.extra | scene.unsure
    gone = scene.missing
    return set(homes) <= gone <= _middle(scene).union(homes) and set_down == squares


def _middle(scene: BoardState) -> frozenset[Square]:
    return frozenset().union(*centre_of(scene.squares))


def _lone_king(scene: BoardState) -> bool:
    """Return whether the one odd thing is a king on a centre square: the other may follow."""
    odd = scene.extra | scene.wrong
    if len(odd) != 1:
        return False
    (square,) = odd
    home = scene.trail.origin.get(square)
    return square in _middle(scene) and home in map(scene.position.king, SIDES)


Sign = Literal["undone", "start", "kings"]
"""What a board that shows no turn may still say."""


class View(NamedTuple):
    """What the board shows.

    Attributes:
        judgement: the judgement of the scene that explains the board best.
        scene: that scene.
        amending: whether it is the scene before the turn taken last, which the mover changes.
        sign: what the board says apart from turns.
        undone: how many turns were undone, with the sign `undone`.
        centre: where the kings stand, with the sign `kings`.
        ahead: the turn after which the scene is judged, though nobody has pressed the clock yet.
        lone_king: whether a king stands on a centre square, and the other one may follow.
    """

    judgement: Assessment
    scene: BoardState
    amending: bool = False
    sign: Sign | None = None
    undone: int = 0
    centre: frozenset[Square] = frozenset()
    ahead: Turn | None = None
    lone_king: bool = False


def look(course: GameTracker, *, closely: bool = False) -> View:
    """Return what the board shows.

    Args:
        course: the course of the game so far.
        closely: whether it is time to ask where pieces in the air may stand unfelt.
    """
    scene = course.scene
    judgement = judge(scene, declared=course.declared, closely=closely)
    showing = judgement.showing
    if showing == "turns" and scene.discs and course.before is not None:
        amending = _amending(course, showing, closely=closely)
        if amending is not None and amending.judgement.turns:  # two stories: nobody guesses
            both = (*judgement.stories, *POSITION.stories)
            return View(judgement._replace(showing="hovering", stories=both), scene)
    if showing in ("position", "turns", "hovering"):
        return View(judgement, scene)
    begun = showing in ("beginning", "halfway")
    if course.before is not None and not (begun and _own_came(scene)):
        amending = _amending(course, showing, closely=closely)
        if amending is not None:
            return amending
    if begun or showing == "lifted":
        said = _undone(scene, course) if scene.extra else _kings(scene, judgement)
        return said or View(_answered(course, judgement, closely=closely) or judgement, scene)
    sign = _sign(scene, course, judgement)
    asked = None if sign else _answered(course, judgement, closely=closely)
    return sign or View(asked or _or_over(scene, judgement), scene, lone_king=_lone_king(scene))


def _own_came(scene: BoardState) -> bool:
    """Return whether all that stands astray is known to be the mover's: it amends no turn."""
    homes = (scene.trail.origin.get(square, "") for square in scene.extra)
    return all(scene.placement.get(home, " ")[0] == scene.mover for home in homes)


def _answered(course: GameTracker, looked: Assessment, *, closely: bool) -> Assessment | None:
    """See whether the opponent's hands are on the board, though nobody said what the mover did."""
    scene = course.scene
    untouched = None if course.settings.clock else _without_the_opponent(scene)
    replied = looked.showing == "odd"
    if untouched is None or not (replied or looked.showing == "lifted"):
        return None
    if not replied and (scene.discs or scene.owners_secret or may_stay_in_the_air(scene)):
        return None
    with scene.showing(untouched):
        before = judge(scene, declared=course.declared, closely=True)
    if before.tried is not None:
        return before._replace(answered=True)
    if before.showing != "hovering" and len(before.turns) < 2:
        return None
    turns = tuple(turn for turn in before.turns if not replied or _replied(scene, turn, course))
    plain = before.showing == "hovering" and any(turn.plain for turn in turns)
    if not turns or (plain and not (replied or closely)):
        return None
    return Assessment("hovering", told(turns, UNSEEN), answered=replied or not plain)


def _replied(scene: BoardState, turn: Turn, course: GameTracker) -> bool:
    """Return whether the board shows a whole turn from where `turn` leads."""
    rulebook, roles = RulesCache(scene.position.play(turn)), scene.identities.roles
    after = BoardState(
        rulebook, course.standing, course.sensing, roles, distrusted=scene.distrusted
    )
    return judge(after).showing == "turns"


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


def _or_over(scene: BoardState, judgement: Assessment) -> Assessment:
    """Let the pieces be cleared away when the game is over."""
    return LIFTED if scene.rulebook.over else judgement


def _amending(course: GameTracker, showing: str, *, closely: bool) -> View | None:
    """See whether the mover goes on with the turn that was taken already."""
    scene, before = course.scene, course.before
    if before is None or (showing == "lifted" and _begins_a_capture(scene, before)):
        return None
    judgement = judge(before, declared=course.declared, closely=closely)
    answering = _lifted_in_answer(scene, before)
    asked = judgement.showing == "hovering" and closely
    if before.differs and (judgement.showing == "turns" or asked):
        turns = [turn for turn in judgement.turns if answering <= handled(before.deed(turn))]
        return View(judgement.of(turns), before, amending=True) if turns else None
    if showing == "lifted":
        return None
    if not before.differs:
        sign: Sign | None = "undone" if course.settings.take_backs else None
        return View(BEGINNING, before, amending=True, sign=sign, undone=1)
    begun = judgement.showing in BUSY
    begun = begun and (not answering or may_stay_in_the_air(before))
    whole = bool(judgement.cells) and answering.issuperset(judgement.cells)
    return View(BEGINNING, before, amending=True) if begun or whole else None


def _lifted_in_answer(scene: BoardState, before: BoardState) -> set[Square]:
    """Return whose pieces the opponent has lifted since the turn: amended, it captures them."""
    if before.mover == scene.mover:
        return set()
    lifted = scene.trail.lifted_at.keys() & before.differing
    return {square for square in lifted if scene.placement.get(square, " ")[0] == scene.mover}


def _begins_a_capture(scene: BoardState, before: BoardState) -> bool:
    """Return whether only what was moved last is lifted: the opponent may be about to take it."""
    if scene.extra or scene.wrong or scene.unsure or len(scene.missing) != 1:
        return False
    (square,) = scene.missing
    moved = before.placement.get(square) != scene.placement[square]
    return moved and scene.placement[square][0] != scene.mover and can_move(scene, square)


def _undone(scene: BoardState, course: GameTracker) -> View | None:
    """See whether the board shows a position of the past."""
    if course.settings.take_backs and course.past:
        undone = turns_undone(course.past, scene, course.standing, course.sensing)
        if undone and (undone <= 2 or not shows_start(scene, course.start)):
            return View(BEGINNING, scene, sign="undone", undone=undone)
    return None


def _kings(scene: BoardState, judgement: Assessment) -> View | None:
    """See whether both kings were set on centre squares to tell the result."""
    if len(scene.missing | scene.wrong) < 2 or not scene.position.game.traits.kings:
        return None
    centre = kings_in_centre(scene)
    return View(judgement, scene, sign="kings", centre=centre) if centre is not None else None


def _sign(scene: BoardState, course: GameTracker, judgement: Assessment) -> View | None:
    """See whether a board that shows no turn says something else."""
    undone = _undone(scene, course)
    if undone is not None:
        return undone
    began = course.past[0].placement if course.past else None
    under_way = course.under_way or len(course.past) > 1
    if under_way and shows_start(scene, course.start, began):
        return View(judgement, scene, sign="start")
    kings = _kings(scene, judgement)
    if kings is not None:
        return kings
    undoing = judgement.showing == "odd" and course.settings.take_backs and course.past
    if undoing and on_the_way_back(course.past[-1], scene, course.sensing.tags):
        return View(judgement._replace(showing="lifted"), scene)
    return None
