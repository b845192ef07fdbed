"""Another game is chosen while the pieces of one stand there: it begins once its own are set up."""

import itertools

import pytest

import rules
from drivers.port import CellEvent
from firmware_bridge.reconciler import Sensing
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.table import Agreement, Table
from tests.nightly import NIGHTLY
from tests.sample import SAMPLE

TIERS = ("occupancy", "identity", "face")

PIECES = simulated_pieces()
SET_UPS = {name: (name, {}) for name in PIECES.arrangements if name in SAMPLE} | {
    "indistinguishable-single-set": ("indistinguishable", {"single_set": True}),
    "reality-check-advanced": ("reality-check", {"board": "advanced"}),
}


def test_no_arrangement_is_forgotten():
    assert PIECES.arrangements.keys() == SET_UPS.keys() | rules.games().keys()


def exchanged(standing, wanted, *, one_by_one):
    """Yield what cells read while other pieces are set up: at one stroke each, or by hand."""
    for cell in sorted({*standing, *wanted}):
        if standing.get(cell) == wanted.get(cell):
            continue
        if one_by_one and cell in standing and cell in wanted:
            yield cell, None
        yield cell, wanted.get(cell)


def changes():
    """Each pair of games, on every tier that tells their pieces, each way; by day one in turn."""
    turn = itertools.count()
    for before, after in itertools.permutations(SET_UPS, 2):
        game, options = SET_UPS[after]
        least = TIERS.index(rules.load(game, **options).traits.least_tier)
        ways = [*itertools.product(TIERS[least:], (False, True))]
        for tier, one_by_one in ways if NIGHTLY else [ways[next(turn) % len(ways)]]:
            yield before, after, tier, one_by_one


@pytest.mark.parametrize(("before", "after", "tier", "one_by_one"), list(changes()))
def test_every_game_begins_after_every_other(before, after, tier, one_by_one):
    game, options = SET_UPS[after]
    standing, wanted = PIECES.arrangements[before], PIECES.arrangements[after]
    labels = {} if tier == "occupancy" else PIECES.labels
    read = {cell: True if tier == "occupancy" else tag for cell, tag in standing.items()}
    table = Table(Agreement(game, options), Sensing(tier, labels), now=0.0, standing=read)
    table.take_up()
    t = 10.0
    for cell, tag in exchanged(standing, wanted, one_by_one=one_by_one):
        t += 0.05
        reading = True if tag and tier == "occupancy" else tag
        table.feed(CellEvent(t, cell, reading))
    view = table.view(t + 5)
    assert view.phase == "ready"
    assert view.judged.kind == "settled"
