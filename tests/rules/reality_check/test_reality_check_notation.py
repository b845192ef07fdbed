"""What people write, and what they and everyone else read."""

import pytest
from refusals import refused

from rules.games.reality_check import GAME

POSITION = "rn/nnbbnb/pppnbrpbpr/7/7/7/PPPNBRPBPR/NNBB1/RN w NB,RR/rr d8 - - 5"


@pytest.fixture
def position():
    return GAME(memory=True).parse(POSITION)


@pytest.mark.parametrize(
    ("written", "turn"),
    [
        ("Bd3-e4, flip d9", "d3e4/d9"),
        ("d3 e4 flip d9", "d3e4/d9"),
        ("bd3e4/D9", "d3e4/d9"),
        ("Bd3-e4/e4", "d3e4/e4"),
        ("drop N/B on e2", "NB@e2"),
        ("bn e2", "BN@e2"),
        ("RR@e2", "RR@e2"),
        ("look under d9 and c7", "?c7,d9"),
        ("memory c7 d9", "?c7,d9"),
        (" ?c7, d9 ", "?c7,d9"),
    ],
)
def test_people_are_understood(position, written, turn):
    assert str(position.understand(written)) == turn


@pytest.mark.parametrize(
    ("text", "everyones"),
    [
        ("d3e4/d9", "Bd3-e4, flip d9"),
        ("NB@e2", "drop N on e2"),
        ("?c7,d9", "look under c7 and d9"),
    ],
)
def test_turns_are_written_for_people_without_secrets(position, text, everyones):
    assert position.written(position.parse_turn(text)) == everyones


def test_captures_and_answers_are_written_for_people():
    game = GAME(memory=True, dice=2)
    position = game.parse("1/rrnnbb/5/7/7/7/5/RRNNBB/1 w -/- - - - 2")
    check = position.understand("Rc2xc8, reality check")
    assert str(check) == "c2xc8!"
    assert position.written(check) == "Rc2xc8, reality check"
    assert str(position.understand("rc2 x c8 !")) == "c2xc8!"
    assert str(position.understand("c2xc8")) == "c2xc8"
    hand = game.parse("1/rrnnbb/5/7/7/7/5/RN2/RR w -/- - hand:PR,NN - 5")
    assert str(hand.understand("keep R/P")) == "keep:PR"
    assert hand.written(hand.parse_turn("refuse:PR")) == "refuse"
    given = game.parse("1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8,d8 sacrifice - 5")
    assert given.written(given.understand("sacrifice r/r")) == "sacrifice R/R"
    roll = game.parse("1/rrnnbb/5/7/7/7/5/RN2/RR w -/- c8 roll - 5")
    assert roll.written(roll.understand("rolled 4 and 2")) == "rolled 4 and 2"
    flip = roll.play(roll.understand("roll 4 2"))
    assert flip.written(flip.understand("flip d1")) == "flip d1"


def test_what_cannot_be_read_is_a_syntax_error(position):
    assert refused(position.understand, "castle")[0] == "syntax"
