"""What is told of the board besides the verdict: where its pieces are, and why it was judged so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from firmware_bridge.reconciler.assessment import Story
from firmware_bridge.reconciler.factors import OF_WHOLE, against
from firmware_bridge.reconciler.redress import movements, objection
from firmware_bridge.reconciler.settings import FACTORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.reconciler.assessment import Assessment, Showing
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Square


@dataclass(frozen=True, slots=True)
class Handling:
    """Where the pieces of the agreed position are now.

    Attributes:
        vacated: squares whose piece is not there: in the air, beside the board, or elsewhere.
        carried: square -> the square whose piece seems to stand there now; `None` where the board
            does not tell. Squares whose own piece stands there are left out.
        amending: whether the turns of the verdict replace the one taken last.
    """

    vacated: frozenset[Square] = frozenset()
    carried: Mapping[Square, Square | None] = field(default_factory=dict)
    amending: bool = False


def handling(scene: BoardState, *, amending: bool) -> Handling:
    """Return what hands have done to the position of this scene, as far as everybody sees it.

    Which of two pieces that look alike is which, tags alone tell: so one is as good as the other.
    """
    carried: dict[Square, Square | None] = {}
    free = set(scene.missing)
    for cell in sorted(_misplaced(scene), key=lambda c: (scene.trail.placed_at.get(c, 0.0), c)):
        home = _lifted_last(scene, free, cell)
        if home or cell in scene.extra:
            carried[cell] = home
        free.discard(home or "")
    return Handling(frozenset(scene.missing), carried, amending)


def _misplaced(scene: BoardState) -> set[Square]:
    """Return the squares on which everybody sees something that is not due there."""
    return {square for square in scene.extra | scene.wrong if not _is_due(scene, square, square)}


def _is_due(scene: BoardState, square: Square, home: Square) -> bool:
    """Return whether what stands on a square looks like the piece of another, or may be it."""
    face, label = scene.position.game.face, scene.shown[square]
    return home in scene.placement and (not label or face(label) == face(scene.placement[home]))


def _lifted_last(scene: BoardState, free: set[Square], cell: Square) -> Square | None:
    """Return the square emptied last before this one was filled, by a piece that looks like it."""
    if cell not in scene.trail.placed_at:
        return None  # it stood here before anybody lifted anything
    until = scene.trail.placed_at[cell] + scene.habits.overlap
    lifted = [
        home
        for home in free
        if scene.trail.lifted_at.get(home, 0.0) <= until and _is_due(scene, cell, home)
    ]
    return max(lifted, key=lambda home: (scene.trail.lifted_at.get(home, 0.0), home), default=None)


def looks_right(scene: BoardState) -> bool:
    """Return whether all that anybody sees is as the position has it, whichever piece is which."""
    return not (scene.missing or _misplaced(scene))


NAMED = 12
"""How many turns are named."""


_WHAT: Mapping[Showing, str] = {
    "position": "nothing has changed",
    "lifted": "pieces are in the air",
    "beginning": "a turn has been begun",
    "halfway": "a turn is half-way",
    "turns": "nothing has changed",
    "hovering": "something else was done",
    "odd": "something stands against the rules, or is missing",
    "upset": "the board was upset",
}
"""What a story tells in which no turn was made, by what its board shows."""


def why(judged: Assessment) -> dict[str, Any]:
    """Return, as JSON values, the explanations that are kept and what rules out others.

    The likeliest explanation comes first. Each bears its sum: 0 is a thing without any doubt, and
    every factor that speaks against it takes something off. `possible` are turns that are whole or
    begun, `ruled_out` such that the board shows, but not the way that hands have gone.
    Secrets are in it: it is for the referee and for bug reports.
    """
    scene, habits = judged.scene, judged.scene.habits
    seen, kept = scene.seen(), sorted(judged.stories, key=lambda story: -story.weight(habits))
    shown = (Story(t, against(scene, t, OF_WHOLE)) for t in scene.explainer.fitting(seen, NAMED))
    ruled_out = [story for story in shown if story.weight(habits) < -habits.kept]
    never = {story.turn for story in ruled_out}
    begun = scene.explainer.leading_to(seen, NAMED, handling=scene.missing)
    return {
        "position": str(scene.position),
        "explanations": [_told(judged, story) for story in kept[:NAMED]],
        "lifted": sorted(scene.missing),
        "put_down": {s: scene.shown[s] or True for s in sorted(scene.extra | scene.wrong)},
        "put_back": sorted(scene.trail.placed_at.keys() - scene.differing),
        "unsure": sorted(scene.unsure),
        "not_trusted": sorted(scene.distrusted),
        "tried": [
            {"from": source, "to": target, "refused": objection(scene, source, target)}
            for target, source in sorted(movements(scene).items())
        ],
        "possible": [str(turn) for turn in begun if turn not in never],
        "ruled_out": [_told(judged, story) for story in ruled_out],
    }


def _told(judged: Assessment, story: Story) -> dict[str, Any]:
    habits = judged.scene.habits
    return {
        "told": str(story.turn or _WHAT[judged.showing]),
        "sum": round(story.weight(habits), 1),
        "against": [
            {"factor": name, "weight": habits.weights[name], "says": FACTORS[name]["says"]}
            for name in story.factors
        ],
    }
