"""A table that comes back is the table that was written down, clocks included."""

import json

import pytest

from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.messages.records import Record
from firmware_bridge.table import Table
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import in_turn
from tests.sample import SAMPLE


def through_json(records):
    return [Record(r.t_ms, r.kind, json.loads(json.dumps(r.data))) for r in records]


def essence(driven):
    """Return all of the game that must survive, as the referee sees it."""
    state = driven.table.state
    return (
        str(state.position),
        state.played,
        state.offences,
        state.offer,
        state.ending,
        state.own,
        state.number,
        [state.clock.account(side) for side in ("white", "black")],
    )


@pytest.mark.parametrize(
    ("game", "time"), in_turn(SAMPLE, ["5m+2s", "2/5m bronstein 3s, 1m", "untimed"])
)
def test_every_game_comes_back_as_it_was(game, time):
    driven = Driven(game, settings={"time": time})
    driven.random_turns(seed=3, count=7)
    driven.say("offer-draw", driven.position.side)
    again = driven.resumed()
    counted = driven.table.state.clock.stop(driven.table.state.t_ms)
    assert again.table.state.clock.white == counted.white
    assert again.table.state.clock.black == counted.black
    assert essence(again)[:7] == essence(driven)[:7]
    assert again.view.phase == "paused"
    again.say("resume")
    again.random_turns(seed=4, count=3)


def test_time_lost_to_a_crash_is_not_charged_and_little_thinking_given_back():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.wait(37)
    again = driven.resumed()
    left = again.view.clocks["white"].left_ms
    assert 263_000 <= left <= 273_000
    again.wait(1_000)
    assert again.view.clocks["white"].left_ms == left


def test_coming_back_twice_charges_nothing_for_either_pause():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.play("e2e4")
    once = driven.resumed()
    once.wait(500)
    twice = once.resumed()
    twice.wait(500)
    assert twice.view.clocks["black"].left_ms == 300_000
    twice.press("black")
    twice.wait(2)
    assert twice.view.clocks["black"].left_ms == 298_000
    thrice = twice.resumed()
    assert thrice.view.clocks["black"].left_ms == 300_000  # no beat was due since


def test_a_turn_made_on_the_board_goes_on_by_itself():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.play("e2e4")
    again = driven.resumed()
    again.play("e7e5")
    assert again.view.phase == "playing"
    assert again.view.clocks["white"].running


def test_what_differs_on_the_board_is_shown():
    driven = Driven("mockery")
    driven.play("e2e4")
    driven.readings["d4"] = driven.readings.pop("d7")
    driven.readings["a4"] = driven.readings.pop("a2")
    again = driven.resumed()
    again.wait(20)
    moves = {(move.source, move.target) for move in again.view.judged.restore}
    assert moves == {("a4", "a2"), ("d4", "d7")}
    assert {announcement.key for announcement in again.view.wants} >= {"want-back"}
    assert again.said.count("came-back") == 1


def test_a_game_resumed_in_its_set_up_still_waits_for_pieces():
    driven = Driven("reversi", begin=False)
    driven.readings.clear()
    again = driven.resumed()
    assert again.view.phase == "waiting"


def test_a_game_that_is_over_stays_over():
    driven = Driven("reversi")
    driven.say("resign", "white")
    again = driven.resumed()
    assert again.view.phase == "over"
    assert again.view.ending.winner == "black"


@pytest.mark.parametrize("game", SAMPLE)
def test_records_are_plain_json(game):
    driven = Driven(game, settings={"time": "5m"})
    driven.random_turns(seed=8, count=5)
    records = through_json(driven.table.records)
    again = Table.resume(records, driven.sensing, now=0.0, standing=driven.readings)
    assert str(again.state.position) == str(driven.position)
    assert [record.t_ms for record in records] == sorted(record.t_ms for record in records)


@pytest.mark.parametrize("game", SAMPLE)
def test_every_prefix_of_the_records_is_a_game(game):
    driven = Driven(game, settings={"time": "5m"})
    driven.random_turns(seed=9, count=4)
    for length in range(1, len(driven.records) + 1):
        table = Table.resume(
            driven.records[:length], driven.sensing, now=0.0, standing=driven.readings
        )
        table.view(0.0)


def test_records_that_make_no_game_are_refused():
    driven = Driven("reversi")
    with pytest.raises(ValueError, match="agreement"):
        Table.resume(driven.records[1:], driven.sensing, now=0.0)
    with pytest.raises(ValueError, match="agreement"):
        Table.resume([], driven.sensing, now=0.0)


def test_a_deliberate_pause_outlasts_a_crash():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.say("pause")
    again = driven.resumed()
    again.carry("e2", "e5")
    again.wait(5)
    assert again.view.phase == "paused"
    assert "illegal" not in again.said
    again.carry("e5", "e2")
    again.say("resume")
    again.play("e2e4")


@pytest.mark.parametrize("side", ["white", "black"])
def test_the_press_that_goes_on_with_a_game_is_not_taken_for_a_turn(side):
    driven = Driven("mockery")
    driven.play("e2e4")
    again = driven.resumed()
    again.press(side)
    again.wait(1)
    assert again.view.phase == "playing"
    assert again.said[-1] == "resumed"


@pytest.mark.parametrize("side", ["white", "black"])
def test_a_clock_button_ends_a_pause_but_no_turn(side):
    driven = Driven("mockery", settings={"time": "5m"})
    driven.carry("e2", "e4")
    driven.say("pause")
    driven.press(side)
    assert driven.view.phase == "playing"
    assert driven.table.state.played == ()
    driven.wait(3)
    assert "illegal" not in driven.said


def test_a_cell_that_is_not_trusted_stays_so_after_a_crash():
    driven = Driven("mockery")
    driven.say("distrust", cell="a3")
    again = driven.resumed()
    assert again.view.faults == ("a3",)
    again.cell("a3", True)
    again.wait(3)
    assert again.view.judged.kind == "settled"


def test_a_cell_that_is_not_trusted_before_the_game_stays_so_in_it():
    driven = Driven("mockery", begin=False)
    driven.say("distrust", cell="a3")
    driven.set_up(after=0)
    assert driven.view.phase == "ready"
    driven.press("black")
    driven.cell("a3", True)
    driven.wait(3)
    assert driven.view.judged.kind == "settled"


@pytest.mark.parametrize("while_down", [True, False])
def test_a_piece_that_goes_back_before_play_goes_on_lets_the_clock_run_again(while_down):
    driven = Driven("indistinguishable", settings={"time": "45m"})
    driven.carry("e7", "e5")
    driven.wait(1)
    if while_down:
        driven.readings["e7"] = driven.readings.pop("e5")
    again = driven.resumed()
    if not while_down:
        again.carry("e5", "e7")
    again.press("black")
    again.wait(2)
    assert again.view.phase == "playing"
    assert again.view.clocks["white"].running
    assert again.table.state.offences == {"white": 1, "black": 0}
    again.play("e2e4")


def test_an_adjourned_game_is_set_up_again_by_its_lights():
    """Whoever adjusts pieces is done with it when the game is laid aside."""
    driven = Driven("mockery", settings={"time": "5m"})
    driven.play("e2e4")
    driven.say("adjust")
    driven.say("pause")
    driven.say("adjourn")
    told = len(driven.outputs)
    for cell in driven.start.placement:
        driven.cell(cell, None)
    driven.wait(10)
    assert not any(isinstance(output, VerdictChanged) for output in driven.outputs[told:])
    driven.readings.clear()
    again = driven.resumed()
    again.wait(86_400)
    assert again.view.phase == "paused"
    for cell in sorted(again.position.placement):
        assert again.view.judged.kind != "settled"
        again.cell(cell, True)
    assert again.view.judged.kind == "settled"
    assert [want.key for want in again.view.wants] == ["want-resume"]
    assert again.view.clocks["black"].left_ms > 299_000
    again.press("white")
    again.play("e7e5")
    assert not again.table.state.adjourned


def test_a_cell_found_dead_under_a_piece_stays_done_without_after_a_crash():
    driven = Driven("mockery", settings={"time": "5m"})
    driven.cell("g8", None)  # its contact fails; the knight stands there
    driven.wait(30)
    assert driven.said[-1] == "cell-perhaps-dead-clock"
    driven.press("white")
    assert driven.view.faults == ("g8",)
    assert driven.view.judged.kind == "settled"
    again = driven.resumed()
    assert again.view.faults == ("g8",)
    assert again.view.judged.kind == "settled"
    again.play("e2e4")
    assert [r.data["data"] for r in again.table.records if r.data.get("what") == "distrust"] == [
        {"cell": "g8"}
    ]


def test_a_token_that_lay_otherwise_before_the_game_was_taken_up_is_not_turned_over():
    """Another game was played with the same discs meanwhile, and one of them lay the other way."""
    game = Driven("reality-check", computers={"black": 1})
    start = dict(game.readings)
    square = next(s for s, x in sorted(start.items()) if x[0] == "b" and x[1] != x[2])
    name, _, down = start[square].partition(":")
    other = f"{name}:{name[1:].replace(down, '')}"
    game.come_back(game.table.records, {**start, square: other})
    assert game.view.judged.kind == "unexplained"
    game.cell(square, None)
    game.cell(square, start[square])
    game.wait(3.0)
    assert game.view.judged.kind == "settled"
