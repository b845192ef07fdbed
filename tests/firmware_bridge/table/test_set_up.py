"""From an empty board to the first turn, as a service sees it."""

import pytest

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.reconciler import Sensing
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.table import Agreement, Table
from tests.firmware_bridge.table.driving import Driven
from tests.sample import SAMPLE


@pytest.fixture(params=SAMPLE)
def table(request):
    """A table on an empty board that reads tags, and what stands there when all is set up."""
    pieces = simulated_pieces()
    opened = Table(Agreement(request.param), Sensing("face", pieces.labels), now=0.0, standing={})
    opened.take_up()
    return opened, pieces.arrangements[request.param]


def test_a_board_that_was_empty_is_at_rest_once_it_is_set_up(table):
    opened, start = table
    opened.feed(Snapshot(1.0, start))
    assert opened.view(1.0).phase == "ready"
    opened.feed(ButtonEvent(2.0, "black"))
    assert opened.view(2.0).phase == "playing"
    assert opened.view(2.0).judged.kind == "settled"


def test_the_first_movement_of_a_tagged_piece_is_known(table):
    opened, start = table
    opened.feed(Snapshot(1.0, start))
    opened.feed(ButtonEvent(2.0, "black"))
    shown = opened.state.position.shown
    source = max(
        square for square in start if shown[square].side == "black" or not shown[square].side
    )
    target = max(opened.state.position.game.squares - start.keys())
    opened.feed(CellEvent(3.0, source, None))
    opened.feed(CellEvent(3.1, target, start[source]))
    opened.feed(ButtonEvent(3.2, "white"))
    judged = opened.view(3.2).judged
    assert judged.reason == "not-your-piece"
    assert [(move.source, move.target) for move in judged.restore] == [(target, source)]


def set_up(options=(), **agreed):
    """Return a Reality Check table on which everything has just been put in its place."""
    driven = Driven("reality-check", options=dict(options), begin=False, **agreed)
    wanted = dict(driven.readings)
    driven.readings.clear()
    for square, reading in wanted.items():
        driven.cell(square, reading, after=0.05)
    assert driven.view.phase == "ready"
    return driven


def exchange(driven, one, other):
    first, second = driven.readings[one], driven.readings[other]
    driven.cell(one, None)
    driven.cell(other, None)
    driven.cell(one, second)
    driven.cell(other, first)


def test_a_player_may_arrange_his_secret_anew_before_the_game_begins():
    driven = set_up(settings={"time": "5m"})
    exchange(driven, "c2", "e2")
    driven.wait(2)
    assert driven.view.phase == "ready"
    assert driven.view.judged.kind == "settled"
    driven.press("black")
    assert driven.position.placement["c2"] == driven.readings["c2"] == driven.start.placement["e2"]
    assert driven.resumed().position == driven.position
    driven.play("c2b4")


def test_after_the_first_turn_nothing_is_arranged_anew():
    driven = set_up()
    driven.press("black")
    exchange(driven, "c2", "e2")
    driven.wait(2)
    assert driven.view.phase == "playing"
    assert driven.position.placement["c2"] == driven.start.placement["e2"]
    driven.play("b3b4")
    stood = driven.position.placement
    exchange(driven, "c2", "e2")
    driven.wait(2)
    assert driven.view.phase == "restoring"
    assert driven.position.placement == stood


def test_a_tag_that_is_read_late_arranges_nothing_anew():
    driven = set_up()
    exchange(driven, "c2", "e2")
    lying = driven.readings["c2"]
    driven.cell("c2", None)
    driven.cell("c2", True)
    assert driven.position.placement["c2"] == lying
    driven.cell("c2", lying)
    assert driven.said == ["ready"]


def test_a_disc_that_is_still_read_where_it_lay_arranges_nothing_anew():
    """It was turned over on the way: each of its sides is read on another square."""
    driven = set_up()
    stood = driven.position.placement
    assert (stood["d1"], stood["d3"], stood["e2"]) == ("wNR:N", "wBR:R", "wNB:B")
    for square, reading in (("e2", "wNR:R"), ("d1", "wBR:B")):
        driven.cell(square, reading)
        assert driven.position.placement == stood
    driven.cell("d3", "wNB:N")
    assert driven.view.phase == "ready"
    assert driven.position.placement == {
        **stood,
        **{s: driven.readings[s] for s in ("d1", "d3", "e2")},
    }


def test_where_a_free_start_looks_like_a_first_turn_the_button_decides():
    driven = set_up({"flexible": True})
    driven.carry("c2", "b4")
    driven.press("white")
    driven.wait(1)
    assert driven.said[-1] == "want-start"
    driven.press("black")
    assert driven.view.phase == "playing"
    assert "c2" not in driven.position.placement
    driven.carry("d3", "e4")
    driven.press("white")
    assert driven.turns == ["d3e4"]
    silent = set_up({"flexible": True}, buttons=False)
    silent.carry("c2", "b4")
    assert silent.position.placement == silent.start.placement


GAMES = ("indistinguishable", "mockery", "realm", "reversi")


@pytest.mark.parametrize("game", GAMES)
def test_who_simply_moves_is_told_how_to_begin(game):
    driven = Driven(game, begin=False)
    driven.set_up(after=0.05)
    driven.carry("e2", "e4")
    assert driven.said[-1] == "want-begin"
    assert [want.key for want in driven.view.wants] == ["want-begin"]
    driven.press("white")
    assert driven.view.phase == "playing"
    assert driven.turns == ["e2e4"]


@pytest.mark.parametrize(("game", "told"), [("realm", True), ("indistinguishable", False)])
def test_why_a_first_turn_is_none_is_told_unless_that_is_a_secret(game, told):
    driven = Driven(game, begin=False, settings={"time": "untimed"})
    driven.set_up()
    driven.carry("e2", "e5")
    driven.wait(1)
    assert (driven.view.phase, driven.view.begun) == ("restoring", False)
    assert ("answer-refused" in driven.said) == told


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_any_like_pieces_may_be_exchanged_until_the_game_begins(tier):
    """Ordinary chessmen exchanged for others of any owner, as when another game was chosen."""
    driven = Driven("indistinguishable", tier=tier, begin=False)
    driven.set_up(after=0.05)
    assert driven.view.phase == "ready"
    start = dict(driven.start.placement)
    for square in start:
        driven.cell(square, None, after=0.05)
    for square, label in start.items():
        other = {"w": "b", "b": "w"}[label[0]] + label[1]
        driven.cell(square, driven.reading(other), after=0.05)
    driven.wait(2)
    assert driven.view.phase == "ready"
    assert driven.view.judged.kind == "settled"
    driven.press("black")
    driven.play("e2e4", "e7e5")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_reply_begins_the_game_with_both_turns(game, tier):
    driven = Driven(game, tier=tier, begin=False, settings={"time": "45m"})
    driven.set_up(after=0.05)
    driven.carry("e2", "e4")
    driven.carry("e7", "e5", after=1.0)
    driven.press("black", after=1.0)
    driven.carry("g1", "f3")
    driven.press("white")
    assert driven.turns == ["e2e4", "e7e5", "g1f3"]
    assert "attempt" not in [record.kind for record in driven.records]


@pytest.mark.parametrize("game", SAMPLE)
def test_the_way_back_on_a_cleared_board_leads_on_though_a_piece_is_not_read(game):
    driven = Driven(game, tier="identity")
    driven.feed(Snapshot(driven.t + 1, driven.readings))
    driven.feed(Snapshot(driven.t + 1, {}))
    free = min(driven.start.game.squares - driven.start.placement.keys())
    driven.cell(free, True)
    assert driven.view.judged.kind == "disturbed"
    assert free in driven.view.judged.cells
