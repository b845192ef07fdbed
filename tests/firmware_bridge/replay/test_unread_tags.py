"""Pieces whose tags are not read where they come down: what may be two things is no turn yet."""

import pytest

import rules

DISCS = "nn/1bbnr/ppnb1pbpr/7/7/3NN3/PPRPbr2/BBPBRN/1 b NB,BR,RR/pn,rr c3 - - 11"
MEMORY = {"retreat": True, "memory": True}
PAWNS_MEET = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
MEN = ["indistinguishable", "reversi", "mockery"]


def discs(board):
    return board("reality-check", DISCS, "face", clock=False, options=MEMORY)


def meeting(board, game, *, clock=False):
    return board(game, PAWNS_MEET + (" -" if game == "mockery" else ""), "identity", clock)


def unread(b, *cells, after):
    """Let the cells open and close, and what stands on them go unread."""
    for cell in cells:
        b.read(cell, None, 0.2).read(cell, True, after)
    return b


@pytest.mark.parametrize("nudged", [0.1, 0.4])
def test_nothing_is_taken_as_long_as_unread_discs_allow_two_turns(board, nudged):
    """The knight goes to e6 and e2 is turned over; d8 opened meanwhile, and no tag was read."""
    b = unread(discs(board).off("e7"), "d8", after=nudged)
    b.read("e6", True, 0.25 if nudged > 0.2 else 0.6)
    unread(b, "e2", after=0.32)
    b.end(6)
    waiting = b.replay()
    assert "e7e6/e2" in waiting.last["turns"]
    assert waiting.stand == ()
    found = b.answer("e7e6/e2").end().replay()
    assert found.stand == ("e7e6/e2",)
    assert found.quiet


def test_a_turn_taken_too_soon_is_still_put_right_when_discs_are_turned_unread(board):
    b = unread(discs(board).off("e7"), "d8", after=0.4).read("e6", True, 0.4)
    unread(b, "e2", after=0.32)
    found = b.end(6).answer("e7e6/e2").end().replay()
    assert found.taken == ["e7xd8"]
    assert found.stand == ("e7e6/e2",)
    assert found.quiet


@pytest.mark.parametrize("game", MEN)
def test_a_victim_nudged_unread_is_not_captured_while_the_hand_is_in_the_air(board, game):
    b = unread(meeting(board, game).off("e4"), "d5", after=0.1).put("e5", "e4", 1.0).end()
    found = b.replay()
    assert found.taken == ["e4e5"]
    assert found.amended == []


@pytest.mark.parametrize("game", MEN)
def test_a_quick_capture_whose_tag_is_not_read_is_asked_about_and_the_press_takes_it(board, game):
    b = unread(meeting(board, game).off("e4"), "d5", after=0.1).end(4)
    assert b.replay().last["verdict"] == "choice"
    assert b.answer("e4d5").end().replay().taken == ["e4d5"]
    b = unread(meeting(board, game, clock=True).off("e4"), "d5", after=0.1).press("white").end()
    assert b.replay().taken == ["e4d5"]


@pytest.mark.parametrize("game", MEN)
def test_a_quick_capture_stands_when_the_opponent_answers(board, game):
    b = unread(meeting(board, game).off("e4"), "d5", after=0.1).wait(0.5).carry("e8", "e7").end()
    found = b.replay()
    assert found.taken == ["e4d5", "e8e7"]
    assert found.quiet


TWO_DICE = "rn/nnbbnb/pppnbrpbpr/5BR1/7/7/PPPN1PBPR/NNBBNB/RN b RR/rr - flip:1,2 - 1"


@pytest.mark.parametrize("late", [0.0, 0.1])
def test_a_true_disc_turned_over_is_told_by_its_other_tag(board, late):
    """Both sides of c7 (PP) and c8 (NN) look alike, but each side has its own tag."""
    b = board("reality-check", TWO_DICE, "face", options={"dice": 2}).flip("b7").wait(2)
    b.off("c8").read("c8", True, 0.3)
    found = b.read("c8", "U-c8", late).end(3).replay()
    assert found.taken == ["flip:b7", "flip:c8"]
    assert "extendable" not in found.verdicts


def test_a_flip_that_a_tag_tells_is_no_question(board):
    """On the first turn of the flexible game a flip is free."""
    b = board("reality-check", None, "face", options={"board": "advanced"}, clock=False)
    placement = rules_of(b).placement
    true = next(s for s, label in placement.items() if label[1] == label[2] and label[0] == "b")
    turn = next(str(t) for t in rules_of(b).turns() if str(t).endswith(f"/{true}"))
    found = b.carry(turn[:2], turn[2:4]).flip(true).end().replay()
    assert found.taken == [turn]
    assert "choice" not in found.verdicts


def rules_of(b):
    return rules.load(b.header["game"], **b.header["options"]).parse(b.header["position"])


@pytest.mark.parametrize("game", MEN)
def test_a_tag_read_on_its_own_square_outweighs_what_opens_just_after(board, game):
    """The bishop comes back to its square and is read, and a moment later the pawn is lifted."""
    text = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1" + (" -" if game == "mockery" else "")
    b = board(game, text, "identity").adjust("d5").off("e4", 0.05).end(2)
    assert b.replay().taken == []
    found = b.put("e5", "e4").end().replay()
    assert found.taken == ["e4e5"]
    assert found.quiet


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
