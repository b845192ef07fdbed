"""A victim that is set aside in the middle of a longer turn is no reply of its owner."""

import pytest

TEXT = "kn3b1r/5ppp/pn1pq3/b1pp4/1pP5/P2PB3/Q3NPPP/1R1PKB1R w K - 0 12"
FREE = {"power": True, "free": True}


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("parked", [0.1, 0.7])
def test_a_victim_set_aside_where_it_could_go_is_captured_by_the_turn_that_goes_on(
    board, tier, parked
):
    b = board("realm", TEXT, tier, options=FREE, clock=True).carry("e2", "c3").off("b4", 0.4)
    b.put("b3", b.hand.pop("b4"), 0.3)
    found = b.off("b3", parked).off("a3").put("b4", "a3").end(0.3).press("white").end().replay()
    assert found.stand == ("C-bc34:a3b4,e2c3",)
    assert found.quiet


@pytest.mark.parametrize("presses", [("black",), ("white", "black")])
def test_a_reply_that_looks_the_same_stands_once_somebody_presses(board, presses):
    b = board("realm", TEXT, "identity", options=FREE, clock=True).carry("e2", "c3")
    b.carry("b4", "b3").end(2)
    for side in presses:
        b.press(side).end(0.5)
    found = b.replay()
    assert found.stand[0] == "e2c3"
    assert "b4b3" in found.stand
    assert found.quiet


def test_a_victim_set_aside_where_its_captor_came_from_is_captured(board):
    text = "1p1r4/3p2pB/1k4b1/1P2pN2/2Kn1P2/2Q2P2/2b4P/7R w - - 0 22"
    b = (
        board("realm", text, "occupancy", options=FREE, clock=True)
        .carry("f5", "e6")
        .off("e5", 0.24)
    )
    b.put("f5", b.hand.pop("e5"), 0.22).off("f4", 0.25).off("f5", 0.24).put("e5", "f4", 0.07)
    found = b.end(0.6).press("white").end().replay()
    assert found.stand == ("P-ef56:f4e5,f5e6",)
    assert found.quiet


def test_a_piece_of_the_other_one_set_aside_for_a_moment_replies_to_nothing(board):
    text = "1b2p2r/n2k2pp/4p3/1P6/2pN1P2/R1nbQN2/5KPP/7R b - - 0 18"
    b = (
        board("realm", text, "occupancy", options=FREE, clock=True)
        .carry("d3", "e2")
        .off("d4", 0.24)
    )
    b.put("d2", b.hand.pop("d4"), 0.33).off("d2", 0.22).put("d4", b.hand.pop("d2"), 0.17)
    found = b.carry("c3", "d3").carry("c4", "c3").end(0.6).press("black").end().replay()
    assert found.stand == ("P-cd23:c3d3,c4c3,d3e2",)
    assert not found.of("ruling")


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("aside", [0.2, 0.4, 0.6])
def test_a_piece_of_the_other_one_set_aside_where_it_may_go_ends_no_turn_that_goes_on(
    board, tier, aside
):
    """Nobody has pressed, and a turn may move more pieces: its player is not through."""
    text = "6k1/6r1/N3P3/2R2p2/1B2n1p1/3P3q/6Pp/4K2R w - - 0 35"
    b = board("realm", text, tier, options=FREE, clock=True).carry("c5", "c2")
    b.carry("h3", "h6").carry("h6", "h3", after=aside).carry("a6", "c5").carry("d3", "d4")
    found = b.press("white").end().replay()
    assert found.stand == ("P-cd45:a6c5,c5c2,d3d4",)
    assert found.quiet
