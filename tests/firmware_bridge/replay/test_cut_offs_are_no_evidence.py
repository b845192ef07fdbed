"""Hands that nobody has modelled: who did nothing wrong pays nothing, and nobody is stuck."""

import pytest

AGREED = {"time": "60m", "penalty": "2m"}


def innocent(found):
    """Whether nobody was ruled against."""
    return not found.of("ruling")


@pytest.mark.parametrize("cells", [1, 2, 9, 32])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("clock", [True, False])
def test_a_knock_is_nothing(board, cells, tier, clock):
    b = board(tier=tier, clock=clock).end(1)
    knocked = sorted(b.on)[:cells]
    for cell in knocked:
        b.read(cell, None, 0.002)
    for cell in reversed(knocked):
        b.read(cell, b.on[cell] if tier == "identity" else True, 0.002)
    assert b.end().replay().lines == []


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("clock", [True, False])
def test_a_sleeve_costs_nobody(board, tier, clock):
    b = board("indistinguishable", tier=tier, clock=clock, **AGREED).end(1)
    b.off("a8", 0.01).off("a7", 0.01).off("b7", 0.02).put("b6", "b7", 0.02).wait(2)
    b.off("b6").put("b7", "b7").put("a7", "a7").put("a8", "a8")
    b.carry("f2", "f3").press("white").end()
    found = b.replay()
    assert innocent(found)
    assert found.taken == ["f2f3"]
    assert "b6" in str(found.of("lights")[0])


def test_a_piece_set_aside_by_the_other_player_amends_nothing_in_the_end(board):
    b = board("reversi", **AGREED).carry("d2", "d3").wait(1)
    b.carry("d3", "d4", after=0.35).carry("b7", "b6", after=0.35).wait(0.5)
    found = b.carry("d4", "d3").end().replay("--referee")
    assert found.of("position")[-1]["position"].startswith(
        "rnbqkbnr/p1pppppp/1p6/8/8/3P4/PPP1PPPP/"
    )
    assert innocent(found)
    assert found.quiet
