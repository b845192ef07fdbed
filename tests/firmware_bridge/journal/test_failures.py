"""Every write, truncation and sync failing once: nothing acknowledged is lost, nothing goes on."""

import pytest

from firmware_bridge.journal import Journal, StorageFailed, file
from firmware_bridge.messages.records import Record
from tests.firmware_bridge.journal.faulty_disk import (
    FAILED_SYNC,
    FAILED_WRITE,
    FULL,
    SYNC,
    TRUNCATE,
    WRITE,
    FaultyDisk,
)

TURNS = 6


def record(number):
    return Record(number, "taken", {"turn": f"turn-{number}", "filler": "x" * 900})


def opened(folder):
    """Return a journal that has been written to, and checkpoints often."""
    journal = Journal(folder)
    journal._database.execute("PRAGMA wal_autocheckpoint = 4")
    game = journal.new_game()
    journal.append(game, [record(0)])
    return journal, game


def write_until_it_fails(journal, game):
    """Append turns; return the numbers of those acknowledged and of the one that failed."""
    for number in range(1, TURNS + 1):
        try:
            journal.append(game, [record(number)])
        except StorageFailed:
            return number - 1, number
    return TURNS, None


def operations(folder):
    journal, game = opened(folder)
    disk = FaultyDisk(journal._database)
    write_until_it_fails(journal, game)
    journal.close()
    return disk.count


def test_the_disk_under_test_is_the_real_one(tmp_path):
    """One turn is one synced commit, and now and then a checkpoint reaches the main file."""
    journal, game = opened(tmp_path)
    syncs = FaultyDisk(journal._database, only=(SYNC,))
    write_until_it_fails(journal, game)
    journal.close()
    assert syncs.count >= TURNS
    assert operations(tmp_path / "again") > 3 * TURNS


@pytest.mark.parametrize(
    ("error", "only"),
    [
        (FAILED_WRITE, (WRITE, TRUNCATE)),
        (FULL, (WRITE, TRUNCATE)),
        (FAILED_SYNC, (SYNC,)),
    ],
    ids=["write", "full", "sync"],
)
def test_whichever_operation_fails_nothing_acknowledged_is_lost(tmp_path, error, only):
    failures = 0
    for fail_at in range(1, operations(tmp_path / "count") + 1):
        folder = tmp_path / str(fail_at)
        journal, game = opened(folder)
        disk = FaultyDisk(journal._database, fail_at, error, only)
        acknowledged, failed = write_until_it_fails(journal, game)
        if failed is not None:
            failures += 1
            with pytest.raises(StorageFailed, match="could not be written down"):
                journal.append(game, [record(99)])
        goes_on = failed is not None and fail_at % 2
        if goes_on:
            journal.open_again()
            journal.append(game, [record(len(journal.read(game)))])
        journal.close()
        if disk.count < fail_at:
            break
        again = Journal(folder)
        found = again.read(game)
        again.close()
        assert found == tuple(record(number) for number in range(len(found)))
        assert acknowledged + 1 <= len(found) <= (failed or acknowledged) + 1 + bool(goes_on)
    assert failures >= TURNS


def test_after_a_failed_sync_nothing_is_tried_again(tmp_path):
    journal, game = opened(tmp_path)
    disk = FaultyDisk(journal._database, 1, FAILED_SYNC, (SYNC,))
    with pytest.raises(StorageFailed):
        journal.append(game, [record(1)])
    done = disk.count
    for _ in range(3):
        with pytest.raises(StorageFailed):
            journal.append(game, [record(1)])
    assert disk.count == done
    journal.close()


def test_a_disk_that_is_still_full_is_no_journal_to_go_on_with(tmp_path, monkeypatch):
    journal, game = opened(tmp_path)
    disk = FaultyDisk(journal._database, 1, FULL, (WRITE,))  # lives as long as the file is open
    with pytest.raises(StorageFailed):
        journal.append(game, [record(1)])
    with monkeypatch.context() as patch:
        full = ("PRAGMA journal_mode = WAL", "PRAGMA query_only = ON")
        patch.setattr(file, "_SETTINGS", full)
        with pytest.raises(StorageFailed, match="cannot be"):
            journal.open_again()
    with pytest.raises(StorageFailed, match="could not be written down"):
        journal.append(game, [record(1)])
    with pytest.raises(StorageFailed):
        journal.read(game)
    journal.open_again()
    journal.append(game, [record(1)])
    assert len(journal.read(game)) == 2
    journal.close()
    with pytest.raises(StorageFailed, match="closed"):
        journal.open_again()
    assert disk.count
