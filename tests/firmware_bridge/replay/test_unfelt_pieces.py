"""A cell that does not tell the truth, and nothing else is odd: players are asked, play goes on."""

import pytest

GAMES = ["indistinguishable", "reversi", "mockery", "realm"]
ASKED = "Does a piece stand on a2?"


def gone_while_moving(board, game, tier):
    """White plays e2e4 and presses, and the sensor of a2 dies meanwhile; e4 goes back."""
    b = board(game, tier=tier, clock=True)
    b.off("e2").off("a2").put("e4", "e2").press("white").end(1)
    return b.carry("e4", "e2").end(3)


def goes_on_without(b, question):
    """See that a question was asked once, and that White's press answers it."""
    asked = b.replay()
    assert len([text for text in asked.said if question in text]) == 1
    assert asked.last["verdict"] == "illegal"
    b.press("white").end(1)
    answered = b.replay()
    assert answered.last["verdict"] == "settled"
    assert answered.taken == []
    b.carry("e2", "e4").press("white").carry("e7", "e5").press("black").end(1)
    assert b.replay().taken == ["e2e4", "e7e5"]


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", GAMES)
def test_the_press_goes_on_without_a_sensor_that_died(board, game, tier):
    b = gone_while_moving(board, game, tier)
    waiting = b.replay()
    assert waiting.last["verdict"] == "illegal"
    assert not [text for text in waiting.said if ASKED in text]
    b.end(9)
    goes_on_without(b, ASKED)


EMPTY = "Is h5 empty?"


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", GAMES)
def test_the_press_goes_on_without_a_sensor_that_feels_what_is_not_there(board, game, tier):
    goes_on_without(board(game, tier=tier, clock=True).put("h5", True).end(11), EMPTY)


def unfelt_target(board, game, tier, clock=True):
    """White sets e2 on e4, whose sensor is dead, presses, puts it back as told, and tries again."""
    b = board(game, tier=tier, clock=clock)
    b.off("e2").press("white").end(1).put("e2", "e2").end(1)
    return b.off("e2").press("white").end(1)


VANISHING = [game for game in GAMES if game != "indistinguishable"]
"""Where it could have gone would tell there whose it is: only the referee's page helps."""


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", VANISHING)
def test_a_piece_that_vanishes_again_may_stand_on_a_dead_cell(board, game, tier):
    b = unfelt_target(board, game, tier)
    asked = b.replay()
    assert asked.of("verdict")[1]["verdict"] == "illegal"
    assert asked.last["verdict"] == "choice"
    assert set(asked.last["turns"]) == {"e2e3", "e2e4"}
    b.answer("e2e4").carry("e7", "e5").press("black").end(1)
    found = b.replay()
    assert found.taken == ["e2e4", "e7e5"]
    assert found.last["verdict"] == "settled"
    assert [text for text in found.said if "The sensor of e4 does not answer." in text]
