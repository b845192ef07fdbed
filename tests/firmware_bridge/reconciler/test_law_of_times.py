"""How long what is odd may stand, when it is called illegal, and how long a turn may be amended."""

from itertools import islice

import pytest
from hypothesis import strategies as st

from drivers.port import CellEvent
from firmware_bridge.bench.offence_generator import refusal
from firmware_bridge.reconciler import Judged, TurnAmended, TurnTaken
from rules.explain import Seen
from tests.firmware_bridge.reconciler.holding import law, set_out

seeds = st.integers(0, 1_000_000)
seconds = st.floats(0.2, 1.5)


def wrongly(position, tier, dice):
    """An own piece, and a free square where it may not go; `None` where there is none at hand."""
    own = sorted(s for s, label in position.placement.items() if label[0] == position.side[0])
    free = sorted(position.game.squares - position.placement.keys())
    for _ in range(20):
        source, target = dice.choice(own), dice.choice(free)
        if refusal(position, source, target) and not beginning(position, tier, source, target):
            return source, target
    return None


def beginning(position, tier, source, target):
    """Whether a longer turn may take it there: such a movement is no more than unfinished."""
    known = {} if tier == "occupancy" else {target: position.placement[source]}
    board = position.placement.keys() - {source} | {target}
    return bool(position.explainer().leading_to(Seen(frozenset(board), known)))


def candidates(position):
    """Some legal turns."""
    return islice(position.turns(), 200)


def judged(found):
    return [(f.t, f.verdict.kind) for f in found if isinstance(f, Judged)]


@law(seed=seeds, grace=seconds)
def test_what_is_odd_glows_at_once_and_is_illegal_after_the_grace_time(row, seed, grace):
    reconciler, pieces, dice = set_out(row, seed, grace=grace)
    position = reconciler.position
    movement = wrongly(position, row.tier, dice)
    if movement is None or "K" in position.placement[movement[0]][1]:
        return  # a king may be on his way to the centre
    source, target = movement
    reconciler.feel(CellEvent(1.0, source, None))
    found = reconciler.feel(CellEvent(1.5, target, pieces.reading(pieces.on[source])))
    assert judged(found)[-1] == (1.5, "unexplained")
    assert reconciler.verdict.cells == (target,)
    assert reconciler.wake_at == pytest.approx(1.5 + grace)
    if dice.random() < 0.5 and reconciler._settings.clock:
        assert judged(reconciler.press(1.6, position.side)) == [(1.6, "illegal")]
    else:
        assert judged(reconciler.tick(9.0))[:1] == [(pytest.approx(1.5 + grace), "illegal")]
    assert reconciler.position == position
    (step,) = reconciler.verdict.restore
    assert (step.source, step.target) == (target, source)
    found = reconciler.feel(CellEvent(20.0, target, None))
    found += reconciler.feel(CellEvent(20.4, source, pieces.reading(pieces.on[source])))
    assert reconciler.verdict.kind == "settled"


@law(seed=seeds, settle=seconds)
def test_a_turn_that_stood_is_taken_once_and_amended_until_it_is_answered(row, seed, settle):
    reconciler, pieces, dice = set_out(row, seed, settle=settle, clock=False)
    position = reconciler.position
    simple = [
        (d.moves[0], t)
        for t, d in ((t, position.deed(t)) for t in candidates(position))
        if len(d.moves) == 1 and not (d.taken or d.becomes or d.flips)
    ]
    by_source = {}
    for (source, target), turn in simple:
        by_source.setdefault(source, []).append((target, turn))
    several = sorted(source for source, ways in by_source.items() if len(ways) > 1)
    if position.game.traits.long_turns or not several:
        return
    source = dice.choice(several)
    (one, first), (other, second) = dice.sample(by_source[source], 2)
    reading = pieces.reading(pieces.on[source])
    reconciler.feel(CellEvent(1.0, source, None))
    reconciler.feel(CellEvent(2.0, one, reading))
    if reconciler.verdict.kind != "complete":
        return  # a disc may be turned over yet, or a question is asked
    found = reconciler.tick(9.0)
    assert [(f.t, f.turn) for f in found if isinstance(f, TurnTaken)] == [
        (pytest.approx(2.0 + settle), first)
    ]
    found = reconciler.feel(CellEvent(10.0, one, None))
    found += reconciler.feel(CellEvent(10.5, other, reading))
    assert not [
        f
        for f in found
        if isinstance(f, Judged)
        and f.verdict.kind != "in-progress"
        and str(second) not in map(str, f.verdict.turns)
    ]
    found += reconciler.tick(19.0)
    amended = [f for f in found if isinstance(f, TurnAmended)]
    assert [f.turn for f in amended] == [second]
    assert reconciler.position == position.play(second)
    assert reconciler.verdict.kind == "settled"
