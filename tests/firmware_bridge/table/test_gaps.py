"""What is found after a gap is nobody's offence, nor is anything on the way back from it."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from drivers.port import Snapshot
from firmware_bridge.messages import Ruled
from firmware_bridge.messages.records import before_play
from firmware_bridge.table import Table
from tests.firmware_bridge.table.driving import TIERS, Driven, illegal
from tests.nightly import NIGHTLY, few
from tests.sample import SAMPLE

SEATS = [
    (game, tier)
    for game in SAMPLE
    for tier in TIERS[TIERS.index(rules.games()[game].traits.least_tier) :]
]
AGREED = {"time": "45m", "penalty": "5m"}
ORDINARY = {"in-progress", "complete", "extendable", "choice", "settled"}


def seen_anew(driven):
    """The link was lost; the board tells what stands on it."""
    driven.t += 30
    driven.feed(Snapshot(driven.t, dict(driven.readings)))
    return driven


def reopened(driven):
    """The service was killed, and opens the journal on a board that it can read at once."""
    return driven.resumed()


def reopened_unread(driven):
    """The service was killed, and the board tells only later what stands on it."""
    again = copy.copy(driven)
    again.t, again.outputs, again.records = 7.0, [], []
    known = driven.table.records
    bare = {} if before_play(known) else None  # only what is felt says that a start stands
    again.table = Table.resume(known, driven.sensing, now=again.t, standing=bare)
    again.take(again.table.take_up())
    return seen_anew(again)


GAPS = (seen_anew, reopened, reopened_unread)


def disarranged(driven, dice):
    """Move some pieces while nobody watches; return what was taken off, by where it stood."""
    board, box = driven.readings, {}
    for square in dice.sample(sorted(board), dice.randint(1, 4)):
        reading = board.pop(square)
        free = sorted(driven.position.game.squares - board.keys())
        if dice.random() < 0.7:
            board[dice.choice(free)] = reading
        else:
            box[square] = reading
    return box


def put_right(driven, dice, box):
    """Do as the lights say, one movement after the other, and press whatever there is between."""
    for _ in range(40):
        if dice.random() < 0.5:
            driven.press(dice.choice(["white", "black"]))
        driven.wait(dice.choice([0.1, 1.0, 6.0]))
        verdict = driven.table.reconciler.verdict
        if verdict.kind == "settled":
            return
        if not verdict.restore:
            continue  # not yet
        step = verdict.restore[0]
        reading = driven.readings.get(step.source) if step.source else None
        if step.source and reading is None:
            continue  # that it was lifted may be a knock yet
        if step.source and step.source in driven.position.game.squares:
            driven.cell(step.source, None)
        if step.target is None:
            box[step.source] = reading
        else:
            driven.cell(step.target, reading or fetched(driven, box, step))
    raise AssertionError("the board never became right")


def fetched(driven, box, step):
    """Return the piece that belongs on a square from among those that were taken off."""
    wanted = driven.position.placement[step.target]
    for square, reading in box.items():
        if reading is True or driven.sensing.tags[reading][:3] == wanted[:3]:
            return turned(driven, box.pop(square), wanted)
    return turned(driven, driven.reading(wanted), wanted)


def turned(driven, reading, wanted):
    """Return the reading of a disc that lies as it should."""
    return wanted if ":" in wanted and driven.tier != "occupancy" else reading


def stands(driven):
    """Return where the game stands: until the first turn the set-up is known by its faces alone."""
    position, played = driven.position, len(driven.table.state.played)
    faces = position.game.faces(position.placement)
    return (str(position) if played else faces), played


@pytest.mark.parametrize(("game", "tier"), SEATS)
@settings(max_examples=200 if NIGHTLY else 2, deadline=None)
@given(seed=st.integers(0, 2**32), gap=st.sampled_from(GAPS), buttons=st.booleans())
def test_whatever_is_found_after_a_gap_is_put_right_for_nothing(game, tier, seed, gap, buttons):
    dice = random.Random(seed)
    driven = Driven(game, tier=tier, buttons=buttons, settings=AGREED)
    driven.random_turns(seed, dice.randint(0, 4))
    if driven.table.state.stage != "playing" or driven.position.awaited:
        return
    box = disarranged(driven, dice)
    again = gap(driven)
    before = stands(again)
    if again.table.reconciler.verdict.kind in ORDINARY:
        return  # a turn, or its beginning: as without a gap
    put_right(again, dice, box)
    again.wait(1.0)
    assert again.table.reconciler.verdict.kind == "settled"
    assert "illegal" not in again.verdicts
    assert not again.gave(Ruled)
    assert again.table.state.offences == {"white": 0, "black": 0}
    assert stands(again) == before


@pytest.mark.parametrize(("game", "tier"), SEATS)
@pytest.mark.parametrize("gap", GAPS)
def test_once_the_board_has_been_right_offences_count_again(game, tier, gap):
    driven = gap(Driven(game, tier=tier, settings=AGREED))
    driven.press("white")
    driven.wait(1.0)
    driven.carry(*illegal(driven.position))
    driven.press("white")
    driven.wait(1.0)
    assert "illegal" in driven.verdicts
    assert driven.table.state.offences == {"white": 1, "black": 0}


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_two_turns_made_without_power_cost_nobody_anything(gap, tier):
    driven = Driven("indistinguishable", tier=tier, settings={"time": "45m"})
    for source, target in (("e2", "e4"), ("e7", "e5")):
        driven.readings[target] = driven.readings.pop(source)
    again = gap(driven)
    for side in ("white", "black", "white"):
        again.press(side)
        again.wait(5.0)
    assert not again.gave(Ruled)
    assert again.view.clocks["black"].left_ms > 2_600_000
    assert again.view.clocks["white"].left_ms > 2_600_000


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", ["indistinguishable", "mockery", "reversi"])
@pytest.mark.parametrize("begun", [True, False])
def test_a_turn_that_was_whole_is_taken_as_without_a_gap(game, tier, gap, begun):
    driven = Driven(game, tier=tier, settings=AGREED, begin=begun)
    if not begun:
        driven.set_up(after=0)
    driven.readings["e4"] = driven.readings.pop("e2")
    again = gap(driven)
    again.press("white")
    again.press("white")
    assert again.turns == ["e2e4"]


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("target", ["e4", "e5"])
def test_sealed_what_stands_after_a_gap_goes_back_whether_it_is_a_turn_or_not(gap, tier, target):
    """It costs nothing, so it may tell nothing."""
    driven = Driven("indistinguishable", tier=tier, settings={**AGREED, "sealed": True})
    driven.press("white")
    driven.readings[target] = driven.readings.pop("e2")
    again = gap(driven)
    for _ in range(2):
        again.press("white")
        again.wait(5.0)
        assert again.view.judged.kind == "disturbed"
    again.carry(target, "e2")
    assert again.view.judged.kind == "settled"
    again.carry("e2", "e4")
    again.press("white")
    again.wait(1.0)
    assert again.turns == ["e2e4"]
    assert not again.gave(Ruled)


def test_where_owners_are_secret_a_board_heard_of_late_is_shown_as_one_heard_of_at_once():
    """Tags would tell which queen stands where."""
    views = []
    for gap in (reopened, reopened_unread):
        driven = Driven("indistinguishable", tier="identity", settings=AGREED)
        driven.play("e2e4")
        for source, target in (("d8", "b5"), ("d1", "g4")):
            driven.readings[target] = driven.readings.pop(source)
        again = gap(driven)
        views.append((again.view.standing, again.view.lifted, again.view.judged))
    assert views[0] == views[1]


@pytest.mark.parametrize("gap", [seen_anew, reopened_unread])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("game", ["indistinguishable", "mockery", "reversi"])
@pytest.mark.parametrize("time", ["45m", "untimed"])
def test_a_turn_and_the_reply_to_it_are_taken_as_without_a_gap(game, tier, gap, time):
    driven = Driven(game, tier=tier, settings={"time": time, "penalty": "5m"})
    driven.play("e2e4")
    driven.readings["d5"] = driven.readings.pop("d7")
    driven.readings["a3"] = driven.readings.pop("a2")
    again = gap(driven)
    for side in ("black", "white", "black"):
        again.press(side)
        again.wait(1.0)
    # Of what nobody saw come while no service ran, what is legal would tell owners.
    kept = game != "indistinguishable" or gap is seen_anew
    assert again.turns == (["e2e4", "d7d5", "a2a3"] if kept else ["e2e4"])
    assert not again.gave(Ruled)


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("ply", range(3))
def test_what_a_turn_turned_over_is_known_after_a_gap_whatever_lies_underneath(gap, ply):
    """Discs with like faces are no exception, neither the one that moved nor another one."""
    for seed in range(few(24)):
        driven = Driven("reality-check", options={"flexible": True}, settings=AGREED)
        driven.random_turns(seed, ply)
        before, dice = driven.position, random.Random(seed)
        turn = dice.choice([t for t in before.turns() if before.deed(t).flips])
        driven.hands(before.deed(turn), before, before.play(turn))
        side = before.side
        again = gap(driven)
        assert again.table.reconciler.verdict.kind == "complete", str(turn)
        again.press(side)
        again.press(side)
        assert again.turns[-1:] == [str(turn)]


@pytest.mark.parametrize("first", ["d7", "h7"])
@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("game", ["indistinguishable", "mockery"])
def test_either_of_two_like_pieces_found_astray_is_right_where_it_was_led(game, gap, first):
    driven = Driven(game, tier="identity", settings=AGREED)
    driven.play("e2e4")
    driven.readings["c5"] = driven.readings.pop("d7")
    driven.readings["d5"] = driven.readings.pop("h7")
    again = gap(driven)
    again.press("black")
    again.wait(6.0)
    steps = {step.target: step for step in again.table.reconciler.verdict.restore}
    assert steps.keys() == {"d7", "h7"}
    step = steps.pop(first)
    again.carry(step.source, step.target)
    again.wait(6.0)
    assert again.table.reconciler.verdict.restore == tuple(steps.values())
    assert not again.gave(Ruled)


@pytest.mark.parametrize("gap", GAPS)
def test_what_was_ruled_on_before_the_gap_is_not_ruled_on_again(gap):
    driven = Driven("indistinguishable", settings={"time": "45m"})
    driven.carry("e7", "e5")
    driven.wait(1)
    assert len(driven.gave(Ruled)) == 1
    driven.outputs.clear()
    again = gap(driven)
    for _ in range(2):
        again.press("white")
        again.wait(2)
    assert again.view.phase == "restoring"
    again.carry("e5", "e7")
    again.wait(1)
    assert not again.gave(Ruled)
    assert again.view.phase == "playing"
    assert again.view.clocks["white"].running
    again.play("e2e4")
