"""Slow contacts, second thoughts that end in a capture, and guidance that lasts to the end."""

import pytest

MEN = ["indistinguishable", "reversi", "mockery"]
CAPTURE = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


def men(board, game, text, tier="occupancy", **settings):
    return board(game, text + (" -" if game == "mockery" else ""), tier, **settings)


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("lag", [0.1, 0.3, 0.7])
def test_a_reed_may_open_late_behind_the_piece(board, game, clock, lag):
    b = board(game, clock=clock).read("e4", True, 1.0).off("e2", lag).end(0.2)
    assert b.replay().last["verdict"] == "complete"
    found = (b.press("white") if clock else b).end(1).replay()
    assert found.taken == ["e2e4"]
    assert found.quiet


@pytest.mark.parametrize("game", [*MEN, "realm"])
@pytest.mark.parametrize("lag", [0.02, 0.25])
def test_a_reed_may_open_after_the_press(board, game, lag):
    found = board(game, clock=True).read("e4", True, 1.0).press("white", 0.05).off("e2", lag).end()
    assert found.replay().taken == ["e2e4"]
    assert found.replay().quiet


@pytest.mark.parametrize("game", MEN)
def test_what_no_late_contact_explains_is_illegal_at_the_press(board, game):
    late = 0.35 if game == "indistinguishable" else 0.01  # there, it would tell whose piece is late
    found = board(game, clock=True).read("e5", True, 1.0).press("white", 0.05).end(late).replay()
    assert found.last["verdict"] == "illegal"


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("first", ["victim", "capturer"])
def test_second_thoughts_may_end_in_a_capture(board, game, tier, first):
    b = men(board, game, CAPTURE, tier).carry("b1", "c3").end(1).carry("c3", "b1")
    one, other = ("e5", "f3") if first == "victim" else ("f3", "e5")
    found = b.off(one).off(other, 1.5).put("e5", "f3").end()
    found = found.replay()
    assert found.stand == ("f3e5",)
    assert found.quiet


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_who_puts_an_upset_board_right_is_guided_to_the_end(board, game, tier):
    b = board(game, None, tier, clock=True)
    swept = ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "a7", "b7", "c7", "d7"]
    for square in swept:
        b.off(square, 0.02)
    b.end(3)
    for square in swept[:-1]:
        b.put(square, square, 2.0)
    waiting = b.replay()
    assert waiting.last["verdict"] == "disturbed"
    assert [step["to"] for step in waiting.last["restore"]] == ["d7"]
    assert waiting.lights() != {}
    found = b.put("d7", "d7", 2.0).end(1).replay()
    assert found.last["verdict"] == "settled"
    assert not found.of("ruling")
    assert "illegal" not in found.verdicts


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("game", MEN)
def test_a_piece_that_is_still_missing_has_not_taken_one_that_was_put_back(board, game, clock):
    """To reeds h2 looks as if the rook had come down on it: whoever presses is asked.

    Where the question would tell whose the rook is, he is to set it down once more.
    """
    b = men(board, game, "4k2r/pp6/8/8/8/8/PP5P/4K3 b k - 0 1", clock=clock)
    squares = ["a2", "a7", "b2", "b7", "e1", "e8", "h2", "h8"]
    for square in squares:
        b.off(square, 0.2)
    for square in squares[:-1]:
        b.put(square, square, 0.3)
    waiting = b.end(5).replay()
    assert (waiting.last["verdict"], waiting.taken) == ("disturbed", [])
    assert waiting.lights() == {"h8": "must-go-here"}
    if clock:
        pressed = b.press("black").end(5).replay()
        secret = game == "indistinguishable"
        assert pressed.last["verdict"] == ("in-progress" if secret else "choice")
        assert pressed.taken == []
    assert b.put("h8", "h8").end().replay().last["verdict"] == "settled"


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("taken_off", [2, 3])
@pytest.mark.parametrize("owners", ["white", "black", "both"])
def test_more_pieces_than_hands_need_are_told_missing_whoever_owns_them(
    board, owners, taken_off, clock
):
    squares = {"white": "a2 c2 h1", "black": "a7 c7 h8", "both": "a2 c7 h1"}[owners].split()
    b = board("indistinguishable", tier="identity", clock=clock)
    for square in squares[:taken_off]:
        b.off(square)
    found = b.end(20).replay()
    if taken_off < 3:
        assert found.verdicts == ["in-progress"]
        return
    assert found.verdicts == ["in-progress", "unexplained", "illegal"]
    assert (found.last["reason"], found.last["cells"]) == ("too-many-pieces", squares)
    assert not found.of("ruling")


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_what_is_illegal_stays_so_while_it_is_put_right(board, tier):
    """With c4 put back, what is left could begin a turn; the way back is told all the same."""
    text = "4k3/8/8/8/8/8/P1PP4/1N1QK3 w - - 0 1"
    b = board("realm", text, tier, clock=True).carry("a2", "a5").carry("c2", "c4").press("white")
    assert b.end(1).replay().last["verdict"] == "illegal"
    waiting = b.off("a5").replay()
    assert waiting.last["verdict"] == "illegal"
    assert waiting.lights() != {}


def test_a_decision_answered_twice_during_an_adjustment(board):
    text = "rn/nnbbnb/pp1brpbpr/2pn4/4BR2/7/PPPN1PBPR/NNBBNB/RN b RR/rr - roll - 3"
    b = board("reality-check", text, "face", clock=True, options={"dice": 1})
    b.tell(button="adjust").answer("roll:4").answer("roll:3").end()
    assert b.replay().taken == ["roll:4"]


def test_a_question_of_what_was_captured_stays_open(board):
    position = "4k3/8/8/4r3/5P2/8/8/4R1K1 b - - 0 1"
    b = board("reversi", position, clock=True).off("e5").off("f4").put("f4", "f4", 0.15)
    assert b.press("black").end(20).replay().last["verdict"] == "choice"


@pytest.mark.parametrize("game", MEN)
@pytest.mark.parametrize("when", ["this turn", "the turn before"])
def test_a_piece_with_an_unknown_tag_that_stayed_where_it_was_is_not_captured(board, game, when):
    position = "r3k3/8/8/8/8/8/P7/4K3 {} - - 0 1"
    before = when == "the turn before"
    b = men(board, game, position.format("w" if before else "b"), "identity", clock=True)
    b.off("a2").read("a2", "stranger", 0.5)
    if before:
        b.carry("e1", "e2").press("white")
    found = b.off("a8").end(2)
    assert found.replay().last["verdict"] == "in-progress"
    assert found.put("a3", "a8").press("black").end().replay().taken[-1] == "a8a3"


@pytest.mark.parametrize("game", MEN)
def test_a_tag_that_was_unknown_once_may_be_read_again(board, game):
    b = board(game, None, "identity", clock=True).off("a2").read("a2", "stranger", 0.5)
    b.carry("e2", "e3").press("white")
    b.read("a2", None, 0.5).read("a2", "T-a2", 0.5).end(3)
    assert b.replay().last["verdict"] == "settled"


@pytest.mark.parametrize("game", MEN)
def test_an_opponent_who_slides_slowly_is_not_taken_for_second_thoughts(board, game):
    """His rook is on both cells of a border for a moment, where the queen might have gone."""
    b = men(board, game, "4k3/8/8/8/P6q/8/8/6KR b - - 0 1").off("a4").off("h4").put("a4", "h4")
    b.end(0.4).read("h2", True, 0.2).read("h1", None, 0.03)
    found = b.read("h2", None, 0.2).read("h3", True, 0.02).end(1).replay()
    assert found.stand == ("h4a4", "h1h3")
    assert found.quiet
