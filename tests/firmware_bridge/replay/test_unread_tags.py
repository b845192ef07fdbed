"""Pieces whose tags are not read where they come down: what may be two things is no turn yet."""

import pytest

MEN = ["indistinguishable", "reversi", "mockery"]


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("game", [*MEN, "realm"])
def test_a_promoted_pawn_left_standing_unread_is_known_where_it_is_read_next(board, game, clock):
    text = "8/4P3/8/8/8/8/k7/4K3 w - - 0 1" + (" -" if game == "mockery" else "")
    b = board(game, text, "identity", clock=clock).off("e7").read("e8", True, 0.5)
    b.on["e8"] = b.hand.pop("e7")
    b.answer("e7e8q").carry("a2", "a1").press("black").carry("e8", "b5").press("white").end()
    if not clock:
        b.answer("a2a1").answer("e8b5").end()
    found = b.replay()
    assert found.quiet
    assert found.last.get("turn", "e8b5") == "e8b5"
    assert found.last["verdict"] in ("settled", "complete")


def test_a_pawn_exchanged_for_one_of_the_other_colour_is_no_queen_that_was_never_read(board):
    text = "rnb3nr/p1qp1kb1/2p2ppp/8/3P1BP1/2N4N/PPP1P2P/R2QK2R w KQ - 1 12"
    b = board("reversi", text, "identity", clock=True)
    b.header["on"]["c7"] = True
    b.off("f4").off("c7").put("c7", "f4").off("c6").put("c6", "S-wP")
    found = b.press("white").end().replay()
    assert found.taken == ["f4c7~c3"]
    assert found.quiet
