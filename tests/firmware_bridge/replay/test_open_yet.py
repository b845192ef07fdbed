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
