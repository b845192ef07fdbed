"""Under a penalty table an illegal turn of several pieces costs what one of a single piece does."""

import pytest

from tests.firmware_bridge.table.driving import Driven

COSTS = {"time": "5m", "penalty": "+2m"}
TIERS = pytest.mark.parametrize("tier", ["occupancy", "identity"])


def pressed(driven, *moves):
    """Move pieces, all in the air at once: one after the other, each hand could be another's."""
    held = [(target, driven.readings[source]) for source, target in moves]
    for source, _ in moves:
        driven.cell(source, None)
    for target, reading in held:
        driven.cell(target, reading)
    driven.press("white")
    driven.wait(2)
    return driven.table.state.offences["white"]


@TIERS
@pytest.mark.parametrize("game", ["reversi", "mockery"])
def test_two_turns_at_once_are_an_offence(game, tier):
    driven = Driven(game, tier=tier, settings=COSTS)
    assert pressed(driven, ("e2", "e4"), ("d2", "d4")) == 1
    assert driven.said == ["illegal", "penalty-give-minutes"]
    driven.press("white")
    driven.wait(2)
    assert driven.table.state.offences["white"] == 1
    driven.carry("d4", "d2")
    driven.press("white")
    assert str(driven.table.state.played[-1].turn) == "e2e4"


@TIERS
def test_pieces_of_two_realms_are_an_offence(tier):
    driven = Driven("realm", tier=tier, settings=COSTS)
    assert pressed(driven, ("a2", "a3"), ("h2", "h3")) == 1


def test_without_a_penalty_table_it_is_put_right_alone():
    driven = Driven("reversi", settings={"time": "5m"})
    assert driven.table.agreement.settings.penalty is None
    pressed(driven, ("e2", "e4"), ("d2", "d4"))
    assert driven.view.clocks["black"].left_ms == 300_000


@TIERS
def test_a_piece_missing_beside_a_turn_of_several_is_none(tier):
    driven = Driven("realm", tier=tier, settings=COSTS)
    driven.cell("h8", None)  # perhaps its contact fails
    assert pressed(driven, ("c2", "c4"), ("d2", "d4")) == 0


@TIERS
def test_a_legal_turn_after_another_piece_was_touched_costs_nothing(tier):
    driven = Driven("reversi", tier=tier, settings={**COSTS, "touch_move": True})
    driven.carry("d2", "d2")
    assert pressed(driven, ("e2", "e4")) == 0
    assert driven.view.phase == "restoring"


@TIERS
@pytest.mark.parametrize("game", ["reversi", "realm"])
def test_a_reply_before_the_press_is_none_of_the_movers(game, tier):
    driven = Driven(game, tier=tier, settings=COSTS)
    driven.carry("e2", "e4")
    assert pressed(driven, ("e7", "e5")) == 0


def test_what_was_knocked_over_costs_nothing():
    driven = Driven("reversi", settings=COSTS)
    for cell in ("a2", "b2", "c2", "d2", "f2", "g2"):
        driven.cell(cell, None, after=0.02)
    for cell in ("a3", "b3", "c3", "d3", "f3", "g3"):
        driven.cell(cell, True, after=0.02)
    driven.wait(3)
    driven.press("white")
    driven.wait(3)
    assert driven.table.state.offences["white"] == 0
