"""Starting: secret arrangements, what is wrong with them, and position texts."""

import pytest

from rules.games.reality_check import GAME
from rules.interface import InvalidPosition

WHITE = {
    "d1": "RN", "c2": "NN", "e2": "NB", "d2": "BB", "d3": "BR",
    "b3": "PP", "c3": "PN", "e3": "PB", "f3": "PR",
}  # fmt: skip


def problems(call):
    with pytest.raises(InvalidPosition) as caught:
        call()
    return [(problem.code, problem.squares) for problem in caught.value.problems]


def test_the_tenth_piece_is_in_hand():
    position = GAME().start(white=WHITE)
    assert position.hands == {"white": ("wRR",), "black": ("bRR",)}
    assert position.placement["d1"] == "wNR:N"
    assert position.shown["d1"].kind == "R"


def test_without_arrangements_there_is_a_demonstration():
    assert GAME().start() == GAME().start(white=WHITE)
    for options in ({"flexible": True}, {"board": "advanced"}):
        assert GAME(**options).start().outcome is None


def test_everything_that_is_wrong_is_reported():
    wrong = {**WHITE, "d1": "NR", "c2": "NB", "d4": "QQ"}
    del wrong["b3"]
    assert problems(lambda: GAME().start(white=wrong)) == [
        ("not-a-home-square", ("d4",)),
        ("wrong-face", ("d1",)),
        ("duplicate-piece", ("e2",)),
        ("no-such-piece", ("d4",)),
    ]
    few = {"d1": "RN"}
    assert problems(lambda: GAME().start(white=few, black={})) == [
        ("home-squares", ()),
        ("home-squares", ()),
    ]
    lower = {**WHITE, "d1": "rn"}
    assert problems(lambda: GAME().start(white=lower)) == [("no-such-piece", ("d1",))]
    off = {**WHITE, "a1": "RN"}
    del off["d1"]
    assert problems(lambda: GAME().start(white=off)) == [("not-a-home-square", ())]


def test_pieces_placed_on_the_board_make_the_start():
    game = GAME()
    start = game.start(white=WHITE)
    assert game.set_up(start.placement) == start
    bare = {s: label for s, label in start.placement.items() if s != "d1"}
    assert problems(lambda: game.set_up(bare)) == [("home-squares", ())]
    assert problems(lambda: game.set_up({**bare, "d1": "wK"})) == [("no-such-piece", ("d1",))]


def test_what_is_wrong_with_a_setup_does_not_tell_the_pieces_apart():
    wrong = {**WHITE, "c2": "NB"}
    with pytest.raises(InvalidPosition) as caught:
        GAME().start(white=wrong)
    assert "NB" not in str(caught.value)
