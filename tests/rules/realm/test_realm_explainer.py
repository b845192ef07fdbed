"""From what a board shows to turns of several pieces, in any order of hands."""

import random

import pytest
import realm_walks

import rules
from rules.explain import Seen


@pytest.mark.parametrize("options", realm_walks.OPTIONS, ids=realm_walks.option_name)
def test_every_stage_of_a_turn_leads_there(options):
    source = random.Random(3)
    for position in realm_walks.sample(rules.load("realm", **options), source, 8):
        if position.outcome:
            continue
        turn = realm_walks.random_turn(position, source)
        explainer = position.explainer()
        for known in (True, False):
            for stage in stages(position, turn, source):
                seen = Seen(frozenset(stage), dict(stage) if known else {})
                assert explainer.leading_to(seen), (str(position), str(turn), stage)


def stages(position, turn, source):
    """The board after each movement of hands: all pieces lifted, then set down in any order."""
    board = dict(position.placement)
    deed = position.deed(turn)
    for square in deed.taken:
        board.pop(square)
        yield board
    for square, _ in deed.moves:
        board.pop(square)
        yield board
    moves = list(deed.moves)
    source.shuffle(moves)
    for start, target in moves:
        board[target] = dict(deed.becomes).get(target, position.placement[start])
        yield board


def seen_after(position, changes):
    board = dict(position.placement)
    for square, label in changes.items():
        board.pop(square, None)
        if label:
            board[square] = label
    return board


def test_a_swap_in_place_cannot_be_felt_by_occupancy_alone():
    position = rules.load("realm").start()
    fits = position.explainer().fitting(Seen(frozenset(position.placement)))
    assert len(fits) == 44
    assert {turn.kind for turn in fits} == {"R"}
    board = seen_after(position, {"a1": "wP", "a2": "wR"})
    fits = position.explainer().fitting(Seen(frozenset(board), board))
    assert list(map(str, fits)) == ["R-ab12:a1a2,a2a1"]


def test_a_move_may_be_part_of_a_longer_turn():
    position = rules.load("realm").start()
    board = seen_after(position, {"d2": None, "d4": "wP"})
    seen = Seen(frozenset(board), board)
    assert list(map(str, position.explainer().fitting(seen))) == ["d2d4"]
    longer = set(map(str, position.explainer().leading_to(seen, 10**4)))
    assert {"d2d4", "C-cd34:b1c3,c2c4,d1d3,d2d4", "D-cd12:c2c4,d2d4"} <= longer


def test_pieces_may_be_moved_in_an_order_that_is_not_the_legal_one():
    # The queen is already on d3, though her pawn still stands on d2.
    position = rules.load("realm").start()
    board = seen_after(position, {"d1": None, "d3": "wQ"})
    explainer = position.explainer()
    assert explainer.fitting(Seen(frozenset(board), board)) == ()
    assert explainer.leading_to(Seen(frozenset(board), board))
    assert explainer.leading_to(Seen(frozenset(board)))


def test_a_promoted_pawn_may_be_left_standing():
    position = rules.load("realm").parse("7k/1P6/8/8/8/8/8/K7 w - - 0 1")
    board = seen_after(position, {"b7": None, "b8": "wP"})
    fits = position.explainer().fitting(Seen(frozenset(board), board))
    assert sorted(map(str, fits)) == ["b7b8b", "b7b8n", "b7b8q", "b7b8r"]


def test_nothing_explains_an_opponents_piece_elsewhere():
    position = rules.load("realm").start()
    board = seen_after(position, {"e7": None, "e5": "bP"})
    explainer = position.explainer()
    assert explainer.fitting(Seen(frozenset(board), board)) == ()
    assert explainer.leading_to(Seen(frozenset(board), board)) == ()
    assert explainer.fitting(Seen(frozenset(board))) == ()


def test_the_limit_is_kept():
    explainer = rules.load("realm").start().explainer()
    still = Seen(frozenset(rules.load("realm").start().placement))
    assert len(explainer.fitting(still, 3)) == 3
    assert len(explainer.leading_to(still)) == 1
    assert len(explainer.leading_to(still, 5)) == 5
    assert explainer.fitting(still, 0) == ()


def test_two_bare_kings_explain_nothing():
    position = rules.load("realm").parse("8/8/8/3k4/8/8/8/3K4 w - - 0 1")
    seen = Seen(frozenset({"d5", "d2"}), {"d5": "bK", "d2": "wK"})
    assert position.explainer().fitting(seen) == ()
    assert position.explainer().leading_to(seen) == ()


def test_a_castled_rook_may_end_outside_the_realm_of_the_turn():
    position = rules.load("realm", power=True, free=True).parse(
        "r3kbnr/1b1npppp/p7/1pppq3/1PPP4/P1NB4/R1QKPPPP/5BNR b kq - 1 5"
    )
    turn = position.parse_turn("P-bc78:b7c7,d7b8,e8c8")
    board = dict(position.play(turn).placement)
    for known in ({}, board):
        seen = Seen(frozenset(board), known)
        assert turn in position.explainer().fitting(seen)
        assert turn in position.explainer().leading_to(
            seen, 64, handling=position.placement.keys() - board.keys()
        )
