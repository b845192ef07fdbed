"""The table as everyone may see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_bridge.messages.verdict import ALARMS, Verdict
from firmware_bridge.views import advised, wants
from firmware_bridge.views.answers import open_answers, to_verdict
from firmware_bridge.views.course import course
from firmware_bridge.views.placement import standing
from firmware_bridge.views.table_facts import Facts
from firmware_bridge.views.types import (
    Announcement,
    Choice,
    ClockFace,
    Judged,
    Move,
    Phase,
    PublicView,
)
from rules.interface import Shown, Side, Square
from rules.values import SIDES


def public(facts: Facts) -> PublicView:
    """Return what everyone may see."""
    view = wordless(facts)
    position = facts.state.position
    stands, lifted = standing(facts)
    words = wants.of(view, position.awaited, position.due, asks=facts.state.goes_on)
    told = course(facts.terms, facts.state)
    return replace(view, standing=stands, lifted=lifted, wants=words, course=told)


def wordless(facts: Facts) -> PublicView:
    """Return the same without what follows from it, which lights do not need."""
    terms, view = facts.terms, facts.view
    set_up = facts.state.stage == "set-up"
    judged = _judged(facts)
    return replace(
        view,
        phase=_phase(facts),
        board=_board(facts),
        clocks=clocks(facts),
        judged=judged,
        question=_question(facts),
        missing=facts.set_up.missing if set_up else (),
        surplus=facts.set_up.surplus if set_up else (),
        hint=None if terms.private and not terms.puzzle else advised.left(view.hint, judged),
        hinting=view.hinting and not terms.private,
    )


def clocks(facts: Facts) -> Mapping[Side, ClockFace]:
    """Return both clocks alone, which time changes without anything else."""
    return {side: _clock(facts, side) for side in SIDES}


def _judged(facts: Facts) -> Judged:
    """Return the verdict as everyone may know it.

    Nothing is judged before the set-up is done, nor in a pause that somebody wished.
    The game's own lights go on while hands do: a realm once determined, segments being swapped.
    """
    unjudged = facts.state.stage in ("set-up", "paused")
    verdict = Verdict("settled") if unjudged else facts.verdict
    deeds = [facts.judged_in.deed(turn) for turn in verdict.turns or facts.begun]
    touched = {deed.touch for deed in deeds if deed.touch}
    segments = {square for deed in deeds if deed.touch for square, _ in deed.becomes}
    regions = {deed.region for deed in deeds}
    realm = regions.pop() if len(regions) == 1 else ()
    return Judged(
        kind=verdict.kind,
        cells=verdict.cells,
        restore=tuple(Move(step.source, step.target) for step in verdict.restore),
        reason=verdict.reason,
        convertible=tuple(sorted(segments | touched)),
        touched=tuple(sorted(touched)),
        realm=tuple(realm),
        tried=verdict.attempt[1] if verdict.kind == "choice" and verdict.attempt else None,
    )


def _phase(facts: Facts) -> Phase:
    state = facts.state
    if facts.failed:
        return "storage-failed"
    if state.stage == "set-up":
        return "waiting" if facts.set_up.bare else "set-up"
    if state.paused:
        return "paused"
    if state.executing:
        return "executing"
    odd = facts.verdict.kind in ALARMS
    if state.stage == "playing":
        calm: Phase = "decision" if state.position.awaited else "playing"
        return "restoring" if odd or state.trouble else calm
    ready: Phase = "restoring" if odd else "ready"
    return "over" if state.stage == "over" else ready


def _board(facts: Facts) -> Mapping[Square, Shown]:
    """Show the pieces; before a start that only the pieces themselves tell, show none."""
    chosen = facts.state.stage == "set-up" and facts.start_is_chosen
    return {} if chosen and facts.set_up.missing else facts.view.board


def _clock(facts: Facts, side: Side) -> ClockFace:
    clock = facts.state.clock
    return ClockFace(
        left_ms=None if clock.control.untimed else clock.left(side, facts.t_ms),
        running=clock.running == side,
        fallen=clock.fallen == side,
        delay_ms=clock.delay_left(side, facts.t_ms),
    )


def _question(facts: Facts) -> tuple[Choice, ...]:
    """Return what is asked of all: an open choice, if a turn is done, or a secret decision.

    What is secret of it is left out.
    """
    position = facts.state.position
    if not facts.state.goes_on:
        return ()
    if facts.verdict.kind == "choice":
        return to_verdict(facts.judged_in, facts.verdict, public=True)
    if facts.verdict.kind == "extendable" and not facts.terms.waits_for_press:
        return (Choice(facts.verdict.turns[0].public, Announcement("choice-done")),)
    if position.decides_in_secret:
        return open_answers(position)
    return ()
