"""What holds whatever hands and sensors do."""

import gc
from dataclasses import replace
from types import FunctionType, ModuleType

import pytest
from hypothesis import strategies as st

import rules
from drivers.port import CellEvent, Snapshot
from firmware_bridge.bench.games import choose, styles
from firmware_bridge.reconciler import Judged, Reconciler, Sensing, Settings, TurnTaken
from firmware_bridge.reconciler.board_state import BoardState
from firmware_bridge.reconciler.preparation import wholly
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.interface import Position
from tests.firmware_bridge.reconciler.holding import (
    NIGHTLY,
    ROWS,
    OnLooker,
    every_row,
    failed_once,
    law,
    set_out,
)
from tests.firmware_bridge.table.driving import OPENED_AS_CHESS

seeds = st.integers(0, 1_000_000)


def storm(pieces, dice, count, start=0.0):
    """Events that no hand makes: any cell reads anything at any time."""
    cells = sorted(
        {*pieces.on, "hw1", "hb1", *(f"{f}{r}" for f in "abcdefgh" for r in range(1, 10))}
    )
    strangers = [f"04FFFFFF{dice.randrange(16**6):06X}" for _ in range(20)]
    tags = [*pieces.tags, *strangers, True, None, None, None]
    t = start
    for _ in range(count):
        t += dice.choice((0.0, 0.01, 0.2, 1.0, 6.0))
        if dice.random() < 0.03:
            yield Snapshot(t, {dice.choice(cells): dice.choice(tags[:-3]) for _ in range(9)})
        else:
            yield CellEvent(t, dice.choice(cells), dice.choice(tags))


def bustle(onlooker, pieces, dice, deeds):
    """Let clumsy hands make turns, press, answer and undo, with gusts of storm between."""
    reconciler = onlooker.reconciler
    t = 0.0
    for _ in range(deeds):
        position = reconciler.position
        if dice.random() < 0.3 or position.outcome is not None:
            for event in storm(pieces, dice, dice.randint(1, 4), t):
                onlooker.feel(event)
                t = event.t
        else:
            if astray(pieces, position) or reconciler.verdict.kind != "settled":
                # All is put right, in one look.
                pieces.arrange(position.placement)
                onlooker.feel(Snapshot(t, pieces.standing()))
            turn, was = choose(position, dice), dict(pieces.on)
            if position.deed(turn).physical:
                for change in play(position, turn, pieces, dice, styles(dice)):
                    onlooker.feel(replace(change, t=t + change.t))
                t += change.t
            t = confirm(onlooker, turn, dice, t)
            if dice.random() < 0.2:
                t = put_back(onlooker, pieces, was, t)
        t += dice.choice((0.01, 0.3, 1.0, 7.0))
        onlooker.wait(t)


def astray(pieces, position):
    """Whether hands left something otherwise, which a board that reads no tag may not tell."""
    placement = position.placement
    return pieces.on.keys() != placement.keys() or any(
        ":" in label and pieces.tags[pieces.on[square]] != label
        for square, label in placement.items()
    )


def confirm(onlooker, turn, dice, t):
    """Press, answer, or do nothing for a while; return when that is over."""
    for _ in range(dice.randint(1, 3)):
        t += dice.choice((0.01, 0.29, 0.5, 2.0))
        deed = dice.randrange(5)
        if deed == 0:
            onlooker.answer(t, str(turn))
        elif deed == 4 and onlooker.reconciler.judged_in.outcome is None:
            onlooker.answer(t, str(choose(onlooker.reconciler.judged_in, dice)))
        elif deed == 1:
            onlooker.wait(t)
        else:
            onlooker.press(t, dice.choice(("white", "black")))
    return t


def put_back(onlooker, pieces, was, t):
    """Set every piece where it stood before, one after the other."""
    for cell in sorted(pieces.on.keys() - was.keys()):
        t += 0.2
        onlooker.feel(CellEvent(t, cell, None))
    for cell, tag in sorted(was.items()):
        if pieces.on.get(cell) != tag:
            t += 0.2
            onlooker.feel(CellEvent(t, cell, None))
            onlooker.feel(CellEvent(t + 0.1, cell, pieces.reading(tag)))
    pieces.arrange({cell: pieces.tags[tag] for cell, tag in was.items()})
    return t


@law(seed=seeds)
@failed_once(seed=751)  # a turn that was undone is gone on from all the same
@failed_once(seed=1167)  # a captured piece's cell opened for a moment, and no tag was read since
@failed_once(seed=74423)  # a turn is amended and answered in one go
@failed_once(seed=446)  # a reply captures on the target of the turn that is amended
@failed_once(seed=431862)  # the first that is felt of an answer is its piece, on the mover's
@failed_once(seed=791900)  # of the ways in which pieces may have gone not all name the same squares
@failed_once(seed=807744)
@failed_once(seed=56325)  # a turn is amended by the answer that captures on its target
@failed_once(seed=55630)  # a die is thrown between two turns, the second of which is not clear
@failed_once(seed=821)  # a turn is undone as the next one begins
@failed_once(seed=3000006)  # a turn that was undone comes back in place of the one pressed since
@failed_once(seed=3000023)  # what looks like a victim aside stands on a board that is all astray
def test_whatever_is_taken_is_legal_shown_and_confirmed_and_nothing_is_illegal_too_soon(row, seed):
    dice_of = {"grace": 0.4 + seed % 7 / 5, "settle": 0.2 + seed % 5 / 10}
    reconciler, pieces, dice = set_out(row, seed, **dice_of)
    onlooker = OnLooker(reconciler, reconciler._settings)
    bustle(onlooker, pieces, dice, 10)
    for event in storm(pieces, dice, 30, 1000.0):
        onlooker.feel(event)


@law(seed=seeds)
@failed_once(seed=807739)  # as above
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
                wholly(reconciler.prepare())
                assert reconciler.why()["position"]
            case _:
                reconciler.tick(t)
        assert reconciler.wake_at is None or reconciler.wake_at > t


def asked_for(reconciler):
    """Yield the steps that the board asks for; of two like pieces the wrong one may come first."""
    for _ in range(3):
        yield from reconciler.verdict.restore


@law(seed=seeds)
def test_any_restoration_followed_step_by_step_ends_in_settled(row, seed):
    reconciler, pieces, dice = set_out(row, seed, take_backs=False)
    position, face = reconciler.position, reconciler.position.game.face
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
    for step in asked_for(reconciler):
        t += 0.4
        if step.source is not None:
            tag = pieces.on.pop(step.source)
            reconciler.feel(CellEvent(t, step.source, None))
        else:
            if not box:
                return  # a piece that stands astray unread is still asked for as if it were off
            named = (tag for tag in box if step.label in (pieces.tags[tag], face(pieces.tags[tag])))
            tag = next(named, box[0])
            box.remove(tag)
        if step.target is None:
            box.append(tag)
        else:
            pieces.on[step.target] = tag
            reconciler.feel(CellEvent(t + 0.1, step.target, pieces.reading(tag)))
    assert reconciler.verdict.kind == "settled"
    assert reconciler.position == position


def test_no_event_waits_until_it_is_known_where_turns_lead(monkeypatch):
    made, make = [], BoardState.__init__
    monkeypatch.setattr(BoardState, "__init__", lambda *a, **k: (made.append(a), make(*a, **k))[1])
    position = rules.load("chess").start()
    reconciler = Reconciler(position, Sensing("occupancy"), Settings(clock=False))
    for t, cell, reading in [(1, "e2", None), (2, "e4", True), (4, "e7", None), (5, "e5", True)]:
        wholly(reconciler.prepare())
        reconciler.tick(t)
        wholly(reconciler.prepare())
        made.clear()
        reconciler.feel(CellEvent(t, cell, reading))
        reconciler.tick(t + 0.2)
        assert not made, cell


@every_row
def test_storms_do_not_grow_memory(row):
    reconciler, pieces, dice = set_out(row, 5, clock=True, take_backs=False)
    start, sizes, count = 0.0, [], 2000 if NIGHTLY else 50
    for _ in range(3):
        for event in storm(pieces, dice, count, start):
            reconciler.feel(event)
            start = event.t
        reconciler.feel(Snapshot(start + 1, pieces.standing()))
        reconciler.tick(start + 60)
        start += 100
        sizes.append(weight(reconciler))
    assert sizes[2] < sizes[0] + min(600, 3 * count)


def weight(reconciler):
    """How many things the reconciler remembers, the rules' own answers left out."""
    seen, heap, count = set(), [reconciler], 0
    while heap:
        thing = heap.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType | FunctionType | Position):
            continue
        if type(thing).__module__.startswith("rules."):
            continue
        seen.add(id(thing))
        count += 1
        heap.extend(gc.get_referents(thing))
    return count


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
    found += reconciler.tick(9.2)
    judged = [f.t for f in found if isinstance(f, Judged)]
    assert judged == [pytest.approx(2.3), pytest.approx(9.15)]  # when it was no knock


CHESS = [row for row in ROWS if not row.options and row.game in OPENED_AS_CHESS]


@pytest.mark.parametrize("row", CHESS, ids=lambda row: f"{row.name} {row.tier}")
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
