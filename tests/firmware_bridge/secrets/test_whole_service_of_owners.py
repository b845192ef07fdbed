"""The whole service: games of Indistinguishable Chess that differ in owners alone are answered
alike, whatever strangers ask of it.

An arbiter corrects them, computers play in them, pieces are adjusted, cells distrusted, and the
service crashes, all as `test_any_phase.py` lets hands do it.
"""

import itertools

import pytest

from drivers.port import Snapshot
from firmware_bridge.messages import Call
from tests.firmware_bridge.secrets import test_any_phase as any_phase
from tests.firmware_bridge.secrets.test_any_hands import Parted
from tests.firmware_bridge.secrets.test_whole_service_pairs import (
    Crashed,
    compared,
    one_after_another,
)
from tests.firmware_bridge.secrets.worlds import chooser
from tests.nightly import NIGHTLY

ROUNDS = 3 if NIGHTLY else 1


class Recorded(any_phase.Owners):
    """A pair of worlds that keeps what is done in each, as pairs of inputs."""

    def __init__(self, *worlds, seats=()):
        super().__init__(*worlds, seats=seats)
        self.stood = [dict(world.readings) for world in worlds]
        self.done, self._noted = [], False

    def inputs(self, make):
        self._note([make(world, number) for number, world in enumerate(self.worlds)])
        super().inputs(lambda _, number: self.done[-1][number])

    def batches(self, batches):
        if not self._noted:
            self._note([Crashed(world.t, dict(world.readings)) for world in self.worlds])
        if len({world.said.count("want-choice") for world in self.worlds}) > 1:
            raise Parted  # an attempt in one of them, at its price
        super().batches(batches)
        self._noted = False

    def _note(self, items):
        self.done.append(items)
        self._noted = True


def script(kind, seed, monkeypatch):
    """Return the tables that are played at, and all that is done there, as pairs of inputs."""
    made = []

    def recorded(*worlds):
        made.append(Recorded(*worlds))
        return made[-1]

    monkeypatch.setattr(any_phase, "Owners", recorded)
    try:
        kind(chooser("whole owners", kind.__name__, seed), {}, ROUNDS)
    except Parted:
        made[0].done.pop()
    (pair,) = made
    stand = [Snapshot(0.0, readings) for readings in pair.stood]
    begun = [stand, [Call(1.0, "start", None)] * 2]
    parts = [begun, pair.done] if pair.done else [begun]
    return pair.worlds, list(one_after_another(*parts))


EVENINGS = [(any_phase.whose_of_computers, 21), (any_phase.corrected, 13)]
"""Those by day, in which a computer's turn is carried out, and an arbiter speaks twice."""
if NIGHTLY:
    kinds = any_phase.whose, any_phase.whose_of_computers, any_phase.corrected
    EVENINGS = list(itertools.product(kinds, range(40)))


@pytest.mark.parametrize(("kind", "seed"), EVENINGS)
async def test_strangers_get_the_same_whoever_owns_the_pieces(
    kind, seed, tmp_path, heard, monkeypatch
):
    worlds, steps = script(kind, seed, monkeypatch)
    alike, differing = await compared(
        tmp_path,
        [world.agreement for world in worlds],
        steps,
        heard,
        monkeypatch,
        seated=False,
        tier=worlds[0].tier,
        fact=lambda _: None,
    )
    assert differing is None
    assert alike == len(steps)
