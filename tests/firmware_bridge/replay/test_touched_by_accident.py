"""What opens for a moment only, or comes back as it was, confirms nothing."""

import pytest

CONVERT = "4k3/8/8/8/R1n1p3/5P2/8/4K3 w - - 0 1"
PLAIN = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"
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


@both_tiers
def test_a_piece_pushed_to_the_next_square_by_a_hand_with_another_is_no_offence(board, tier):
    b = board("chess", PLAIN, tier, clock=True, time="60m", penalty="2m").off("a1")
    b.off("e2").put("d1", "e2", 0.02).end(2)
    assert not b.replay().of("ruling")
    found = b.off("d1").put("e2", "e2").put("c1", "a1").press("white").end().replay()
    assert found.taken == ["a1c1"]


def test_a_piece_taken_up_and_set_down_on_the_next_square_is_an_offence(board):
    b = board("chess", PLAIN, "identity", clock=True, time="60m", penalty="2m").off("a1")
    b.off("e2").put("d1", "e2", 0.4)
    assert b.put("c1", "a1").press("white").end().replay().of("ruling")


def test_two_pieces_that_fell_and_were_mixed_up_are_no_offence(board):
    b = board("indistinguishable", PLAIN, "identity", clock=True, time="60m", penalty="2m")
    b.off("a1").off("e2").off("e8", 0.03).put("e2", "e8").put("e8", "e2").end(2)
    assert not b.replay().of("ruling")
    b.off("e2").off("e8")  # what was set up there is named by where it stands now
    found = b.put("e2", "e8").put("e8", "e2").put("c1", "a1").press("white").end().replay()
    assert not found.of("ruling")


@pytest.mark.parametrize("square", ["f7", "e8"])
def test_a_disc_turned_over_stays_turned_while_others_are_put_right(board, square):
    """Whether its two faces are alike makes no difference."""
    homes = "b3,c2,c3,d1,d2,d3,e2,e3,f3/b7,c7,c8,d7,d8,d9,e7,e8,f7"
    text = f"rn/prbbnb/pppnpb1nn/7/7/1PPbr4/PRNPRBPB1/NNBBBN/NR b RR/rr b3 flip:2 {homes} 6"
    b = board("reality-check", text, "face", clock=True, options={"flexible": True, "dice": 1})
    b.off(square)
    for fallen in ("d2", "d3", "e2"):
        b.off(fallen, 0.02)
    b.end(2)
    for fallen in ("d2", "d3", "e2"):
        b.put(fallen, fallen)
    turned = ("U-" if b.hand[square][0] == "T" else "T-") + square
    b.hand.pop(square)
    assert b.put(square, turned).press("black").end().replay().taken == [f"flip:{square}"]


def test_a_disc_dropped_on_a_cell_that_trembles_may_be_told(board):
    text = "nr/pr2/br2bp1/7/bb4BR1/7/nnPN2NB/NNBBPB/RN w PP,PR/pn - - - 27"
    b = board("reality-check", text, "face", clock=False)
    for _ in range(8):
        b.read("e3", True, 0.1).read("e3", None, 0.1)
    b.read("e3", True, 0.1).end(3)
    assert b.answer("PR@e3").end().replay().taken == ["P?@e3"]
