"""What hands do, and what the board shows afterwards."""

from rules.interface import Deed

BOARD = {"a1": "wR", "b1": "wN", "c1": "wB", "d4": "bP", "e5": "wP"}


def test_pieces_may_change_places_and_go_round():
    swap = Deed(moves=(("a1", "b1"), ("b1", "a1")))
    assert swap.changes(BOARD) == {"a1": "wN", "b1": "wR"}
    cycle = Deed(moves=(("a1", "b1"), ("b1", "c1"), ("c1", "a1")))
    assert cycle.changes(BOARD) == {"b1": "wR", "c1": "wN", "a1": "wB"}


def test_a_captured_piece_makes_room():
    assert Deed((("e5", "d4"),), ("d4",)).changes(BOARD) == {"e5": None, "d4": "wP"}
    assert Deed((("e5", "d6"),), ("d4",)).changes(BOARD) == {"e5": None, "d6": "wP", "d4": None}


def test_what_comes_from_beside_the_board_flips_or_becomes_shows_its_new_label():
    deed = Deed(placed=(("h1", "wQ"),), flips=(("a1", "wX"),), becomes=(("d4", "wP"),))
    assert deed.changes(BOARD) == {"h1": "wQ", "a1": "wX", "d4": "wP"}


def test_a_deed_without_hands_is_not_physical():
    assert not Deed().physical
    assert not Deed(touch="a1").physical
    assert Deed(taken=("a1",)).physical
