"""Boards that wear out: hands of the simulator on contacts that chatter, open or read late."""

from random import Random

from drivers.port import CellEvent
from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import Row
from firmware_bridge.bench.harness import Harness, agreed
from firmware_bridge.bench.reconcile import legal
from firmware_bridge.reconciler.settings import SHIPPED


def chattering(longest):
    """Contacts that chatter for so long, in seconds, at each change."""

    def wear(change, until, dice):
        yield change
        t, before = change.t, True if change.reading is None else None
        for _ in range(dice.randint(0, 2)):
            gap = dice.uniform(0.2, 1.0) * longest
            if t + gap + 0.005 < until:
                yield CellEvent(t + 0.003, change.cell, before)
                yield CellEvent(t + 0.003 + gap, change.cell, change.reading)
                t += 0.005 + gap

    return wear


def opening_late(longest):
    """Reeds that stay closed for so long, in seconds, after their piece is gone."""

    def wear(change, until, dice):
        late = dice.uniform(0.5, 1.0) * longest if change.reading is None else 0.0
        if change.t + late < until:
            yield CellEvent(change.t + late, change.cell, change.reading)

    return wear


def reading_late(longest):
    """Readers that feel a piece at once, and read its tag so much later, in seconds."""

    def wear(change, until, dice):
        if not isinstance(change.reading, str):
            yield change
            return
        yield CellEvent(change.t, change.cell, True)
        t = change.t + dice.uniform(0.3, 1.0) * longest
        if t < until:
            yield CellEvent(t, change.cell, change.reading)

    return wear


class WornBoard(Harness):
    """A board whose contacts do more than hands do."""

    wear, dice = None, None

    def feel(self, changes):
        felt = []
        for number, change in enumerate(changes):
            later = (one.t for one in changes[number + 1 :] if one.cell == change.cell)
            felt += self.wear(change, next(later, float("inf")), self.dice)
        super().feel(sorted(felt, key=lambda change: change.t))


def played(game, tier, wear, seed, turns=20, *, clock=True, habits=SHIPPED):
    """Return what came of legal turns on a worn board, and their recording."""
    dice, figures = Random(f"{seed}/{game}/{tier}"), Figures()
    row = Row(game, tier)
    agreement = agreed(row, clock=clock)
    board = WornBoard(agreement, tier, row.load().start(), habits=habits)
    board.wear, board.dice = wear, Random(seed)
    for _ in range(turns):
        legal(board, figures, dice, clock=clock)
    return figures, board.recording()
