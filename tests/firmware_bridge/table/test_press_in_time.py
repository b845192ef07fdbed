"""A press counts when it is made, also when the last contact of the turn comes after it."""

import pytest

from tests.firmware_bridge.table.driving import Driven

TIERS = pytest.mark.parametrize("tier", ["occupancy", "identity"])


def lagging(tier, pressed_at, contact_after):
    """Press White's clock with the piece in the air, that many seconds after the start."""
    driven = Driven("reversi", tier=tier, settings={"time": "15s"})
    driven.wait(pressed_at - 0.5)
    reading = driven.readings.get("e2")
    driven.cell("e2", None, after=0.2)
    driven.press("white", after=0.3)
    driven.cell("e4", reading, after=contact_after)
    return driven


@TIERS
def test_the_clock_is_charged_up_to_the_press(tier):
    driven = lagging(tier, 5.0, 0.15)
    driven.wait(0.2)  # until it is sure that the piece stands there, and does not only slide past
    assert driven.turns == ["e2e4"]
    clocks = driven.view.clocks
    assert (clocks["white"].left_ms, clocks["black"].left_ms) == (10_000, 14_650)


@TIERS
@pytest.mark.parametrize("contact_after", [0.05, 0.15, 0.25])
def test_no_flag_falls_while_a_press_in_time_is_unanswered(tier, contact_after):
    driven = lagging(tier, 14.9, contact_after)
    driven.wait(1)
    assert driven.view.phase == "playing"
    assert driven.view.clocks["white"].left_ms == 100
    assert str(driven.resumed().table.state.position) == str(driven.position)


@TIERS
def test_the_flag_falls_at_its_time_when_the_press_ends_no_turn(tier):
    driven = lagging(tier, 14.9, 0.6)
    driven.wait(1)
    assert driven.view.ending.reason == "flag-fall"
    [flag] = [record for record in driven.records if record.kind == "flag"]
    assert flag.t_ms == 15_000


@TIERS
def test_pressing_again_and_again_keeps_no_flag_up(tier):
    driven = Driven("reversi", tier=tier, settings={"time": "15s"})
    driven.wait(14.5)
    driven.cell("e2", None, after=0.1)
    for _ in range(6):
        driven.press("white", after=0.2)
    assert driven.view.ending.reason == "flag-fall"


@TIERS
def test_a_press_at_the_very_instant_is_too_late(tier):
    driven = lagging(tier, 15.0, 0.1)
    assert driven.view.ending.reason == "flag-fall"
