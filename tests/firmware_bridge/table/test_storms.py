"""Whatever is felt and said, in any order: the table stands, speaks, and comes back the same."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.messages import (
    Answer,
    Call,
    Chosen,
    Coached,
    Declare,
    Hinted,
    Piped,
    RefereeOpened,
    Said,
    Seated,
    Tick,
    Weakened,
)
from firmware_bridge.messages.records import Record
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.table import Table
from firmware_bridge.views.disclosure import Disclosure
from firmware_bridge.views.json_lines import Lines
from firmware_bridge.views.lights import lights
from firmware_bridge.words import LANGUAGES, catalogue
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import few
from tests.sample import SAMPLE

CELLS = ["a1", "b1", "d1", "e1", "e2", "e4", "d2", "d4", "e7", "e5", "d7", "d5", "hw1", "z9"]
TEXTS = ["e2e4", "e7e5", "d1d4", "d1d4/d4", "roll:3", "keep:PN", "nonsense", ""]
DETAILS = st.dictionaries(
    st.sampled_from(["side", "seconds", "reason", "position", "winner", "cell"]),
    st.sampled_from(["white", "draw", "5", "-1e9", "nan", "", "8/8 w", "e2"]),
)
SIDES = st.sampled_from(["white", "black", None])
READINGS = st.sampled_from([None, True, "wP/1", "bK/2", "wPN:N", "stranger", "piece:wQ"])
BESIDE = {
    "chosen": lambda t, now: Chosen(
        t, next((str(turn) for turn in now.position.turns()), ""), now.number
    ),
    "chosen late": lambda t, now: Chosen(t, "e7e5", now.number - 1),
    "hinted": lambda t, now: Hinted(t, now.number, "e2e4"),
    "no hint": lambda t, now: Hinted(t, now.number, None),
    "coached": lambda t, now: Coached(t, now.number, "e2e4", "Q"),
    "seated": lambda t, _: Seated(t, "white"),
    "left": lambda t, _: Seated(t, "white", taken=False),
    "opened": lambda t, _: RefereeOpened(t, "192.168.1.9"),
    "weakened": lambda t, _: Weakened(t, "black", ""),
    "piped": lambda t, _: Piped(t, "", "black", ("> ready",)),
}
"""What comes from no hands: the table, its state now, makes each."""
EVENTS = st.one_of(
    st.builds(lambda cell, reading: ("cell", cell, reading), st.sampled_from(CELLS), READINGS),
    st.builds(
        lambda name: ("button", name), st.sampled_from(["white", "black", "draw", "adjust", "?"])
    ),
    st.builds(lambda text, side: ("answer", text, side), st.sampled_from(TEXTS), SIDES),
    st.builds(
        lambda what, side, data: ("call", what, side, data),
        st.sampled_from([*sorted(CALLS), "sing"]),
        SIDES,
        DETAILS,
    ),
    st.builds(lambda what: ("beside", what), st.sampled_from(sorted(BESIDE))),
    st.builds(lambda *cells: ("exchanged", *cells), st.sampled_from(CELLS), st.sampled_from(CELLS)),
    st.sampled_from([("declare",), ("snapshot",), ("wait",), ("back",)]),
)
COMPUTERS = st.sampled_from([{}, {}, {"black": 1}, {"white": 1, "black": 2}])
AGREED = st.sampled_from(
    [{}, {"practice": True, "lift_for_hint": True}, {"coach": True}, {"touch_move": True}]
)


def item(event, t, driven):  # noqa: PLR0911 - one return a kind of input
    match event:
        case "cell", cell, reading:
            return CellEvent(t, cell, reading)
        case "button", name:
            return ButtonEvent(t, name)
        case "answer", text, side:
            return Answer(t, text, side)
        case "call", what, side, data:
            return Call(t, what, side, data)
        case ("declare",):
            return Declare(t, "reality-check")
        case ("snapshot",):
            return Snapshot(t, {})
        case "beside", what:
            return BESIDE[what](t, driven.table.state)
        case "exchanged", one, other:
            men = driven.readings
            return Snapshot(t, {**men, one: men.get(other), other: men.get(one)})
        case ("back",):
            return Snapshot(t, driven.readings)
    return Tick(t)


def spoken(driven, outputs):
    """See that everything can be rendered in every language, on every channel."""
    for language in LANGUAGES:
        words = catalogue(language, driven.agreement.game)
        lines = Lines(words, Disclosure(secret=True))
        json.dumps([lines.line(output) for output in outputs])
        for wish in driven.view.wants:
            words.text(wish.key, wish.words)
        for choice in driven.view.question:
            words.text(choice.label.key, choice.label.words)
    assert all(isinstance(o.words, dict) for o in outputs if isinstance(o, Said))
    lights(driven.view)


@pytest.mark.parametrize("game", SAMPLE)
@settings(max_examples=few(60), deadline=None)
@given(
    events=st.lists(st.tuples(EVENTS, st.sampled_from([0.05, 0.5, 1.5])), max_size=25),
    begin=st.booleans(),
    computers=COMPUTERS,
    agreed=AGREED,
)
def test_no_storm_of_inputs_breaks_a_table(game, events, begin, computers, agreed):
    conduct = {"time": "5m+1s", "penalty": "30s", **agreed}
    driven = Driven(game, settings=conduct, begin=begin, computers=computers)
    for event, wait in events:
        driven.t = round(driven.t + wait, 3)
        driven.feed(item(event, driven.t, driven))
    spoken(driven, driven.outputs)
    times = [record.t_ms for record in driven.records]
    assert times == sorted(times)
    assert driven.records == list(driven.table.records)
    known = [Record(r.t_ms, r.kind, json.loads(json.dumps(r.data))) for r in driven.records]
    again = Table.resume(known, driven.sensing, now=0.0, standing={})
    assert str(again.state.position) == str(driven.position)
    assert again.state.offences == driven.table.state.offences
    assert again.state.ending == driven.table.state.ending
