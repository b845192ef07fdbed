"""Reeds, no clock: what nobody felt is asked about, and who answers it is not blamed."""

import pytest

INVISIBLE = ("mockery", "4k3/7p/8/2pp4/8/8/8/3RK3 w - - 2 2 d5", "d1", "d5")
PINNED = [
    (game, "4k3/4r2p/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3", "d5") for game in ("reversi", "realm")
]
BLOCKED = ("reversi", "4k3/7p/8/8/3p4/8/3P4/3RK3 w - - 0 1", "d1", "d4")
FORBIDDEN = [INVISIBLE, *PINNED, BLOCKED]

forbidden = pytest.mark.parametrize("case", FORBIDDEN, ids=lambda case: f"{case[0]}-{case[3]}")
CHESS = ["reversi", "mockery", "realm"]
PROMOTION = "3r4/4P1kp/8/8/8/8/8/4K3 w - - 0 1"


def captured(board, case, first):
    game, position, source, target = case
    b = board(game, position, "occupancy")
    for square in (source, target) if first == "capturer" else (target, source):
        b.off(square)
    return b.put(target, source)


@forbidden
@pytest.mark.parametrize("first", ["capturer", "victim"])
def test_a_forbidden_capture_is_asked_about(board, case, first):
    found = captured(board, case, first).end(10).replay()
    target = case[3]
    assert found.verdicts == ["in-progress", "choice"]
    assert found.last["cells"] == [target]
    assert found.said == [f"Was the piece on {target} taken? If it was not, go on with the turn."]
    assert found.lights()[target] == "awaited"


@forbidden
@pytest.mark.parametrize("wait", [0.5, 5.0])
def test_the_opponents_legal_reply_is_not_blamed_for_it(board, case, wait):
    b = captured(board, case, "victim").wait(wait).carry("h7", "h6").end(10)
    found = b.replay()
    assert found.quiet
    assert "unexplained" not in found.verdicts
    assert found.last["verdict"] == "choice"
    assert found.last["cells"] == [case[3]]


@forbidden
@pytest.mark.parametrize("replied", [False, True])
def test_who_says_that_it_was_taken_is_told_why_not_and_how_back(board, case, replied):
    game, _, source, target = case
    b = captured(board, case, "victim").end(4)
    if replied:
        b.carry("h7", "h6")
    found = b.answer(source + target).end(1).replay()
    assert found.last["verdict"] == "illegal"
    assert found.last["reason"] not in ("not-your-piece", "no-such-move", "too-many-pieces")
    assert found.last["cells"] == [target]
    back = {step["to"] for step in found.last["restore"]}
    assert source in back
    if replied:
        b.carry("h6", "h7")
    b.off(target).put(source, source).put(target, target)
    found = b.end(4).replay()
    assert found.last["verdict"] == "settled"
    own = b.carry("e1", "f1").end(4)
    found = (own.answer("e1f1").end(1) if game == "realm" else own).replay()
    assert found.stand == ("e1f1",)


@forbidden
def test_who_held_it_in_the_hand_goes_on(board, case):
    game, _, source, target = case
    b = board(game, case[1], "occupancy").off(target).off(source).put(target, target).end(4)
    found = b.put(source, source).end(1).replay()
    assert found.last["verdict"] == "settled"
    assert found.taken == []


@pytest.mark.parametrize("game", ["reversi", "mockery", "indistinguishable"])
def test_a_piece_of_the_other_player_adjusted_beside_a_piece_in_the_air(board, game):
    """The contacts tell the same as of a capture that is not legal: asked, and forgotten."""
    tail = " -" if game == "mockery" else ""
    b = board(game, "4k3/7p/8/8/8/8/8/3RK3 w - - 0 1" + tail, "occupancy")
    found = b.off("d1").adjust("h7").end(1).put("d4", "d1").end(4).replay()
    assert found.stand == ("d1d4",)
    assert found.quiet


@pytest.mark.parametrize("game", CHESS)
@pytest.mark.parametrize("wait", [0.5, 1.0, 5.0])
def test_a_capturing_promotion_that_nobody_felt_is_asked_about_at_the_next_lift(board, game, wait):
    position = PROMOTION + (" -" if game == "mockery" else "")
    b = board(game, position, "occupancy").off("e7").wait(wait).off("h7")
    asked = b.replay()
    assert asked.last["verdict"] == "choice"
    assert asked.last["turns"] == ["e7d8q", "e7d8r", "e7d8b", "e7d8n"]
    assert asked.lights()["d8"] == "awaited"
    waiting = b.put("h6", "h7").end(10).replay()
    assert waiting.quiet
    assert waiting.last["verdict"] == "choice"
    found = b.answer("e7d8r").end(1)
    if game == "realm":
        found = b.answer("h7h6").end(1)
    found = found.replay()
    assert found.stand == ("e7d8r", "h7h6")
    assert found.last["verdict"] == "settled"


@pytest.mark.parametrize("game", CHESS)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_the_question_of_a_promotion_stays_open_when_the_opponent_lifts(board, game, tier):
    position = PROMOTION + (" -" if game == "mockery" else "")
    b = board(game, position, tier).off("d8").off("e7")
    b.put("d8", "e7").end(1)
    before = b.replay()
    assert before.last["verdict"] == "choice"
    after = b.off("h7").replay()
    assert after.last == before.last
    assert b.put("h6", "h7").end(5).replay().quiet


MANY = "nr2kbnr/1b1ppppp/p1p5/1q6/8/P1PN4/PRpPPPPP/2BQKBNR w Kk - 0 5"
MADE = "P-cd12:b2c2,c1b2,d1e1,d2d3,d3c1,e1d2"
REPLY = "P-ab56:a6b5,b5d3,b7a6"


@pytest.mark.parametrize("told", ["before", "after"])
def test_a_reply_to_one_of_many_turns_stands_once_it_is_told_which(board, told):
    """On reeds so many turns look alike that none of them is followed; none is forgotten either."""
    b = board("realm", MANY, clock=True, options={"power": True, "free": True})
    for cell in ("e1", "b2", "c1", "d3", "d2", "d1", "c2"):
        b.read(cell, None, 0.2)
    for cell in ("d2", "c2", "b2", "c1", "d3", "e1"):
        b.read(cell, True, 0.3)
    if told == "before":
        b.press("white").answer(MADE)
    for cell, reads in (("d3", None), ("b5", None), ("d3", True), ("a6", None), ("b5", True)):
        b.read(cell, reads, 0.4)
    b.read("b7", None, 0.4).read("a6", True, 0.4)
    if told == "after":
        b.answer(MADE)
    found = b.press("black").end(1).replay()
    assert found.stand == (MADE, REPLY)
    assert found.last["verdict"] == "settled"
