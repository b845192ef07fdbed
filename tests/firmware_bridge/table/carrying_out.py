"""Tidy hands at a table at which a computer plays: they make what is shown, step by step."""

import itertools

from firmware_bridge.messages import Chosen
from firmware_bridge.table.computer_turns import STILL
from tests.firmware_bridge.table.driving import Driven

OPTIONS = {
    "reality-check": [
        {},
        {"memory": True, "retreat": True},
        {"dice": 1},
        {"dice": 2, "flexible": True, "memory": True},
        {"board": "advanced", "memory": True},
    ]
}


def against(game, *, tier=None, computers=None, **options):
    return Driven(game, tier=tier, computers=computers or {"black": 2}, **options)


def some_turn(driven, chooser):
    return str(chooser.choice(list(itertools.islice(driven.position.turns(), 300))))


def choose(driven, text, number=None):
    driven.t += 0.3
    number = driven.table.state.number if number is None else number
    return driven.feed(Chosen(driven.t, text, number))


def steps(driven):
    return driven.table.summary().facts.verdict.restore


def do(driven, step):
    """Make one of the hand movements that the board asks for."""
    lying = driven.readings.get(step.source)
    if step.source:
        driven.cell(step.source, None)
    if step.target:
        exchanged = step.source in (None, step.target)
        driven.cell(step.target, driven.reading(step.label) if exchanged else lying)


def go_on(driven):
    """Make the next movement, or let the board be seen as it should be."""
    if left := steps(driven):
        do(driven, left[0])
    else:
        driven.wait(2 * STILL)


def carry_out(driven):
    count = 0
    while driven.view.phase == "executing":
        count += 1
        assert count < 30, (driven.view.judged, driven.view.progress)
        go_on(driven)
    return count


def put_right(driven):
    """After a power cut an unlike piece may have passed for the right one; it is led back then."""
    for _ in range(20):
        if driven.table.reconciler.verdict.kind == "settled":
            return
        driven.wait(2.0)
        for step in driven.table.reconciler.verdict.restore[:1]:
            do(driven, step)


def follow(driven, *texts):
    """Play turns one after the other, those of the computer carried out by hands."""
    for text in texts:
        if driven.position.side in driven.agreement.computers:
            choose(driven, text)
        else:
            driven.play(text)
        carry_out(driven)
