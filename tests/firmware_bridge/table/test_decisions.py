"""Questions, decisions and dice: who is asked what, and who may see it."""

import secrets

import pytest

from firmware_bridge.messages import Declare, Said
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.recorder import Recorder
from firmware_bridge.views import Announcement
from firmware_bridge.views.lights import lights
from firmware_bridge.words import catalogue
from tests.firmware_bridge.table.carrying_out import follow
from tests.firmware_bridge.table.driving import Driven


def labels(choices, game):
    words = catalogue("en", game)
    return {choice.text: words.text(choice.label.key, choice.label.words) for choice in choices}


def test_a_promotion_is_asked_for_and_a_press_answered_with_the_question():
    driven = Driven("realm", tier="occupancy", position="8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    driven.carry("e7", "e8")
    question = labels(driven.view.question, "realm")
    assert question["e7e8q"] == "Promote to queen"
    assert len(question) == 4
    assert [want.key for want in driven.view.wants] == ["want-promotion"]
    driven.press("white")
    assert driven.said[-1] == "want-promotion"
    assert driven.position.side == "white"
    driven.answer("e7e8n")
    if driven.position.side == "white":
        driven.press("white")
    assert driven.position.placement["e8"] == "wN"
    assert driven.view.question == ()


def test_converting_is_offered_with_its_squares_lit_and_declined_by_the_clock():
    position = "4k3/8/8/8/3ppnB1/8/8/3RK3 w - - 0 1"
    driven = Driven("reversi", tier="occupancy", position=position)
    driven.cell("d4", None)
    driven.carry("d1", "d4")
    assert driven.view.judged.convertible == ("e4", "f4", "g4")
    assert [lights(driven.view)[square] for square in ("e4", "f4", "g4")] == ["convertible"] * 3
    assert driven.view.wants[0] == Announcement("want-conversion", {"squares": "g4"})
    assert "Convert nothing" in labels(driven.view.question, "reversi").values()
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "d1d4"


def test_no_press_is_asked_for_where_it_would_be_refused():
    driven = Driven("reversi", tier="occupancy", position="4k1n1/6pP/8/8/8/8/8/4K1N1 w - - 0 1")
    driven.cell("g8", None)
    driven.carry("h7", "g8")
    assert driven.view.judged.convertible
    assert len(driven.view.question) == 8
    assert [want.key for want in driven.view.wants] == ["want-choice"]


AWAITING = "rn/nnbbBR/2brpb1/2pp4/7/7/PPPN1rp1/NNBB1/RN w PR,NB,RR/pn,nb,rr - hand:PB - 5"
"""White's piece PB was captured, and his hand is full."""
CAPTURING = "rn/1bbnb/pppnbrpbpr/3nn3/7/4RB2/PPNP1PBPR/NNBBNB/RN w RR/rr e4 - - 4"

BOTH_TRUE = CAPTURING.replace("pppnbrpb", "pbpnbrpp").replace("RB2", "RR2").replace(" RR/", " BR/")
"""The same, with true pieces on both squares."""


def test_a_reality_check_shows_both_pieces_to_all_for_a_while():
    driven = Driven("reality-check", position=CAPTURING)
    driven.play("e4xe7!")
    assert {(piece.square, piece.side, piece.faces) for piece in driven.view.revealed} == {
        ("e7", "white", "RB"),
        ("e4", "black", "PB"),
    }
    assert driven.said[-4:] == ["reality-check", "shown", "shown", "to-hand"]
    driven.wait(6)
    assert driven.view.revealed == ()


def test_a_reality_check_of_two_true_pieces_is_told_in_few_words():
    driven = Driven("reality-check", position=BOTH_TRUE)
    driven.play("e4xe7!")
    assert driven.said[-4:] == ["reality-check", "shown-true", "shown-true", "both-true"]
    words = catalogue("en", "reality-check")
    assert words.text("both-true") == "Both true: the captured piece is out."


def test_only_the_owner_sees_what_he_has_to_decide():
    driven = Driven("reality-check", position=AWAITING)
    owner = driven.position.side
    other = "black" if owner == "white" else "white"
    assert driven.view.phase == "decision"
    assert {choice.text for choice in driven.view.question} == {"keep", "refuse"}
    seat = driven.table.summary().seat(owner, driven.t)
    assert {choice.text.split(":")[0] for choice in seat.decision} == {"keep", "refuse"}
    assert driven.table.summary().seat(other, driven.t).decision == ()
    secret = seat.decision[0].text.split(":")[1]
    assert secret not in repr(driven.view)
    driven.answer(seat.decision[0].text, other)
    assert driven.said[-1] == "refused-turn"
    driven.answer(f"keep:{secret}", owner)
    assert "kept" in driven.said
    spoken = driven.gave(Said)
    assert all(secret not in output.words.values() for output in spoken)


def test_the_machine_rolls_the_dice_it_is_given():
    rolled = []

    def dice(turns):
        rolled.append(len(turns))
        return turns[2]

    driven = Driven("reality-check", options={"dice": 1}, dice=dice)
    driven.play("c3c4", "c7c6")
    driven.say("roll")
    assert rolled == [6]
    assert str(driven.table.state.played[-1].turn) == "roll:3"
    assert "rolled" in driven.said
    driven.say("roll")
    assert driven.said[-1] == "refused-roll"


def test_without_dice_of_its_own_the_table_asks_for_real_ones():
    driven = Driven("reality-check", options={"dice": 2})
    driven.play("c3c4", "c7c6")
    seat = driven.table.summary().seat(driven.position.side, driven.t)
    assert len(seat.decision) == 36
    driven.press("black")
    assert driven.position.awaited == "roll"
    driven.say("roll")
    assert driven.said[-1] == "refused-no-dice"
    driven.answer("roll:7,7")
    assert driven.said[-1] == "refused-answer"
    driven.answer("roll:2,5")
    assert str(driven.table.state.played[-1].turn) == "roll:2,5"


def test_a_declaration_by_button_is_shown_to_all_while_it_holds():
    driven = Driven("reality-check", position=CAPTURING)
    assert (driven.view.declarable, driven.view.declared) == (("reality-check",), ())
    driven.press("declare")
    told = driven.view.wants[-1]  # after what is to be done
    assert (told.key, told.words) == (
        "want-declared",
        {"side": "side-white", "what": "reality-check"},
    )
    text = catalogue("de", "reality-check").text(told.key, told.words)
    assert text == "Weiß hat angesagt: Reality Check!"
    driven.cell("e7", None)
    driven.carry("e4", "e7")
    assert driven.view.wants[-1] == told
    assert driven.view.wants[0].key == "want-press-complete"
    driven.press("white")
    assert driven.turns == ["e4xe7!"]
    assert driven.view.declared == ()
    assert told not in driven.view.wants


@pytest.mark.parametrize("options", [{}, {"memory": True, "retreat": True}, {"dice": 1}])
def test_what_may_be_declared_is_offered_only_where_a_capture_is_possible(options):
    driven = Driven("reality-check", options=options)
    offered = set()
    for _ in range(12):
        turns = {turn.public for turn in driven.position.turns()}
        possible = any(text.endswith("!") for text in turns)
        assert bool(driven.view.declarable) == possible
        offered.add(possible)
        heard = len(driven.said)
        driven.feed(Declare(driven.t, "reality-check", None))
        assert driven.said[heard:] == ([] if possible else ["refused-declaration"])
        assert bool(driven.view.declared) == possible
        driven.random_turns(7, 1)
        if driven.table.state.stage != "playing":
            break
    assert offered == {True, False}


def test_the_pause_button_pauses_and_resumes_and_others_do_nothing():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.press("pause")
    assert driven.view.phase == "paused"
    driven.press("menu")
    driven.press("pause")
    assert driven.view.phase == "playing"


def test_the_board_reminds_of_what_a_turn_of_reality_check_is_made_of():
    driven = Driven("reality-check")
    assert [wish.key for wish in driven.view.wants] == ["to-move", "due-first-turn"]
    driven.play("c3c4")
    driven.carry("c7", "c6")
    assert [wish.key for wish in driven.view.wants] == ["want-must-flip"]


def test_whoever_plays_the_computer_is_told_how_its_pieces_which_have_one_face_are_turned_over():
    driven = Driven("reality-check", computers={"black": 1})
    follow(driven, "d3b5", "b7b6/c7")
    driven.carry("b5", "c4")
    assert [wish.key for wish in driven.view.wants] == ["want-must-flip", "want-flip-token"]
    driven.cell("d8", None)
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "b5c4/d8"


@pytest.mark.parametrize("waiting", [0.1, 2.0, 60.0])
def test_a_press_before_the_flip_is_refused_and_the_clock_runs_on(waiting):
    driven = Driven("reality-check", settings={"time": "5m", "penalty": "1m"})
    driven.play("c3c4")
    driven.carry("c7", "c6")
    driven.press("black")
    assert driven.said == [], "late events may still complete the turn"
    driven.wait(waiting + 0.4)
    assert set(driven.said) == {"want-must-flip"}, "a board that waits says for what, again"
    assert driven.table.state.offences == {"white": 0, "black": 0}
    assert driven.view.clocks["black"].running
    driven.cell("e7", None)
    driven.cell("e7", turned(driven.position.placement["e7"]))
    driven.press("black")
    assert str(driven.table.state.played[-1].turn) == "c7c6/e7"


def turned(label):
    """Return the reading of a disc turned over."""
    disc, _, down = label.partition(":")
    return f"{disc}:{disc[1] if disc[2] == down else disc[2]}"


def test_the_board_reminds_of_a_drop_that_is_due():
    driven = Driven("reality-check", position=AWAITING)
    driven.answer("keep:PB", "white")
    assert [wish.key for wish in driven.view.wants] == ["to-move", "due-drop"]
    assert lights(driven.view) == dict.fromkeys(("d3", "e2", "f3"), "setup")
    driven.cell("e2", "wPR:R")
    assert driven.view.judged.kind == "complete"
    assert "setup" not in lights(driven.view).values()
    quiet = Driven("reality-check", position=AWAITING, settings={"quiet": True})
    quiet.answer("keep:PB", "white")
    assert [wish.key for wish in quiet.view.wants] == ["to-move"]


def test_a_turn_of_several_pieces_is_named_as_people_write_it():
    driven = Driven("realm")
    driven.play("C-cd34:b1c3,c2c4,d1d3,d2d4")
    said = next(output for output in driven.outputs if getattr(output, "key", "") == "realm-turn")
    text = catalogue("en", "realm").text(said.key, said.words)
    assert text == "Concentration: c4 d4 Nc3 Qd3 (C-cd34)."


def test_a_press_of_the_clock_rolls_the_dice_that_are_awaited():
    driven = Driven("reality-check", options={"dice": 1}, dice=lambda turns: turns[4])
    driven.play("c3c4", "c7c6")
    assert [wish.key for wish in driven.view.wants] == ["awaited-roll", "due-roll"]
    assert driven.view.question == (), "the dice are no question to all"
    driven.press("white")
    assert driven.position.awaited == "roll"
    assert driven.view.clocks["black"].running, "his time goes on until he has done all of it"
    driven.press("black")
    assert str(driven.table.state.played[-1].turn) == "roll:5"
    assert driven.view.clocks["black"].running
    assert [wish.key for wish in driven.view.wants] == ["awaited-flip", "due-flip-5"]


def test_at_the_screen_for_all_a_captured_piece_is_kept_or_refused_without_naming_it():
    driven = Driven("reality-check", position=AWAITING)
    asked = labels(driven.view.question, "reality-check")
    assert asked == {"keep": "Keep the piece", "refuse": "Put the piece out of play"}
    before = driven.position
    driven.answer("refuse", before.side)
    assert str(driven.position) == str(before.play(before.parse_turn("refuse:PB")))


def test_no_dice_are_rolled_in_a_pause_nor_by_the_opponent():
    driven = Driven("reality-check", options={"dice": 1}, dice=lambda turns: turns[4])
    driven.play("c3c4", "c7c6")
    driven.say("roll", "white")
    assert driven.said[-1] == "refused-turn"
    driven.say("pause")
    driven.say("roll")
    assert driven.said[-1] == "refused-not-playing"
    assert driven.view.phase == "paused"
    driven.say("resume")
    driven.say("roll", "black")
    assert driven.position.awaited == "flip"


def test_nobody_declares_for_his_opponent_nor_what_there_is_not():
    driven = Driven("reality-check", position=CAPTURING)
    driven.cell("e7", None)
    driven.carry("e4", "e7")
    for what, by, answer in (
        ("reality-check", "black", "refused-turn"),
        ("royalty-check", "white", "refused-unknown"),
    ):
        driven.feed(Declare(driven.t, what, by))
        assert driven.said[-1] == answer
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "e4xe7"
    driven.say("pause")
    driven.feed(Declare(driven.t, "reality-check", "black"))
    assert driven.said[-1] == "refused-not-playing"


def test_who_answers_has_done_with_adjusting():
    driven = Driven("reality-check", options={"dice": 1})
    driven.play("c3c4", "c7c6")
    driven.press("adjust")
    driven.answer("roll:4")
    assert not driven.view.adjusting
    driven.answer("roll:3")
    assert driven.said[-1] == "refused-answer"
    assert driven.position.awaited == "flip"
    machine = Driven("reality-check", options={"dice": 1}, dice=lambda turns: turns[3])
    machine.play("c3c4", "c7c6")
    machine.press("adjust")
    machine.say("roll")
    machine.answer("flip:d3")
    machine.answer("roll:3")
    assert not machine.view.adjusting
    keeping = Driven("reality-check", position=AWAITING)
    keeping.press("adjust")
    for text in ("keep:PB", "refuse:PB", "keep:PB"):
        keeping.answer(text, "white")
    assert keeping.turns == ["keep:PB"]


@pytest.mark.parametrize(("dice", "rolls"), [(1, 6), (2, 36)])
def test_the_service_rolls_with_the_operating_systems_randomness(monkeypatch, dice, rolls):
    """And every roll, not every sum or every free piece, is as likely as any other."""
    asked = []
    monkeypatch.setattr(secrets, "choice", lambda turns: asked.append(turns) or turns[-1])
    recorder = Recorder(Sensing("face"))
    driven = Driven("reality-check", options={"dice": dice}, dice=recorder.roll)
    driven.play("c3c4", "c7c6")
    driven.press("black")
    assert str(driven.table.state.played[-1].turn) == ("roll:6" if dice == 1 else "roll:6,6")
    (faces,) = ({str(turn) for turn in turns} for turns in asked)
    assert len(faces) == len(asked[0]) == rolls
