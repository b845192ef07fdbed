"""Whole evenings with every fault there is; a failure names its seed, and the fewest faults."""

import pytest

from tests.evenings.evening import Evening, plan_of
from tests.evenings.instant import Spinning
from tests.nightly import NIGHTLY

EVENINGS = 10_000 if NIGHTLY else 24
TURNS = 12
FAILED_ONCE = () if NIGHTLY else (1908, 1950, 2391)
"""Evenings that a computer's discs in Reality Check were mistaken on after a kill."""


def fails(seed, folder, plan):
    """Return what an evening with these faults ends with, `None` if all goes well."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        try:
            Evening(seed, folder, patch, TURNS, plan).run()
        except (Exception, Spinning) as error:  # noqa: BLE001 - it is what is looked for
            return error
    return None


def fewest(plan, still_fails):
    """Return faults without which it would not fail, by leaving out one after the other."""
    for one in tuple(plan):
        fewer = [other for other in plan if other is not one]
        if still_fails(fewer):
            plan = fewer
    return plan


@pytest.mark.parametrize("seed", [*range(EVENINGS), *FAILED_ONCE])
def test_an_evening_goes_on_whatever_happens(seed, tmp_path):
    folders = (tmp_path / str(number) for number in range(100))
    plan = plan_of(seed, TURNS)
    error = fails(seed, next(folders), plan)
    if error:
        small = fewest(plan, lambda fewer: fails(seed, next(folders), fewer) is not None)
        error.add_note(f"seed {seed}: it needs {small}, of {plan}")
        raise error


def test_of_faults_only_those_are_named_that_matter():
    plan = [(turn, name) for turn in range(4) for name in ("killed", "deaf")]
    assert fewest(plan, lambda fewer: {(1, "deaf"), (3, "killed")} <= set(fewer)) == [
        (1, "deaf"),
        (3, "killed"),
    ]
