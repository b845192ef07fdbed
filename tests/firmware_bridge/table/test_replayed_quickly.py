"""A program that replays legal turns is no fault of the board: twenty turns a second on reeds."""

from random import Random

import pytest

from firmware_bridge.reconciler.faults import Doubts
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import NIGHTLY

PACE = 0.05
"""Seconds for a turn and its press: less than a knock on the table may last."""
TURNS = 60 if NIGHTLY else 40


@pytest.mark.parametrize("game", ["chess", "indistinguishable", "mockery", "reversi"])
@pytest.mark.parametrize("seed", range(20 if NIGHTLY else 1))
def test_every_turn_is_taken_as_it_was_made_and_no_cell_suspected(game, seed, monkeypatch):
    suspected = []
    monkeypatch.setattr(Doubts, "suspect", lambda _, cell, *about: suspected.append(cell))
    driven, dice = Driven(game, tier="occupancy", settings={"time": "90m"}), Random(seed)
    driven.press("black")
    pieces = Pieces(simulated_pieces(driven.start.game), driven.start.placement, "occupancy")
    position = driven.start
    for _ in range(TURNS):
        plain = (turn for turn in position.turns() if turn.plain)
        turn = dice.choice([turn for turn in plain if position.deed(turn).physical])
        changes = play(position, turn, pieces, dice)
        for change in changes:
            driven.cell(change.cell, change.reading, after=PACE / (len(changes) + 1))
        driven.press(position.side, after=PACE / (len(changes) + 1))
        position = position.play(turn)
    driven.wait(5.0)
    state = driven.table.state
    assert str(state.position) == str(position)
    assert not suspected
    assert not {"ruled", "attempt"} & {record.kind for record in driven.records}
