"""Why the pieces that hands have carried are no turn, when nobody has said what it was to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.games.realm.finder import Finder
from rules.games.realm.realms import SQUARE_NAMES
from rules.games.realm.steps import LAST_RANKS, Move, rook_of
from rules.games.realm.turn import KINDS, RealmTurn, in_text_order
from rules.games.realm.whynot import SUITS, judge, pieces_wrong
from rules.interface import IllegalTurn


def refuse_hands(finder: Finder, carried: Sequence[Move]) -> IllegalTurn | None:
    """Return why these moves make no turn of any kind in any realm; `None` when they make one.

    A pawn on the last rank counts as a queen, and the castling rook's move goes with the king's.
    """
    moves = in_text_order(_without_rook(finder, [_promoted(finder, move) for move in carried]))
    if wrong := pieces_wrong(finder, moves):
        return wrong
    refusals = []
    for turn in _readings(finder, moves):
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


def _readings(finder: Finder, moves: tuple[Move, ...]) -> Iterator[RealmTurn]:
    """Yield what the moves may be told as, likeliest first."""
    if len(moves) == 1:
        yield RealmTurn("S", "", moves)
    around = finder.division.around
    for kind in KINDS[1:] if finder.power else KINDS[1:-1]:
        for realm in finder.division.realms:
            bit = 1 << realm.index
            if all(SUITS[kind](bit, around[m.source], around[m.target]) for m in moves):
                yield RealmTurn(kind, realm.name, moves)
