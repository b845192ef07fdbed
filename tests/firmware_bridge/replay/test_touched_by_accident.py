"""What opens for a moment only, or comes back as it was, confirms nothing."""

import pytest

CONVERT = "4k3/8/8/8/R1n1p3/5P2/8/4K3 w - - 0 1"
both_tiers = pytest.mark.parametrize("tier", ["occupancy", "identity"])


def captured(board, tier, *, clock):
    return board("reversi", CONVERT, tier, clock).off("e4").carry("f3", "e4")


@both_tiers
@pytest.mark.parametrize("square", ["a4", "c4"])
@pytest.mark.parametrize("opened", [0.006, 0.06, 0.09])
def test_a_contact_that_chatters_converts_nothing(board, tier, square, opened):
    b = captured(board, tier, clock=True).off(square, 1.0).put(square, square, opened).end(1)
    assert b.replay().last["verdict"] == "choice"
    assert b.press("white").end().replay().taken == ["f3e4"]


def test_a_piece_that_comes_back_with_its_tag_was_not_exchanged(board):
    b = captured(board, "identity", clock=True).adjust("c4").end(1)
    assert b.replay().last["verdict"] == "choice"
    assert b.press("white").end().replay().taken == ["f3e4"]


def test_a_sacrifice_is_made_by_taking_the_disc_off_and_pressing(board):
    white = "4BR2/7/7/PPPN1PBPR/NNBBNB"
    text = f"rn/nnbbnb/pppnbrpbpr/{white}/RN b RR/rr - sacrifice - 3"
    b = board("reality-check", text, "face", clock=True, options={"memory": True})
    assert b.off("b7").press("black").end().replay().taken == ["sacrifice:PP"]
