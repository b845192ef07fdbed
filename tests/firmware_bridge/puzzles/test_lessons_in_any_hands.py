"""Lessons on a board in clumsy hands, and through power failures: each can still be done."""

import random
from dataclasses import replace

import pytest

from drivers.port import CellEvent
from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.table import Table
from tests.firmware_bridge.puzzles.test_lessons import LESSONS, do, set_up
from tests.nightly import NIGHTLY, each

SEEDS = 20 if NIGHTLY else 1
BURSTS, TRIES = 6, 2


def bend(driven, dice):
    """Be clumsy with what stands there; afterwards it stands as before."""
    homes = dict(driven.readings)
    line = Timeline(driven.position, {cell: cell for cell in homes}, dice)
    line.touch(dice.choice(sorted(homes)), 0.1, dice.uniform(0.2, 1.0))
    STYLES[dice.choice(sorted(STYLES))](line)
    begun = driven.t + 0.2
    for act in line.acts:
        driven.t = round(begun + act.t, 4)
        if isinstance(act, CellEvent):
            reading = homes.get(act.reading, act.reading)  # else a thing that is no piece
            driven.readings.pop(act.cell, None)
            if reading is not None:
                driven.readings[act.cell] = reading
            driven.feed(CellEvent(driven.t, act.cell, reading))
        else:
            driven.feed(replace(act, t=driven.t))
    driven.wait(dice.choice([0.3, 1.0, 12.0]))


def put_back(driven):
    """Put the board right where what came before is blamed: then it is done anew."""
    placed = driven.position.placement
    for cell in driven.readings.keys() - placed.keys():
        driven.cell(cell, None)
    for cell in placed.keys() - driven.readings.keys():
        driven.cell(cell, driven.reading(placed[cell]))
    driven.wait(12)


def kill(driven):
    """Let the power fail, and come back."""
    driven.t += 1.0
    driven.table = Table.resume(
        driven.records, driven.sensing, now=driven.t, standing=driven.readings
    )
    driven.take(driven.table.take_up())
    driven.press(driven.position.side)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("lesson", each(LESSONS, 2), ids=lambda lesson: lesson.id)
def test_a_lesson_can_be_done_after_whatever_hands_did(lesson, seed):
    dice = random.Random(f"{lesson.id} {seed}")
    driven = set_up(lesson, buttons=bool(seed % 2))
    for _ in range(BURSTS):
        bend(driven, dice)
        if dice.random() < 0.3:
            kill(driven)
        if driven.view.phase == "over":  # done by accident is done
            break
    driven.wait(12)
    if driven.view.phase == "over":
        assert "lesson-done" in driven.said
        return
    if driven.view.phase == "paused":
        driven.press(driven.position.side)
    assert driven.view.phase == "playing", driven.view.judged
    assert str(driven.position) == lesson.position
    for _ in range(TRIES):
        do(driven, lesson)
        driven.wait(20)  # a cell that was held may be slow now
        if driven.view.phase == "over":
            break
        put_back(driven)
    assert "lesson-done" in driven.said
    assert driven.view.phase == "over"
