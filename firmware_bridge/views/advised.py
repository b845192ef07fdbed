"""The hint that was given in the position on the board, and whether one may be asked for."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.messages.verdict import WHOLE
from firmware_bridge.puzzles import Puzzle
from firmware_bridge.referee.call_rules import Spoken, objection
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.referee.remarks import told_deed, unplayed
from firmware_bridge.views.answers import label
from firmware_bridge.views.types import Announcement, Hint, Judged, Move
from rules.interface import Position, Turn
from rules.values import SIDES, Deed


def shown(puzzle: Puzzle, state: State) -> Hint | None:
    """Return what a lesson leads hands to."""
    screen = puzzle.screen
    if screen is None or state.stage != "playing" or state.played:
        return None
    if screen.offence:
        return Hint(None, (Move(screen.offence[:2], screen.offence[2:]),))
    return Hint(None, moves_of(state.position, state.position.parse_turn(screen.turn)))


def hint(terms: Terms, state: State) -> Hint | None:
    """Return the hint that the side to act was given in this position, if it was."""
    if terms.puzzle:
        return shown(terms.puzzle, state)
    given = state.hint
    if given is None or given.turn is None or state.stage != "playing":
        return None
    return advised(state.position, given.turn)


def advised(position: Position, turn: Turn) -> Hint:
    """Return how to tell a turn that is advised."""
    # A plain turn has a name among alternatives alone ("Convert nothing").
    plain = Announcement("choice-turn", {"turn": unplayed(position, turn)})
    called = plain if turn.plain else label(position, turn)
    seen = _as_seen(position)
    deed = told_deed(seen, seen.parse_turn(str(turn)), each=True)
    return Hint(called, _moves(seen.deed(turn)), deed)


def left(hint: Hint | None, judged: Judged) -> Hint | None:
    """Return what of a hint hands have still to do once they have begun; `None`: they have done it.

    A piece turned over beside a move shows where it lies that it was.
    """
    if hint is None or judged.kind not in WHOLE:
        return hint
    moves = [move for move in hint.moves if move.target not in judged.cells]
    carried = any(move.source != move.target for move in moves)
    return replace(hint, moves=tuple(moves)) if carried else None


def moves_of(position: Position, turn: Turn) -> tuple[Move, ...]:
    """Return what hands carry, bring and turn over to make a turn, or else what they take off."""
    return _moves(_as_seen(position).deed(turn))


def _moves(deed: Deed) -> tuple[Move, ...]:
    return (
        *(Move(source, target) for source, target in deed.moves),
        *(Move(None, square) for square, _ in deed.placed),
        *(Move(square, square) for square, _ in deed.flips),
        *(Move(square, square) for square in deed.cleared),
    )


def _as_seen(position: Position) -> Position:
    """Return the position as if nothing lay below a piece.

    Whether two of them match is nobody's business before they have been turned over.
    """
    return position.game.with_tokens(SIDES).parse(str(position))


def may_ask(terms: Terms, state: State) -> bool:
    """Return whether the side to act could be given a hint now that it was not given yet."""
    spoken = Spoken(terms, state, "hint", state.position.side, {}, state.t_ms)
    return state.hint is None and objection(spoken) is None
