"""What the published rules of Reality Check left open, decided."""

import pytest

from rules.games.reality_check import GAME
from rules.interface import InvalidPosition


def turns(position):
    return {str(turn) for turn in position.turns()}


def test_a_free_setup_uses_the_own_half_of_the_basic_board():
    game = GAME(flexible=True)
    pieces = ("PP", "NP", "PB", "RP", "NN", "BN", "NR", "BB", "RB")
    home = dict(zip(("a4", "g4", "b4", "f4", "d4", "d1", "c2", "b3", "e3"), pieces, strict=True))
    far = dict(zip(("a6", "g6", "b6", "f6", "d6", "d9", "c8", "b7", "e7"), pieces, strict=True))
    assert turns(game.start(white=home, black=far))
    for square in ("a5", "d5", "a6", "d9"):
        moved = {**home, square: home["a4"]}
        del moved["a4"]
        with pytest.raises(InvalidPosition) as caught:
            game.start(white=moved, black=far)
        assert [(p.code, p.squares) for p in caught.value.problems] == [
            ("not-a-home-square", (square,))
        ]


def test_a_true_piece_may_be_sacrificed_from_the_hand():
    position = GAME(memory=True).parse("1/rrnnbb/5/7/7/7/5/RNRR1/1 w NN/- c8,d8 sacrifice - 5")
    turn = position.parse_turn("sacrifice:NN")
    assert str(position.play(turn)) == "1/rrnnbb/5/7/7/7/5/RNRR1/1 b -/- c8,d8 - - 5"
    assert position.revealed(turn) == {"": "wNN:N"}
    assert not position.deed(turn).physical


def test_a_reality_check_of_a_piece_that_is_not_true_is_a_capture_that_shows():
    position = GAME().parse("1/rnnnbb/5/7/7/7/5/RRNNBB/1 w -/- - - - 2")
    check = position.parse_turn("c2xc8!")
    assert str(position.play(check)) == str(position.play(position.parse_turn("c2xc8")))
    assert position.revealed(check) == {"c8": "wRR:R", "c2": "bNR:N"}
    assert position.revealed(position.parse_turn("c2xc8")) == {}


def test_there_are_672_arrangements_of_the_fixed_setup():
    game = GAME()
    start = game.start()
    squares = [s for s, piece in start.shown.items() if piece.side == "white"]
    faces = [start.shown[square].kind for square in squares]
    names = ("PP", "PN", "PB", "PR", "NN", "NB", "NR", "BB", "BR", "RR")

    def fill(left, wanted):
        if not wanted:
            yield ()
            return
        for name in (name for name in left if wanted[0] in name):
            rest = tuple(other for other in left if other != name)
            up = name if name[0] == wanted[0] else name[::-1]
            yield from ((up, *more) for more in fill(rest, wanted[1:]))

    arrangements = list(fill(names, faces))
    assert len(arrangements) == 672
    starts = {str(game.start(white=dict(zip(squares, a, strict=True)))) for a in arrangements}
    assert len(starts) == 672
