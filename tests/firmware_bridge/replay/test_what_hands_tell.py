"""What hands did on the way tells which of several turns that look alike they did not make."""

import pytest

from drivers.port import CellEvent
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from rules import load

FORKED = "4k3/8/8/3p1p2/4P3/1p6/3N4/4K3 w - - 0 1"
PAWNS_MEET = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
CONVERTIBLE = "2b1k3/8/8/q1P5/2P5/2N5/8/4K3 b - - 0 1"
TAIL = {"mockery": " -", "reversi": "", "indistinguishable": ""}
ONE_MOVE = tuple(TAIL)


@pytest.mark.parametrize("game", ONE_MOVE)
@pytest.mark.parametrize("on", ["d5", "e4"])
@pytest.mark.parametrize("chatter", [0, 3])
def test_an_illegal_capture_is_not_taken_for_another_that_nobody_felt(board, game, on, chatter):
    """Nobody takes his own piece, so e4 may have been set upright: then somebody must say so."""
    b = board(game, FORKED + TAIL[game], clock=True).off(on).off("d2").put(on, "d2")
    for _ in range(chatter):
        b.read(on, None, 0.004).read(on, True, 0.004)
    found = b.press("white").end().replay()
    assert found.taken == []
    upright = on == "e4" and game != "indistinguishable"
    assert found.last["verdict"] == ("choice" if upright else "illegal")
    assert bool(found.of("ruling")) == (game == "indistinguishable")  # there nobody may be asked


@pytest.mark.parametrize("game", ["mockery", "reversi"])
def test_a_piece_nudged_with_another_in_the_air_leaves_a_question(board, game):
    b = board(game, FORKED + TAIL[game], clock=True).off("d2").adjust("e4", 0.1).press("white")
    found = b.replay()
    assert found.taken == []
    assert found.last["verdict"] == "choice"
    assert b.answer("d2b3").replay().taken == ["d2b3"]


@pytest.mark.parametrize("turn", ["a5c5", "a5c3~c8"])
def test_a_segment_exchanged_after_a_capture_that_nobody_felt_is_asked_about(board, turn):
    b = board("reversi", CONVERTIBLE, clock=True).off("a5").adjust("c4").adjust("c5")
    b.press("black")
    found = b.replay()
    assert found.taken == []
    assert (found.last["verdict"], found.last["turns"]) == ("choice", ["a5c5", "a5c3~c8"])
    assert b.answer(turn).replay().taken == [turn]


@pytest.mark.parametrize("order", ["c4 a5 c5", "c4 c5 a5", "a5 c5"])
def test_a_capture_is_not_asked_about_when_no_segment_was_exchanged_after_it(board, order):
    b = board("reversi", CONVERTIBLE, clock=True)
    for square in order.split():
        if square == "c4":
            b.adjust(square)
        else:
            b.off(square)
    found = b.put("c5", "a5").press("black").replay()
    assert found.taken == ["a5c5"]
    assert "choice" not in found.verdicts


ONE_OF_A_SEGMENT = "4k3/8/8/2b5/2P5/2Nq4/8/4K3 b - - 0 1"


@pytest.mark.parametrize(("order", "asked"), [("c4 d3", False), ("d3 c4", True)])
def test_a_capture_may_be_a_segment_of_one_piece_only_if_the_mover_came_first(board, order, asked):
    """The press takes the capture that was felt: it is the plain answer."""
    b = board("reversi", ONE_OF_A_SEGMENT, clock=True)
    for square in order.split():
        b.off(square)
    found = b.put("c4", "d3").press("black").replay()
    assert (found.taken, found.last["verdict"]) == (["d3c4"], "settled")
    assert ("choice" in found.verdicts) == asked


def test_without_a_clock_a_capture_that_was_felt_stands_when_the_opponent_plays_on(board):
    b = board("reversi", ONE_OF_A_SEGMENT).off("d3").off("c4").put("c4", "d3").wait(5)
    asked = b.replay()
    assert (asked.taken, asked.last["turns"]) == ([], ["d3c4", "d3c3~c5"])
    found = b.carry("e1", "d1").end().replay()
    assert found.taken == ["d3c4", "e1d1"]
    assert found.quiet


@pytest.mark.parametrize(
    ("read", "taken"), [(["S-wQ"], ["b7a8q"]), ([True], []), (["S-wQ", "a1"], ["b7a8q~a1"])]
)
def test_a_promotion_that_a_tag_answers_leaves_the_press_to_decline_the_conversion(
    board, read, taken
):
    b = board("reversi", "r7/1P6/8/p7/8/7k/8/R3K3 w - - 0 1", "identity", clock=True)
    b.off("a8").off("b7").read("a8", read[0], 0.5)
    for anchor in read[1:]:
        b.adjust(anchor)
    assert b.press("white").end().replay().taken == taken


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("game", ONE_MOVE)
def test_what_was_adjusted_together_is_no_piece_that_leaves_its_square_later(board, game, clock):
    b = board(game, PAWNS_MEET + TAIL[game], clock=clock)
    b.off("d5").off("e8", 0.2).put("d5", "d5", 0.8).put("e8", "e8", 0.2)
    found = b.adjust("e4", 2.0).end().replay()
    assert found.taken == []
    assert set(found.verdicts) == {"in-progress", "settled"}


def test_pieces_that_traded_places_in_the_air_stay_in_doubt_when_one_is_adjusted(board):
    b = board("realm", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", clock=True)
    b.off("a1").off("b1").put("b1", "a1").put("a1", "b1").adjust("b1")
    found = b.replay()
    assert (found.last["verdict"], found.last["turn"]) == ("extendable", "R-ab12:a1b1,b1a1")
    assert found.quiet


def test_a_piece_that_never_left_its_cell_has_no_part_in_a_turn(board):
    b = board("realm", "4k3/4n3/8/8/8/8/8/5RK1 b - - 0 1", clock=True)
    found = b.off("e8").put("f8", "e8").press("black").end().replay()
    assert found.taken == []
    assert (found.last["verdict"], found.last["reason"]) == ("illegal", "exposes-king")


def test_an_opponent_who_lifts_the_piece_just_moved_takes_nothing_back(board):
    b = board("reversi", "4k3/4p3/5Q2/8/8/8/8/4K3 w - - 0 1")
    b.off("f6").off("e7", 0.1).put("e7", "e7", 0.022).put("f7", "f6").wait(1.0)
    b.off("f7").wait(1.0).off("e8").put("f7", "e8")
    found = b.end().replay()
    assert found.taken[-2:] == ["f6f7", "e8f7"]
    assert found.amended == []
    assert found.quiet


def test_a_pawn_first_read_elsewhere_is_known_by_the_square_that_nobody_read():
    """Where colours tell nothing, its own square tells whose it is, and it goes back there."""
    position = load("indistinguishable").parse("4k3/8/p7/8/8/8/4P3/4K3 w - - 0 1")
    tags = {"white-pawn": "wP", "black-pawn": "bP", "white-king": "wK", "black-king": "bK"}
    standing = {"e2": "white-pawn", "e1": "white-king", "e8": "black-king", "a6": True}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(), standing)
    events = [("e2", None), ("a6", None), ("e8", None), ("a7", "black-pawn"), ("h6", "black-king")]
    for t, (cell, reading) in enumerate(events, start=1):
        reconciler.feel(CellEvent(0.1 * t, cell, reading))
    reconciler.tick(9.0)
    assert reconciler.verdict.kind == "illegal"
    back = {(step.source, step.target) for step in reconciler.verdict.restore}
    assert back == {("a7", "a6"), ("h6", "e8"), (None, "e2")}
    pieces = {"a7": "black-pawn", "h6": "black-king", None: "white-pawn"}
    for t, step in enumerate(reconciler.verdict.restore, start=10):
        if step.source is not None:
            reconciler.feel(CellEvent(t, step.source, None))
        reconciler.feel(CellEvent(t + 0.5, step.target, pieces[step.source]))
    assert reconciler.verdict.kind == "settled"


@pytest.mark.parametrize("victim", ["white-queen", True])
def test_a_queen_first_read_where_she_took_another_is_not_the_other_come_home(victim):
    """Colours tell nothing, and she was set down before her tag was read."""
    position = load("indistinguishable").parse("4k3/8/q6Q/8/8/8/8/4K3 b - - 0 1")
    tags = {"white-queen": "wQ", "black-queen": "bQ", "white-king": "wK", "black-king": "bK"}
    standing = {"e1": "white-king", "e8": "black-king", "a6": True, "h6": victim}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(), standing)
    for t, (cell, reading) in enumerate([("h6", None), ("a6", None), ("h6", True)], start=1):
        reconciler.feel(CellEvent(0.4 * t, cell, reading))
    reconciler.feel(CellEvent(1.3, "h6", "black-queen"))
    assert reconciler.verdict.kind == "complete"
    assert [str(turn) for turn in reconciler.verdict.turns] == ["a6h6"]


def test_a_queen_first_read_on_the_square_of_a_pawn_that_she_took_is_not_that_pawn_promoted():
    position = load("indistinguishable").parse("4k3/8/8/8/8/8/1q3P2/4K3 w - - 0 1")
    tags = {"white-pawn": "wP", "black-queen": "bQ", "white-king": "wK", "black-king": "bK"}
    standing = {"e1": "white-king", "e8": "black-king", "f2": "white-pawn", "b2": True}
    reconciler = Reconciler(position, Sensing("identity", tags), Settings(clock=True), standing)
    for t, (cell, reading) in enumerate([("b2", None), ("f2", None), ("f2", "black-queen")]):
        reconciler.feel(CellEvent(0.4 * t, cell, reading))
    reconciler.press(1.5, "white")
    reconciler.tick(3.0)
    assert (reconciler.verdict.kind, reconciler.verdict.reason) == ("illegal", "not-your-piece")
    assert "f2" in reconciler.verdict.cells


@pytest.mark.parametrize(
    ("game", "taken"), [("mockery", ["e2e4"]), ("reversi", ["e2e4"]), ("indistinguishable", [])]
)
def test_after_something_illegal_the_wrong_part_alone_may_go_back(board, game, taken):
    b = board(game, clock=True).off("d8").carry("e2", "e4").press("white").wait(1.0)
    found = b.put("d8", "d8").press("white").end().replay()
    assert "illegal" in found.verdicts
    assert found.taken == taken


CHECKED = "2r1Bbp1/2N2n2/3ppk2/4Qn2/1PP1P1pN/1P1P3P/5B2/2R1K1R1 b - - 0 14"


@pytest.mark.parametrize("clock", [True, False])
def test_a_capture_that_nobody_felt_beside_another_move_is_asked_about(board, clock):
    """The knight pushes h4 aside, the king moves on, and the opponent adjusts a pawn meanwhile."""
    turn = "D-ef56:f5h4,f6g6"
    b = board("realm", CHECKED, clock=clock).off("f5").carry("f6", "g6").adjust("b4")
    found = (b.press("black") if clock else b.wait(4)).end().replay()
    assert found.quiet
    assert (found.taken, found.last["verdict"], found.last["turns"]) == ([], "choice", [turn])
    assert b.answer(turn).end().replay().taken == [turn]


@pytest.mark.parametrize("game", ONE_MOVE)
@pytest.mark.parametrize("lag", [0.02, 0.25])
def test_a_press_takes_no_unfelt_capture_before_the_last_contact_may_have_come(board, game, lag):
    rook = "4k3/8/8/8/1p6/8/8/1R2K3 w - - 0 1" + TAIL[game]
    b = board(game, rook, clock=True).off("b1").press("white").put("c1", "b1", lag)
    found = b.carry("e8", "d8").press("black").end().replay()
    assert found.taken == ["b1c1", "e8d8"]
    assert found.quiet


@pytest.mark.parametrize("lag", [0.1, 0.4])
def test_the_opponent_who_answers_an_unfelt_capture_ends_the_waiting(board, lag):
    rook = "4k3/8/8/8/1p6/8/8/1R2K3 w - - 0 1 -"
    b = board("mockery", rook, clock=True).off("b1").press("white").off("e8", lag).put("d8", "e8")
    found = b.press("black").end().replay()
    assert found.taken == ["b1b4", "e8d8"]
    assert found.quiet


def test_a_late_contact_answers_what_the_press_asked(board):
    """The queen may stand unfelt on b5 or b4; she comes down on a4 just after the press."""
    queen = "4k3/8/8/Qp6/1p6/8/8/4K3 w - - 0 1 -"
    b = board("mockery", queen, clock=True).off("a5").press("white")
    assert b.end(0.01).replay().last["verdict"] == "choice"
    assert b.put("a4", "a5", 0.1).end().replay().taken == ["a5a4"]


ROOK = "1r6/4k3/P3p3/p3r3/5P2/1p4P1/5K2/4QB2 b - - 3 25"


@pytest.mark.parametrize("clock", [True, False])
def test_an_own_piece_adjusted_beside_a_capture_that_nobody_felt_leaves_a_question(board, clock):
    """The rook takes e1, which never opened, and the mover adjusts his pawn on e6."""
    b = board("realm", ROOK, clock=clock).off("e5").adjust("e6")
    found = (b.press("black") if clock else b).end(6).replay()
    assert (found.last["verdict"], found.last["turns"]) == ("choice", ["e5e1"])
    assert b.answer("e5e1").end().replay().taken == ["e5e1"]


def test_a_knight_put_on_a_like_one_takes_nothing_that_nobody_felt(board):
    """To reeds the knight of g1 came back, and the one of d6 may have taken b7: nobody decides."""
    text = "1r1nb1nr/1p2p2p/1q1NkpB1/p7/P6P/R2PPb1P/1P3P2/3QKBNR w K - 1 9"
    b = board("realm", text, clock=True).off("g1").off("d6").put("g1", "d6").press("white").end()
    found = b.replay()
    assert found.taken == []
    assert found.last["verdict"] in ("choice", "illegal")


@pytest.mark.parametrize("game", ONE_MOVE)
def test_a_promotion_still_asked_about_is_asked_again_when_the_opponent_has_answered(board, game):
    b = board(game, "6k1/4P3/8/8/8/8/8/K7 w - - 0 1" + TAIL[game])
    b.carry("e7", "e8").wait(1).carry("g8", "g7").end()
    asked = b.replay()
    assert asked.quiet
    assert (asked.taken, asked.last["verdict"]) == ([], "choice")
    assert asked.last["turns"][:2] == ["e7e8q", "e7e8r"]
    assert "e7e8n" not in asked.last["turns"]  # a knight would cover g7
    assert b.answer("e7e8r").end().replay().taken == ["e7e8r", "g8g7"]


OWNERS = ("4k3/8/2p5/3p4/8/8/8/R3K3 w - - 0 1", "4k3/8/2P5/3p4/8/8/8/R3K3 w - - 0 1")


@pytest.mark.parametrize("missing", [(), ("a1",), ("a1", "e8")])
def test_on_reeds_one_missing_piece_may_have_taken_another_whoever_owns_it(board, missing):
    """With more of them off the board nobody has tried a single movement."""
    for position in OWNERS:
        b = board("indistinguishable", position, clock=True).off("c6")
        for square in missing:
            b.off(square)
        found = b.adjust("d5").press("white").end().replay()
        assert found.last["verdict"] == "illegal"
        assert bool(found.of("ruling")) == (not missing)


def test_a_piece_lifted_before_the_movers_answers_nothing_of_his(board):
    """The queen may not have taken c5 unfelt, and the rook replied: the rook went first."""
    b = board("indistinguishable", "4k3/8/1q6/2B5/8/8/8/R3K3 b - - 0 1")
    found = b.off("a1").off("b6").put("a5", "b6").end().replay()
    assert found.last["verdict"] == "illegal"
    assert found.taken == []
