"""Whole evenings with every fault there is; a failure names its seed."""

import pytest

from tests.evenings.evening import Evening
from tests.nightly import NIGHTLY

EVENINGS = 10_000 if NIGHTLY else 25


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_an_evening_goes_on_whatever_happens(seed, tmp_path, monkeypatch):
    evening = Evening(seed, tmp_path, monkeypatch)
    try:
        evening.run()
    except BaseException as error:
        error.add_note(f"seed {seed}, after {evening.happened}")
        raise
