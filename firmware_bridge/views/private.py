"""What one player, and what the referee alone, may know besides the public view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from firmware_bridge.messages.records import Record
from firmware_bridge.referee import promised_dice
from firmware_bridge.views.advised import left
from firmware_bridge.views.answers import choices, to_verdict
from firmware_bridge.views.course import lines
from firmware_bridge.views.public import public
from firmware_bridge.views.table_facts import Facts
from firmware_bridge.views.types import Announcement, Choice, PlayerView, RefereeView
from rules.interface import Side
from rules.values import piece_of


def player(facts: Facts, side: Side) -> PlayerView:
    """Return what one player may know."""
    position = facts.state.position
    if facts.state.stage == "set-up":  # what is in hand then, nobody has chosen yet
        return PlayerView(side, public(facts), to_place=_to_place(facts, side))
    hand = tuple(label[1:] for label in position.hands.get(side, ()))
    decision = _decision(facts) if position.side == side else ()
    seen = public(facts)
    if not facts.terms.private or position.side != side:
        return PlayerView(side, seen, hand, decision)
    own, waits = left(facts.view.hint, seen.judged), facts.view.hinting
    return PlayerView(side, seen, hand, decision, hint=own, hinting=waits)


def _to_place(facts: Facts, side: Side) -> tuple[str, ...]:
    """Return a player's two-faced pieces that do not stand on the board yet; one stays in hand."""
    position = facts.state.position
    if not position.hands:
        return ()
    own = [*position.placement.values(), *position.hands[side]]
    left = Counter(piece_of(label)[1:] for label in own if label[0] == side[0])
    left -= Counter(piece_of(label)[1:] for label in facts.set_up.placed if label[0] == side[0])
    return tuple(sorted(left.elements()))


def referee(facts: Facts, records: Iterable[Record]) -> RefereeView:
    """Return everything, for the referee alone; what only another host knows is not there."""
    position = facts.state.position
    whole = RefereeView(
        public=public(facts),
        position=str(position),
        placement=dict(position.placement),
        hands=dict(position.hands),
        history=tuple(lines(facts.state, records)),
        decision=_decision(facts),
    )
    terms = facts.terms
    return whole if not terms.hides or facts.state.audited == "" else _far(whole, facts)


def _far(whole: RefereeView, facts: Facts) -> RefereeView:
    """Leave out what the pieces of a player far away hide: this host does not know it."""
    terms, position = facts.terms, facts.state.position
    here, away = cast("Side", terms.here), cast("Side", terms.away)
    game = terms.game
    return replace(
        whole,
        position=position.knowledge(here).text,
        placement={
            square: game.face(label) if label[0] == away[0] else label
            for square, label in whole.placement.items()
        },
        hands={**whole.hands, away: ()},
        history=tuple(_public_turn(line, here) for line in whole.history),
    )


def _public_turn(line: Record, here: Side) -> Record:
    """Return a turn of the player far away as everybody may know it."""
    if line.kind != "taken" or line.data.get("at") != here:
        return line
    return replace(line, data={**line.data, "turn": line.data["public"]})


def _decision(facts: Facts) -> tuple[Choice, ...]:
    """Return the full answers to the decision awaited, or to an open choice."""
    state = facts.state
    if not state.goes_on:
        return ()
    if facts.verdict.kind == "choice":
        return to_verdict(facts.judged_in, facts.verdict, public=False)
    if promised_dice.are_promised(state):
        return (Choice(promised_dice.ROLL, Announcement("choice-roll")),)
    decision = state.position.decision
    if decision and not decision.on_board:
        return choices(state.position, state.position.turns(), public=False)
    return ()
