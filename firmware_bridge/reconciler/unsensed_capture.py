"""Captures that nobody felt: the piece on its victim's square looks as if it were in the air."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import Assessment
from firmware_bridge.reconciler.disc_evidence import exposed, handled_flips
from firmware_bridge.reconciler.event_trace import NUDGE
from firmware_bridge.reconciler.turn_evidence import converted_at, handled, meant

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.interface import Deed, Square, Turn


def judge_hovering(scene: BoardState, *, declared: bool) -> Assessment | None:
    """See whether a piece in the air may stand on its victim's square, which never opened."""
    fits = _unfelt(scene)
    if not fits:
        return None
    nudged = scene.resettled()
    asked = any(not nudged <= _refilled(scene.deed(turn)) for turn in fits)
    return Assessment("hovering", meant(scene, fits, declared=declared), asked=asked)


def or_converted(scene: BoardState, whole: Assessment) -> Assessment:
    """Ask, where what looks like a capture may be the conversion after one that nobody felt.

    Where hands did nothing besides that capture, it is by far the likelier of the two.
    """
    told = scene.resettled(NUDGE)
    if whole.showing != "turns" or not told:
        return whole
    begun = max(scene.trail.lifted_at.get(square, 0.0) for square in scene.missing)
    found = tuple(
        turn
        for turn in _unfelt(scene)
        if turn not in whole.turns and converted_at(scene, scene.deed(turn), begun) is not None
    )
    if not found:
        return whole
    taking = {target for turn in whole.turns for _, target in scene.deed(turn).moves}
    likely = told <= taking
    return whole._replace(turns=(*whole.turns, *found), asked=not likely, likely=likely)


def _unfelt(scene: BoardState) -> tuple[Turn, ...]:
    """Return the turns of which everything is seen but the piece on its victim's square."""
    loose = scene.seen_by_tags() if scene.missing else None
    fits = scene.explainer.fitting(loose) if loose is not None else ()
    if scene.missing and scene.discs:
        aside = (t for t in scene.explainer.fitting(scene.seen()) if not exposed(scene, t))
        fits = tuple(dict.fromkeys((*fits, *aside)))
    told = _captured_there(scene)
    return tuple(
        turn
        for turn in fits
        if told <= handled(scene.deed(turn))
        and _all_were_lifted(scene, scene.deed(turn))
        and handled_flips(scene, turn)
    )


def _captured_there(scene: BoardState) -> set[Square]:
    """Return the squares on which hands have most likely set down the piece that is missing.

    Where a turn may move several pieces, the one that stands there may as well have been adjusted:
    beside another move, or if it is the mover's own, on which he sets no other.
    """
    told = scene.resettled(NUDGE)
    if not scene.long_turns:
        return told
    return {s for s in told if not scene.extra and scene.placement[s][0] != scene.mover}


def _refilled(deed: Deed) -> set[Square]:
    """Return the squares on which hands may set a piece down, in a turn with an unfelt capture.

    Where the piece that took unfelt is said to have left its square to another one, this may as
    well be the one that was taken.
    """
    return handled(deed).difference(source for source, _ in deed.moves)


def _all_were_lifted(scene: BoardState, deed: Deed) -> bool:
    """Return whether every piece that a turn moves has left its square: only victims are unfelt."""
    return all(s in scene.missing or s in scene.trail.lifted_at for s, _ in deed.moves)
