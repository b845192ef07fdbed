"""Whether a described turn is legal, and if not, the most helpful true reason."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

import chess

from rules.games.realm.bitboard import BETWEEN, Board, names_of
from rules.games.realm.finder import Finder
from rules.games.realm.order import Order, after, castling_walk, find_order, merge, traded
from rules.games.realm.realms import SQUARE_NAMES, Realm
from rules.games.realm.steps import LAST_RANKS, Move, Step, reach, rook_of
from rules.games.realm.turn import SUITS, RealmTurn, in_text_order
from rules.games.realm.turn_search import attackers_after
from rules.interface import IllegalTurn


def judge(finder: Finder, turn: RealmTurn) -> Sequence[Step] | IllegalTurn:
    """Return the steps of a legal turn, or why the turn is not legal. The game is not over."""
    realm = finder.division.named(turn.realm) if turn.realm else None
    refusal = (
        _realm_unknown(finder, turn, realm)
        or pieces_wrong(finder, turn.moves)
        or _realm_wrong(finder, turn, realm)
        or _too_many(finder, turn)
    )
    if refusal:
        return refusal
    steps = finder.describer.assemble(turn.kind, realm, turn.moves)
    if steps is None:
        return _some_move_wrong(finder, turn, realm)
    return _together_wrong(finder, steps) or steps


def _realm_unknown(finder: Finder, turn: RealmTurn, realm: Realm | None) -> IllegalTurn | None:
    """Return why this board has no such kind or realm."""
    if turn.kind == "P" and not finder.power:
        return IllegalTurn("no-such-move", "Combinations belong to Power Realm Chess.")
    if turn.realm and realm is None:
        return IllegalTurn("wrong-realm", f"This board has no realm {turn.realm}.")
    return None


def pieces_wrong(finder: Finder, moves: Sequence[Move]) -> IllegalTurn | None:
    """Return why some piece named cannot move at all."""
    board = finder.board
    sources: set[int] = set()
    targets = {move.target for move in moves}
    for move in moves:
        bit, name = 1 << move.source, SQUARE_NAMES[move.source]
        if move.source in sources or (move.source in targets and not board.occupied & bit):
            return IllegalTurn("moved-twice", f"The piece on {name} moves twice.", (name,))
        if not board.occupied & bit:
            return IllegalTurn("empty-square", f"{name} is empty.", (name,))
        if board.enemy & bit:
            return IllegalTurn("not-your-piece", f"The piece on {name} is not yours.", (name,))
        if move.source == move.target:
            return IllegalTurn("nothing-changed", f"{name} to {name} changes nothing.", (name,))
        sources.add(move.source)
    return None


def _realm_wrong(finder: Finder, turn: RealmTurn, realm: Realm | None) -> IllegalTurn | None:
    """Return why the moves do not suit the kind of turn in this realm."""
    if realm is None:
        return None
    fits, around = SUITS[turn.kind], finder.division.around
    ways = [(move, fits(around[move.source], around[move.target])) for move in turn.moves]
    strays = [move for move, realms in ways if not realms >> realm.index & 1]
    if not strays:
        return None
    shared = reduce(and_, (realms for _, realms in ways))
    squares = tuple(SQUARE_NAMES[move.source] for move in strays)
    if shared or not all(realms for _, realms in ways):
        text = f"{' and '.join(squares)}: the move does not suit the realm {realm.name}."
        return IllegalTurn("wrong-realm", text, squares)
    text = f"{' and '.join(squares)}: no realm suits all these moves together."
    return IllegalTurn("mixed-realms", text, squares)


def _too_many(finder: Finder, turn: RealmTurn) -> IllegalTurn | None:
    """Return that more pieces move than the number of the ply allows."""
    if len(turn.moves) <= finder.most:
        return None
    text = f"{len(turn.moves)} pieces move; in this ply at most {finder.most} may."
    return IllegalTurn("too-many-pieces", text)


def _some_move_wrong(finder: Finder, turn: RealmTurn, realm: Realm | None) -> IllegalTurn:
    """Return why the first move that no order can help is not possible."""
    for move in turn.moves:
        if finder.describer.assemble(turn.kind, realm, [move]) is None:
            bits = 1 << move.source | 1 << move.target
            inside = realm is not None and bits & ~realm.squares == 0
            return refuse_move(finder.board, move, arranged=inside and turn.kind in "RP")
    raise AssertionError("the steps of a turn are those of its moves")


def _together_wrong(finder: Finder, steps: Sequence[Step]) -> IllegalTurn | None:
    """Return why possible single moves make no legal turn together, or `None` if they do."""
    board = finder.board
    double = _entered_twice(steps)
    if double:
        squares = names_of(double)
        return IllegalTurn("own-piece-there", f"Two pieces go to {squares[0]}.", squares)
    left = 0
    for step in steps:
        left |= step.leaves | step.victim
    for step in steps:
        if blockers := step.waits & ~left:
            return _in_the_way(step, blockers)
    if find_order(board, steps) is not Order.EXISTS:
        return _no_order(finder, steps)
    attackers = attackers_after(board, steps)
    if attackers:
        reason = "still-in-check" if board.checkers else "exposes-king"
        squares = names_of(attackers)
        return IllegalTurn(reason, f"The king is attacked from {', '.join(squares)}.", squares)
    return None


def _entered_twice(steps: Sequence[Step]) -> int:
    entered = double = 0
    for step in steps:
        double |= entered & step.enters
        entered |= step.enters
    return double


def _in_the_way(step: Step, blockers: int) -> IllegalTurn:
    """Return that pieces which stay where they are block a step."""
    squares = names_of(blockers)
    if blockers & step.enters and not step.castles and not blockers & step.through:
        return IllegalTurn("own-piece-there", f"Your own piece stands on {squares[0]}.", squares)
    return IllegalTurn("path-blocked", f"{', '.join(squares)} is in the way.", squares)


def _no_order(finder: Finder, steps: Sequence[Step]) -> IllegalTurn:
    """Return why the steps cannot be made in any order, though nothing else stands in the way."""
    board = finder.board
    like = traded(board, merge(board, [step for step in steps if step.arranges]))
    if like:
        squares = names_of(like)
        text = f"Like pieces trading places on {', '.join(squares)} change nothing."
        return IllegalTurn("nothing-changed", text, squares)
    rooks = 0
    for step in steps:
        if step.castles:
            rooks |= step.leaves
    again = rooks & sum(1 << s.moves[0].source for s in steps if not s.castles)
    if again:
        squares = names_of(again)
        return IllegalTurn("moved-twice", f"The rook on {squares[0]} castles already.", squares)
    rest = [step for step in steps if not step.castles]
    if rooks and find_order(board, [s._replace(castles=False) for s in steps]) is Order.EXISTS:
        return _castling_attacked(finder, steps, rest)
    entered = after(board, steps)[0]
    crossed = 0
    for step in steps:
        crossed |= step.through & entered & ~step.enters | step.waits
    squares = names_of(crossed)
    text = f"In no order can all these pieces pass {', '.join(squares)}."
    return IllegalTurn("path-blocked", text, squares)


def _castling_attacked(finder: Finder, steps: Sequence[Step], rest: Sequence[Step]) -> IllegalTurn:
    """Return who attacks the king's way in every order."""
    board = finder.board
    attackers = 0
    for made in ([], rest):
        occupied, taken = after(board, made)
        for square in castling_walk(next(step for step in steps if step.castles)):
            attackers |= board.attackers(square, occupied, taken)
        if attackers:
            break
    squares = names_of(attackers)
    text = f"The king's way is attacked from {', '.join(squares)}."
    return IllegalTurn("castling-through-check", text, squares)


def refuse_hands(finder: Finder, carried: Sequence[Move]) -> IllegalTurn | None:
    """Return why these moves make no turn of any kind in any realm; `None` when they make one.

    A pawn on the last rank counts as a queen, and the castling rook's move goes with the king's.
    """
    moves = in_text_order(_without_rook(finder, [_promoted(finder, move) for move in carried]))
    if wrong := pieces_wrong(finder, moves):
        return wrong
    refusals = []
    for turn in finder.describer.suiting(moves):
        verdict = judge(finder, turn)
        if not isinstance(verdict, IllegalTurn):
            return None
        refusals.append(verdict)
    if refusals:
        return refusals[0]
    squares = tuple(SQUARE_NAMES[move.source] for move in moves)
    return IllegalTurn("mixed-realms", "No realm suits all these moves together.", squares)


def _promoted(finder: Finder, move: Move) -> Move:
    pawn = finder.board.kind(move.source) == "P"
    return move._replace(promotion="q") if pawn and 1 << move.target & LAST_RANKS else move


def _without_rook(finder: Finder, moves: Sequence[Move]) -> Sequence[Move]:
    """Return the moves but for that of a rook whose king castles."""
    steps = (finder.steps.step(move) for move in moves if move.source == finder.board.king)
    rooks = [rook_of(step) for step in steps if step is not None and step.castles]
    return [move for move in moves if move not in rooks]


def refuse_move(board: Board, move: Move, *, arranged: bool) -> IllegalTurn:
    """Return why the mover's piece cannot make `move`.

    Args:
        board: the board before the turn.
        move: a move that starts on one of the mover's pieces and is not possible.
        arranged: whether the move belongs to a rearrangement.
    """
    source, target, promotion = move
    kind, name = board.kind(source), SQUARE_NAMES[target]
    if arranged and board.enemy >> target & 1:
        text = f"A rearrangement captures nothing, and {name} is held by the opponent."
        return IllegalTurn("square-occupied", text, (name,))
    last_rank = chess.BB_RANK_8 if board.white else chess.BB_RANK_1
    due = kind == "P" and bool(1 << target & last_rank)
    if promotion and not due:
        return IllegalTurn("no-such-move", f"Nothing promotes on {name}.", (name,))
    refusal = None if arranged else _refuse_way(board, kind, source, target)
    if refusal is None and due and not promotion:
        return IllegalTurn("needs-promotion", f"Name what the pawn becomes on {name}.", (name,))
    return refusal or _no_such_move(kind, source, target)


def _refuse_way(board: Board, kind: str, source: int, target: int) -> IllegalTurn | None:
    """Return why the piece cannot go this way; `None` when it can."""
    bit = 1 << target
    if kind == "P":
        ways = _pawn_ways(board, source)
        captures = chess.BB_PAWN_ATTACKS[board.white][source]
        if bit & captures and not bit & (board.enemy | board.passed):
            text = f"A pawn goes to {SQUARE_NAMES[target]} only to capture."
            return IllegalTurn("no-such-move", text, (SQUARE_NAMES[target],))
        pushed = bool(bit & ways)
        ways |= captures
    else:
        ways, pushed = reach(kind, source, 0), False
    if kind == "K" and not bit & ways and abs(source - target) == 2 and source in _KING_HOMES:
        return _refuse_castling(board, source, target)
    if not bit & ways:
        return _no_such_move(kind, source, target)
    path = BETWEEN[source][target] | (bit if pushed else 0)
    blockers = path & board.enemy & ~board.victims
    if blockers:
        squares = names_of(blockers)
        return IllegalTurn("path-blocked", f"{', '.join(squares)} is in the way.", squares)
    if bit & board.enemy_king and not pushed:
        name = SQUARE_NAMES[target]
        return IllegalTurn("king-capture", f"The king on {name} is never captured.", (name,))
    return None


def _refuse_castling(board: Board, king: int, target: int) -> IllegalTurn:
    """Return why the king cannot castle to `target`."""
    rook = king + 3 if target > king else king - 4
    right = ("K" if target > king else "Q") if board.white else ("k" if target > king else "q")
    if right in board.castling:
        squares = names_of(BETWEEN[king][rook] & board.enemy)
        return IllegalTurn("path-blocked", f"{', '.join(squares)} is in the way.", squares)
    squares = (SQUARE_NAMES[king], SQUARE_NAMES[rook])
    return IllegalTurn("castling-rights", "There is no right to castle there.", squares)


def _no_such_move(kind: str, source: int, target: int) -> IllegalTurn:
    squares = (SQUARE_NAMES[source], SQUARE_NAMES[target])
    name = chess.piece_name(chess.PIECE_SYMBOLS.index(kind.lower()))
    text = f"The {name} does not go from {squares[0]} to {squares[1]}."
    return IllegalTurn("no-such-move", text, squares)


def _pawn_ways(board: Board, source: int) -> int:
    """Return the squares straight ahead that a pawn reaches on an empty board."""
    ahead = 8 if board.white else -8
    return sum(1 << source + ahead * n for n in range(1, board.pawn_stride(source) + 1))


_KING_HOMES = (chess.E1, chess.E8)
