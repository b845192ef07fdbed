"""What holds whatever hands and sensors do."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from drivers.port import CellEvent, Snapshot
from firmware_bridge.bench.games import ROWS, choose
from firmware_bridge.hands import Pieces
from firmware_bridge.reconciler import (
    Judged,
    Reconciler,
    Sensing,
    Settings,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.simulated_pieces import simulated_pieces

NIGHTLY = bool(os.environ.get("FIRMWARE_BRIDGE_NIGHTLY"))
seeds = st.integers(0, 1_000_000)
some = settings(max_examples=200 if NIGHTLY else 3, deadline=None)
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
long_enough = pytest.mark.timeout(3600 if NIGHTLY else 120)


def law(**drawn):
    """Hold a law for every game on every tier; for many more examples at night."""

    def hold(test):
        return every_row(long_enough(some(given(**drawn)(test))))

    return hold


def set_out(row, seed, **changed):
    """A reconciler in the middle of a game, and the pieces on its board."""
    dice = Random(seed)
    position = row.load().start()
    for _ in range(dice.randint(0, 8)):
        following = position.play(choose(position, dice))
        if following.outcome is not None or following.awaited is not None:
            break
        position = following
    pieces = Pieces(simulated_pieces(row.load()), position.placement, row.tier)
    sensing = Sensing(row.tier, {} if row.tier == "occupancy" else pieces.tags)
    conduct = Settings(**{"clock": dice.random() < 0.5, "take_backs": True, **changed})
    return Reconciler(position, sensing, conduct, pieces.standing()), pieces, dice


def storm(pieces, dice, count):
    """Events that no hand makes: any cell reads anything at any time."""
    cells = sorted(
        {*pieces.on, "hw1", "hb1", *(f"{f}{r}" for f in "abcdefgh" for r in range(1, 10))}
    )
    tags = [*pieces.tags, "04FFFFFF", True, None, None, None]
    t = 0.0
    for _ in range(count):
        t += dice.choice((0.0, 0.01, 0.2, 1.0, 6.0))
        if dice.random() < 0.03:
            yield Snapshot(t, {dice.choice(cells): dice.choice(tags[:-3]) for _ in range(9)})
        else:
            yield CellEvent(t, dice.choice(cells), dice.choice(tags))


def run(reconciler, events):
    found = []
    for event in events:
        found += reconciler.feel(event)
    return found


@law(seed=seeds)
def test_a_storm_raises_nothing_and_takes_nothing_illegal(row, seed):
    reconciler, pieces, dice = set_out(row, seed)
    position = before = reconciler.position
    past = []
    for finding in run(reconciler, storm(pieces, dice, 50)):
        match finding:
            case TurnTaken(turn=turn, position=after):
                assert turn in set(position.turns()) if len(past) < 2 else position.play(turn)
                assert after == position.play(turn)
                past.append(position)
                before, position = position, after
            case TurnAmended(turn=turn, position=after):
                assert after == before.play(turn)
                position = after
            case TurnsUndone(count=count, position=after):
                assert after == past[-count]
                del past[-count:]
                position = after
    assert reconciler.position == position


@law(seed=seeds)
def test_nothing_that_people_do_at_any_moment_raises(row, seed):
    reconciler, pieces, dice = set_out(row, seed)
    for event in storm(pieces, dice, 50):
        t, position = event.t, reconciler.position
        reconciler.feel(event)
        match dice.randrange(12):
            case 0 | 1:
                reconciler.press(t, dice.choice(("white", "black")))
            case 2:
                reconciler.answer(t, dice.choice(("e2e4", "", "roll:3", "e7e8q", "nonsense")))
            case 3 if reconciler.verdict.turns:
                turn = dice.choice(reconciler.verdict.turns)
                reconciler.answer(t, str(turn))
            case 4:
                reconciler.declare(t, "reality-check")
            case 5:
                reconciler.adjust(t, on=dice.random() < 0.3)
            case 6:
                reconciler.agree(dice.choice((position, position.game.start())), t)
            case 7:
                reconciler.distrust(dice.choice(("a1", "e4", "hw1")), t)
            case 8:
                reconciler.prepare()
                assert reconciler.why()["position"]
            case _:
                reconciler.tick(t)
        assert reconciler.wake_at is None or reconciler.wake_at > t


@law(seed=seeds)
def test_the_same_events_give_the_same_findings(row, seed):
    def findings():
        reconciler, pieces, dice = set_out(row, seed)
        return run(reconciler, storm(pieces, dice, 40))

    assert findings() == findings()


@law(seed=seeds)
def test_any_restoration_followed_step_by_step_ends_in_settled(row, seed):
    reconciler, pieces, dice = set_out(row, seed, take_backs=False)
    position = reconciler.position
    was = dict(pieces.on)
    lifted = dice.sample(sorted(pieces.on), min(len(pieces.on), dice.randint(2, 14)))
    hand = [pieces.on.pop(square) for square in lifted]
    events = [(square, None) for square in lifted]
    for tag in hand:
        free = sorted(position.game.squares - pieces.on.keys())
        if dice.random() < 0.7:
            square = dice.choice(free)
            pieces.on[square] = tag
            events.append((square, pieces.reading(tag)))
    t = 0.0
    for square, reading in events:
        t += 0.01
        reconciler.feel(CellEvent(t, square, reading))
    t += 20
    reconciler.tick(t)
    if reconciler.position != position or reconciler.verdict.kind not in ("illegal", "disturbed"):
        return  # it happened to be a legal turn, or the way to one
    box = [tag for tag in hand if tag not in pieces.on.values()]
    for step in reconciler.verdict.restore:
        t += 0.4
        due = pieces.tags[was[step.target]] if step.target else None
        if step.source is not None:
            tag = pieces.on.pop(step.source)
            reconciler.feel(CellEvent(t, step.source, None))
        else:
            tag = next((tag for tag in box if pieces.tags[tag] == due), box[0])
            box.remove(tag)
        if step.target is None:
            box.append(tag)
        else:
            pieces.on[step.target] = tag
            reconciler.feel(CellEvent(t + 0.1, step.target, pieces.reading(tag)))
    assert reconciler.verdict.kind == "settled"
    assert reconciler.position == position


def felt(position, deed, pieces, order):
    """What is felt of a deed, in an order in which hands could do it: first up, then down.

    A square is left before another piece comes down on it, and pieces come to rest before they are
    turned over in place. What becomes something else is left standing.
    """
    tags = {square: pieces.on[square] for square, _ in deed.moves}
    steps = [((source, None), []) for source, _ in deed.moves]
    steps += [((square, None), []) for square in deed.taken]
    up = {cell: number for number, ((cell, _), _) in enumerate(steps)}
    for source, target in deed.moves:
        needs = [up[cell] for cell in (source, target) if cell in up]
        steps.append(((target, pieces.reading(tags[source])), needs))
    for square, label in deed.placed:
        steps.append(((square, pieces.reading(pieces.fetch(label))), []))
    down = {cell: number for number, ((cell, r), _) in enumerate(steps) if r is not None}
    sources = {target: source for source, target in deed.moves}
    for square, _ in deed.flips:
        tag = tags.get(sources.get(square)) or pieces.on[square]
        steps.append(((square, None), [down[square]] if square in down else []))
        steps.append(((square, pieces.turned(tag)), [len(steps) - 1]))
    done = set()
    while len(done) < len(steps):
        ready = [n for n, (_, needs) in enumerate(steps) if n not in done and done >= set(needs)]
        number = order.choice(ready)
        done.add(number)
        yield steps[number][0]


@law(seed=seeds, order=st.randoms(use_true_random=False))
def test_any_order_of_the_same_changes_gives_the_turn_or_a_question_with_it(row, seed, order):
    reconciler, pieces, dice = set_out(row, seed, clock=True)
    position = reconciler.position
    turn = choose(position, dice)
    deed = position.deed(turn)
    if not deed.physical or unfelt(position, turn, row.tier):
        return
    t = 0.0
    for cell, reading in felt(position, deed, pieces, order):
        t += 0.05
        reconciler.feel(CellEvent(t, cell, reading))
    assert str(turn) in map(str, reconciler.verdict.turns)


def unfelt(position, turn, tier):
    """Whether no tag tells what was done: a disc with like faces, turned over, reads as before."""
    after = position.play(turn).placement
    return tier != "occupancy" and dict(after) == dict(position.placement)


@every_row
def test_storms_do_not_grow_memory(row):
    reconciler, pieces, dice = set_out(row, 5, take_backs=False)
    run(reconciler, storm(pieces, dice, 200))
    before = measure(reconciler)
    for event in storm(pieces, dice, 3000 if NIGHTLY else 400):
        reconciler.feel(type(event)(event.t + 10_000, *list(fields(event))[1:]))
    assert measure(reconciler) < before + 400


def fields(event):
    return (getattr(event, name) for name in event.__dataclass_fields__)


def measure(reconciler):
    """How many things the reconciler remembers."""
    scene = reconciler._course.scene
    parts = (scene, scene.trail, scene.identities)
    held = [getattr(part, name, ()) for part in parts for name in type(part).__slots__]
    return sum(len(x) for x in held if hasattr(x, "__len__")) + len(reconciler.standing)


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_findings_carry_the_times_at_which_they_were_due(tier):
    position = rules.load("mockery").start()
    pieces = Pieces(simulated_pieces(rules.load("mockery")), position.placement, tier)
    sensing = Sensing(tier, pieces.tags)
    reconciler = Reconciler(position, sensing, Settings(clock=False), pieces.standing())
    reconciler.feel(CellEvent(1.0, "e2", None))
    reconciler.feel(CellEvent(2.0, "e4", pieces.reading(pieces.on["e2"])))
    assert reconciler.wake_at == pytest.approx(2.3)
    found = reconciler.feel(CellEvent(9.0, "e7", None))
    taken = next(finding for finding in found if isinstance(finding, TurnTaken))
    assert (taken.t, taken.cause) == (pytest.approx(2.3), "stood")
    assert [f.t for f in found if isinstance(f, Judged)] == [pytest.approx(2.3), 9.0]


@pytest.mark.parametrize("row", ROWS[:8], ids=lambda row: f"{row.name} {row.tier}")
def test_pieces_set_up_in_any_order_leave_nothing_to_ask(row):
    position = row.load().start()
    pieces = Pieces(simulated_pieces(row.load()), position.placement, row.tier)
    sensing = Sensing(row.tier, {} if row.tier == "occupancy" else pieces.tags)
    reconciler = Reconciler(position, sensing, Settings(), {})
    reconciler.adjust(0.0, on=True)
    for number, (cell, reading) in enumerate(sorted(pieces.standing().items())):
        reconciler.feel(CellEvent(1.0 + number, cell, reading))
        if number % 3 == 0:
            reconciler.feel(CellEvent(1.2 + number, cell, None))
            reconciler.feel(CellEvent(1.4 + number, cell, reading))
    reconciler.adjust(50.0, on=False)
    assert reconciler.verdict.kind == "settled"
    reconciler.feel(CellEvent(51.0, "e2", None))
    reconciler.feel(CellEvent(51.5, "e5", pieces.reading(pieces.on["e2"])))
    reconciler.tick(60.0)
    assert reconciler.verdict.attempt == ("e2", "e5")
