"""Reality Check: what lies below a disc decides nothing as long as nobody has seen it."""

import pytest

MEMORY = {"memory": True}


WHITE = "4BR2/7/7/PPPN1PBPR/NNBBNB"


def discs(board, *, match=True, **settings):
    """Black to move; what lies below White's d1 is the same as below his c2, or not."""
    d1, hand = ("RN", "RR") if match else ("RR", "NR")
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/{d1} b {hand}/rr - - - 3"
    return board("reality-check", text, "face", options=MEMORY, **settings)


def lifted_together(b):
    return b.off("c2").off("d1", 0.2).end(2)


def test_two_discs_that_were_turned_over_and_match_are_taken_off(board):
    found = discs(board).flip("c2").flip("d1").off("c2").off("d1").end().replay()
    assert found.taken == ["?c2,d1"]
    assert found.quiet


def test_the_press_or_the_screen_says_that_two_discs_were_looked_at(board):
    pressed = lifted_together(discs(board, clock=True)).press("black").end().replay()
    assert pressed.taken == ["?c2,d1"]
    answered = lifted_together(discs(board)).answer("?c2,d1").end().replay()
    assert answered.taken == ["?c2,d1"]


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


def test_a_disc_in_the_air_while_dice_are_rolled_keeps_its_tag(board):
    """b7 is a true disc: set back on the same side it was not turned over."""
    text = "rn/nnbbnb/pp1brpbpr/2pn4/4BR2/7/PPPN1PBPR/NNBBNB/RN b RR/rr - roll - 3"
    b = board("reality-check", text, "face", options={"dice": 1})
    found = b.off("b7").answer("roll:1").put("b7", "b7", 1.0).end(5).replay()
    assert found.taken == ["roll:1"]
    assert found.last["verdict"] == "settled"


def test_no_turn_is_made_by_lifting_a_piece_as_the_restoration_says(board):
    """Two pieces traded places; lifted alone, the victim leaves what looks like a capture."""
    b = board("reversi", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "identity")
    b.off("e4").off("d5").put("d5", "e4").put("e4", "d5", 0.1).end(3)
    assert b.replay().last["verdict"] == "illegal"
    b.off("e4").wait(0.5).off("d5").put("e4", "d5").put("d5", "e4").end()
    found = b.replay()
    assert found.taken == []
    assert found.last["verdict"] == "settled"


@pytest.mark.parametrize("clock", [True, False])
def test_two_discs_in_the_hand_of_whoever_puts_a_board_right_are_not_looked_at(board, clock):
    """A cat has shoved seven of them, and turned two over; five are right again."""
    b = discs(board, clock=clock)
    astray = {"d2": "d4", "e2": "e4", "b3": "b4", "c3": "c4", "e3": "e5", "c2": "d5", "d1": "c5"}
    for square, elsewhere in astray.items():
        b.carry(square, elsewhere, after=0.1)
    b.flip("d5").flip("c5").end(3)
    for square, elsewhere in astray.items():
        b.off(elsewhere, 0.2)
        if square not in ("c2", "d1"):
            b.put(square, elsewhere, 0.2)
    found = b.press("black").end(5).replay()
    assert found.taken == []
    assert found.lights() == {"c2": "must-go-here", "d1": "must-go-here"}
    b.put("c2", "T-c2").put("d1", "T-d1")
    lifted_together(b.end(2)).press("black").end(2)
    assert b.replay().taken == ["?c2,d1"]


@pytest.mark.parametrize("named", ["sacrifice:PP", "sacrifice:RN", "sacrifice:NN", "keep"])
def test_whoever_names_what_he_gives_up_before_it_is_off_is_told_what_to_do(board, named):
    """The words are the same whatever is named: they tell nothing of what lies below."""
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN b RR/rr - sacrifice - 3"
    b = board("reality-check", text, "face", clock=True, options=MEMORY).answer(named)
    due = "If it stands on the board, take it off first. Then choose it, or press the clock."
    assert b.replay().said == [due]
    assert b.off("b7").press("black").end().replay().stand == ("sacrifice:PP",)


def test_a_true_disc_that_is_adjusted_is_not_sacrificed(board):
    """Without a clock a disc in the air is only that, until its owner says that it goes."""
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN b RR/rr - sacrifice - 3"
    b = board("reality-check", text, "face", options=MEMORY).adjust("b7").end(1)
    assert b.replay().taken == []
    assert b.off("b7").answer("sacrifice:PP").end().replay().stand == ("sacrifice:PP",)


def test_a_tag_that_nobody_knows_tells_not_which_way_up_a_disc_lies(board):
    b = discs(board).off("b7").put("b6", "stranger").end(2)
    found = b.replay()
    assert found.taken == []
    assert found.last["verdict"] != "complete"


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


@pytest.mark.parametrize(
    ("order", "reason"),
    [("e2 e6", "too-many-pieces"), ("e8 e6", "not-your-piece"), ("e6 e2", "too-many-pieces")],
)
def test_without_a_clock_a_disc_stolen_beside_a_whole_turn_is_told(board, order, reason):
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN w RR/rr - flip:3 - 3"
    b = board("reality-check", text, "face", options={"dice": 1})
    for square in order.split():
        (b.flip if square == "e6" else b.off)(square, 0.1)
    told = b.end(6).replay()
    assert (told.last["verdict"], told.last["reason"]) == ("illegal", reason)
    assert told.last["cells"] == [order.replace("e6", "").strip()]


@pytest.mark.parametrize("clock", [True, False])
def test_a_true_disc_that_nobody_touched_is_not_thought_to_be_turned_over(board, clock):
    """The tag of e3 was not read when White put it back; Black moves and flips nothing."""
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN w RR/rr - - - 3"
    b = board("reality-check", text, "face", clock=clock).carry("e6", "d5")
    b.off("e3").read("e3", True, 0.2).flip("c3").press("white").end()
    found = b.carry("b7", "b6").press("black").end(4).replay()
    assert len(found.taken) == 1
    assert "choice" not in found.verdicts


def test_another_disc_of_the_opponent_may_be_turned_over_instead(board):
    """The mover lifts the opponent's discs, so that is no answer to the turn taken already."""
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN b RR/rr - - - 3"
    b = board("reality-check", text, "face").carry("d7", "c6").flip("e6").end(1)
    assert b.replay().taken == ["d7c6/e6"]
    found = b.flip("e6").flip("c3").end().replay()
    assert found.quiet
    assert (found.amended, found.last["verdict"]) == (["d7c6/c3"], "settled")


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


def test_a_true_disc_carried_unread_is_turned_over_when_its_other_tag_is_read(board):
    """The tag read last on b7 tells which side lay down when it came to b6 unread."""
    b = board("reality-check", f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN b RR/rr - - - 3", "face")
    b.off("b7").read("b6", True, 0.5).flip("c7").end(1)
    b.carry("e6", "d5").flip("c3").end(1)
    b.carry("f7", "f6")
    found = b.read("b6", None, 0.5).read("b6", "U-b7", 0.5).end(1).replay()
    assert found.quiet
    assert found.taken == ["b7b6/c7", "e6d5/c3", "f7f6/b6"]


def test_the_press_takes_a_memory_turn_of_which_one_tag_was_not_read(board):
    """Discs that match would go off the board, so without the press nobody is asked."""
    b = discs(board, match=False, clock=True).flip("c2").off("d1").read("d1", True, 0.3).end(5)
    assert b.replay().last["verdict"] == "settled"  # c2 shows the same face on either side
    assert b.press("black").end().replay().taken == ["?c2,d1"]
    without = discs(board, match=False).flip("c2").off("d1").read("d1", True, 0.3).end(8)
    assert set(without.replay().verdicts) <= {"in-progress", "settled"}


def test_two_stories_of_turned_discs_are_asked_about(board):
    """Black thinks over which of his own discs to turn over, or White looks at two of them."""
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN b RR/rr - - - 3"
    b = board("reality-check", text, "face", options=MEMORY).carry("d7", "c6").flip("c7").end(1)
    found = b.flip("c7").flip("f7").end(8).replay()
    assert found.taken == ["d7c6/c7"]
    assert found.amended == []
    assert (found.last["verdict"], found.last["turns"]) == ("choice", ["?c7,f7"])


@pytest.mark.parametrize(("gone", "reason"), [("d9", "not-your-piece"), ("c2", "too-many-pieces")])
def test_a_disc_stolen_beside_the_flip_of_a_die_is_told_as_such(board, gone, reason):
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN w RR/rr - flip:3 - 3"
    b = board("reality-check", text, "face", clock=True, options={"dice": 1}).off(gone).flip("e6")
    found = b.press("white").end().replay()
    assert (found.last["reason"], found.last["cells"]) == (reason, [gone])


def test_a_disc_from_hand_set_on_the_square_of_another_is_no_flip(board):
    b = with_hand(board, clock=True).off("d8")
    b.header["tags"]["NN"] = "bNN:N"
    found = b.read("d8", "NN", 0.5).press("black").end().replay()
    assert found.last["reason"] == "square-occupied"


HOMES = "b3,c2,c3,d1,d2,d3,e2,e3,f3/b7,c7,c8,d7,d8,d9,e7,e8,f7"


@pytest.mark.parametrize("clock", [True, False])
def test_a_few_discs_that_come_home_are_no_new_start(board, clock):
    """Any arrangement is one where the set-up is free, but nobody has set up anything."""
    text = f"rn/nnbbnb/pppnbrpbpr/{WHITE}/RN w RR/rr - - {HOMES} 3"
    b = board("reality-check", text, "face", clock=clock, options={"flexible": True})
    b.carry("e6", "d3").flip("c3").flip("f3")
    found = (b.press("white") if clock else b).end(5).replay()
    assert (found.last["verdict"], found.last["reason"]) == ("illegal", "no-such-move")


def test_a_true_disc_turned_over_beside_an_unread_one_tells_not_whether_they_match(board):
    lines = []
    for match in (True, False):
        b = discs(board, match=match, clock=True).flip("c2").off("d1").read("d1", True, 0.3)
        lines.append(b.end(5).replay().lines)
    assert lines[0] == lines[1]
