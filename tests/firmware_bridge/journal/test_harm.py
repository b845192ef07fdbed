"""A damaged journal is told of, with what was kept, and its files are put aside."""

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.journal.harm import put_aside
from firmware_bridge.journal.journal import FOLDED_AFTER
from firmware_bridge.messages.records import Record

TURNS = FOLDED_AFTER - 2


def turn(number):
    return Record(number, "taken", {"turn": "e2e4", "filler": "x" * 50})


def played(folder, turns=TURNS, then=()):
    """Return the game and its files as a service leaves them that is killed."""
    journal = Journal(folder / "running")
    game = journal.new_game()
    for number in range(turns):
        journal.append(game, [turn(number)])
    for record in then:
        journal.append(game, [record])
    killed = folder / "killed"
    shutil.copytree(folder / "running", killed)
    (killed / "journal.sqlite-shm").unlink()
    journal.close()
    return game, killed


def log_of(folder):
    return folder / "journal.sqlite-wal"


def kept(folder, game):
    journal = Journal(folder)
    try:
        return len(journal.read(game)), journal.take_harm()
    except KeyError:
        return 0, journal.take_harm()
    finally:
        journal.close()


def test_a_service_that_was_killed_has_harmed_nothing(tmp_path):
    game, killed = played(tmp_path)
    assert log_of(killed).stat().st_size > 0
    assert kept(killed, game) == (TURNS, None)


def test_no_flipped_bit_in_the_log_shortens_a_game_in_silence(tmp_path):
    game, killed = played(tmp_path)
    whole = log_of(killed).read_bytes()
    random = Random(4)
    for number in range(60):
        bit = random.randrange(len(whole) * 8)
        harmed = bytearray(whole)
        harmed[bit // 8] ^= 1 << bit % 8
        folder = tmp_path / str(number)
        shutil.copytree(killed, folder)
        log_of(folder).write_bytes(bytes(harmed))
        turns, harm = kept(folder, game)
        assert turns == TURNS or harm is not None, bit
        if harm:
            assert "journal.sqlite-wal fail their check" in harm.text
            assert (harm.copy / "journal.sqlite-wal").read_bytes() == bytes(harmed)
            assert kept(folder, game) == (turns, None), "told once"


@pytest.mark.parametrize("lost", [1, 700, 4096 + 23, 4096 + 24])
def test_a_write_that_was_cut_off_was_never_acknowledged(tmp_path, lost):
    _, killed = played(tmp_path)
    whole = log_of(killed).read_bytes()
    log_of(killed).write_bytes(whole[:-lost])
    assert put_aside(killed / "journal.sqlite") is None


def test_a_file_that_is_shorter_than_its_header_says_is_told(tmp_path):
    _, killed = played(tmp_path, turns=300)
    log_of(killed).unlink(missing_ok=True)
    file = killed / "journal.sqlite"
    file.write_bytes(file.read_bytes()[:-4096])
    harm = put_aside(file)
    assert harm.text == "journal.sqlite is shorter than its header says."
    assert (harm.copy / "journal.sqlite").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("lose", [Path.unlink, lambda file: file.write_bytes(b"")])
def test_a_file_that_is_gone_or_empty_beside_its_log_is_told(tmp_path, lose):
    game, killed = played(tmp_path)
    log = log_of(killed).read_bytes()
    lose(killed / "journal.sqlite")
    turns, harm = kept(killed, game)
    assert (turns, harm.text) == (0, "journal.sqlite holds nothing, and its log does.")
    assert (harm.copy / "journal.sqlite-wal").read_bytes() == log


@pytest.mark.parametrize(
    ("turns", "then"),
    [
        (0, [Record(9, "begun", {})]),
        (0, [Record(9, "call", {"what": "start"})]),
        (5, [Record(9, "call", {"what": "pause"})]),
        (5, [Record(9, "call", {"what": "adjourn"})]),
        (5, [Record(9, "ended", {})]),
        (FOLDED_AFTER, []),
    ],
)
def test_where_a_game_begins_and_rests_and_every_so_many_turns_the_log_is_empty(
    tmp_path, turns, then
):
    game, killed = played(tmp_path, turns, then)
    assert log_of(killed).stat().st_size == 0
    assert kept(killed, game) == (turns + len(then), None)


def test_where_the_copy_cannot_be_written_nothing_is_opened(tmp_path, monkeypatch):
    _, killed = played(tmp_path)
    log = bytearray(log_of(killed).read_bytes())
    log[500] ^= 1
    log_of(killed).write_bytes(bytes(log))
    monkeypatch.setattr("shutil.copy2", no_room)
    with pytest.raises(StorageFailed, match="No space"):
        Journal(killed)
    assert log_of(killed).read_bytes() == bytes(log)


def no_room(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", ["journal.sqlite", "journal.sqlite-wal"])
def test_a_pipe_in_place_of_a_file_is_told_of_and_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(StorageFailed, match=f"{name} is no file"):
        Journal(tmp_path)
