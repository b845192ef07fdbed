"""Whole turns: those that the board shows from beginning to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.reconciler.assessment import POSITION, Assessment
from firmware_bridge.reconciler.disc_evidence import (
    borne_out,
    brings_unread,
    may_be_asked,
    perhaps_turned,
    preferring_turned,
)
from firmware_bridge.reconciler.event_trace import NUDGE
from firmware_bridge.reconciler.turn_evidence import (
    changed_beside,
    half_changed,
    handled,
    in_time,
    meant,
)
from firmware_bridge.reconciler.unfinished_turns import LEADS

if TYPE_CHECKING:
    from firmware_bridge.reconciler.board_state import BoardState
    from rules.explain import Seen
    from rules.interface import Deed, Turn

FIRST = 2
"""How many turns that may go on from here are looked at first, which is mostly enough."""


def judge_whole(scene: BoardState, seen: Seen, *, declared: bool) -> Assessment | None:
    """Return the turns that the board shows, or may show where a tag was not read."""
    possible = scene.explainer.fitting(seen)
    fits = borne_out(scene, possible)
    if len(fits) < len(possible):
        unread = preferring_turned(
            scene, tuple(turn for turn in possible if perhaps_turned(scene, turn))
        )
        if not fits:
            secret = any(brings_unread(scene, turn) for turn in unread)
            return Assessment("hovering", unread, asked=secret) if unread else None
        fits = tuple(dict.fromkeys((*fits, *unread)))
    if not fits:
        return None
    timely = in_time(scene, fits)
    if not timely:
        # A disc from hand that was not read, and another piece lifted after it, look like a move.
        return Assessment("hovering", fits, asked=True) if scene.discs else None
    turns = meant(scene, timely, declared=declared)
    half = next((turn for turn in turns if half_changed(scene, turn)), None)
    if half is not None:
        open_yet = scene.explainer.fitting(scene.seen_but(changed_beside(scene.deed(half))))
        return Assessment("beginning", open_yet, asked=True)
    longer = len(turns) == 1 and _longer(scene, seen, fits)
    shaky = all(_victim_nudged(scene, scene.deed(turn)) for turn in turns)
    return Assessment("turns", turns, longer=longer, shaky=shaky)


def judge_alike(scene: BoardState) -> Assessment:
    """See whether pieces traded places, or were turned over, so that the board looks as before."""
    possible = scene.explainer.fitting(scene.seen())
    possible = tuple(turn for turn in possible if scene.deed(turn).physical)
    turns = in_time(scene, borne_out(scene, possible))
    if turns:
        longer = bool(scene.unsure) and scene.long_turns
        return Assessment("turns", turns, longer=longer, asked=scene.may_be_unmoved)
    unread = tuple(turn for turn in possible if perhaps_turned(scene, turn))
    if not unread:
        return POSITION
    told = all(may_be_asked(scene, turn) for turn in unread)  # or else the press alone tells
    return Assessment("hovering" if told else "position", unread)


def _victim_nudged(scene: BoardState, deed: Deed) -> bool:
    """Return whether a victim may stand where it stood, its contact having opened for a moment.

    A quick hand takes no longer, but then the tag of the piece that took it should have been read.
    """
    if not scene.identities.first:
        return False  # this board reads no tags: only what hands do next will tell
    return any(
        target in scene.untagged and scene.trail.nudged(target)
        for _, target in deed.moves
        if target in scene.placement
    )


def _longer(scene: BoardState, seen: Seen, fits: tuple[Turn, ...]) -> bool:
    """Return whether the player may be in the middle of a turn that goes on from here."""
    if scene.long_turns:
        settled = scene.unsure & scene.resettled(NUDGE)
        captured = {square for square in settled if scene.placement[square][0] != scene.mover}
        leads = scene.explainer.leading_to(seen, len(fits) + (LEADS if captured else 1))
        return any(t not in fits and captured <= handled(scene.deed(t)) for t in leads)
    if not scene.discs:
        return False
    done = scene.deed(fits[0])
    if done.flips or not done.moves:
        return False  # without a move, whether more might be turned over depends on what lies below
    return any(
        deed.flips and deed.moves == done.moves
        for limit in (FIRST, LEADS)
        for deed in map(scene.deed, scene.explainer.leading_to(seen, limit))
    )
