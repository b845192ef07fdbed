"""The kinds of handling that concern the whole game: order, turns undone, new starts, faults."""

import pytest

TIERS = ("occupancy", "identity")
both_tiers = pytest.mark.parametrize("tier", TIERS)


# 7. Second thoughts, touch-move


# 8. Out of turn, twice, too early


@both_tiers
def test_the_opponents_hand_takes_the_turn_at_once(board, tier):
    b = board(tier=tier).carry("e2", "e4").off("e7", 0.05).put("e5", "e7").end()
    found = b.replay()
    assert found.taken == ["e2e4", "e7e5"]
    assert found.of("taken")[0]["t"] == b.events[2]["t"]


@both_tiers
def test_a_piece_stolen_beside_a_legal_move(board, tier):
    b = board(tier=tier, clock=True).off("g8").carry("e2", "e4").press("white", 0.2)
    found = b.replay()
    assert found.taken == []
    assert (found.last["reason"], found.last["cells"]) == ("not-your-piece", ["g8"])
    assert found.last["t"] == b.events[-1]["t"]
    again = b.put("g8", "g8").press("white").end().replay()
    assert again.taken == ["e2e4"]


# 9. Turns undone on the board


# 10. A new start, the kings in the centre


@both_tiers
@pytest.mark.parametrize(
    ("squares", "winner"),
    [(("e4", "d5"), "white"), (("d4", "e5"), "black"), (("d4", "d5"), None)],
)
def test_the_kings_in_the_centre_tell_the_result(board, tier, squares, winner):
    b = board(tier=tier).carry("e1", squares[0]).carry("e8", squares[1]).end(3)
    found = b.replay()
    assert [line["outcome"]["winner"] for line in found.of("outcome")] == [winner]
    assert "illegal" not in found.verdicts


# 11. Boards upset


@both_tiers
def test_a_board_that_shows_something_else_at_the_start_is_told_of_at_once(board, tier):
    b = board(tier=tier)
    b.header["on"] = {"e1": b_tag("e1") if tier == "identity" else True}
    found = b.end(0).replay()
    assert found.of("verdict")[0] == {**found.last, "t": 0.0, "verdict": "disturbed"}
    assert len(found.last["restore"]) == 31
    assert found.lights()["e2"] == "must-go-here"


# 12. Tags


def b_tag(square):
    return f"T-{square}"


# 13. Lost and late events, power lost


@pytest.mark.parametrize("spare", ["S-wQ", "S-bQ"])
def test_the_printed_colour_of_a_new_piece_does_not_matter_where_it_tells_nothing(board, spare):
    position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"
    hands = board("indistinguishable", position, tier="identity", clock=True)
    hands.off("e7").put("e8", spare).press("white").carry("g7", "h7").press("black")
    found = hands.carry("e8", "e6").press("white").end().replay("--referee")
    assert found.taken == ["e7e8q", "g7h7", "e8e6"]
    assert found.quiet
