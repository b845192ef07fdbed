"""Turns come faster than hands make them, as a program replays them: nobody pays for it."""

import random
from itertools import islice

import pytest

from firmware_bridge.reconciler.faults import Doubts
from tests.firmware_bridge.table.driving import Driven

TURNS = 60
EVERY = 0.012
"""Seconds between two events: about twenty turns a second."""


class Replay(Driven):
    """Makes legal turns as fast as a program, and does not look at what the board says."""

    def cell(self, cell, reading, after=EVERY):
        return super().cell(cell, reading, EVERY)

    def press(self, side, after=EVERY):
        return super().press(side, EVERY)

    def replay(self, seed):
        dice, position = random.Random(seed), self.position
        for _ in range(TURNS):
            turns = [t for t in islice(position.turns(), 400) if t.plain]
            turns = [t for t in turns if position.deed(t).moves or position.deed(t).placed]
            turn = dice.choice(turns)
            after = position.play(turn)
            self.hands(position.deed(turn), position, after)
            self.press(position.side)
            position = after


@pytest.mark.parametrize("game", ["chess", "mockery", "reversi"])
@pytest.mark.parametrize("seed", range(2))
def test_no_cell_is_distrusted_and_nobody_charged(game, seed, monkeypatch):
    suspected = []
    monkeypatch.setattr(Doubts, "suspect", lambda _, cell, *about: suspected.append(cell))
    replay = Replay(game, tier="occupancy", settings={"time": "90m"})
    replay.press("black")
    replay.replay(seed)
    assert replay.table.state.number > TURNS / 5, "turns were taken at all"
    assert not suspected
    assert not {"ruled", "attempt"} & {record.kind for record in replay.records}
