"""Two players whose hands are on the board at once, and a piece that stands on a border."""

import pytest

GAMES = ("indistinguishable", "reversi", "mockery")
TIERS = ("occupancy", "identity")
START = "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1"
TAIL = {"mockery": " -"}


def interleaved(board, game, tier, *, clock, reply_first):
    """White plays a2a4 and Black h7h5, each lifting before the other has set down."""
    b = board(game, START + TAIL.get(game, ""), tier, clock=clock).off("a2").off("h7", 0.1)
    if reply_first:
        return b.put("h5", "h7", 0.2).put("a4", "a2", 0.5)
    return b.put("a4", "a2", 0.2).put("h5", "h7", 0.3)


@pytest.mark.parametrize("reply_first", [True, False])
@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("game", GAMES)
def test_turns_made_at_once_both_stand(board, game, tier, clock, reply_first):
    b = interleaved(board, game, tier, clock=clock, reply_first=reply_first).end(1)
    found = (b.press("white").press("black") if clock else b).end(1).replay()
    assert found.taken == ["a2a4", "h7h5"]
    assert "illegal" not in found.verdicts
    assert not found.of("ruling")


@pytest.mark.parametrize("game", GAMES)
def test_a_piece_whose_tag_two_cells_read_stands_where_it_is_read_last(board, game):
    b = board(game, START + TAIL.get(game, ""), "identity", clock=True).off("a2").put("a4", "a2")
    b.read("b4", "T-a2", 0.01).end(2)
    assert b.replay().verdicts == ["in-progress", "complete", "in-progress"]


def test_no_half_of_a_turn_is_taken_where_two_pairs_of_turns_were_made_at_once(board):
    text = "5p1r/r1nknpb1/1p1p4/2p2ppb/1PpN4/q1P1B1PB/Q4PP1/1R2P1KR b - - 2 15"
    b = (
        board("realm", text, "occupancy", clock=True)
        .carry("g5", "g6")
        .off("h5", 0.5)
        .off("b1", 0.2)
    )
    b.put("d1", "b1", 0.2).put("h6", "h5", 0.17).carry("a2", "d2").carry("d4", "c2").end(0.6)
    found = b.press("black").end(0.5).replay()
    assert found.taken == []
    assert found.verdicts[-1] == "choice"
