"""A turn that was made while the power was off: the first look at the board shows it."""

import pytest


@pytest.mark.parametrize("game", ["reversi", "mockery", "realm"])  # elsewhere faces alone count
@pytest.mark.parametrize("clock", [True, False])
def test_a_capture_is_told_by_its_tag(board, game, clock):
    position = "4k3/8/8/3b4/4P3/8/8/4K3 w - - 0 1"
    b = board(game, position + (" -" if game == "mockery" else ""), "identity", clock=clock)
    del b.header["on"]["e4"]
    b.header["on"]["d5"] = "T-e4"
    found = (b.press("white") if clock or game == "realm" else b).end().replay()
    turns = [turn for line in found.of("verdict") for turn in [line.get("turn")] if turn]
    assert turns[0].endswith("e4d5")
    assert found.quiet


@pytest.mark.parametrize("game", ["reversi", "mockery"])
def test_a_promoted_pawn_left_standing_is_still_one_when_another_has_moved(board, game):
    position = "4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1" + (" -" if game == "mockery" else "")
    b = board(game, position, "identity", clock=True)
    b.header["tags"]["P-a1"] = "wP"
    b.header["on"] = {"a1": "P-a1", "e8": "T-e8", "e1": "T-e1", "e4": "T-e2"}
    assert b.press("white").end().replay().taken == ["e2e4"]
