"""One table says what leads from one stage of a game to another."""

from dataclasses import replace
from typing import get_args

import pytest

from firmware_bridge.referee.call_rules import Spoken, objection
from firmware_bridge.referee.facts import SAID, as_both_know_it
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.stages import STEPS, Stage
from firmware_bridge.table import Agreement
from tests.firmware_bridge.table.driving import Driven

STAGES = get_args(Stage)


def test_every_stage_can_be_reached_and_every_game_can_end():
    reached = {"set-up"}
    while more := {leads[stage] for leads in STEPS.values() for stage in reached & leads.keys()}:
        if more <= reached:
            break
        reached |= more
    assert reached == set(STAGES)
    assert STEPS["end"] == dict.fromkeys(STAGES, "over")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("what", ["start", "pause", "adjourn", "resume"])
def test_what_leads_nowhere_cannot_be_said(stage, what):
    terms = Agreement("chess").terms()
    state = replace(State.begin(terms, terms.game.start()), stage=stage)
    said = objection(Spoken(terms, state, what, None, {}, 0))
    friends_alone = (what, stage) == ("pause", "interrupted")
    assert (said is None) == (stage in STEPS[what] and not friends_alone)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("what", sorted(STEPS.keys() & SAID))
def test_what_a_friend_may_say_leads_on_whatever_befell_the_host_here(stage, what):
    terms = Agreement("chess", away="black").terms()
    state = replace(State.begin(terms, terms.game.start()), stage=stage)
    spoken = Spoken(terms, as_both_know_it(state), what, "black", {}, 0, own=True)
    assert objection(spoken) is not None or stage in STEPS[what]


def test_of_an_adjourned_game_that_was_resigned_and_taken_back_no_pause_is_left():
    driven = Driven("chess", tier="occupancy", settings={"time": "5m"})
    driven.play("e2e4")
    driven.say("adjourn")
    driven.say("resign", "white")
    driven.say("take-back", reason="a slip of the tongue")
    assert driven.table.state.stage == "playing"
    assert not driven.table.state.adjourned
