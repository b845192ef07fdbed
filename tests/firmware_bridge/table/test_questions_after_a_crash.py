"""What was open when the service died is open when it is back, and costs no time."""

import pytest

from drivers.port import Snapshot
from firmware_bridge.table import Table
from tests.firmware_bridge.table.driving import Driven
from tests.firmware_bridge.table.test_decisions import AWAITING

CONVERTING = "4k3/8/8/4pbR1/3P4/8/8/4K3 w - - 0 1"
PROMOTING = "8/1P3k2/8/8/8/8/5K2/8 w - - 0 1"
ROLLING = "rn/nnbbBR/2brpb1/2pp4/7/7/PPPN1rp1/NNBB1/RN w PR,NB,RR/pn,nb,rr - roll - 5"


def killed(driven):
    """Kill the service, and let it find the board as it stands."""
    driven.table = Table.resume(
        driven.table.records, driven.sensing, now=driven.t + 60, dice=driven.dice
    )
    driven.t += 60.5
    driven.outputs, driven.records = [], []
    driven.take(driven.table.take_up())
    driven.feed(Snapshot(driven.t, dict(driven.readings)))
    driven.wait(90)


def asked(driven):
    """Return what everyone and both players are asked."""
    seats = [driven.table.summary().seat(side, driven.t).decision for side in ("white", "black")]
    return driven.view.question, *seats


def times(driven):
    return [driven.view.clocks[side].left_ms for side in ("white", "black")]


def converting(tier):
    driven = Driven("reversi", position=CONVERTING, tier=tier, settings={"time": "5m"})
    driven.cell("e5", None)
    driven.carry("d4", "e5")
    return driven


def promoting(tier):
    driven = Driven("reversi", position=PROMOTING, tier=tier, settings={"time": "5m"})
    driven.carry("b7", "b8")
    return driven


def deciding(position, **options):
    return Driven("reality-check", position=position, options=options, settings={"time": "5m"})


@pytest.mark.parametrize(
    ("begun", "answer"),
    [
        (lambda: converting("identity"), "d4e5~g5"),
        (lambda: promoting("identity"), "b7b8n"),
        (lambda: promoting("occupancy"), "b7b8r"),
        (lambda: deciding(AWAITING), "refuse:PB"),
        (lambda: deciding(AWAITING), "keep"),
        (lambda: deciding(AWAITING.replace("hand:PB", "sacrifice"), memory=True), "sacrifice:RR"),
        (lambda: deciding(ROLLING, dice=1), "roll:4"),
    ],
)
def test_the_same_question_is_there_again_and_an_answer_goes_on(begun, answer):
    driven = begun()
    before, side = asked(driven), driven.position.side
    assert any(before)
    killed(driven)
    assert asked(driven) == before
    assert times(driven) == [300_000, 300_000]
    assert driven.view.wants[0].key == "want-resume"
    assert len(driven.view.wants) > 1
    driven.answer(answer, side)
    assert driven.view.phase != "paused"
    assert str(driven.table.state.played[-1].turn).startswith(answer)


@pytest.mark.parametrize("side", ["white", "black"])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_the_press_that_goes_on_gives_no_plain_answer(tier, side):
    driven = converting(tier)
    killed(driven)
    driven.press(side)
    assert driven.view.phase == "playing"
    assert not driven.table.state.played


def test_the_press_that_goes_on_ends_a_turn_that_stands_whole():
    driven = Driven("reversi", settings={"time": "5m"})
    driven.carry("e2", "e4")
    killed(driven)
    (told,) = driven.view.wants
    assert (told.key, told.words) == ("want-resume-made", {"side": "side-white"})
    driven.press("white")
    assert driven.turns == ["e2e4"]


def test_the_press_that_goes_on_is_no_illegal_turn():
    driven = Driven("reversi", settings={"time": "5m", "penalty": "loss"})
    driven.carry("e2", "e5")
    killed(driven)
    driven.press("white")
    assert driven.view.phase == "restoring"
    driven.carry("e5", "e2")
    assert driven.view.phase == "playing"
    assert driven.view.ending is None


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_no_clock_runs_while_what_a_gap_upset_is_led_back(tier):
    driven = Driven("reversi", tier=tier, settings={"time": "5m", "penalty": "loss"})
    driven.carry("a2", "a5")
    driven.carry("h2", "h5")
    killed(driven)
    driven.press("white")
    before = times(driven)
    driven.wait(400)  # longer than anybody has
    driven.carry("a5", "a2")
    driven.press("white")
    assert times(driven) == before
    assert not any(clock.running for clock in driven.view.clocks.values())
    killed(driven)
    driven.press("black")
    driven.wait(400)
    assert times(driven) == before
    driven.carry("h5", "h2")
    driven.wait(5)
    assert driven.view.phase == "playing"
    assert driven.view.clocks["white"].running
    assert before[0] - 6_000 <= times(driven)[0] < before[0]


def test_the_clock_runs_while_players_put_right_what_they_upset():
    driven = Driven("reversi", settings={"time": "5m"})
    for source, target in (("a2", "a5"), ("b2", "b5"), ("g8", "g5"), ("h7", "h4"), ("c8", "c5")):
        driven.carry(source, target)
    driven.wait(30)
    assert driven.view.phase == "restoring"
    assert times(driven)[0] < 275_000


@pytest.mark.parametrize("offer", ["draw", "take-back"])
def test_an_offer_stands_and_is_shown(offer):
    driven = Driven("reversi", settings={"time": "5m"})
    driven.play("e2e4")
    driven.say(f"offer-{offer}", "white")
    killed(driven)
    assert [want.key for want in driven.view.wants] == ["want-resume", f"offer-{offer}"]
    driven.say(f"accept-{offer}", "black")
    assert not driven.view.offer
    assert (driven.view.phase == "over") == (offer == "draw")


def test_the_machines_dice_are_rolled_in_the_pause_too():
    driven = Driven(
        "reality-check", position=ROLLING, options={"dice": 1}, dice=lambda turns: turns[0]
    )
    killed(driven)
    driven.say("roll", "white")
    assert driven.view.phase != "paused"
    assert str(driven.table.state.played[-1].turn) == "roll:1"


def test_in_a_pause_that_was_asked_for_nothing_is_asked():
    driven = promoting("identity")
    driven.say("pause")
    assert [want.key for want in driven.view.wants] == ["want-resume"]
    assert not any(asked(driven))


@pytest.mark.parametrize("buttons", [True, False])
def test_what_stands_astray_while_pieces_are_adjusted_is_no_turn_after_a_crash(buttons):
    """A pawn on its way to its square has stood on another one when the power failed."""
    driven = Driven("chess", settings={"time": "untimed", "press": False}, buttons=buttons)
    driven.say("adjust")
    driven.carry("e2", "e4")
    killed(driven)
    driven.say("resume")
    driven.wait(30)
    assert driven.view.adjusting
    assert "want-adjusted" in [want.key for want in driven.view.wants]
    driven.carry("e4", "e2")
    driven.say("adjust")
    driven.play("d2d4")
    assert driven.turns == ["d2d4"]


def test_whether_a_turn_is_done_is_asked_in_words_in_the_pause_too():
    driven = Driven("realm", settings={"time": "untimed", "press": False})
    driven.carry("e2", "e4")
    assert [want.key for want in driven.view.wants] == ["want-done"]
    killed(driven)
    assert [want.key for want in driven.view.wants] == ["want-resume", "want-done"]
    driven.answer("e2e4")
    assert driven.view.phase == "playing"


def taken_back(driven):
    driven.say("offer-take-back", "black")
    driven.say("accept-take-back", "white")


def taken_back_twice(driven):
    driven.say("take-back", reason="x")
    driven.say("take-back", reason="x")


def set_back(driven):
    driven.say("set-position", position=str(driven.table.state.played[-1].before), reason="x")


@pytest.mark.parametrize("back", [taken_back, taken_back_twice, set_back])
@pytest.mark.parametrize("ends", ["by standing", "by a press"])
def test_what_was_taken_back_and_stands_yet_is_no_turn_that_was_made(back, ends):
    settings = {"time": "untimed", "press": ends == "by a press"}
    driven = Driven("chess", settings=settings, buttons=ends == "by a press")
    driven.play("e2e4", "e7e5")
    back(driven)
    position = driven.position
    killed(driven)
    driven.say("resume")
    if driven.agreement.buttons:
        driven.press(position.side)
    driven.wait(30)
    assert (driven.position, driven.view.judged.kind) == (position, "disturbed")
    for cell, home in (("e5", "e7"), ("e4", "e2"))[: 2 if back is taken_back_twice else 1]:
        driven.carry(cell, home)
    driven.wait(3)
    assert driven.view.judged.kind == "settled"
    driven.play("d7d5" if position.side == "black" else "d2d4")
