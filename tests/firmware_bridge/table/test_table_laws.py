"""Laws that hold at every moment of every game, whatever is felt and said, crashes included."""

import json
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import Ruled
from firmware_bridge.messages.records import Record
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.referee.game_state import State
from firmware_bridge.referee.referee import apply, rebuild
from firmware_bridge.views.types import Phase
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import NIGHTLY
from tests.sample import SAMPLE

EXAMPLES = 300 if NIGHTLY else 5
RUNS_IN = ("playing", "decision", "restoring")
"""Phases in which a clock may run."""
DETAILS = {"reason": "", "seconds": "-20", "winner": "draw", "cell": "d4"}
SIDES = st.sampled_from(["white", "black", None])
WHILE_PLAYING = sorted(CALLS.keys() - {"resign", "award", "set-position"})
DEEDS = st.one_of(
    st.tuples(st.just("turn"), st.integers(0, 60)),
    st.tuples(st.just("turn"), st.integers(0, 60)),
    st.tuples(st.just("slip"), st.integers(0, 60)),
    st.tuples(st.just("press"), st.sampled_from(["white", "black", "pause", "adjust", "draw"])),
    st.tuples(st.just("say"), st.sampled_from(WHILE_PLAYING), SIDES),
    st.tuples(st.just("answer"), st.integers(0, 60), SIDES),
    st.tuples(st.just("wait"), st.sampled_from([1, 12, 100])),
    st.tuples(st.just("put right")),
    st.tuples(st.just("crash")),
)


def do(driven, deed):
    """Let one thing happen at the table."""
    match deed:
        case "turn", number:
            make_turn(driven, number)
        case "slip", number:
            squares = sorted(cell for cell in driven.readings if cell in driven.start.placement)
            free = sorted(driven.table.agreement.terms().game.squares - driven.readings.keys())
            driven.carry(squares[number % len(squares)], free[number % len(free)])
            driven.wait(1)
        case "press", button:
            driven.press(button)
        case "say", what, side:
            driven.say(what, side, side=side or "white", **DETAILS)
        case "answer", number, side:
            turns = [str(turn) for turn, _ in zip(driven.position.turns(), range(60), strict=False)]
            driven.answer(turns[number % len(turns)] if turns else "", side)
        case "wait", seconds:
            driven.wait(seconds)
        case ("put right",):
            put_right(driven)
        case ("crash",):
            driven.come_back(driven.table.records, driven.readings)


def make_turn(driven, number, most=60):
    """Make one of the turns that are legal, with whatever press or answer it may need."""
    put_right(driven)
    before = driven.position
    turns = [turn for turn, _ in zip(before.turns(), range(most), strict=False)]
    if turns and driven.table.state.ending is None:
        turn = turns[number % len(turns)]
        deed = before.deed(turn)
        if deed.physical:
            driven.hands(deed, before, before.play(turn))
        driven.press(before.side)
        driven.answer(str(turn))


def put_right(driven):
    """Make the board show the position of the game."""
    placed = driven.position.placement
    for cell in sorted(driven.readings.keys() - placed.keys()):
        driven.cell(cell, None)
    for cell, label in sorted(placed.items()):
        if cell not in driven.readings:
            driven.cell(cell, driven.reading(label))


def holds(driven):
    """See that phase, clocks and turns agree with each other."""
    view, state = driven.view, driven.table.state
    assert view.phase in get_args(Phase)
    running = [side for side, clock in view.clocks.items() if clock.running]
    assert all(clock.left_ms is None or clock.left_ms >= 0 for clock in view.clocks.values())
    assert running in ([], [state.position.side])
    assert not running or view.phase in RUNS_IN
    assert (view.phase == "over") == (state.ending is not None)
    if state.stage == "playing" and not running:
        assert state.trouble is not None
        assert state.trouble.clock_stopped
    if state.stage == "playing" and not state.adjusting and view.judged.kind == "settled":
        assert state.trouble is None


def seen_again(driven):
    """See that what was written down tells the whole game, millisecond by millisecond."""
    terms, begun = driven.table.agreement.terms(), driven.start
    known = [Record(r.t_ms, r.kind, json.loads(json.dumps(r.data))) for r in driven.table.records]
    state = State.begin(terms, begun)
    assert rebuild(terms, state, known) == driven.table.state
    total = sum(state.clock.account(side).left for side in ("white", "black"))
    for record in known:
        ran = record.t_ms - state.t_ms if state.clock.running else 0
        step = apply(terms, state, record)
        state = step.state
        total += corrected(record, step.outputs) - ran
        now = state.clock.stop(state.t_ms)
        assert now.white.left + now.black.left == total


def corrected(record, outputs):
    """Return the milliseconds that a record gives to the players together."""
    if record.kind == "call" and record.data["what"] == "add-time":
        return round(1000 * float(record.data["data"]["seconds"]))
    return -sum(round(1000 * output.penalty) for output in outputs if isinstance(output, Ruled))


@pytest.mark.parametrize("game", SAMPLE)
@settings(max_examples=EXAMPLES, deadline=None)
@given(deeds=st.lists(DEEDS, max_size=14), buttons=st.booleans())
@example(deeds=[("slip", 40), ("crash",), ("put right",), ("press", "black")], buttons=True)
@example(deeds=[("slip", 40), ("press", "pause"), ("put right",), ("press", "white")], buttons=True)
@example(deeds=[("turn", 3), ("press", "pause"), ("say", "take-back", None)], buttons=True)
def test_phases_clocks_and_records_always_agree(game, deeds, buttons):
    driven = Driven(
        game, buttons=buttons, settings={"time": "5m", "penalty": "30s", "take_backs": True}
    )
    for deed in deeds:
        do(driven, deed)
        holds(driven)
    seen_again(driven)
