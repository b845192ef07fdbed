"""The table as everyone may see it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from firmware_bridge.games import lore
from firmware_bridge.views import wants
from firmware_bridge.views.choices import choices
from firmware_bridge.views.types import ClockFace, Ending, Judged, Move, PublicView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.verdict import Verdict
    from firmware_bridge.views.facts import Facts
    from firmware_bridge.views.types import Choice, Phase
    from rules.interface import Position, Shown, Side, Square

SIDES: tuple[Side, Side] = ("white", "black")
_MUST_BE_RIGHTED = ("illegal", "disturbed")


def public(facts: Facts) -> PublicView:
    """Return what everyone may see."""
    state, terms = facts.state, facts.terms
    position, game = state.position, terms.game
    under_way = state.stage in ("playing", "paused")
    view = PublicView(
        game=game.id,
        options=dict(game.options),
        phase=_phase(facts),
        squares=tuple(sorted(game.squares)),
        board=_board(facts),
        to_act=position.side if under_way or state.stage == "ready" else None,
        clocks={side: _clock(facts, side) for side in SIDES},
        time_control=str(terms.control),
        hands={side: len(hand) for side, hand in position.hands.items()},
        last_turn=_last_turn(facts) if under_way or state.stage == "over" else (),
        check=_checked_king(position, facts),
        judged=judged(position, facts.verdict, secret=_record_forbidden(facts)),
        question=_question(facts),
        revealed=facts.revealed,
        missing=facts.missing if state.stage == "set-up" else (),
        surplus=facts.surplus if state.stage == "set-up" else (),
        obligation=state.own.obligation if state.own else None,
        faults=facts.faults,
        offer=state.offer,
        ending=Ending(state.ending.winner, state.ending.reason) if state.ending else None,
        unrated=_unrated(facts),
        players=dict(facts.players),
        quiet=facts.quiet,
        buttons=terms.buttons,
        adjusting=state.adjusting,
        number=state.number,
    )
    return replace(view, wants=wants.of(view, awaited=position.awaited))


def judged(position: Position, verdict: Verdict, *, secret: bool) -> Judged:
    """Return a verdict as everyone may know it."""
    deeds = [position.deed(turn) for turn in verdict.turns]
    convertible = {
        square
        for deed in deeds
        if deed.touch
        for square in (*(square for square, _ in deed.becomes), deed.touch)
    }
    regions = {deed.region for deed in deeds}
    realm = regions.pop() if len(regions) == 1 else ()
    texts = () if secret else tuple(dict.fromkeys(turn.public for turn in verdict.turns))
    return Judged(
        kind=verdict.kind,
        cells=verdict.cells,
        restore=tuple(Move(step.source, step.target) for step in verdict.restore),
        reason=verdict.reason,
        turns=texts,
        convertible=tuple(sorted(convertible)),
        realm=tuple(realm),
    )


def _phase(facts: Facts) -> Phase:
    state = facts.state
    if facts.failed:
        return "storage-failed"
    if state.stage == "set-up":
        return "waiting" if facts.bare else "set-up"
    if state.stage == "playing":
        if state.trouble or facts.verdict.kind in _MUST_BE_RIGHTED:
            return "restoring"
        return "decision" if state.position.awaited else "playing"
    return state.stage


def _board(facts: Facts) -> Mapping[Square, Shown]:
    """Show the pieces; before a start that only the pieces themselves tell, show none.

    They come in the order of the squares: any other order could tell whose piece is whose.
    """
    hidden = facts.state.stage == "set-up" and facts.missing
    return {} if hidden else dict(sorted(facts.state.position.shown.items()))


def _clock(facts: Facts, side: Side) -> ClockFace:
    clock = facts.state.clock
    return ClockFace(
        left_ms=None if clock.control.untimed else clock.left(side, facts.t_ms),
        running=clock.running == side,
        fallen=clock.fallen == side,
        turns=clock.account(side).turns,
        delay_ms=clock.delay_left(side, facts.t_ms),
    )


def _record_forbidden(facts: Facts) -> bool:
    return facts.terms.secret and facts.state.stage != "over"


def _last_turn(facts: Facts) -> tuple[Square, ...]:
    if facts.terms.secret or not facts.state.played:
        return ()
    last = facts.state.played[-1]
    deed = last.before.deed(last.turn)
    squares = [square for move in deed.moves for square in move]
    squares += [square for square, _ in (*deed.placed, *deed.flips)]
    return tuple(dict.fromkeys(squares))


def _checked_king(position: Position, facts: Facts) -> Square | None:
    if facts.terms.game.traits.owners_secret or not position.in_check:
        return None
    kings = (
        square
        for square, piece in position.shown.items()
        if piece.kind == "K" and piece.side == position.side
    )
    return next(kings, None)


def _question(facts: Facts) -> tuple[Choice, ...]:
    """Return what is asked of all: an open choice, or dice typed in; never a secret decision."""
    position = facts.state.position
    if facts.state.stage != "playing":
        return ()
    if facts.verdict.kind == "choice":
        return choices(position, facts.verdict.turns, public=True)
    if position.awaited == "roll":
        return choices(position, tuple(position.turns()), public=True)
    return ()


def _unrated(facts: Facts) -> bool:
    rated = lore.of(facts.terms.game.id).rated
    if rated is None:
        return False
    control = facts.terms.control
    total_ms = sum(period.base_ms for period in control.periods)
    return not rated.least * 60_000 <= total_ms <= rated.most * 60_000
