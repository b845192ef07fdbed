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
