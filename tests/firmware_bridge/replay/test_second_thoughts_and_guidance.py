"""Slow contacts, second thoughts that end in a capture, and guidance that lasts to the end."""

import pytest

MEN = ["indistinguishable", "reversi", "mockery"]
CAPTURE = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


def men(board, game, text, tier="occupancy", **settings):
    return board(game, text + (" -" if game == "mockery" else ""), tier, **settings)


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("lag", [0.1, 0.3, 0.7])
def test_a_reed_may_open_late_behind_the_piece(board, game, clock, lag):
    b = board(game, clock=clock).read("e4", True, 1.0).off("e2", lag).end(0.2)
    assert b.replay().last["verdict"] == "complete"
    found = (b.press("white") if clock else b).end(1).replay()
    assert found.taken == ["e2e4"]
    assert found.quiet


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("first", ["victim", "capturer"])
def test_second_thoughts_may_end_in_a_capture(board, game, tier, first):
    b = men(board, game, CAPTURE, tier).carry("b1", "c3").end(1).carry("c3", "b1")
    one, other = ("e5", "f3") if first == "victim" else ("f3", "e5")
    found = b.off(one).off(other, 1.5).put("e5", "f3").end()
    found = found.replay()
    assert found.stand == ("f3e5",)
    assert found.quiet


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_who_puts_an_upset_board_right_is_guided_to_the_end(board, game, tier):
    b = board(game, None, tier, clock=True)
    swept = ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "a7", "b7", "c7", "d7"]
    for square in swept:
        b.off(square, 0.02)
    b.end(3)
    for square in swept[:-1]:
        b.put(square, square, 2.0)
    waiting = b.replay()
    assert waiting.last["verdict"] == "disturbed"
    assert [step["to"] for step in waiting.last["restore"]] == ["d7"]
    assert waiting.lights() != {}
    found = b.put("d7", "d7", 2.0).end(1).replay()
    assert found.last["verdict"] == "settled"
    assert not found.of("ruling")
    assert "illegal" not in found.verdicts


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_what_is_illegal_stays_so_while_it_is_put_right(board, tier):
    """With c4 put back, what is left could begin a turn; the way back is told all the same."""
    text = "4k3/8/8/8/8/8/P1PP4/1N1QK3 w - - 0 1"
    b = board("realm", text, tier, clock=True).carry("a2", "a5").carry("c2", "c4").press("white")
    assert b.end(1).replay().last["verdict"] == "illegal"
    waiting = b.off("a5").replay()
    assert waiting.last["verdict"] == "illegal"
    assert waiting.lights() != {}


def test_a_decision_answered_twice_during_an_adjustment(board):
    text = "rn/nnbbnb/pp1brpbpr/2pn4/4BR2/7/PPPN1PBPR/NNBBNB/RN b RR/rr - roll - 3"
    b = board("reality-check", text, "face", clock=True, options={"dice": 1})
    b.tell(button="adjust").answer("roll:4").answer("roll:3").end()
    assert b.replay().taken == ["roll:4"]
