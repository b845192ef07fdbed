"""Real handling with noise of every kind in its midst, in every game: nothing stops the judge."""

from itertools import islice

import pytest

import rules
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.bench.clumsy import opening
from rules.values import SIDES
from tests.firmware_bridge.secrets import anything as hands
from tests.firmware_bridge.secrets.test_any_phase import conducted
from tests.firmware_bridge.secrets.worlds import PACES, Pair, chooser
from tests.firmware_bridge.table.driving import GAMES, TIERS, Driven
from tests.nightly import NIGHTLY

BESIDE = ("hw1", "hw2", "hb1", "z9")
"""Cells that no game has: reserves beside the board, and one of a wrong wiring."""


def somewhere(random):
    """Return a position of any game, with any of its options, after some random turns."""
    game_id = random.choice(sorted(GAMES))
    allowed = rules.load(game_id).allowed.items()
    options = {name: random.choice([*values]) for name, values in allowed}
    game = rules.load(game_id, **(options if random.random() < 0.5 else {}))
    return opening(game.start(), random)


def noise(pair, random):
    """Let cells read anything at any times, real ones or not, and buttons be pressed meanwhile."""
    (world,) = pair.worlds
    cells = (*sorted(world.position.game.squares), *BESIDE)
    for _ in range(random.randint(1, 12)):
        pair.later(random.choice([0.0, 0.01, 0.03, 0.08, 0.16, 0.4, 3.0]))
        cell = random.choice(random.choice([cells, sorted(world.readings) or cells]))
        reading = random.choice([None, None, True, "stranger", *world.readings.values()])
        world.readings[cell] = reading if world.tier != "occupancy" else reading and True
        world.readings = {c: read for c, read in world.readings.items() if read is not None}
        felt = CellEvent(world.t, cell, world.readings.get(cell))
        seen = Snapshot(world.t, dict(world.readings))
        pressed = ButtonEvent(world.t, random.choice(SIDES))
        (event,) = random.choices([felt, seen, pressed], [10, 1, 1])
        pair.inputs(lambda _world, _number, event=event: event)


def make(pair, random):
    """Carry what a legal turn carries, as far as it lies where it should, and press."""
    (world,) = pair.worlds
    pair.pace, side = random.choice(PACES), world.position.side
    turns = [*islice(world.position.turns(), 300)]
    deed = world.position.deed(random.choice(turns)) if turns else None
    for square in deed.taken if deed else ():
        if square in world.readings:
            pair.lift(square)
    for source, target in deed.moves if deed else ():
        if source in world.readings:
            pair.carry(source, target)
    pair.press(side)


def sat_down(start, random):
    """Return a table of any tier, with any agreement, that begins there."""
    game, agreed = start.game, conducted(random)
    return Driven(
        game.id,
        start=start,
        position=str(start),
        options=dict(game.options),
        settings={name: agreed[name] for name in ("sealed", "press")} | agreed["agreed"],
        tier=max(random.choice(TIERS), game.traits.least_tier, key=TIERS.index),
        buttons=agreed["buttons"],
        begin=random.random() < 0.8,
    )


def fail(pair, random):
    """Let the power fail, and come back, the board perhaps a bit later."""
    hands.kill(pair, unheard=random.random() < 0.5)


DOINGS = (noise, noise, make, make, hands.bend, hands.talk, hands.pause, hands.adjust, fail)


@pytest.mark.parametrize("part", range(400 if NIGHTLY else 8))
def test_nothing_that_is_felt_stops_the_judge(part):
    for seed in range(10 * part, 10 * part + 10):
        random = chooser("noisy hands", seed)
        pair = Pair(sat_down(somewhere(random), random))
        for _ in range(random.randint(3, 14)):
            random.choice(DOINGS)(pair, random)
            if random.random() < 0.3:
                pair.pass_time(random.choice([0.1, 0.3, 1.0, 12.0]))
