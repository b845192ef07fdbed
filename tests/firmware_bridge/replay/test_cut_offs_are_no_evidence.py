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


def test_what_stays_open_after_a_knock_was_lifted(board):
    b = board(clock=True).read("a2", None, 1).off("e2", 0.01).read("a2", True, 0.1)
    b.put("e4", "e2").press("white").end()
    found = b.replay()
    assert found.verdicts == ["in-progress", "complete", "settled"]
    assert found.taken == ["e2e4"]


@pytest.mark.parametrize("clock", [True, False])
def test_a_trembling_hand_breaks_no_cell(board, clock):
    position = "k7/8/8/6p1/8/8/8/2B1K3 w - - 0 1"
    b = board("reversi", position, clock=clock, **AGREED).off("g5").off("c1")
    b.put("g5", "c1")
    for _ in range(14):
        b.read("g5", None, 0.1).read("g5", True, 0.16)
    if clock:
        b.press("white")
    found = b.end(5).replay()
    assert found.taken == ["c1g5"]
    assert not any("sensor" in said for said in found.said)
    assert innocent(found)


@pytest.mark.parametrize(("stays", "turn"), [("d4", "e3d4"), ("e4", "e3e4")])
def test_which_of_two_cells_a_piece_leaves_decides_where_it_stands(board, stays, turn):
    position = "k7/8/8/8/3p4/4Q3/8/4K3 w - - 0 1"
    b = board("reversi", position, **AGREED).off("e3")
    if stays == "d4":
        b.off("d4", 0.3).read("e4", True, 0.3).read("d4", True, 0.02).read("e4", None, 0.6)
    else:
        b.read("e4", True, 0.3).read("e5", True, 0.02).read("e5", None, 1.5)
    found = b.end(3).replay()
    assert found.stand == (turn,)
    assert found.quiet


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


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("seconds", [0.5, 2.0, 4.0])
def test_a_victim_may_stand_aside_for_a_while(board, clock, seconds):
    position = "4k3/1p6/8/8/8/8/6B1/4K3 w - - 0 1"
    b = board("reversi", position, "identity", clock=clock, **AGREED)
    b.off("b7").off("g2").put("c5", "b7").put("b7", "g2").off("c5", seconds)
    if clock:
        b.press("white")
    found = b.end(4).replay()
    assert found.taken == ["g2b7"]
    assert innocent(found)
    assert found.quiet


@pytest.mark.parametrize("pressed", [True, False])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_reply_may_go_where_an_unpressed_capture_came_from(board, pressed, tier):
    position = "3qk1n1/4B3/8/8/8/8/8/4K3 w - - 0 1"
    b = board("reversi", position, tier, clock=True, **AGREED)
    b.off("e7").off("d8", 0.3).put("d8", "e7", 0.3).off("g8").put("e7", "g8")
    if pressed:
        b.press("black").end()
    found = b.end(1).replay()
    assert found.taken == ["e7d8", "g8e7"][: 2 if pressed else 1]
    assert innocent(found)


def test_a_piece_set_aside_by_the_other_player_amends_nothing_in_the_end(board):
    b = board("reversi", **AGREED).carry("d2", "d3").wait(1)
    b.carry("d3", "d4", after=0.35).carry("b7", "b6", after=0.35).wait(0.5)
    found = b.carry("d4", "d3").end().replay("--referee")
    assert found.of("position")[-1]["position"].startswith(
        "rnbqkbnr/p1pppppp/1p6/8/8/3P4/PPP1PPPP/"
    )
    assert innocent(found)
    assert found.quiet


@pytest.mark.parametrize("game", ["reversi", "mockery", "realm", "indistinguishable"])
@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("answer", [None, "b7b8r"])
def test_a_promotion_that_nobody_names_is_the_boards_debt(board, game, asked, answer):
    marks = " -" if game == "mockery" else ""
    b = board(game, f"8/1P3k2/8/8/8/8/5K2/8 w - - 0 1{marks}", clock=True, **AGREED)
    b.carry("b7", "b8")
    if asked:
        b.press("white")
    b.carry("f7", "f6")
    if answer:
        b.answer(answer)
    found = b.press("black").carry("f2", "f3").press("white").end().replay()
    assert found.taken == [answer or "b7b8q", "f7f6", "f2f3"]
    assert any("it is a queen, unless" in said for said in found.said)
    assert innocent(found)


def test_a_turn_that_cannot_have_happened_is_not_taken(board):
    position = "4k3/8/8/4n3/1nPP4/2B5/8/4K3 w - - 0 1"
    b = board("realm", position, **AGREED)
    b.off("d4").off("c4", 0.2).read("c5", True, 0.3).off("e5", 0.3).read("e5", True, 0.4)
    b.read("d5", True, 0.4).off("c3", 0.3)
    assert b.end(1.5).replay().taken == []
    found = b.off("b4", 0.1).read("b4", True, 0.3).end().replay()
    assert all("c3e5" not in turn for turn in found.taken)
    assert innocent(found)


def test_a_cell_that_closes_by_itself_is_done_without_and_believed_again(board):
    b = board(clock=True, **AGREED)
    for _ in range(8):
        b.read("e5", True, 0.2).read("e5", None, 0.2)
    assert b.replay().lights() == {"e5": "fault"}
    b.wait(40).carry("e2", "e4").press("white")
    found = b.carry("e7", "e5").press("black").end().replay()
    assert found.taken == ["e2e4", "e7e5"]
    assert found.lights().get("e5") != "fault"


@pytest.mark.parametrize("game", ["reversi", "indistinguishable"])
def test_nobody_waits_in_silence(board, game):
    b = board(game, clock=True, **AGREED).off("e2")
    assert b.end(6).replay().said == []
    assert ["finish the turn" in said for said in b.end(0.3).replay().said] == [True]
    assert len(b.end(2).replay().said) < 3
