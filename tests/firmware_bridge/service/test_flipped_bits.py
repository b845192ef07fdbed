"""Whichever bit of the journal is flipped: each start goes on or says why not, and shows it."""

import shutil
from random import Random

import pytest

from firmware_bridge.journal import Journal, JournalDamaged, StorageFailed
from firmware_bridge.messages import Call
from tests.firmware_bridge.service.desk_help import desk_at
from tests.nightly import NIGHTLY

BITS = 200 if NIGHTLY else 30
TURNS = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4")


@pytest.fixture
async def killed(tmp_path):
    """The files of a service that is killed: a game that is over, an adjourned one, and a third."""
    running, killed = tmp_path / "running", tmp_path / "killed"
    async with desk_at(running, game="mockery") as hands:
        for end in ("resign", "adjourn", ""):
            await hands.begin(*TURNS)
            if end:
                await hands.controller.submit(Call(hands.t, end, "black"))
                await hands.controller.begin(hands.controller.agreement)
        shutil.copytree(running, killed)
        before = hands.controller.table.records
    (killed / "journal.sqlite-shm").unlink()
    return killed, before


@pytest.mark.parametrize("part", ["journal.sqlite", "journal.sqlite-wal"])
async def test_every_flipped_bit_is_told_or_harmless(killed, part, tmp_path):
    folder, before = killed
    whole, random = (folder / part).read_bytes(), Random(part)
    assert whole
    for number in range(BITS):
        bit = random.randrange(len(whole) * 8)
        harmed = bytearray(whole)
        harmed[bit // 8] ^= 1 << bit % 8
        here = tmp_path / str(number)
        shutil.copytree(folder, here)
        (here / part).write_bytes(harmed)
        try:
            journal = Journal(here)
        except (JournalDamaged, StorageFailed):
            continue
        told = journal.take_harm() is not None
        journal.close()
        async with desk_at(here, game="mockery") as hands:
            controller = hands.controller
            await controller.archive.finished()
            await controller.archive.adjourned()
            kept = controller.table.records[: len(before)] == before
            told |= "page-game-damaged" in hands.said()
            assert kept or told, bit
            await hands.set_up()
