"""Whole evenings with every fault there is; a failure names its seed, and the fewest faults."""

import pytest

from tests.evenings.doings import DOINGS, doings_of
from tests.evenings.evening import Evening, plan_of
from tests.evenings.far import FarBroker
from tests.evenings.faults import FAULTS
from tests.evenings.friend import FAR_DOINGS, FAR_FAULTS, FriendlyEvening
from tests.evenings.instant import Spinning
from tests.nightly import NIGHTLY

EVENINGS = range(10_000) if NIGHTLY else (659, 1202, 1494, 1949)
"""By day the fewest on which everything goes wrong, and people do all that they do."""
FRIENDLY_EVENINGS = range(1000) if NIGHTLY else (31717, 173064)
"""By day two, on which people do all that they do."""
TURNS = 12
FAILED_ONCE = () if NIGHTLY else (1908, 1950, 2391)
"""Evenings that a computer's discs in Reality Check were mistaken on after a kill."""
FRIENDLY_FAILED_ONCE = () if NIGHTLY else (138,)
"""One on which no letter was sent any more after a message that the broker did not answer."""
TAKEN_BACK = [(turn, "take back and die") for turn in range(1, TURNS, 2)]
LOST_LETTERS = [(0, "killed"), (1, "restarted"), (4, "slow disk"), (8, "letters deleted")]
"""Faults of an evening after which both boards ask for another game, as the letters are lost."""
FAR_FAULTS_THEN = FAR_FAULTS[: FAR_FAULTS.index("meddling")]
FAULTS_THEN = FAULTS[: FAULTS.index("stopped")]
"""The faults that there were on them."""


def fails(seed, folder, plan, doings, kind=Evening):
    """Return what an evening with these faults and doings ends with, `None` if all goes well."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        try:
            kind(seed, folder, patch, TURNS, plan, doings).run()
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


def goes_on(seed, folder, plan, doings, kind=Evening):
    """Play an evening; if it fails, name the fewest faults and doings that it needs for it."""
    folders = (folder / str(number) for number in range(100))
    if error := fails(seed, next(folders), plan, doings, kind):
        small = fewest(plan, lambda fewer: fails(seed, next(folders), fewer, doings, kind))
        done = fewest(doings, lambda fewer: fails(seed, next(folders), small, fewer, kind))
        error.add_note(f"seed {seed}: it needs {small} and {done}, of {plan} and {doings}")
        raise error


@pytest.mark.parametrize("seed", EVENINGS)
def test_an_evening_goes_on_whatever_happens(seed, tmp_path):
    goes_on(seed, tmp_path, plan_of(seed, TURNS), doings_of(seed, TURNS))


@pytest.mark.parametrize("seed", FRIENDLY_EVENINGS)
def test_an_evening_with_a_friend_far_away_goes_on_whatever_happens(seed, tmp_path):
    doings = doings_of(seed, TURNS, FAR_DOINGS)
    goes_on(seed, tmp_path, plan_of(seed, TURNS, FAR_FAULTS), doings, FriendlyEvening)


@pytest.mark.parametrize("seed", FRIENDLY_FAILED_ONCE)
def test_an_evening_with_a_friend_that_failed_once_goes_on(seed, tmp_path):
    goes_on(seed, tmp_path, plan_of(seed, TURNS, FAR_FAULTS_THEN), [], FriendlyEvening)


def test_an_evening_goes_on_with_another_game_once_letters_are_lost(tmp_path):
    goes_on(9700128, tmp_path, LOST_LETTERS, [(8, "parts")], FriendlyEvening)


@pytest.mark.parametrize("seed", FAILED_ONCE)
def test_an_evening_that_failed_once_goes_on(seed, tmp_path):
    goes_on(seed, tmp_path, plan_of(seed, TURNS, FAULTS_THEN), [])


@pytest.mark.parametrize("seed", [4, 7])
def test_what_was_taken_back_stays_so_when_the_service_is_killed_over_it(seed, tmp_path):
    goes_on(seed, tmp_path, [], TAKEN_BACK)


@pytest.mark.parametrize("seed", [4, 7])
def test_a_phone_whose_answer_is_lost_sits_and_a_games_link_chooses_it(seed, tmp_path):
    names = ("seat given again", "game by its link")
    doings = [(turn, name) for turn in range(TURNS) for name in names]
    goes_on(seed, tmp_path, [], doings)


def test_everything_goes_wrong_and_is_done_on_some_evening():
    assert {fault for seed in EVENINGS for _, fault in plan_of(seed, TURNS)} == {*FAULTS}
    assert {doing for seed in EVENINGS for _, doing in doings_of(seed, TURNS)} == {*DOINGS}
    far = [doings_of(seed, TURNS, FAR_DOINGS) for seed in FRIENDLY_EVENINGS]
    assert {doing for doings in far for _, doing in doings} == {*FAR_DOINGS}


def test_what_nobody_has_let_fail_is_no_fault_that_an_evening_goes_on_with(tmp_path, monkeypatch):
    monkeypatch.delattr(FarBroker, "subscribe")
    error = fails(1, tmp_path / "1", [(1, "broker gone")], [])
    assert "nobody has let this fail: [AttributeError" in str(error)


def test_of_faults_only_those_are_named_that_matter():
    plan = [(turn, name) for turn in range(4) for name in ("killed", "deaf")]
    assert fewest(plan, lambda fewer: {(1, "deaf"), (3, "killed")} <= set(fewer)) == [
        (1, "deaf"),
        (3, "killed"),
    ]
