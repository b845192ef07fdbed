"""For bug reports: which turns the board still allows, and what rules the others out."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from firmware_bridge.reconciler.blame import movements, objection
from firmware_bridge.reconciler.turn_evidence import in_time

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Deed, Turn

SEARCHED = 400
"""How many turns are gone through; a game with more says so."""
NAMED = 12
"""How many turns are named."""


def why(scene: BoardState) -> dict[str, Any]:
    """Return, as JSON values, what speaks for and against the turns of the position.

    Of the turns that one thing rules out, the one is named that is nearest to what hands did; and
    what rules out the nearest comes first. Secrets are in it: it is for the referee and for bug
    reports.
    """
    possible: list[str] = []
    against: dict[str, list[tuple[int, str]]] = {}
    searched = 0
    for turn in islice(scene.position.turns(), SEARCHED):
        searched += 1
        deed = scene.position.deed(turn)
        obstacle = _obstacle(scene, deed) or _haste(scene, turn)
        if obstacle is None:
            possible.append(str(turn))
        else:
            shared = len(deed.changes(scene.placement).keys() & scene.differing)
            against.setdefault(obstacle, []).append((-shared, str(turn)))
    if searched == SEARCHED:
        begun = map(str, scene.explainer.leading_to(scene.seen(), NAMED, every_lift=True))
        possible += (text for text in begun if text not in possible)
    ruled_out = [
        {"by": by, "turns": len(turns), "such_as": min(turns)[1]}
        for by, turns in sorted(against.items(), key=lambda item: (min(item[1])[0], -len(item[1])))
    ]
    return {
        "position": str(scene.position),
        "lifted": sorted(scene.missing),
        "put_down": {s: scene.shown[s] or True for s in sorted(scene.extra | scene.wrong)},
        "put_back": sorted(scene.trail.placed_at.keys() - scene.differing),
        "unsure": sorted(scene.unsure),
        "not_trusted": sorted(scene.distrusted),
        "tried": _tried(scene),
        "possible": possible[:NAMED],
        "possible_turns": len(possible),
        "ruled_out": ruled_out[:NAMED],
        "all_searched": searched < SEARCHED,
    }


def _tried(scene: BoardState) -> list[dict[str, str | None]]:
    """Return which pieces seem to have gone where, and the rules' reason against each movement."""
    return [
        {"from": source, "to": target, "refused": objection(scene, source, target)}
        for target, source in sorted(movements(scene).items())
    ]


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
    """Return what in the order of events speaks against a turn, `None` if nothing does."""
    if in_time(scene, (turn,)):
        return None
    for source, target in scene.deed(turn).moves:
        if not scene.trail.in_time(((source, target),)):
            return f"{target} was filled before {source} was left"
    return "its pieces cannot have come down where they stand, by what was in the air when"
