"""What is told of the board besides the verdict: where its pieces are, and why it was judged so."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from firmware_bridge.reconciler.factors import OF_WHOLE, against, weight
from firmware_bridge.reconciler.redress import movements, objection
from firmware_bridge.reconciler.settings import FACTORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.reconciler.assessment import Assessment, Showing
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Deed, Square, Turn


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


SEARCHED = 400
"""How many turns are gone through; a game with more says so."""
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
    """Return, as JSON values, the explanations that are kept and what rules out the others.

    The likeliest explanation comes first. Each bears its sum: 0 is a thing without any doubt, and
    every factor that speaks against it takes something off. Of the turns that one thing rules out,
    the one is named that is nearest to what hands did; and what rules out the nearest comes first.
    Secrets are in it: it is for the referee and for bug reports.
    """
    scene, habits = judged.scene, judged.scene.habits
    searched = list(islice(scene.position.turns(), SEARCHED))
    possible: list[str] = []
    against: dict[str, list[tuple[int, str]]] = {}
    for turn in searched:
        deed = scene.position.deed(turn)
        obstacle = _obstacle(scene, deed) or _haste(scene, turn)
        if obstacle is None:
            possible.append(str(turn))
        else:
            shared = len(deed.changes(scene.placement).keys() & scene.differing)
            against.setdefault(obstacle, []).append((-shared, str(turn)))
    if len(searched) == SEARCHED:
        begun = map(str, scene.explainer.leading_to(scene.seen(), NAMED, handling=scene.missing))
        possible += (text for text in begun if text not in possible)
    nearest = sorted(against.items(), key=lambda item: (min(item[1])[0], -len(item[1])))
    kept = sorted(judged.stories, key=lambda story: -story.weight(habits))
    return {
        "position": str(scene.position),
        "explanations": [
            {
                "told": str(story.turn or _WHAT[judged.showing]),
                "sum": round(story.weight(habits), 1),
                "against": [
                    {"factor": name, "weight": habits.weights[name], "says": FACTORS[name]["says"]}
                    for name in story.factors
                ],
            }
            for story in kept[:NAMED]
        ],
        "lifted": sorted(scene.missing),
        "put_down": {s: scene.shown[s] or True for s in sorted(scene.extra | scene.wrong)},
        "put_back": sorted(scene.trail.placed_at.keys() - scene.differing),
        "unsure": sorted(scene.unsure),
        "not_trusted": sorted(scene.distrusted),
        "tried": [
            {"from": source, "to": target, "refused": objection(scene, source, target)}
            for target, source in sorted(movements(scene).items())
        ],
        "possible": possible[:NAMED],
        "possible_turns": len(possible),
        "ruled_out": [
            {"by": by, "turns": len(turns), "such_as": min(turns)[1]}
            for by, turns in nearest[:NAMED]
        ],
        "all_searched": len(searched) < SEARCHED,
    }


def _obstacle(scene: BoardState, deed: Deed) -> str | None:
    """Return what on the board cannot be the beginning of a deed, `None` if nothing is."""
    changes = deed.changes(scene.placement)
    changing = {square for square, _ in deed.becomes}
    for square in sorted(scene.extra | scene.wrong):
        have, due = scene.shown[square], changes.get(square)
        if due is None:
            return f"{square} holds something that the turn does not put there"
        if have and have != due and square not in changing:
            return f"{square} holds {have}, the turn puts {due} there"
        source = next((source for source, target in deed.moves if target == square), None)
        if source is not None and scene.shown.get(source) == scene.placement[source]:
            return f"{square} is taken, but the piece on {source} has not left"
    busy = changes.keys() | ({deed.touch} if deed.touch else set())
    idle = sorted(scene.missing - busy)
    return f"{idle[0]} is empty, which the turn does not explain" if idle else None


def _haste(scene: BoardState, turn: Turn) -> str | None:
    """Return what else speaks against a turn, `None` if nothing does that rules it out."""
    factors = against(scene, turn, OF_WHOLE)
    if weight(scene.habits, factors) >= -scene.habits.kept:
        return None
    for move in scene.deed(turn).moves if "came-first" in factors else ():
        if not scene.trail.in_time((move,)):
            return f"{move[1]} was filled before {move[0]} was left"
    worst = min(factors, key=lambda factor: scene.habits.weights[factor])
    return str(FACTORS[worst]["says"])
