"""The whole service: games that differ in secrets alone are answered alike, whatever hands do and
whatever strangers ask.

An arbiter corrects them, computers play in them, pieces are adjusted, cells distrusted, and the
service crashes, all as `test_any_phase.py` lets hands do it.
"""

import itertools

import pytest

from drivers.port import Snapshot
from firmware_bridge.messages import Call
from tests.firmware_bridge.secrets import anything as hands
from tests.firmware_bridge.secrets import test_any_phase as any_phase
from tests.firmware_bridge.secrets import test_reality_check_pairs as discs
from tests.firmware_bridge.secrets.test_any_hands import Parted
from tests.firmware_bridge.secrets.test_whole_service_pairs import (
    ADJOURN,
    Crashed,
    Recording,
    compared,
    one_after_another,
)
from tests.firmware_bridge.secrets.worlds import chooser
from tests.nightly import NIGHTLY

ROUNDS = 3 if NIGHTLY else 1


class Recorded(Recording):
    """Keeps what the worlds begin with and their crashes, too."""

    def __init__(self, *worlds, seats=()):
        super().__init__(*worlds, seats=seats)
        stand = [Snapshot(0.0, dict(world.readings)) for world in worlds]
        begun = worlds[0].table.state.stage == "playing"
        self.before = [stand, [Call(1.0, "start", None)] * 2] if begun else []
        self._noted = False

    def inputs(self, make):
        self._noted = True
        super().inputs(make)

    def batches(self, batches):
        if not self._noted:
            self.done.append([Crashed(world.t, dict(world.readings)) for world in self.worlds])
        if len({world.said.count("want-choice") for world in self.worlds}) > 1:
            raise Parted  # an attempt in one of them, at its price
        super().batches(batches)
        self._noted = False


def script(kind, seed, monkeypatch):
    """Return a pair of worlds, and all that is done in them, as pairs of inputs.

    At last the game is adjourned.
    """
    made = []

    def recording(base):
        kept = type(base.__name__, (Recorded, base), {})

        def make(*worlds, seats=()):
            made.append(kept(*worlds, seats=seats))
            return made[-1]

        return make

    if not NIGHTLY:
        monkeypatch.setattr(hands, "CUTS", 0)  # what hands do has the power fail often enough
    for name in ("Owners", "Discs", "PowerCuts"):
        monkeypatch.setattr(any_phase, name, recording(getattr(any_phase, name)))
    options = discs.OPTIONS[seed % len(discs.OPTIONS)]
    try:
        kind(chooser("whole", kind.__name__, seed), options, ROUNDS)
    except Parted:
        made[0].done.pop()
    (pair,) = made
    done = one_after_another(*filter(None, (pair.before, pair.done)))
    return pair, [*done, [ADJOURN] * 2]


EVENINGS = [
    (any_phase.whose_of_computers, 1),
    (any_phase.corrected, 23),
    (any_phase.against_computer, 4),
]
"""Those by day: computers' turns are carried out, pieces adjusted, an arbiter speaks twice, and
dice fall."""
if NIGHTLY:
    EVENINGS = list(itertools.product(any_phase.KINDS, range(40)))


@pytest.mark.parametrize(("kind", "seed"), EVENINGS)
async def test_strangers_and_opponents_get_the_same_whatever_is_secret(
    kind, seed, tmp_path, heard, monkeypatch
):
    pair, steps = script(kind, seed, monkeypatch)
    alike, differing = await compared(
        tmp_path,
        [world.agreement for world in pair.worlds],
        steps,
        heard,
        monkeypatch,
        seated="white" in pair.seats,
        tier=pair.worlds[0].tier,
        fact=lambda _: None,
    )
    assert differing is None
    assert alike == len(steps)
