"""Why a turn is not legal here: one check for each kind, the most telling reason first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rules.games.reality_check.discs import CELLS, FACES, is_true, name_of, owner
from rules.games.reality_check.fields import Awaited, State
from rules.games.reality_check.geometry import Ray
from rules.games.reality_check.legal import flippable, has_free_flips, meeting
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.turns import (
    AnyTurn,
    Capture,
    Decision,
    Drop,
    Flip,
    Memory,
    Move,
    Roll,
    Sacrifice,
)
from rules.interface import IllegalTurn, Label, Square
from rules.values import faces_up

Refusal = IllegalTurn | None


def refusal(  # noqa: PLR0911 - one return a kind of turn
    rules: Ruleset, state: State, turn: AnyTurn
) -> Refusal:
    """Return why `turn` is not legal in a position without an outcome, or `None` if it is."""
    if state.awaited:
        return _unanswered(state, state.awaited, turn) or _answer(rules, state, state.awaited, turn)
    if state.over_limit and not isinstance(turn, Drop):
        homes = state.empty_homes(state.side)
        return IllegalTurn("must-drop", "Too many pieces in hand: one must be dropped.", homes)
    match turn:
        case Move():
            return _move(rules, state, turn)
        case Capture():
            return _on_first_turn(state) or _capture(rules, state, turn)
        case Drop():
            first = None if state.over_limit else _on_first_turn(state)
            return first or _drop(rules, state, turn)
        case Memory():
            return _on_first_turn(state) or _memory(rules, state, turn)
        case Flip(square):
            return IllegalTurn("no-flip-allowed", "No die asks for a flip now.", (square,))
        case Roll():
            return IllegalTurn("no-such-move", "No roll of the dice is awaited.")
        case Decision() | Sacrifice():
            return IllegalTurn("no-such-move", "No decision is awaited.")


def _on_first_turn(state: State) -> Refusal:
    if state.first_turn:
        return IllegalTurn("first-turn", "White's first turn is a move without capture.")
    return None


def _empty(rules: Ruleset, square: Square) -> IllegalTurn:
    """Return what to say of a square on which nothing stands, or which is none."""
    if square not in rules.board.squares:
        return IllegalTurn("no-such-square", f"This board has no square {square}.")
    return IllegalTurn("empty-square", f"Nothing stands on {square}.", (square,))


def _start(rules: Ruleset, state: State, square: Square) -> Refusal:
    cell = state.board.get(square)
    if cell is None:
        return _empty(rules, square)
    if owner(cell) != state.side:
        return IllegalTurn("not-your-piece", f"{square} holds the opponent's piece.", (square,))
    return None


def _way(
    rules: Ruleset,
    state: State,
    rays: Mapping[str, Mapping[Square, tuple[Ray, ...]]],
    turn: Move | Capture,
) -> Refusal:
    """Return what is wrong with the way from the source to the target of a move or capture."""
    for ray in rays[state.board[turn.source][0].upper()][turn.source]:
        if turn.target in ray:
            for square in ray:
                if square == turn.target:
                    return None
                if square in state.board:
                    text = f"A piece on {square} is in the way."
                    return IllegalTurn("path-blocked", text, (square,))
    if turn.target not in rules.board.squares:
        return _empty(rules, turn.target)
    text = f"The piece on {turn.source} does not go to {turn.target}."
    return IllegalTurn("no-such-move", text, (turn.source, turn.target))


def _move(rules: Ruleset, state: State, turn: Move) -> Refusal:
    if wrong := _start(rules, state, turn.source):
        return wrong
    there = state.board.get(turn.target)
    if there and turn.target != turn.source:
        code = "own-piece-there" if owner(there) == state.side else "square-occupied"
        return IllegalTurn(code, f"{turn.target} is not empty.", (turn.target,))
    return _way(rules, state, rules.board.quiet, turn) or _flip_of(rules, state, turn)


def _flip_of(rules: Ruleset, state: State, turn: Move) -> Refusal:
    """Return what is wrong with the flip that a move names, or with its naming none."""
    if turn.flip is None:
        if rules.dice or state.first_turn or not (free := flippable(state)):
            return None
        squares = tuple(turn.target if square == turn.source else square for square in free)
        return IllegalTurn("must-flip", "After this move a piece must be turned over.", squares)
    if rules.dice or (state.first_turn and not rules.first_flip):
        text = "The dice decide what is flipped." if rules.dice else "The first turn has no flip."
        return IllegalTurn("no-flip-allowed", text, (turn.flip,))
    before = turn.source if turn.flip == turn.target else turn.flip
    if before not in state.board or turn.flip == turn.source:
        return _empty(rules, turn.flip)
    if before in state.frozen:
        text = f"The piece on {turn.flip} was flipped or dropped just before."
        return IllegalTurn("flip-forbidden", text, (turn.flip,))
    return None


def _capture(rules: Ruleset, state: State, turn: Capture) -> Refusal:
    if wrong := _start(rules, state, turn.source):
        return wrong
    victim = state.board.get(turn.target)
    if victim is None:
        return _empty(rules, turn.target)
    own = owner(victim) == state.side
    if own and turn.target != turn.source and (turn.check or not rules.retreat):
        return IllegalTurn("own-piece-there", f"{turn.target} is your own.", (turn.target,))
    full = own and len(state.hands[state.side]) >= state.limit(state.side)
    no_room = IllegalTurn("hand-limit", "The hand is full.", (turn.target,)) if full else None
    return _way(rules, state, rules.board.taking, turn) or no_room


def _drop(rules: Ruleset, state: State, turn: Drop) -> Refusal:
    if turn.square not in rules.board.squares:
        return _empty(rules, turn.square)
    square = (turn.square,)
    if name_of(turn.faces) not in state.hands[state.side]:
        return IllegalTurn("not-in-hand", "That piece is not in hand.")
    if turn.square not in state.homes[state.side]:
        return IllegalTurn(
            "not-a-home-square", f"{turn.square} is no home square of yours.", square
        )
    if turn.square in state.board:
        return IllegalTurn("square-occupied", f"{turn.square} is not empty.", square)
    return None


def arrival_refused(rules: Ruleset, state: State, square: Square, label: Label) -> str:
    """Return the reason against a disc that hands set down from beside the board.

    Where none may be dropped at all goes first: that tells nothing of what is in hand.
    """
    if not label or label[0] != state.side[0]:
        return "not-in-hand"
    if square not in state.homes[state.side]:
        return "not-a-home-square"
    faces = faces_up(label)
    if faces not in CELLS:
        return "not-in-hand"
    wrong = refusal(rules, state, Drop(faces, square))
    return wrong.reason if wrong else "too-many-pieces"


def flips_refused(
    rules: Ruleset,
    state: State,
    moves: Sequence[tuple[Square, Square]],
    squares: Collection[Square],
) -> str:
    """Return the reason against discs on `squares` that hands turned over beside these moves."""
    if state.awaited and len(squares) == 1:
        wrong = refusal(rules, state, Flip(*squares))
        return wrong.reason if wrong else "no-flip-allowed"
    if not state.awaited and state.over_limit:
        return "must-drop"
    sources = {target: source for source, target in moves}
    allowed = has_free_flips(rules, state) and state.board.keys().isdisjoint(sources)
    frozen = any(sources.get(square, square) in state.frozen for square in squares)
    return "flip-forbidden" if allowed and frozen else "no-flip-allowed"


def _memory(rules: Ruleset, state: State, turn: Memory) -> Refusal:
    if not rules.memory:
        return IllegalTurn("no-such-move", "This game is played without the memory option.")
    for square in (turn.first, turn.second):
        cell = state.board.get(square)
        if cell is None:
            return _empty(rules, square)
        if owner(cell) == state.side:
            return IllegalTurn("own-piece-there", f"{square} is your own.", (square,))
    return None


_ANSWERS: Mapping[str, type[AnyTurn]] = {
    "hand": Decision,
    "sacrifice": Sacrifice,
    "roll": Roll,
    "flip": Flip,
}
_ASKED = {
    "hand": "First keep or refuse the captured piece.",
    "sacrifice": "First give up one of your true pieces.",
    "roll": "First roll the dice.",
}


def _unanswered(state: State, awaited: Awaited, turn: AnyTurn) -> Refusal:
    """Return the refusal of a turn that passes over what is awaited."""
    if isinstance(turn, _ANSWERS[awaited.kind]):
        return None
    if awaited.kind == "flip":
        squares = meeting(state, awaited.dice[0], awaited.flipped)
        return IllegalTurn("must-flip", "First make the flip of the die.", squares)
    return IllegalTurn("must-decide", _ASKED[awaited.kind])


def _answer(rules: Ruleset, state: State, awaited: Awaited, turn: AnyTurn) -> Refusal:
    """Return what is wrong with an answer of the right kind."""
    match turn:
        case Decision(_, piece) if piece != awaited.pieces[0]:
            return IllegalTurn("must-decide", "The decision awaited is about another piece.")
        case Sacrifice(piece):
            return _sacrifice(state, piece)
        case Roll(dice) if len(dice) != rules.dice:
            return IllegalTurn("no-such-move", f"This game is played with dice: {rules.dice}.")
        case Flip(square):
            return _die(rules, state, awaited, square)
        case _:
            return None


def _sacrifice(state: State, piece: str) -> Refusal:
    if not is_true(piece):
        return IllegalTurn("no-such-move", "Only a true piece can be sacrificed.")
    on_board = any(
        owner(cell) == state.side and name_of(cell) == piece for cell in state.board.values()
    )
    if not on_board and piece not in state.hands[state.side]:
        return IllegalTurn("no-such-move", "That piece is out of play.")
    return None


def _die(rules: Ruleset, state: State, awaited: Awaited, square: Square) -> Refusal:
    die = awaited.dice[0]
    if square in meeting(state, die, awaited.flipped):
        return None
    if square not in state.board:
        return _empty(rules, square)
    if square in state.frozen or square == awaited.flipped:
        text = f"The piece on {square} was flipped or dropped just before."
        return IllegalTurn("flip-forbidden", text, (square,))
    wanted = f"a {FACES[die - 1]} up" if die <= 4 else "your own" if die == 5 else "the opponent's"
    return IllegalTurn("die-not-met", f"The die asks for a piece: {wanted}.", (square,))
