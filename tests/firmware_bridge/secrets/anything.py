"""Hands that do anything at any moment, in every phase of a game, alike at two tables.

The clumsiness of the bench bends what they do; besides they press, pause, adjust pieces, ask for
hints and take-backs, an arbiter corrects the game, and the power fails under them.
"""

from dataclasses import replace
from itertools import combinations, islice

from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.bench.timeline import Timeline
from firmware_bridge.messages import Answer, Call, Hinted, RefereeOpened, Seated
from firmware_bridge.messages.outputs import Ruled
from firmware_bridge.messages.records import before_play
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.table import Table
from rules.values import SIDES, opponent
from tests.firmware_bridge.table.driving import piece_set

STEADY = ("adjust", "hold", "knock", "sweep", "tip", "tremble", "two-people")
"""Styles in which every piece that is lifted goes back to its square and to no other one."""

GAPS = 0.15
"""How often nobody watches the cells for a while, and all of them are read after it."""

CUTS = 0.02
"""How often the power fails after something was done, whatever it was."""

WORDS = 0.2
"""How often somebody has a word that may come in any game: the arbiter, a player who adjusts."""

EXCHANGES = 0.3
"""How often hands exchange two pieces that look alike, where nothing is judged."""

HASTE = 0.3
"""How often hands go on at once after what they carried out for a computer."""

SAID = [
    what
    for what, kind in CALLS.items()
    if kind.by != "arbiter" and what not in ("resign", "accept-draw")
]
"""What people may say, in turn or not, that ends no game."""
PIECES = piece_set() | {
    f"piece:{side}{kind}": f"{side}{kind}" for side in "wb" for kind in "KQRBNP"
}


def bend(pair, random, styles=(), presses=0.3, fails=0.15):
    """Be clumsy in one of these styles, or of all, on a board at rest; afterwards it is as before.

    Somebody may press meanwhile, the power fail, or nobody watch the cells for a while.
    """
    first = pair.worlds[0]
    homes = [dict(world.readings) for world in pair.worlds]
    pieces = {cell: cell for cell in homes[0] if cell in first.position.game.squares}
    if not pieces:
        return
    line = Timeline(first.position, pieces, random)
    line.touch(random.choice(sorted(pieces)), 0.1, random.uniform(0.2, 1.0))
    STYLES[random.choice(styles or tuple(STYLES))](line)
    if random.random() < presses:
        line.add(ButtonEvent(random.uniform(0.0, line.end), random.choice(SIDES)))
    begun = [world.t + 0.2 for world in pair.worlds]
    fails_at = random.choice(line.acts) if line.acts and random.random() < fails else None
    unseen = unwatched(random, line.acts)
    for number, act in enumerate(line.acts):
        if act is fails_at:
            kill(pair)
            begun = [world.t + 0.2 - act.t for world in pair.worlds]
        for world, t in zip(pair.worlds, begun, strict=True):
            world.t = max(world.t, round(t + act.t, 4))  # the power may have failed meanwhile
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


def exchanging(random):
    """Return whether two pieces that look alike are exchanged now; nothing is drawn where never."""
    return EXCHANGES > 0 and random.random() < EXCHANGES


def exchange_two(pair, random, *, back=True):
    """Exchange two pieces that look alike, in hands or unseen.

    They are exchanged `back`, unless any like piece will do. Only where nothing is judged, it must
    not tell whose they are: elsewhere it is an attempt, at a price.
    """
    squares = two_alike(pair, random)
    for _ in range(1 + back if squares else 0):
        if random.random() < 0.7:
            held = [pair.lift(square) for square in squares]
            for square, readings in zip(squares, reversed(held), strict=True):
                pair.cell(square, readings)
        else:
            exchange_unseen(pair, squares)
            pair.later(1.0)
            pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))
        pair.pass_time(random.choice([0.3, 1.0, 12.0]))


def exchange_unseen(pair, squares):
    """Let what stands on two squares trade places while nobody watches the cells."""
    for world in pair.worlds:
        one, other = (world.readings[square] for square in squares)
        world.readings.update(zip(squares, (other, one), strict=True))


def two_alike(pair, random):
    """Return two squares whose pieces look alike, and can be told apart by their tags."""
    found = [
        squares
        for squares in combinations(sorted(pair.worlds[0].readings), 2)
        if all(looks_alike(world, *squares) for world in pair.worlds)
    ]
    return random.choice(found) if found and pair.worlds[0].tier != "occupancy" else ()


def looks_alike(world, one, other):
    """Return whether pieces on two squares look alike."""
    labels = [PIECES.get(world.readings[square], "") for square in (one, other)]
    return labels[0][not world.kinds :] == labels[1][not world.kinds :] != ""


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


def kill(pair, *, unheard=False):
    """Let the power fail, and come back after a second; of an `unheard` board a bit later."""
    pair.later(1.0)

    def resumed(world):
        records = world.table.records
        standing = ({} if before_play(records) else None) if unheard else world.readings
        world.table = Table.resume(records, world.sensing, now=world.t, standing=standing)
        return world.table.take_up()

    pair.batches([resumed(world) for world in pair.worlds])
    if unheard:
        pair.later(0.1)
        pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))


def pause(pair, random):
    """Pause the game, or adjourn it, and go on by word or by button, hands on the board."""
    pair.call(random.choice(["pause", "adjourn"]), random.choice(SIDES))
    if random.random() < 0.5:
        bend(pair, random, STEADY, presses=0.0)
    if exchanging(random):
        exchange_two(pair, random)
    if random.random() < 0.3:
        kill(pair)
    if random.random() < 0.5:
        pair.call("resume", random.choice(SIDES))
    else:
        pair.press(random.choice(SIDES))


def talk(pair, random):
    """Offer, ask and answer, in turn or not."""
    side = random.choice(SIDES)
    what = random.choice(SAID)
    pair.call(what, side)
    if what == "hint":
        advise(pair, random)
    elif random.random() < 0.3 and what == "offer-take-back":
        pair.call("accept-take-back", opponent(side))
    else:
        pair.call("decline", opponent(side))


def adjust(pair, random):
    """Set pieces right in any way: as long as they are adjusted nothing is judged."""
    if not pair.worlds[0].table.state.adjusting:
        pair.call("adjust", random.choice([None, *SIDES]))
    bend(pair, random, presses=0.0)
    if pair.worlds[0].table.state.adjusting and exchanging(random):
        exchange_two(pair, random)
    if random.random() < 0.5:
        pair.press(random.choice(SIDES))
    elif pair.worlds[0].table.state.adjusting:
        pair.call("adjust", None)


def arbitrate(pair, random):
    """Let the arbiter undo the last turn, or go on from another position, and put pieces there."""
    if wrong_squares(pair):
        return  # hands could not tell which of the pieces that look alike is at home where
    given = random.random() < 0.5
    if given:
        set_positions(pair, random)
    else:
        pair.call("take-back", None, reason="they agree")
    if random.random() < 0.3 and pair.worlds[0].tier != "occupancy":
        bend(pair, random, STEADY)  # to reeds, what is put back beside a piece astray may be it
    if wrong_squares(pair) and exchanging(random):
        exchange_two(pair, random, back=False)
    if random.random() < 0.2:
        kill(pair)
    put_right(pair, random, by_looks=by_looks(pair.worlds[0]))
    pair.press(random.choice(SIDES))


def set_positions(pair, random):
    """Set up, in each world, a position that looks the same: an earlier one, or one to come."""
    stories = [[made.before for made in world.table.state.played] for world in pair.worlds]
    places = [[*story, world.position] for story, world in zip(stories, pair.worlds, strict=True)]
    number = random.randrange(min(map(len, places)))
    chosen = [positions[number] for positions in places]
    if random.random() < 0.5:
        chosen = following(chosen, random)
    pair.later(0.3)
    pair.inputs(
        lambda world, n: Call(
            world.t, "set-position", None, {"position": str(chosen[n]), "reason": "a slip"}
        )
    )


def following(positions, random):
    """Return the positions after a turn that looks the same, if there is one that leaves it so."""
    turns = [{turn.public: turn for turn in position.turns()} for position in positions]
    for text in random.sample(
        names := sorted(turns[0].keys() & turns[1].keys()), min(20, len(names))
    ):
        after = [p.play(there[text]) for p, there in zip(positions, turns, strict=True)]
        looks = [(dict(p.shown), p.awaited, p.outcome) for p in after]
        if looks[0] == looks[1] and looks[0][1:] == (None, None):
            return after
    return positions


def put_right(pair, random, *, by_looks):
    """Let every piece stand where the game now has it; `by_looks`, any that looks like it."""
    wrong = wrong_squares(pair)
    lying = sorted(wrong & pair.worlds[0].readings.keys())
    lifted = [pair.lift(square) for square in random.sample(lying, len(lying))]
    held = [list(there) for there in zip(*lifted, strict=True)] or [[] for _ in pair.worlds]
    due = sorted(wrong & pair.positions[0].placement.keys())
    for square in random.sample(due, len(due)):
        labels = [due_there(world, square) for world in pair.worlds]
        likes = [
            {n for n, reading in enumerate(own) if is_like(reading, label, by_looks=by_looks)}
            for own, label in zip(held, labels, strict=True)
        ]
        if by_looks:
            likes = [set.intersection(*likes)] * 2
        fresh = from_beside(pair, labels)
        found = zip(held, likes, fresh, strict=True)
        pair.cell(square, [own.pop(min(fit)) if fit else new for own, fit, new in found])
    pair.pass_time(1.0)


def from_beside(pair, labels):
    """Return what is read of the pieces that come from beside the boards, each known by one tag."""
    _, *number = str(pair.worlds[0].reading(labels[0])).split("/")
    return [
        "/".join([x, *number]) if number else w.reading(x)
        for w, x in zip(pair.worlds, labels, strict=True)
    ]


def is_like(reading, label, *, by_looks):
    """Return whether a piece in the hand is one that is due, or looks so."""
    have = label if reading is True else PIECES.get(reading, "")
    return have[by_looks:] == label[by_looks:]


def wrong_squares(pair):
    """Return on which squares something else stands than should, in either world."""
    return {
        square
        for world in pair.worlds
        for square in world.readings.keys() | world.position.placement.keys()
        if not fits(world, square)
    }


def fits(world, square):
    """Return whether what stands on a square belongs there, or looks so where owners are secret."""
    reading, label = world.readings.get(square), due_there(world, square)
    if reading is None or label is None or reading is True:
        return (reading is None) == (label is None)
    return is_like(reading, label, by_looks=by_looks(world))


def by_looks(world):
    """Return whether a colour tells nothing of a piece that is read."""
    return world.position.game.traits.owners_secret and not world.kinds


def due_there(world, square):
    """Return the label of what should stand on a square: of a token its face alone."""
    label = world.position.placement.get(square)
    of_computer = label and any(label[0] == side[0] for side in world.agreement.computers)
    return world.position.game.face(label)[:2] if of_computer else label


def add_time(pair, random):
    """Let the arbiter give time, or take it."""
    side, seconds = random.choice(SIDES), random.choice(["60", "-30", "0.5"])
    pair.call("add-time", None, side=side, seconds=seconds, reason="a bell rang")


def distrust(pair, random):
    """Let somebody say that a sensor does not tell the truth."""
    pair.call("distrust", None, cell=random.choice(sorted(pair.positions[0].game.squares)))


def take_seats(pair, random):
    """Let somebody sit down with a phone, or get up, or enter as the referee."""
    side, taken = random.choice(SIDES), random.random() < 0.7
    if random.random() < 0.2:
        pair.inputs(lambda world, _: RefereeOpened(world.t, "192.168.1.9"))
    else:
        pair.inputs(lambda world, _: Seated(world.t, side, taken))


def name_turn(pair, random):
    """Let somebody say what was played, which is so at most in one of the worlds."""
    turns = {turn.public for position in pair.positions for turn in islice(position.turns(), 100)}
    if turns:
        text, by = random.choice(sorted(turns)), random.choice((None, *SIDES))
        pair.later(0.3)
        pair.inputs(lambda world, _: Answer(world.t, text, by))


def advise(pair, random):
    """Give the hint that was asked for: a turn that looks the same in both worlds."""
    names = [{turn.public: str(turn) for turn in position.turns()} for position in pair.positions]
    alike = sorted(set(names[0]).intersection(*names))
    if alike and pair.worlds[0].table.awaits_hint:
        text = random.choice(alike)
        pair.later(1.0)
        pair.inputs(lambda w, n: Hinted(w.t, w.table.state.number, names[n][text]))


def ruled(world):
    """Return the rulings at a table, which are for all to hear."""
    return [replace(output, t=0.0) for output in world.outputs if isinstance(output, Ruled)]


def anything(pair, random, styles=()):
    """Do something that is no turn."""
    if WORDS and random.random() < WORDS:
        random.choice((adjust, arbitrate, add_time, distrust, take_seats, name_turn))(pair, random)
        return
    what = random.random()
    if what < 0.6:
        bend(pair, random, styles)
    elif what < 0.75:
        if exchanging(random) and (squares := two_alike(pair, random)):
            exchange_unseen(pair, squares)
        kill(pair)
        pair.press(random.choice(SIDES))
    elif what < 0.85:
        pause(pair, random)
    else:
        talk(pair, random)


def set_up(pair, random, styles=()):
    """Set the pieces up on an empty board, clumsily, and press to begin; `styles`: once they stand.

    What is set down then glows, unless it is sealed, and costs nothing before the game.
    """
    stands = [dict(world.readings) for world in pair.worlds]
    for world in pair.worlds:
        world.readings.clear()
    for square in random.sample(sorted(stands[0]), len(stands[0])):
        if random.random() < 0.05:
            bend(pair, random)  # while one is missing: on a full board it would make a turn
        pair.cell(square, [there[square] for there in stands])
    pair.pass_time(2.0)
    if WORDS and random.random() < 0.5:
        bend(pair, random, styles)  # whoever presses for a turn now begins the game, or pays
    pair.press(opponent(pair.positions[0].side))
