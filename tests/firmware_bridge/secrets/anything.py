"""Hands that do anything at any moment, in every phase of a game, alike at two tables.

The clumsiness of the bench bends what they do; besides they press, pause, ask for hints and
take-backs, and the power fails under them.
"""

from dataclasses import replace

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.messages import Hinted
from firmware_bridge.messages.outputs import Ruled
from firmware_bridge.table import Table
from rules.values import SIDES, opponent

STEADY = ("adjust", "hold", "knock", "sweep", "tip", "tremble", "two-people")
"""Styles in which every piece that is lifted goes back to its square and to no other one."""

GAPS = 0.15
"""How often nobody watches the cells for a while, and all of them are read after it."""


def bend(pair, random, styles=(), presses=0.3):
    """Be clumsy in one of these styles, or of all, on a board at rest; afterwards it is as before.

    Somebody may press meanwhile, the power fail, or nobody watch the cells for a while.
    """
    first = pair.worlds[0]
    homes = [dict(world.readings) for world in pair.worlds]
    if not homes[0]:
        return
    line = Timeline(first.position, {cell: cell for cell in homes[0]}, random)
    line.touch(random.choice(sorted(homes[0])), 0.1, random.uniform(0.2, 1.0))
    STYLES[random.choice(styles or tuple(STYLES))](line)
    if random.random() < presses:
        line.add(ButtonEvent(random.uniform(0.0, line.end), random.choice(SIDES)))
    begun = [world.t + 0.2 for world in pair.worlds]
    fails_at = random.choice(line.acts) if line.acts and random.random() < 0.15 else None
    unseen = unwatched(random, line.acts)
    for number, act in enumerate(line.acts):
        if act is fails_at:
            kill(pair)
            begun = [world.t + 0.2 - act.t for world in pair.worlds]
        for world, t in zip(pair.worlds, begun, strict=True):
            world.t = round(t + act.t, 4)
        if isinstance(act, CellEvent) and number in unseen:
            for world, home in zip(pair.worlds, homes, strict=True):
                felt(world, home, act)
        elif isinstance(act, CellEvent):
            pair.inputs(lambda world, n, act=act: felt(world, homes[n], act))
        else:
            pair.inputs(lambda world, _, act=act: replace(act, t=world.t))
        if number + 1 == unseen.stop and unseen:
            pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))
    pair.pass_time(random.choice([0.3, 1.0, 12.0]))


def unwatched(random, acts):
    """Return the numbers of the acts that nobody watches, in a row."""
    if not GAPS or random.random() >= GAPS:
        return range(0)
    return range(*sorted(random.choices(range(len(acts) + 1), k=2)))


def felt(world, homes, act):
    """Return what this table's cell reads of a piece that is known by its home."""
    if act.reading is None:
        world.readings.pop(act.cell, None)
        return CellEvent(world.t, act.cell, None)
    world.readings[act.cell] = reading = homes.get(act.reading, act.reading)
    return CellEvent(world.t, act.cell, reading)


def kill(pair):
    """Let the power fail, and come back after a second."""
    pair.later(1.0)

    def resumed(world):
        world.table = Table.resume(
            world.table.records, world.sensing, now=world.t, standing=world.readings
        )
        return world.table.take_up()

    pair.batches([resumed(world) for world in pair.worlds])


def pause(pair, random):
    """Pause the game, or adjourn it, and go on by word or by button, hands on the board."""
    pair.call(random.choice(["pause", "adjourn"]), random.choice(SIDES))
    if random.random() < 0.5:
        bend(pair, random, STEADY, presses=0.0)
    if random.random() < 0.3:
        kill(pair)
    if random.random() < 0.5:
        pair.call("resume", random.choice(SIDES))
    else:
        pair.press(random.choice(SIDES))


def talk(pair, random):
    """Offer, ask and answer, in turn or not."""
    side = random.choice(SIDES)
    what = random.choice(["offer-take-back", "offer-draw", "adjust", "hint", "claim-repetition"])
    pair.call(what, side)
    if what == "hint":
        advise(pair, random)
    elif random.random() < 0.3 and what == "offer-take-back":
        pair.call("accept-take-back", opponent(side))
    else:
        pair.call("decline", opponent(side))


def advise(pair, random):
    """Give the hint that was asked for: a turn that looks the same in both worlds."""
    names = [{turn.public: str(turn) for turn in position.turns()} for position in pair.positions]
    alike = sorted(names[0].keys() & names[1].keys())
    if alike and pair.worlds[0].table.awaits_hint:
        text = random.choice(alike)
        pair.later(1.0)
        pair.inputs(lambda w, n: Hinted(w.t, w.table.state.number, names[n][text]))


def ruled(world):
    """Return the rulings at a table, which are for all to hear."""
    return [replace(output, t=0.0) for output in world.outputs if isinstance(output, Ruled)]


def anything(pair, random, styles=()):
    """Do something that is no turn."""
    what = random.random()
    if what < 0.6:
        bend(pair, random, styles)
    elif what < 0.75:
        kill(pair)
        pair.press(random.choice(SIDES))
    elif what < 0.85:
        pause(pair, random)
    else:
        talk(pair, random)


def set_up(pair, random):
    """Set the pieces up on an empty board, clumsily, and press to begin."""
    stands = [dict(world.readings) for world in pair.worlds]
    for world in pair.worlds:
        world.readings.clear()
    for square in random.sample(sorted(stands[0]), len(stands[0])):
        pair.cell(square, [there[square] for there in stands])
        if random.random() < 0.05:
            bend(pair, random)
    pair.pass_time(2.0)
    pair.press(opponent(pair.positions[0].side))
