"""What of the public view stays as it is until the next record."""

from __future__ import annotations

import re
from collections.abc import Mapping

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.games import metadata
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.rating import rated
from firmware_bridge.views.advised import hint, may_ask
from firmware_bridge.views.types import Commitment, PublicView
from rules.interface import Position, Side, Square
from rules.values import SIDES


def by_state(terms: Terms, state: State, agreement: Agreement) -> PublicView:
    """Return the public view with only those fields filled in that the state alone decides.

    A hint is there even where it is the side's to act alone.
    """
    position = state.position
    shown = position.shown
    return PublicView(
        game=terms.game.id,
        options=dict(terms.game.options),
        squares=tuple(sorted(terms.game.squares)),
        # In the order of the squares, since a game's own order might tell whose piece is whose.
        board={square: shown[square] for square in sorted(shown)},
        to_act=position.side if state.under_way or state.stage == "ready" else None,
        time_control=str(terms.control),
        hands={side: len(hand) for side, hand in position.hands.items()},
        last_turn=_last_turn(terms, state),
        check=_checked_king(terms, position),
        obligation=state.own.obligation if state.own else None,
        room=_room(position),
        offer=state.offer,
        ending=state.ending,
        unrated=not rated(terms, state),
        record=terms.record,
        players=dict(agreement.players),
        score=dict(agreement.scored(state.ending)),
        seated=frozenset(side for side, seat in state.seats.items() if seat.taken),
        quiet=agreement.settings.quiet,
        buttons=terms.waits_for_press,
        adjusting=state.adjusting,
        declarable=declarable(position) if state.under_way else (),
        begun=state.under_way,
        number=state.number,
        computers=dict(terms.computers),
        away=terms.away,
        unbound=frozenset(SIDES if terms.hides else ()) - state.pledges.keys(),
        commitments=_commitments(terms, state),
        hint=hint(terms, state),
        hinting=state.hint is not None and state.hint.turn is None,
        advised=may_ask(terms, state),
        hints={side: given for side in SIDES if (given := state.hints_given(side))},
        puzzle=terms.puzzle.id if terms.puzzle else "",
    )


def declarable(position: Position) -> tuple[str, ...]:
    """Return what may be declared here: that by which the game remarks on some legal turn."""
    told = metadata.of(position.game.id)
    found = []
    for what in told.declarations:
        says = [re.compile(remark.turn) for remark in told.remarks if remark.key == what]
        if not says or any(each.fullmatch(t.public) for t in position.turns() for each in says):
            found.append(what)
    return tuple(found)


def _room(position: Position) -> tuple[Square, ...]:
    if position.due != "drop":
        return ()
    return tuple(sorted({s for turn in position.turns() for s, _ in position.deed(turn).placed}))


def _last_turn(terms: Terms, state: State) -> tuple[Square, ...]:
    if terms.secret or not state.played:
        return ()
    last = state.played[-1]
    deed = last.before.deed(last.turn)
    squares = [square for move in deed.moves for square in move]
    squares += [square for square, _ in (*deed.placed, *deed.flips)]
    return tuple(dict.fromkeys(squares))


def _checked_king(terms: Terms, position: Position) -> Square | None:
    if terms.game.traits.owners_secret or not position.in_check:
        return None
    return position.king(position.side)


def _commitments(terms: Terms, state: State) -> Mapping[Side, Commitment]:
    over = state.stage == "over"
    movers = {played.side for played in state.played}
    # Where computers play each other nobody is there to keep it.
    kept = bool(movers - terms.computers.keys() or movers == set(SIDES))
    return {
        side: Commitment(made.digest, made.command if over else "", kept)
        for side, made in state.commitments.items()
    }
