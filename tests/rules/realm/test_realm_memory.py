"""A long game keeps its positions, but not all that was searched in them."""

import gc
from itertools import islice
from random import Random

import rules
from rules.games.realm.finder import Finder


def test_positions_kept_for_the_record_do_not_keep_their_searches():
    dice, kept = Random(3), [rules.load("realm", power=True, free=True).start()]
    for _ in range(30):
        turns = list(islice(kept[-1].turns(), 20))
        kept.append(kept[-1].play(dice.choice(turns)))
    gc.collect()
    assert sum(isinstance(thing, Finder) for thing in gc.get_objects()) < 15
    assert all(any(True for _ in position.turns()) for position in kept[:5])
