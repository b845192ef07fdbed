"""Whether a described turn is legal, and if not, the most helpful true reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_

from rules.games.realm.bitboard import names_of
from rules.games.realm.finder import Finder
from rules.games.realm.order import Order, after, castling_walk, find_order, merge, traded
from rules.games.realm.realms import SQUARE_NAMES, Realm
from rules.games.realm.refusals import refuse_move
from rules.games.realm.steps import Move, Step
from rules.games.realm.turn import RealmTurn
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
    ways = [(move, fits(-1, around[move.source], around[move.target])) for move in turn.moves]
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


SUITS: dict[str, Callable[[int, int, int], int]] = {
    "D": lambda realms, start, end: realms & start & ~end,
    "C": lambda realms, start, end: realms & end & ~start,
    "R": lambda realms, start, end: realms & start & end,
    "P": lambda realms, start, end: realms & (start | end),
}
"""For each kind which of some realms suit a move that starts and ends in others."""


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
