"""Whether tests take their full size: by day few seeds and short games, at night all of them."""

import os
from itertools import combinations, cycle, islice, product

import pytest

NIGHTLY = bool(os.environ.get("FIRMWARE_BRIDGE_NIGHTLY"))


def at_night(why):
    """Leave a test to the night, for this reason: by day others feel most of what it feels."""
    return pytest.mark.skipif(not NIGHTLY, reason=f"{why}: FIRMWARE_BRIDGE_NIGHTLY=1")


def few(examples):
    """So many examples at night, a twelfth of them by day."""
    return examples if NIGHTLY else -(-examples // 12)


def one_of(*values):
    """All values at night; by day the first, where each goes the same way."""
    return values if NIGHTLY else values[:1]


def each(values, step):
    """All values at night; by day every so many-th, where most go the same way."""
    return values if NIGHTLY else values[::step]


def in_turn(*values):
    """Each with each at night; by day every value, with those of the others in turn."""
    if NIGHTLY:
        return [*product(*values)]
    return [*islice(zip(*map(cycle, values), strict=False), max(map(len, values)))]


def enough(option_sets):
    """All sets of options at night; by day so many that any two values meet in one of them."""
    if NIGHTLY:
        return option_sets
    names = sorted(set().union(*option_sets))
    values = [[(name, options.get(name)) for name in names] for options in option_sets]
    unmet = [set(combinations(chosen, 2)) for chosen in values]
    taken = set()
    while any(unmet):
        most = max(range(len(unmet)), key=lambda number: len(unmet[number]))
        taken.add(most)
        met = set(unmet[most])
        unmet = [pairs - met for pairs in unmet]
    return [option_sets[number] for number in sorted(taken)]
