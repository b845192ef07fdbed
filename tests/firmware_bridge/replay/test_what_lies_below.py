"""Reality Check: what lies below a disc decides nothing as long as nobody has seen it."""

import pytest

MEMORY = {"memory": True}


WHITE = "4BR2/7/7/PPPN1PBPR/NNBBNB"


def discs(board, *, match=True, **settings):
    """Black to move; what lies below White's d1 is the same as below his c2, or not."""
    d1, hand = ("RN", "RR") if match else ("RR", "NR")
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/{d1} b {hand}/rr - - - 3"
    return board("reality-check", text, "face", options=MEMORY, **settings)


def with_hand(board, *, true=True, **settings):
    """Black to move; what he has in hand beside NN is a true disc or not."""
    d9, hand = ("rn", "nn,rr") if true else ("rr", "nn,nr")
    text = f"{d9}/1bbnb/pppnbrpbpr/{WHITE}/RN b RR/{hand} - - - 3"
    return board("reality-check", text, "face", **settings)


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("read", [True, False])
def test_a_disc_from_the_hand_that_is_read_late_or_not_tells_nothing_of_the_hand(
    board, clock, read
):
    lines = []
    for true in (True, False):
        b = with_hand(board, true=true, clock=clock).read("c8", True, 1.0)
        if clock:
            b.press("black", 0.2).end(0.2)
        else:
            b.end(5)
        if read:
            b.read("c8", None, 0.3)
        lines.append(b.end(2).replay().lines)
    assert lines[0] == lines[1]
    assert not [line for line in lines[0] if "taken" in line or "turns" in line]


def test_a_disc_from_the_hand_that_is_not_read_can_be_named(board):
    b = with_hand(board, true=False).read("c8", True, 1.0).end(5)
    assert b.replay("--referee").last["turns"] == ["NN@c8", "NR@c8", "RN@c8"]
    assert b.answer("RN@c8").end().replay().taken == ["R?@c8"]


@pytest.mark.parametrize("clock", [True, False])
def test_a_disc_in_hand_goes_only_where_it_may_lie(board, clock):
    b = with_hand(board, clock=clock)
    b.hand["nn"] = "NN"
    b.header["tags"]["NN"] = "bNN:N"
    b.put("d5", "nn").end()
    assert [v["reason"] for v in b.replay().of("reason")] == ["not-a-home-square"]


@pytest.mark.parametrize("clock", [True, False])
def test_a_disc_that_was_turned_over_just_before_is_not_turned_again(board, clock):
    frozen = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN b RR/rr e6 - - 3"
    b = board("reality-check", frozen, "face", clock=clock).carry("d7", "c6").flip("e6").end()
    lacking, found = b.replay().of("reason")
    assert (lacking["verdict"], lacking["reason"]) == ("in-progress", "must-flip")
    assert (found["verdict"], found["reason"]) == ("illegal", "flip-forbidden")
    assert found["cells"] == ["e6"]


def test_a_disc_just_dropped_may_be_turned_over(board):
    b = with_hand(board, true=False)
    b.header["tags"] |= {"T-hand": "bNR:R", "U-hand": "bNR:N"}
    b.put("c8", "T-hand").end(1)
    assert b.replay().taken == ["N?@c8"]
    assert b.flip("c8").end().replay().amended == ["R?@c8"]


@pytest.mark.parametrize("clock", [True, False])
def test_a_disc_read_for_the_first_time_tells_not_whether_it_is_true(board, clock):
    lines = []
    for d9, hand in (("rn", "nn,bb,rr"), ("rr", "nn,nr,bb")):
        text = f"{d9}/2nb/pppnbrpbpr/{WHITE}/RN b RR/{hand} - - - 3"
        b = board("reality-check", text, "face", clock=clock)
        b.header["on"]["d9"] = True
        b.carry("d9", "d8").end(5)
        lines.append((b.press("black") if clock else b).end().replay().lines)
    assert lines[0] == lines[1]


@pytest.mark.parametrize("clock", [True, False])
def test_a_true_disc_read_only_when_it_was_turned_over_is_told_by_the_players(board, clock):
    text = f"rr/2nb/pppnbrpbpr/{WHITE}/RN b RR/nn,nr,bb - - - 3"
    b = board("reality-check", text, "face", clock=clock)
    b.header["on"]["d9"] = True
    b.carry("e8", "d6").flip("d9").end(5)
    found = (b.press("black") if clock else b).answer("e8d6/d9").end().replay()
    assert found.taken == ["e8d6/d9"]
    assert found.quiet


def test_a_disc_put_back_unread_keeps_the_tag_that_tells_a_turning(board):
    """The board is cleared and set up again, and c3 is not read until White turns it over."""
    b = board("reality-check", f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN w RR/rr - - - 3", "face")
    squares = sorted(b.on)
    tags = dict(b.on)
    for square in squares:
        b.off(square, 0.1)
    for square in squares:
        b.read(square, True if square == "b3" else tags[square], 0.2)
    b.on = tags
    assert b.end().replay().last["verdict"] == "settled"
    assert b.carry("e6", "d5").flip("b3").end().replay().taken == ["e6d5/b3"]


def test_a_disc_just_dropped_may_be_turned_over_by_the_opponent_where_memory_is_played(board):
    text = f"rr/1bbnb/pppnbrpbpr/{WHITE}/RN b RR/nn,nr - - - 3"
    b = board("reality-check", text, "face", options=MEMORY)
    b.header["tags"] |= {"T-hand": "bNR:R", "U-hand": "bNR:N"}
    b.put("c8", "T-hand").end(1)
    found = b.flip("c8").end().flip("e8").end().replay()
    assert (found.taken, found.amended) == (["N?@c8", "?c8,e8"], [])


def test_a_disc_from_hand_set_on_the_square_of_another_is_no_flip(board):
    b = with_hand(board, clock=True).off("d8")
    b.header["tags"]["NN"] = "bNN:N"
    found = b.read("d8", "NN", 0.5).press("black").end().replay()
    assert found.last["reason"] == "square-occupied"


def test_a_true_disc_turned_over_beside_an_unread_one_tells_not_whether_they_match(board):
    lines = []
    for match in (True, False):
        b = discs(board, match=match, clock=True).flip("c2").off("d1").read("d1", True, 0.3)
        lines.append(b.end(5).replay().lines)
    assert lines[0] == lines[1]
