"""What a computer's pieces hide is drawn, promised before the first turn, and opened at the end."""

import dataclasses
import hashlib
import itertools
import json
import random
import subprocess

import pytest

from firmware_bridge.pages.texts import speaking
from firmware_bridge.pages.view_model import public_scene
from firmware_bridge.recordings.export import RecordedGame, to_json
from firmware_bridge.referee import promised_dice
from firmware_bridge.service.computer_players import seating
from firmware_bridge.table import Table
from firmware_bridge.words import LANGUAGES
from rules.values import opponent
from tests.firmware_bridge.table.carrying_out import OPTIONS, carry_out, choose, some_turn
from tests.firmware_bridge.table.driving import Driven

GAME = "reality-check"


def against(**options):
    return Driven(GAME, computers={"black": 1}, **options)


def committed(driven):
    return [record for record in driven.table.records if record.kind == "committed"]


@pytest.mark.parametrize("options", OPTIONS[GAME], ids=str)
def test_it_is_written_down_before_the_pieces_stand(options):
    driven = against(options=options, begin=False)
    assert [record.kind for record in driven.table.records] == ["begun", "committed"]
    (record,) = committed(driven)
    pieces = record.data["pieces"]
    assert {square: label[0] for square, label in pieces.items()} == dict.fromkeys(pieces, "b")
    assert driven.position.placement.items() >= pieces.items()
    assert driven.position.hands["black"] == tuple(record.data["hand"])
    assert driven.view.commitments["black"].digest == record.data["sha256"]


def test_it_stays_what_it_is_when_the_service_comes_back():
    driven = against(begin=False)
    assert driven.resumed().view.commitments == driven.view.commitments
    assert str(driven.resumed().position) == str(driven.position)


def test_the_pieces_that_stand_for_it_are_known_by_their_faces():
    driven = against(begin=False)
    tokens = itertools.count()
    for cell, label in driven.start.placement.items():
        face = driven.position.game.face(label)
        shown = label if label[0] == "w" else f"{face.rstrip('?')}/{next(tokens)}"
        driven.cell(cell, shown, after=0.01)
    assert driven.view.phase == "ready"
    assert driven.position.placement.items() >= committed(driven)[0].data["pieces"].items()


def test_like_tokens_exchanged_before_the_first_turn_change_nothing():
    driven = against()
    before = str(driven.position)
    one, other = (driven.readings[square] for square in ("b7", "c7"))
    for cell, reading in (("b7", None), ("c7", None), ("b7", other), ("c7", one)):
        driven.cell(cell, reading)
    driven.play("d3b5")
    assert str(driven.position) == str(
        driven.position.game.parse(before).play(
            driven.position.game.parse(before).parse_turn("d3b5")
        )
    )


@pytest.mark.parametrize("side", ["white", "black"])
def test_it_is_folded_when_a_person_has_made_a_turn_and_stays_to_the_end(side):
    driven = Driven(GAME, computers={side: 1})
    say = speaking("en", GAME)
    if side == driven.position.side:
        choose(driven, some_turn(driven, random.Random(1)))
        carry_out(driven)
    scene = public_scene(driven.view, say)
    assert not scene["folded"]
    assert scene["promised"][0]["code"]
    driven.play("d3b5" if side == "black" else "b7b6/c7")
    scene = public_scene(driven.view, say)
    assert scene["folded"]
    assert not scene["promised"][0]["code"]
    assert scene["promised"][0]["hash"] == driven.view.commitments[side].digest
    driven.say("resign", opponent(side))
    at_end = public_scene(driven.view, say)
    assert at_end["folded"]
    assert at_end["promised"][0]["check"]


def test_it_is_opened_when_the_game_is_over_and_no_sooner():
    driven = against()
    driven.play("d3b5")
    choose(driven, some_turn(driven, random.Random(1)))
    carry_out(driven)
    nonce = committed(driven)[0].data["nonce"]
    assert nonce not in repr(driven.view)
    assert driven.view.commitments["black"].opened == ""
    driven.say("resign", "white")
    promised = driven.view.commitments["black"]
    assert nonce in promised.opened
    hashed = subprocess.run(
        ["/bin/sh", "-c", promised.opened], capture_output=True, text=True, check=True
    )
    assert hashed.stdout.split()[0] == promised.digest
    for named in (GAME, "dice=0", "white=person", "black=computer-1"):
        assert named in promised.opened.replace("'", " ").split()


def test_what_its_computer_draws_from_is_as_secret_as_its_pieces_and_opened_with_them():
    one, other = against(begin=False), drawn_from(7)
    seeds = [
        seating("20260101-000000-abcdef", one.agreement, made.state.commitments, "black").seed
        for made in (one.table, other)
    ]
    assert seeds[0] != seeds[1]  # though all that is public is the same
    assert seeds[0] not in repr(one.view)
    nonce = committed(one)[0].data["nonce"]
    assert hashlib.sha256(f"seed {nonce}".encode()).hexdigest() == seeds[0]


def drawn_from(seed):
    """A table whose secrets are drawn from this."""
    driven = against(begin=False)
    entropy = random.Random(seed).randbytes
    return Table(driven.agreement, driven.sensing, now=0.0, standing={}, entropy=entropy)


def test_other_bytes_hide_the_pieces_otherwise():
    drawn = set()
    for seed in range(3):
        table = drawn_from(seed)
        (record,) = [r for r in table.records if r.kind == "committed"]
        drawn.add(json.dumps(record.data["pieces"], sort_keys=True))
    assert len(drawn) == 3  # of 672


def test_what_two_people_hide_is_promised_by_nobody():
    assert committed(Driven(GAME)) == []
    assert committed(Driven("mockery", computers={"black": 1})) == []


def test_a_game_against_a_computer_is_given_out_with_what_was_promised():
    driven = against()
    driven.play("d3b5")
    driven.say("resign", "white")
    recorded = RecordedGame.of(driven.table.records)
    assert recorded.state.commitments == driven.table.state.commitments
    assert [turn["turn"] for turn in to_json(recorded)["turns"]] == ["d3b5"]


def test_of_a_position_that_was_entered_nothing_is_promised_and_pages_say_so():
    entered = str(Driven(GAME).position)
    driven = against(begin=False, position=entered)
    assert committed(driven) == []
    for language in LANGUAGES:
        say = speaking(language, GAME)
        (told,) = public_scene(driven.view, say)["promised"]
        assert told == {"told": say("page-promised-none", side="side-black")}
    assert public_scene(Driven(GAME, position=entered).view, speaking("en", GAME))["promised"] == []


DICE = [{"dice": 1}, {"dice": 2, "flexible": True}]


def with_dice(options):
    """A game against a computer with the machine's dice, which would else show the first roll."""
    return against(options=options, dice=lambda turns: turns[0])


def rolls(driven):
    return [p for p in driven.table.state.played if str(p.turn).startswith("roll:")]


def play_on(driven, chooser):
    """Play, both sides, until a person is to roll."""
    for _ in range(40):
        if driven.position.side in driven.agreement.computers:
            choose(driven, some_turn(driven, chooser))
        elif driven.position.awaited == "roll":
            return
        else:
            driven.play(some_turn(driven, chooser))
        carry_out(driven)
    raise AssertionError("no dice are to be rolled")


def roll(driven, seconds=1.0):
    driven.wait(seconds)
    driven.press(driven.position.side)


@pytest.mark.parametrize("options", DICE, ids=str)
def test_anybody_can_find_again_what_the_dice_showed(options):
    driven, chooser = with_dice(options), random.Random(3)
    for seconds in (1.0, 3.5):
        play_on(driven, chooser)
        roll(driven, seconds)
    nonce = committed(driven)[0].data["nonce"]
    state, pressed = driven.table.state, 0
    for number, made in enumerate(state.played):
        if made.side == "white":
            pressed = made.t_ms
        if made in rolls(driven):
            drawn = hashlib.sha256(f"dice {number} {pressed} {nonce}".encode()).hexdigest()
            faces = sorted(str(turn) for turn in made.before.turns())
            assert str(made.turn) == faces[int(drawn[:8], 16) % len(faces)]
    assert {made.side for made in rolls(driven)} == {"white", "black"}
    assert promised_dice.were_kept(state)


def test_dice_that_show_something_else_are_found_when_the_game_is_over():
    driven = with_dice({"dice": 1})
    play_on(driven, random.Random(3))
    played = list(driven.table.state.played)
    number = played.index(rolls(driven)[0])
    made = played[number]
    other = next(turn for turn in made.before.turns() if turn != made.turn)
    played[number] = dataclasses.replace(made, turn=other)
    state = dataclasses.replace(driven.table.state, played=tuple(played))
    assert not promised_dice.were_kept(state)


def test_the_press_decides_what_the_dice_show_and_nobody_types_them_in():
    driven = with_dice({"dice": 1})
    play_on(driven, random.Random(3))
    assert [choice.text for choice in driven.table.summary().seat("white", driven.t).decision] == [
        "roll"
    ]
    driven.answer("roll:6")
    assert driven.said[-1] == "refused-typed-dice"
    state = driven.table.state
    assert len({str(promised_dice.rolled(state, state.t_ms + ms)) for ms in range(40)}) == 6
    driven.answer("roll")
    assert str(driven.table.state.played[-1].turn).startswith("roll:")
    assert driven.position.awaited != "roll"
