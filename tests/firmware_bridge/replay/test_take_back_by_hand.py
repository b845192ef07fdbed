"""Turns undone on the board, where the players have agreed that this may be."""

import pytest

PAWNS = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("game", ["reversi", "mockery"])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("then", [("d2", "d4"), ("e2", "e3")])
def test_another_turn_may_follow_at_once(board, game, tier, then):
    b = board(game, None, tier, clock=True, take_backs=True)
    b.carry("e2", "e4").press("white").end(0.5).carry("e4", "e2", after=0.4)
    found = b.carry(*then, after=0.4).press("white").end().replay()
    assert found.taken == ["e2e4", "".join(then)]
    assert found.quiet


@pytest.mark.parametrize("game", ["reversi", "mockery"])
@pytest.mark.parametrize("swapped", [False, True])
def test_tags_tell_whether_the_same_pieces_stand_again_where_they_stood(board, game, swapped):
    b = board(game, PAWNS + (" -" if game == "mockery" else ""), "identity", clock=True,
              take_backs=True)  # fmt: skip
    b.off("d5").off("e4").put("d5", "e4").press("white").end(1)
    first, second = ("T-d5", "d5") if swapped else ("d5", "T-d5")
    found = b.off("d5").put("e4", first).put("d5", second).end().replay()
    assert found.last["verdict"] == ("illegal" if swapped else "settled")


def test_a_piece_that_changed_sides_may_stand_for_itself_after_the_way_back(board):
    lines = "4k3/8/8/1p6/8/8/8/R3K2R w - - 0 1"
    b = board("reversi", lines, "identity", clock=True, take_backs=True)
    b.carry("a1", "a8").press("white").end(1)
    assert b.carry("a8", "a1").end().replay().last["verdict"] == "settled"


@pytest.mark.parametrize("game", ["reversi", "mockery"])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_victim_that_is_pushed_home_before_it_is_taken_off_undoes_nothing(board, game, tier):
    """The hand that lifts a piece next is the taker's: who takes back would lift one of his own."""
    lines = "4k3/8/3p4/8/4P3/8/8/4K3 b - - 0 1" + (" -" if game == "mockery" else "")
    b = board(game, lines, tier, clock=True, take_backs=True)
    b.carry("d6", "d5").press("black").end(0.5).carry("d5", "d6", after=0.4)
    b.carry("e4", "d5", after=0.4).off("d6")
    found = b.press("white").end().replay()
    assert found.taken == ["d6d5", "e4d5"]
    assert found.last["verdict"] == "settled"
