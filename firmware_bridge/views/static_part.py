"""What of the public view stays as it is until the next record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_bridge.games import metadata
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.rating import rated
from firmware_bridge.views.advised import hint, may_ask
from firmware_bridge.views.types import Hint
from rules.interface import OptionValue, Position, Shown, Side, Square
from rules.values import SIDES


@dataclass(frozen=True, slots=True)
class Fixed:
    """Parts of `PublicView`, which see, that events on the board do not change.

    `hint` and `hinting` are the side's to act alone where not all may know it.
    """

    options: Mapping[str, OptionValue]
    squares: tuple[Square, ...]
    board: Mapping[Square, Shown]
    hands: Mapping[Side, int]
    time_control: str
    last_turn: tuple[Square, ...]
    check: Square | None
    unrated: bool
    record: bool
    declarable: tuple[str, ...]
    hint: Hint | None
    hinting: bool
    advised: bool
    hints: Mapping[Side, int]


def fixed(terms: Terms, state: State) -> Fixed:
    """Return what stays as it is until the state changes."""
    position = state.position
    shown = position.shown
    return Fixed(
        options=dict(terms.game.options),
        squares=tuple(sorted(terms.game.squares)),
        # In the order of the squares, since a game's own order might tell whose piece is whose.
        board={square: shown[square] for square in sorted(shown)},
        hands={side: len(hand) for side, hand in position.hands.items()},
        time_control=str(terms.control),
        last_turn=_last_turn(terms, state),
        check=_checked_king(terms, position),
        unrated=not rated(terms, state),
        record=terms.record,
        declarable=declarable(position),
        hint=hint(terms, state),
        hinting=state.hint is not None and state.hint.turn is None,
        advised=may_ask(terms, state),
        hints={side: given for side in SIDES if (given := state.hints_given(side))},
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
