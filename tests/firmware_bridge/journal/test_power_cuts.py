"""The power fails while the disk still holds writes back: what was acknowledged is kept."""

import os
import sys
from random import Random

import pytest

from tests.firmware_bridge.journal.lossy_card import LossyCard, lacking
from tests.firmware_bridge.journal.test_kills import found_as_acknowledged, killed
from tests.nightly import NIGHTLY
from tests.sample import SAMPLE

CUTS = 40 if NIGHTLY else 2
"""For each game."""
SURVIVAL = (0.0, 0.5)
"""How likely an unflushed write gets through, cut after cut: none does, or in any order."""

pytestmark = pytest.mark.skipif(bool(lacking()), reason=f"lacks {lacking()}")


@pytest.fixture
def card(tmp_path):
    return LossyCard(tmp_path)


def test_what_was_not_flushed_is_lost(card):
    with card:
        (card.place / "kept").write_text("kept")
        with (card.place / "kept").open() as kept:
            os.fsync(kept)
        (card.place / "lost").write_text("lost")
        child = os.fork()
        if child == 0:
            os._exit(0)
        assert card.cut(child, Random(1), survival=0) > 0
        os.waitpid(child, 0)
    with card:
        assert (card.place / "kept").read_text() == "kept"
        assert not (card.place / "lost").exists()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", SAMPLE)
def test_no_acknowledged_record_is_lost_with_writes_that_were_not_flushed(card, game):
    dice = Random(1)
    losses, records = [], []
    for seed in range(CUTS):
        survival = SURVIVAL[seed % len(SURVIVAL)]
        with card:
            last = killed(
                card.place,
                game,
                computers={},
                seed=seed,
                end=lambda process, s=survival: losses.append(card.cut(process, dice, s)),
            )
        with card:
            records.append(len(found_as_acknowledged(card.place, last)))
    sys.stdout.write(f"{game}: writes lost in each cut {losses}, records kept {records}\n")
