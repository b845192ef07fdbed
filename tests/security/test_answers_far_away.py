"""How long a host takes to tell what a turn shows does not tell what its own pieces hide.

In games in which pieces hide something, a turn of one host waits for the other's answer. As with
presses (`test_time_tells_nothing.py`), what is counted is what takes the time: the calls of
functions from what has come to what is told.
"""

import random
import statistics

from firmware_bridge.messages import FactTold
from firmware_bridge.referee.facts import facts
from tests.firmware_bridge.secrets.test_far_away_pairs import alike, make, of_mover, pair_of
from tests.firmware_bridge.secrets.test_reality_check_pairs import OPTIONS
from tests.firmware_bridge.table import two_boards
from tests.firmware_bridge.table.two_boards import LINE
from tests.nightly import NIGHTLY
from tests.security.test_time_tells_nothing import CHANCE, calls_of, mann_whitney

ANSWERS = 1000 if NIGHTLY else 16
TURNS = 12
ALIKE = 0.02
"""Of the work, at most, in one pair: a tenth of a millisecond in five."""


def answer(both, text):
    """Make a turn at White's board; return what Black's host takes to answer it, if it must."""
    white, black = both.boards.values()
    before = white.position
    turn = before.parse_turn(text)
    deed = before.deed(turn)
    if deed.physical:
        white.hands(deed, before, before.play(turn))
    white.press("white")
    if white.table.state.put is None:
        white.answer(text)
    if white.table.state.put is None:
        return None
    known = len(facts(black.table.records))
    own = facts(white.table.records)
    if len(own) != known + 1:
        return None
    told = two_boards.told_of(white, own[known])
    fact = FactTold(black.t + 0.1, LINE, known + 1, own[known].kind, told)

    def act():
        assert black.table.distant.objection(fact) is None
        black.feed(fact)

    taken = calls_of(act)
    assert len(facts(black.table.records)) == known + 2
    return taken


def answers():
    """Yield what the same answer takes in two games that differ in Black's secrets."""
    for seed in range(10 * ANSWERS):
        pair, chooser = pair_of(seed, **OPTIONS[seed % len(OPTIONS)]), random.Random(seed)
        for _ in range(TURNS):
            if of_mover(pair[0]).position.awaited:
                break  # who decides in secret, does so by himself
            turn = next(iter(alike(pair, chooser)), None)
            if turn is None or any(of_mover(both).table.state.stage != "playing" for both in pair):
                break
            if of_mover(pair[0]).position.side == "black":
                for both in pair:
                    make(both, turn)
                continue
            taken = [answer(both, turn) for both in pair]
            if None not in taken:
                yield taken
            for both in pair:
                both.settle()
            if any(b.table.state.stage == "over" for both in pair for b in both.boards.values()):
                break


def test_the_work_behind_an_answer_does_not_tell_what_lies_below():
    found = []
    for taken in answers():
        found.append(taken)
        if len(found) == ANSWERS:
            break
    first, second = zip(*found, strict=True)
    assert max(abs(one - other) / one for one, other in found) < ALIKE
    assert statistics.median(first) > 100
    assert mann_whitney(first, second) > CHANCE
