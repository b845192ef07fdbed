"""Hands carry out what a computer plays: in any order, at nobody's cost, across power cuts."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drivers.port import Snapshot
from firmware_bridge.bench.computer import QUICK_LEVELS, run
from firmware_bridge.bench.games import ROWS
from firmware_bridge.messages import Answer, Declare, LightsChanged, Ruled, Tick
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.table import Table
from firmware_bridge.table.computer_turns import STILL
from tests.firmware_bridge.table.carrying_out import (
    OPTIONS,
    against,
    carry_out,
    choose,
    do,
    follow,
    put_right,
    some_turn,
    steps,
)
from tests.nightly import NIGHTLY
from tests.sample import SAMPLE

SEATS = [
    ("indistinguishable", "occupancy"),
    ("indistinguishable", "identity"),
    ("mockery", "occupancy"),
    ("mockery", "identity"),
    ("reversi", "identity"),
    ("realm", "occupancy"),
    ("realm", "identity"),
    ("reality-check", "face"),
]
TIMED = {"time": "45m", "penalty": "5m"}


def run_astray(driven, chooser):
    """Do what nobody asked for: carry a piece somewhere, press, answer, declare, wait."""
    what = chooser.choice(["carry", "press", "answer", "wait", "declare", "lift"])
    if what == "carry" and driven.readings:
        free = sorted(driven.position.game.squares - driven.readings.keys())
        driven.carry(chooser.choice(sorted(driven.readings)), chooser.choice(free))
    elif what == "lift":
        cell = chooser.choice(sorted(driven.readings))
        reading = driven.readings[cell]
        driven.cell(cell, None)
        driven.cell(cell, reading)
    elif what == "press":
        driven.press(chooser.choice(["white", "black"]))
    elif what == "answer":
        driven.feed(Answer(driven.t, some_turn(driven, chooser)))
    elif what == "declare":
        driven.feed(Declare(driven.t, "reality-check"))
    else:
        driven.wait(chooser.choice([0.1, 2.0, 30.0]))


@pytest.mark.parametrize(("game", "tier"), SEATS)
@settings(max_examples=200 if NIGHTLY else 1, deadline=None)
@given(seed=st.integers(0, 2**32))
@example(seed=229709)  # a piece lifted from a wrong square while nobody judges
def test_hands_may_do_anything_on_the_way(game, tier, seed):
    chooser = random.Random(seed)
    options = chooser.choice(OPTIONS.get(game, [{}]))
    buttons = chooser.random() < 0.7
    driven = against(game, tier=tier, settings=TIMED, buttons=buttons, options=options)
    for _ in range(10):
        if driven.table.state.stage != "playing":
            break
        text = some_turn(driven, chooser)
        if driven.position.side == "white":
            driven.play(text)
            carry_out(driven)
            continue
        choose(driven, text)
        stands, left = driven.position, driven.view.clocks["white"].left_ms
        for _ in range(chooser.randrange(6)):
            if driven.view.phase != "executing" or not steps(driven):
                break  # nothing is left to be done: what hands do next is the player's own turn
            run_astray(driven, chooser)
            if chooser.random() < 0.3:
                driven = driven.resumed()
                driven.press("white")
        paused = driven.table.state.paused
        assert driven.position == stands or paused
        if driven.view.phase == "executing":
            assert driven.view.clocks["white"].left_ms == left
        carry_out(driven)
        put_right(driven)
        assert driven.position == stands
        assert driven.table.state.offences == {"white": 0, "black": 0}
        assert not driven.gave(Ruled)
        if driven.table.state.stage == "playing":
            assert driven.view.judged.kind == "settled"
            assert driven.view.clocks[stands.side].running


def capturing_on_reeds():
    """A computer has captured on e4, and its pawn has been taken up for it."""
    driven = against("mockery", tier="occupancy")
    follow(driven, "e2e4", "d7d5", "a2a3")
    choose(driven, "d5e4")
    driven.cell("d5", None)
    return driven


def test_a_capture_on_reeds_wants_the_piece_off_that_nobody_can_tell_apart():
    driven = capturing_on_reeds()
    assert driven.view.phase == "executing"
    assert [(s.source, s.target) for s in steps(driven)] == [("e4", None), (None, "e4")]
    driven.cell("e4", None)
    driven.cell("e4", True)
    driven.wait(2 * STILL)
    assert driven.view.phase == "playing"


def test_contacts_that_chatter_do_not_end_it():
    driven = capturing_on_reeds()
    for reading in (None, True, None):  # the captured piece goes up last
        driven.cell("e4", reading, after=0.003)
    driven.wait(5.0)
    assert [(s.source, s.target) for s in steps(driven)] == [(None, "e4")]
    carry_out(driven)
    assert driven.view.phase == "playing"


def test_what_was_in_the_air_after_a_power_cut_is_forgotten_when_it_stands():
    driven = against("mockery", tier="occupancy")
    follow(driven, "h2h4", "g7g5", "a2a4")
    choose(driven, "g5h4")
    driven.cell("g5", None)
    driven = driven.resumed()
    driven.press("white")
    driven.carry("a1", "f6")
    driven.carry("b7", "a3")
    driven.carry("a3", "a1")
    driven.carry("f6", "b7")
    carry_out(driven)
    assert driven.table.reconciler.verdict.kind == "settled"
    driven.carry("b1", "c3")
    driven.press("white")
    assert driven.table.state.offences == {"white": 0, "black": 0}
    assert len(driven.table.state.played) == 5


@pytest.mark.parametrize("computers", [{"white": 2}, {"white": 2, "black": 2}])
def test_between_two_computers_nobody_is_there_to_take_back(computers):
    driven = against("reversi", computers=computers)
    choose(driven, "e2e4")
    assert driven.view.against_computer == (len(computers) == 1)


def test_long_turns_are_shown_step_by_step():
    driven = against("realm", tier="identity")
    driven.play(some_turn(driven, random.Random(0)))
    longest = max(driven.position.turns(), key=lambda t: len(driven.position.deed(t).moves))
    choose(driven, str(longest))
    _, count = driven.view.progress
    assert count > 2
    for number in range(1, count + 1):
        assert driven.view.progress == (number, count)
        assert driven.view.wants[-1].key == "want-step"
        assert len(driven.view.judged.restore) == 1
        do(driven, steps(driven)[0])
    driven.wait(2 * STILL)
    assert driven.view.phase == "playing"


@pytest.mark.parametrize("steps_shown", [1, 2])
def test_what_hands_have_done_is_not_asked_for_until_they_rest(steps_shown):
    driven = against("realm", tier="identity")
    driven.play(some_turn(driven, random.Random(0)))
    turns = {len(driven.position.deed(t).moves): t for t in driven.position.turns()}
    choose(driven, str(turns[1 if steps_shown == 1 else max(turns)]))
    while driven.view.judged.kind != "settled":
        do(driven, steps(driven)[0])
    said = [(want.key, want.words) for want in driven.view.wants]
    assert (driven.view.phase, said[0]) == ("executing", ("to-move", {"side": "side-white"}))


QUICK = [
    ("reversi", "occupancy", ("e2e4", "d7d5"), ("g1f3", "e4d5")),
    ("reversi", "identity", ("e2e4", "d7d5"), ("g1f3", "e4d5")),
    ("mockery", "occupancy", ("e2e4", "d7d5"), ("g1f3", "e4d5")),
    ("reality-check", "face", ("d3b5", "b7b6/c7"), ("b3b4/b5", "c3c4/d9")),
]


@pytest.mark.parametrize("buttons", [True, False])
@pytest.mark.parametrize(
    ("game", "tier", "turns", "reply"),
    [(*how, reply) for *how, replies in QUICK for reply in replies],
)
def test_a_quick_reply_to_it_is_a_turn(game, tier, turns, reply, buttons):
    driven = against(game, tier=tier, settings=TIMED, buttons=buttons)
    follow(driven, turns[0])
    choose(driven, turns[1])
    while steps(driven):
        do(driven, steps(driven)[0])
    driven.t -= 0.15  # hands are as much quicker as usual
    driven.play(reply)
    assert driven.turns[-1] == reply
    assert not driven.gave(Ruled)


def test_a_quick_reply_is_a_turn_though_a_neighbour_read_the_tag_meanwhile():
    driven = against("reversi", tier="identity", settings=TIMED)
    follow(driven, "e2e4")
    choose(driven, "d7d5")
    driven.carry("d7", "d5")
    driven.cell("c5", driven.readings["d5"], after=0.02)
    driven.cell("c5", None, after=3.0)
    driven.t -= 0.15
    driven.play("g1f3")
    assert not driven.gave(Ruled)


def test_a_token_with_like_faces_that_is_turned_over_at_once_counts_as_turned():
    """It is in the air already when the board is taken to stand as that turn leaves it."""
    driven = against("reality-check")
    follow(driven, "d3b5")
    choose(driven, "c8d6/d9")
    while steps(driven):
        do(driven, steps(driven)[0])
    token = driven.readings["b7"]
    driven.cell("b7", None, after=0.1)
    driven.cell("b7", f"{token}/2")
    driven.carry("b3", "b4")
    driven.press("white")
    assert driven.turns[-1] == "b3b4/b7"


def test_the_lights_go_out_when_it_is_done():
    driven = against("indistinguishable", tier="occupancy")
    driven.play("e2e4")
    choose(driven, "e7e5")
    assert [want.key for want in driven.view.wants] == ["want-carry"]  # no "Step 1 of 1."
    lit = [output.lights for output in driven.gave(LightsChanged)]
    assert lit[-1] == {"e5": "must-go-here", "e7": "must-go-back"}
    carry_out(driven)
    lit = [output.lights for output in driven.gave(LightsChanged)]
    assert lit[-1] == {}


def test_nobody_plays_for_a_computer():
    driven = against("mockery")
    driven.play("e2e4")
    before = str(driven.position)
    driven.carry("e7", "e5")
    driven.press("black")
    driven.wait(5)
    assert str(driven.position) == before
    assert driven.view.wants[0].key == "want-computer"
    choose(driven, "d7d5")
    carry_out(driven)
    assert driven.view.phase == "playing"
    assert driven.readings.keys() == driven.position.placement.keys()


def test_a_computer_with_white_waits_for_the_start_like_anybody():
    driven = against("mockery", computers={"white": 1}, begin=False)
    for cell, label in driven.start.placement.items():
        driven.cell(cell, driven.readings.get(cell) or driven.reading(label), after=0.01)
    assert driven.view.phase == "ready"
    driven.carry("e2", "e4")
    driven.press("white")
    assert not driven.table.state.played
    driven.carry("e4", "e2")
    driven.press("black")
    assert driven.view.wants[0].key == "want-computer"
    choose(driven, "e2e4")
    carry_out(driven)
    assert driven.view.to_act == "black"


@pytest.mark.parametrize("game", ["mockery", "indistinguishable"])
def test_without_buttons_a_turn_may_be_amended_until_it_is_answered(game):
    driven = against(game, buttons=False)
    driven.carry("e2", "e3")
    driven.wait(1.0)
    assert driven.turns == ["e2e3"]
    assert driven.table.awaits_computer
    driven.carry("e3", "e4")
    driven.wait(1.0)
    assert driven.turns == ["e2e4"]
    choose(driven, "e7e5")
    carry_out(driven)
    assert driven.view.to_act == "white"
    assert driven.table.state.offences == {"white": 0, "black": 0}


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_while_a_computer_thinks_nothing_tells_whether_it_could_play_what_hands_do(tier):
    told = []
    for target in ("e5", "e3"):
        driven = against("indistinguishable", buttons=False, tier=tier)
        driven.carry("e2", "e4")
        driven.wait(1.0)
        driven.carry("e7", target)
        driven.wait(30.0)
        told.append(driven.verdicts)
    assert told[0] == told[1]


def test_without_buttons_nobody_plays_for_a_computer_either():
    driven = against("mockery", buttons=False)
    driven.carry("e2", "e4")
    driven.wait(1.0)
    driven.carry("e7", "e5")
    driven.wait(5.0)
    driven.carry("d8", "d5")
    driven.wait(30.0)
    assert len(driven.table.state.played) == 1
    assert driven.table.state.offences == {"white": 0, "black": 0}
    choose(driven, "b8c6")
    carry_out(driven)
    assert driven.readings.keys() == driven.position.placement.keys()
    assert driven.view.to_act == "white"
    assert driven.table.state.offences == {"white": 0, "black": 0}


def test_a_piece_that_is_straightened_does_not_undo_the_first_turn():
    driven = against("reality-check", tier="face", computers={"white": 1})
    choose(driven, "c3c4")
    driven.carry("f3", "f3")
    carry_out(driven)
    assert driven.turns == ["c3c4"]
    assert driven.position.side == driven.view.to_act == "black"


def test_what_was_carried_out_is_written_down_once_however_long_it_stands():
    driven = against("mockery", settings=TIMED)
    driven.play("e2e4")
    choose(driven, "e7e5")
    for step in steps(driven):
        do(driven, step)
    driven.wait(60.0)
    assert [record.kind for record in driven.table.records].count("restored") == 1


@pytest.mark.parametrize("cut_off", [False, True])
def test_the_end_is_carried_out_too(cut_off):
    driven = against("indistinguishable")
    follow(driven, "f2f3", "e7e5", "g2g4")
    choose(driven, "d8h4")
    assert driven.table.state.ending.winner == "black"
    driven = driven.resumed() if cut_off else driven
    assert driven.view.phase == "executing"
    carry_out(driven)
    assert driven.view.phase == "over"


@pytest.mark.parametrize("moved", [False, True])
def test_a_turn_is_not_taken_for_carried_out_before_the_board_has_told_what_stands(moved):
    driven = against("indistinguishable")
    follow(driven, "e2e4")
    choose(driven, "e7e5")
    if moved:
        driven.readings["e5"] = driven.readings.pop("e7")
    table = Table.resume(driven.table.records, driven.sensing, now=7.0)
    table.take_up()
    assert table.state.executing
    table.feed(Snapshot(7.1, driven.readings))
    table.feed(Tick(8.0))
    assert table.state.executing is not moved


@pytest.mark.parametrize("begun", ["a turn", "a press and a turn", "nothing legal"])
def test_what_stood_when_the_power_was_cut_leaves_the_board_to_the_player(begun):
    driven = against("indistinguishable")
    follow(driven, "e2e4")
    choose(driven, "e7e5")
    for step in steps(driven):
        do(driven, step)
    again = driven.resumed()
    assert again.view.phase == "paused"
    if begun == "nothing legal":
        again.carry("g1", "g4")
        again.wait(2.0)
        assert [(s.source, s.target) for s in steps(again)] == [("g4", "g1")]
        again.carry("g4", "g1")
    if begun != "a turn":
        again.press("white")
    again.play("g1f3")
    assert again.view.to_act == "black"
    assert again.table.state.offences == {"white": 0, "black": 0}


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize(
    "row", ROWS if NIGHTLY else ROWS[1::2], ids=lambda row: f"{row.name} {row.tier}"
)
def test_clumsy_hands_play_whole_games(row):
    """At night more than ten with each level; by day the other rows are played without computer."""
    levels = LEVELS if NIGHTLY else QUICK_LEVELS
    played = run(row, 100 if NIGHTLY else 1, 200 if NIGHTLY else 12, seed=3, levels=levels)
    assert played.clean, played.failures
    assert played.carried


def test_a_turn_chosen_for_another_position_is_refused():
    driven = against("mockery")
    driven.play("e2e4")
    choose(driven, "e7e5", number=0)
    assert driven.said[-1] == "refused-turn"
    choose(driven, "e7e4")
    assert driven.said[-1] == "answer-refused"
    assert len(driven.table.state.played) == 1


def test_what_it_tries_where_owners_are_secret_costs_it_time():
    driven = against("indistinguishable", settings={"time": "45m"})
    driven.play("e2e4")
    before = driven.view.clocks["black"].left_ms
    choose(driven, "e7e4")
    assert driven.table.state.offences["black"] == 1
    assert driven.view.clocks["black"].left_ms < before
    assert driven.view.phase == "playing"
    choose(driven, some_turn(driven, random.Random(1)))
    carry_out(driven)
    assert driven.view.to_act == "white"


@pytest.mark.parametrize("game", SAMPLE)
def test_no_clock_runs_while_hands_carry_out(game):
    driven = against(game, settings=TIMED)
    driven.play(some_turn(driven, random.Random(3)))
    driven.wait(5)
    thinking = driven.view.clocks["black"].left_ms
    choose(driven, some_turn(driven, random.Random(4)))
    faces = driven.view.clocks
    assert faces["black"].left_ms <= thinking
    driven.wait(100)
    assert driven.view.clocks == faces
    assert not any(face.running for face in faces.values())
    carry_out(driven)
    assert driven.view.clocks["white"].running


@pytest.mark.parametrize("carried_out", [True, False])
def test_a_turn_is_taken_back_with_the_answer_to_it(carried_out):
    driven = against("mockery", settings=TIMED)
    driven.play("e2e4")
    before = dict(driven.readings)
    choose(driven, "e7e5")
    if carried_out:
        carry_out(driven)
    driven.say("offer-take-back", "white")
    assert driven.position == driven.start
    assert driven.view.clocks["white"].running
    assert driven.view.phase == "restoring"
    put_right(driven)
    assert driven.readings.keys() == driven.start.placement.keys() != before.keys()
    assert driven.view.phase == "playing"
    driven.play("d2d4")
    assert driven.table.state.offences == {"white": 0, "black": 0}


@pytest.mark.parametrize("what", ["resign", "offer-draw", "offer-take-back"])
def test_nobody_speaks_for_a_computer(what):
    driven = against("mockery")
    driven.play("e2e4")
    driven.say(what, "black")
    assert driven.said[-1] == "refused-turn"
    assert driven.table.state.stage == "playing"


def test_the_clock_of_a_computer_still_begins_the_game():
    driven = against("mockery", begin=False)
    driven.set_up(after=0.01)
    driven.press("black")
    assert driven.table.state.stage == "playing"


def with_a_flip_to_come():
    driven = against("reality-check", settings=TIMED)
    follow(driven, "d3b5", "e7e6/f7")
    driven.carry("b5", "c4")
    return driven


def test_a_token_in_hand_at_the_press_is_turned_over():
    driven = with_a_flip_to_come()
    driven.cell("c7", None)
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "b5c4/c7"
    assert [(s.source, s.target) for s in steps(driven)] == [(None, "c7")]
    assert not any(face.running for face in driven.view.clocks.values())
    carry_out(driven)
    assert driven.view.to_act == "black"
    assert driven.view.clocks["black"].running
    assert driven.table.state.offences == {"white": 0, "black": 0}


def test_a_frozen_token_in_hand_is_not():
    driven = with_a_flip_to_come()
    driven.cell("f7", None)
    driven.press("white")
    assert len(driven.table.state.played) == 2
    assert driven.table.reconciler.standing.get("f7") is None


def test_a_disc_that_stands_for_another_is_turned_over_though_both_its_faces_are_alike():
    driven = with_a_flip_to_come()
    driven.cell("b7", None)
    driven.cell("b7", "bPP:P/2")  # the disc in the box has two Ps; what it stands for may have not
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "b5c4/b7"
    face = driven.position.game.face(driven.position.placement["b7"])
    assert [s.label for s in steps(driven)] == ([] if face == "bP?" else [None, face])


@pytest.mark.parametrize("unread", [None, True])
def test_a_disc_alike_on_both_sides_is_turned_over_after_a_power_cut_too(unread):
    """The board tells which tags it reads only after the service has started."""
    driven = against("reality-check", settings=TIMED)
    follow(driven, "d3b5", "e7e6/f7")
    stood = driven.readings
    driven.come_back(driven.table.records, dict.fromkeys(stood, unread) if unread else {})
    driven.readings = dict(stood)
    driven.feed(Snapshot(driven.t, stood))
    driven.press("white")
    driven.carry("b5", "c4")
    driven.cell("b7", "bPP:P/2")
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "b5c4/b7"


def test_a_disc_turned_over_in_a_power_cut_is_turned_back():
    driven = against("reality-check", settings=TIMED)
    follow(driven, "d3b5", "e7e6/f7")
    stood = {**driven.readings, "d9": "bNR:N"}
    driven.come_back(driven.table.records, {})
    driven.readings = {**stood, "d9": "bNR:R"}
    driven.feed(Snapshot(driven.t, driven.readings))
    driven.press("white")
    assert driven.view.phase == "restoring"
    driven.cell("d9", "bNR:N")
    assert driven.view.phase == "playing"


@pytest.mark.parametrize("dice", [1, 2])
def test_the_machine_rolls_in_the_turn_of_a_computer(dice):
    chooser = random.Random(dice)
    driven = against("reality-check", options={"dice": dice}, dice=chooser.choice)
    driven.play(some_turn(driven, chooser))
    choose(driven, some_turn(driven, chooser))
    kinds = [str(entry.turn).split(":")[0] for entry in driven.table.state.played]
    assert kinds[2] == "roll"
    assert driven.position.awaited != "roll"


@pytest.mark.parametrize(
    ("game", "tier", "turns", "alike"),
    [
        ("reality-check", "face", ("d3b5", "b7b6/c7"), ("c2", "e2")),
        ("indistinguishable", "identity", ("e2e4", "d7d5"), ("a2", "a7")),
    ],
)
def test_a_board_cleared_while_hands_carry_out_takes_no_turn_back(game, tier, turns, alike):
    """What is learnt of who stands where, as it is set up again, is of the position before."""
    driven = against(game, tier=tier)
    driven.play(turns[0])
    standing = dict(driven.readings)
    choose(driven, turns[1])
    after = driven.position
    for square in standing:
        driven.cell(square, None)
    exchanged = dict(zip(alike, [standing[square] for square in reversed(alike)], strict=True))
    for square, reading in (standing | exchanged).items():
        driven.cell(square, reading)
    driven.wait(2.0)
    assert driven.position == after
    carry_out(driven)
