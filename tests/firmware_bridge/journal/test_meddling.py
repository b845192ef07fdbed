"""Whoever deletes, moves or overwrites the journal under a running service costs nobody a turn."""

import os
import shutil
from contextlib import closing

import pytest

from firmware_bridge.journal import Journal, StorageFailed
from firmware_bridge.journal.file import own
from firmware_bridge.messages.records import Record
from tests.firmware_bridge.journal.meddling import MOVED, OVERWRITTEN, delete_all, delete_lock

PAST, TURNS = 3, 7


def turn(number, game=""):
    return Record(number, "taken", {"turn": f"e2e4 {game}", "filler": "x" * 300})


class Evening:
    """A journal with past games and one that goes on, and an earlier copy of its files."""

    def __init__(self, root):
        self.folder, self.earlier, self.root = root / "data", root / "earlier", root
        self.journal = Journal(self.folder)
        self.past = [f"past-{number}" for number in range(PAST)]
        for game in self.past:
            self.journal.append(game, [turn(number, game) for number in range(30)])
            self.journal.append(game, [Record(99, "ended", {})])
            if not self.earlier.exists():
                shutil.copytree(self.folder, self.earlier)
        self.made = 0
        for _ in range(TURNS):
            self.play()

    def play(self):
        self.journal.append("on", [turn(self.made)])
        self.made += 1

    def after_a_kill(self):
        """Return the journal as the next start finds it, if the power fails now."""
        there = self.root / "killed"
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(self.folder, there)
        (there / "journal.sqlite-shm").unlink(missing_ok=True)
        return closing(Journal(there))

    def check(self, games):
        whole = tuple(turn(number) for number in range(self.made))
        with self.after_a_kill() as found:
            assert found.take_harm() is None
            assert found.last_game() == ("on", whole)
            for game in games:
                assert len(found.read(game)) == 31
                assert found.read(game)[:30] == tuple(turn(number, game) for number in range(30))


@pytest.fixture
def evening(tmp_path):
    evening = Evening(tmp_path)
    yield evening
    evening.journal.close()


def name(meddle):
    return meddle.__name__


@pytest.mark.parametrize("meddle", MOVED, ids=name)
def test_what_was_moved_or_deleted_is_written_again_whole(evening, meddle):
    for _ in range(3):
        meddle(evening.folder, evening.earlier)
        evening.play()
        evening.check(evening.past)
    harm = evening.journal.take_harm()
    assert harm.kind == ("anew" if harm.copy else "gone")
    assert evening.journal.take_harm() is None
    evening.play()
    assert evening.journal.take_harm() is None


@pytest.mark.parametrize("meddle", OVERWRITTEN, ids=name)
def test_what_was_overwritten_costs_the_game_that_goes_on_no_turn(evening, meddle):
    meddle(evening.folder, evening.earlier)
    evening.play()
    harm = evening.journal.take_harm()
    assert harm.kind in {"anew", "lost"}, harm
    assert harm.copy.is_dir()
    evening.check(evening.past if harm.kind == "anew" else ())
    evening.play()
    evening.check(evening.past if harm.kind == "anew" else ())


def test_a_backup_that_is_put_back_over_the_file_brings_its_games(evening):
    shutil.copyfile(evening.earlier / "journal.sqlite", evening.folder / "journal.sqlite")
    evening.play()
    evening.check(evening.past[:1])


@pytest.mark.parametrize("meddle", MOVED, ids=name)
@pytest.mark.parametrize("after", ["_write", "_fold"])
def test_it_may_happen_in_the_middle_of_writing(evening, meddle, after, monkeypatch):
    real = getattr(Journal, after)

    def and_meddle(journal, *arguments):
        result = real(journal, *arguments)
        if journal is evening.journal and not done:
            done.append(meddle(evening.folder, evening.earlier))
        return result

    done = []
    monkeypatch.setattr(Journal, after, and_meddle)
    evening.play()
    evening.check(evening.past)


@pytest.mark.parametrize("meddle", [*MOVED, *OVERWRITTEN], ids=name)
def test_nothing_need_be_written_for_it_to_be_noticed(evening, meddle):
    meddle(evening.folder, evening.earlier)
    evening.journal.append("on", ())
    evening.check(())
    assert evening.journal.take_harm()


@pytest.mark.parametrize("meddle", MOVED, ids=name)
def test_a_service_that_is_told_to_end_leaves_everything(evening, meddle):
    meddle(evening.folder, evening.earlier)
    evening.journal.close()
    evening.check(evening.past)


def test_files_that_are_only_touched_are_left_as_they_are(evening):
    for file in evening.folder.glob("journal.sqlite*"):
        os.utime(file)
    evening.play()
    assert evening.journal.take_harm() is None
    assert not list(evening.folder.glob("damaged-*"))
    evening.check(evening.past)


def test_a_file_that_cannot_be_written_again_is_told_of_and_written_later(evening):
    delete_all(evening.folder, evening.earlier)
    evening.folder.rmdir()
    evening.folder.write_text("a file where the folder was")
    with pytest.raises(StorageFailed, match="could not be written down"):
        evening.journal.append("on", [turn(evening.made)])
    with pytest.raises(StorageFailed):
        evening.journal.open_again()
    evening.folder.unlink()
    evening.journal.open_again()
    evening.play()
    evening.check(evening.past)


def test_a_folder_that_another_service_has_taken_meanwhile_is_left_to_it(evening):
    delete_lock(evening.folder, evening.earlier)
    with own(evening.folder), pytest.raises(StorageFailed, match="Another firmware-bridge"):
        evening.play()
    evening.journal.open_again()
    evening.play()
    evening.check(evening.past)
