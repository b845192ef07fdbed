"""A program that replays a game makes twenty turns a second: each is taken, nobody is charged."""

import asyncio
from itertools import islice

import pytest

from firmware_bridge.simulation import play
from tests.evenings.evening import Evening
from tests.nightly import NIGHTLY

BETWEEN = 0.015
"""Seconds from one thing that the board feels to the next."""
FELT = 0.1
"""Seconds from a turn to its press where no press announces what is felt after it."""
SETTLES = 8.0
"""Seconds after which all is judged."""
SEEDS = 200 if NIGHTLY else 1


class QuickHands(Evening):
    """Hands that wait for nobody."""

    def __init__(self, seed, folder, monkeypatch):
        super().__init__(seed, folder, monkeypatch, turns=60, plan=[], doings=[])
        self.timed, self.computer = True, None

    @property
    def secret(self):
        return self.service.controller.agreement.game == "indistinguishable"

    async def hands(self):
        await self.until(lambda view: view.phase != "waiting")
        await self.begin()
        while len(self.taken) < self.turns and (turns := self.simple()):
            turn = self.dice.choice(turns)
            for change in play(self.position, turn, self.pieces, self.dice):
                await asyncio.sleep(BETWEEN)
                self.feel(change.cell, change.reading)
            await asyncio.sleep(FELT if self.secret else BETWEEN)
            self.press(self.position.side)
            self.position = self.position.play(turn)
            self.taken.append(str(turn))
        await asyncio.sleep(SETTLES)
        self.over = True

    def simple(self):
        """Return turns of one piece, of which hands leave no doubt."""
        turns = islice(self.position.turns(), 60)
        deeds = [(turn, self.position.deed(turn)) for turn in turns if turn.plain]
        return [turn for turn, deed in deeds if deed.physical and len(deed.moves) < 2]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_turn_is_left_out_and_nobody_is_charged_however_quick_hands_are(
    seed, tmp_path, monkeypatch
):
    quick = QuickHands(seed, tmp_path, monkeypatch)
    quick.run()
    table = quick.service.controller.table
    assert quick.taken == [str(made.turn) for made in table.state.played] != []
    assert not table.state.distrusted
    assert not {"ruled", "attempt"} & {record.kind for record in table.records}
