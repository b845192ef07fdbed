"""One look at the board: what it shows against this position, the one before, and the past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from firmware_bridge.reconciler.assess import judge
from firmware_bridge.reconciler.assessment import BEGINNING, LIFTED, Assessment
from firmware_bridge.reconciler.open_yet import judge_answered, shows_a_reply
from firmware_bridge.reconciler.rebuilt_board import (
    kings_in_centre,
    on_the_way_back,
    shows_start,
    turns_undone,
)
from firmware_bridge.reconciler.sensor_faults import judge_without
from firmware_bridge.reconciler.turn_evidence import handled, in_time
from firmware_bridge.reconciler.unfinished_turns import can_move, may_stay_in_the_air

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drivers.port import Reading
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.rebuilt_board import Past
    from rules.interface import Label, Square, Turn

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
    """

    judgement: Assessment
    scene: BoardState
    amending: bool = False
    sign: Sign | None = None
    undone: int = 0
    centre: frozenset[Square] = frozenset()
    ahead: Turn | None = None


@dataclass(slots=True)
class Surroundings:
    """What a look at the board takes into account besides the scene of the position.

    Attributes:
        before: the scene before the turn taken last, while the mover may still amend it.
        past: the positions of the game so far that may be gone back to.
        start: the starting position's placement.
        standing: what every cell reads.
        tags: the piece set.
        declared: whether the turn being made was declared to say more than hands do.
        take_backs: whether turns may be undone on the board.
        clock: whether turns end with a button.
        closely: whether it is time to ask where pieces in the air may stand unfelt.
        under_way: whether the game was taken up in its middle: turns were made that nobody felt.
    """

    start: Mapping[Square, Label]
    standing: Mapping[str, Reading]
    tags: Mapping[str, Label]
    take_backs: bool
    clock: bool
    past: Sequence[Past]
    before: BoardState | None = None
    declared: bool = False
    closely: bool = False
    under_way: bool = False


def look(scene: BoardState, around: Surroundings) -> View:
    """Return what the board shows."""
    judged = judge_without if scene.distrusted else judge
    judgement = judged(scene, declared=around.declared, closely=around.closely)
    showing = judgement.showing
    if showing == "turns" and scene.discs and around.before is not None:
        amending = _amending(scene, around, showing)
        if amending is not None and amending.judgement.turns:  # two stories: nobody guesses
            return View(judgement._replace(showing="hovering", asked=True), scene)
    if showing in ("position", "turns", "hovering"):
        return View(judgement, scene)
    begun = showing == "beginning"
    if around.before is not None and not (begun and scene.extra <= scene.trail.origin.keys()):
        amending = _amending(scene, around, showing)
        if amending is not None:
            return amending
    if begun or showing == "lifted":
        said = _undone(scene, around) if scene.extra else _kings(scene, judgement)
        return said or View(_answered(scene, around, judgement) or judgement, scene)
    sign = _sign(scene, around, judgement)
    asked = None if sign else _answered(scene, around, judgement)
    return sign or View(asked or _or_over(scene, judgement), scene)


def _answered(scene: BoardState, around: Surroundings, judgement: Assessment) -> Assessment | None:
    """See whether the opponent's hands are on the board, though nobody said what the mover did."""
    if around.clock:
        return None
    return judge_answered(
        scene,
        judgement,
        lambda: judge(scene, declared=around.declared, closely=True),
        lambda turn: shows_a_reply(scene, turn, around.standing, around.tags, judge),
        closely=around.closely,
    )


def _or_over(scene: BoardState, judgement: Assessment) -> Assessment:
    """Let the pieces be cleared away when the game is over."""
    return LIFTED if scene.rulebook.over else judgement


def _amending(scene: BoardState, around: Surroundings, showing: str) -> View | None:
    """See whether the mover goes on with the turn that was taken already."""
    before = around.before
    if before is None or (showing == "lifted" and _begins_a_capture(scene, before)):
        return None
    judgement = judge(before, declared=around.declared, closely=around.closely)
    answering = _lifted_in_answer(scene, before)
    asked = judgement.showing == "hovering" and around.closely
    if before.differs and (judgement.showing == "turns" or asked):
        deeds = ((turn, before.deed(turn)) for turn in in_time(before, judgement.turns))
        turns = tuple(turn for turn, deed in deeds if answering <= handled(deed))
        return View(judgement._replace(turns=turns), before, amending=True) if turns else None
    if showing == "lifted":
        return None
    if not before.differs:
        sign: Sign | None = "undone" if around.take_backs else None
        return View(BEGINNING, before, amending=True, sign=sign, undone=1)
    begun = judgement.showing in ("beginning", "lifted", "hovering")
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


def _undone(scene: BoardState, around: Surroundings) -> View | None:
    """See whether the board shows a position of the past."""
    if around.take_backs and around.past:
        undone = turns_undone(around.past, scene, around.standing, around.tags)
        if undone and (undone <= 2 or not shows_start(scene, around.start)):
            return View(BEGINNING, scene, sign="undone", undone=undone)
    return None


def _kings(scene: BoardState, judgement: Assessment) -> View | None:
    """See whether both kings were set on centre squares to tell the result."""
    if len(scene.missing | scene.wrong) < 2 or not scene.position.game.traits.kings:
        return None
    centre = kings_in_centre(scene)
    return View(judgement, scene, sign="kings", centre=centre) if centre is not None else None


def _sign(scene: BoardState, around: Surroundings, judgement: Assessment) -> View | None:
    """See whether a board that shows no turn says something else."""
    undone = _undone(scene, around)
    if undone is not None:
        return undone
    began = around.past[0].placement if around.past else None
    under_way = around.under_way or len(around.past) > 1
    if under_way and shows_start(scene, around.start, began):
        return View(judgement, scene, sign="start")
    kings = _kings(scene, judgement)
    if kings is not None:
        return kings
    undoing = judgement.showing == "odd" and around.take_backs and around.past
    if undoing and on_the_way_back(around.past[-1], scene, around.tags):
        return View(judgement._replace(showing="lifted"), scene)
    return None
