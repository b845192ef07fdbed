"""Two people at one board: what each one's hands did decides, not who was first nor how long."""

from itertools import permutations

import pytest

AGREED = {"time": "60m", "penalty": "2m"}
LONE = "4k3/8/8/8/8/8/8/4K2R w - - 0 1"
PAWNS = "4k3/7p/8/8/8/8/P7/4K3 w - - 0 1"
HIDDEN = "4k3/8/3n4/8/4N3/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("held", [0.5, 2.0, 4.5])
def test_the_other_player_holds_a_piece_of_his_while_a_turn_is_made(board, tier, held):
    b = board("mockery", tier=tier, clock=True, **AGREED).off("e2").off("h8", 0.1).put("e4", "e2")
    found = b.put("h8", "h8", held).press("white").end().replay()
    assert found.taken == ["e2e4"]
    assert "illegal" not in found.verdicts


@pytest.mark.parametrize(("white", "black"), [("e4", "d5"), ("d4", "e4"), ("e5", "d5")])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_kings_in_the_middle_try_nothing(board, white, black, tier):
    b = board("indistinguishable", LONE, tier, clock=True, **AGREED)
    b.off("e1").put(white, "e1").off("e8").put(black, "e8", 2.5).end(3)
    for square in ("h1", black, white):
        b.off(square, 0.2)
    assert not b.end(5).replay().of("ruling")


def test_a_king_alone_may_wait_long_for_the_other_but_may_not_step_there(board):
    far = board("chess", LONE, clock=True, **AGREED).off("e1").put("e5", "e1").end(5)
    assert not far.replay().of("ruling")
    near = board("chess", "4k3/8/5p2/8/8/4K3/8/7R w - - 0 1", clock=True, **AGREED)
    assert near.off("e3").put("e5", "e3").press("white").end().replay().of("ruling")


def test_what_hangs_after_others_were_set_upright_is_set_down_once_more(board):
    b = board("indistinguishable", HIDDEN, clock=True, **AGREED).off("e4")
    for square in ("e1", "e8"):
        b.adjust(square)
    b.press("white").end(1)
    asked = b.replay()
    assert asked.said == ["Set it down once more."]
    found = b.adjust("d6").press("white").end().replay()
    assert found.taken == ["e4d6"]
    assert not found.of("ruling")


def test_what_hangs_on_a_board_put_right_is_set_down_once_more(board):
    b = board("indistinguishable", clock=True, **AGREED).off("b1")
    others = sorted(b.on)[:14]
    for square in others:
        b.off(square, 0.1)
    for square in others:
        b.put(square, square, 0.1)
    b.press("white").end(1)
    assert b.replay().said == ["Set it down once more."]
    assert b.put("c3", "b1").press("white").end().replay().taken == ["b1c3"]


def test_pieces_that_stand_where_they_stood_before_were_moved_if_both_moved_in_turn(board):
    b = board("chess", PAWNS, clock=True, take_backs=True)
    b.carry("e1", "e2").press("white").carry("e8", "e7").press("black").end(1)
    found = b.carry("e2", "e1").carry("e7", "e8").press("black").end().replay()
    assert found.taken == ["e1e2", "e8e7", "e2e1", "e7e8"]


def test_pieces_that_go_back_the_last_first_are_taken_back(board):
    b = board("chess", PAWNS, clock=True, take_backs=True)
    b.carry("e1", "e2").press("white").carry("e8", "e7").press("black").end(1)
    found = b.carry("e7", "e8").carry("e2", "e1").end().replay()
    assert found.said.count("The last turn is taken back.") == 2


def test_an_exchange_that_nobody_pressed_for_may_be_replied_to(board):
    """A pair exchanged on reeds may only have been lifted: but who replies has seen a turn."""
    b = board("realm", "4k3/8/8/8/2Bp4/3P4/8/3K4 w - - 0 1", clock=True)
    b.off("c4").off("d3").put("d3", "c4").put("c4", "d3")
    found = b.carry("e8", "e7").press("black").end().replay()
    assert found.taken == ["R-cd34:c4d3,d3c4", "e8e7"]


def test_a_disc_dropped_while_the_turn_before_it_is_made_is_a_reply(board):
    text = "br/nnbn1/1pnpb2/BR6/7/3NN3/PP2PBNP/NB2/NR w BB,RR/bb,rr d8 - - 12"
    options = {"retreat": True, "memory": True}
    b = board("reality-check", text, "face", clock=True, options=options)
    b.header["tags"]["RR"] = "bRR:R"
    b.off("d4").off("c2", 0.2).put("f7", "RR", 0.2).put("d4", "c2", 0.3).press("white")
    found = b.press("black").end().replay()
    assert found.taken == ["c2xd4", "R?@f7"]
    assert not found.of("ruling")


def test_a_tag_read_at_last_in_the_middle_of_a_knock_lifts_nothing(board):
    b = board("mockery", tier="identity", clock=True).read("a1", True).end(1)
    for cell in ("b1", "c1", "a1", "g8", "h8"):
        b.read(cell, None, 0.01)
    for cell in ("b1", "c1", "a1", "g8", "h8"):
        b.read(cell, b.on[cell], 0.01)
    assert b.end().replay().verdicts == []


@pytest.mark.parametrize("late", [0.02, 0.1, 0.3])
def test_two_tags_on_neighbours_at_once_are_two_pieces(board, late):
    text = "rn/nnbbnb/pppnbrpbpr/7/7/1NN5/PPPNBRPBPR/1BBNB/RN b RR/rr - - - 1"
    b = board("reality-check", text, "face", clock=True).off("d7").off("b7")
    b.put("c6", "d7").put("b7", "U-b7", late)
    assert b.press("black").end().replay().taken == ["d7c6/b7"]


def test_a_piece_that_is_taken_away_beside_a_capture_is_missed_though_nobody_knows_whose(board):
    """No hand holds two pieces after it has put down a third; while it does not, it may."""
    text = "rnb1k1nr/pppp1pp1/8/4p2p/7q/R4P2/1PPPP1P1/1NBQKBNR w Kkq - 0 6"
    held = board("indistinguishable", text).off("h4").off("h1").end(30)
    assert held.replay().quiet
    told = [
        board("indistinguishable", text).off(away).off("h4").off("h1").put("h4", "h1").end(30)
        for away in ("b2", "b7")
    ]
    reasons = {(*found.verdicts, found.last.get("reason")) for found in (b.replay() for b in told)}
    assert len(reasons) == 1
    assert "illegal" in reasons.pop()


def test_what_is_odd_after_a_whole_turn_asks_nothing_about_the_position_before(board):
    """Two rooks trade places; then h5 closes by itself, as if the pawn of h6 had gone there."""
    text = "1bk2p1r/1p2b2n/Qrpp1p1p/p6p/P2P3N/3PPPq1/P1N1R3/R2B1K2 b - - 0 21"
    b = board("realm", text, clock=True, take_backs=False).off("a6").off("b7").put("a6", "b7")
    b.wait(9).off("d1").put("b3", "d1").off("c2").put("b4", "c2")
    b.wait(2).off("h5").put("g6", "h5").wait(2).off("b3").wait(1).put("c2", "b3")
    b.press("white", 9).wait(1).off("b6").off("a5", 0.3).put("a5", "b6").put("b6", "a5", 0.2)
    b.read("h5", True, 0.02).end(1)
    assert b.replay().last["cells"] == ["h5"]


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("lifted", [*permutations(("d4", "h3", "a8"))], ids="-".join)
def test_what_nobody_read_and_may_be_one_of_several_pieces_is_no_attempt(board, tier, lifted):
    """Whose it is is then a guess: the board is put right, and nobody is ruled against."""
    text = "R7/7k/7p/5p2/3b4/7P/6P1/5K2 b - - 0 33"
    b = board("indistinguishable", text, tier, clock=True, **AGREED)
    for square in lifted:
        b.off(square, 0.4)
    found = b.read("f6", True, 0.3).end(3).replay()
    assert not found.of("ruling")
    assert (found.last["verdict"], found.last["reason"]) == ("illegal", "too-many-pieces")


@pytest.mark.parametrize("soon", [0.1, 0.3, 1.0])
def test_another_piece_set_aside_on_the_square_that_was_left_captures_nothing(board, soon):
    """It went home from there, and the piece that had stood there first took another."""
    text = "rnbqkb1r/pp1p4/5n1p/2p3B1/3P4/7P/PPP1P1P1/RN1QKBNR b KQkq - 0 7"
    b = board("indistinguishable", text, clock=True, sealed=True, **AGREED)
    b.off("g5", 0.4).off("h6", 0.4).put("g5", "h6", 0.3).off("e1", 0.2).put("h6", "e1", 0.2)
    b.hand["e1"] = b.on["h6"]
    b.off("h6", soon).put("e1", "e1", 0.2).press("black", 0.7).end(1)
    asked = b.replay()
    assert not asked.of("ruling")
    assert asked.said == ["Set it down once more."]
    found = b.adjust("g5").press("black").end(1).replay()
    assert found.taken == ["h6g5"]
