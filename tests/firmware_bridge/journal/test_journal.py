import json
import shutil
import sqlite3
import stat
from threading import Thread

import pytest

from firmware_bridge.journal import FILE, Journal, JournalDamaged, StorageFailed
from firmware_bridge.journal import journal as listing
from firmware_bridge.messages.records import Record, is_over
from tests.nightly import NIGHTLY
from tests.patience import PATIENCE

BLOCK = 512
TURN = Record(1_000, "taken", {"turn": "e2e4", "public": "e2e4"})


def record(number):
    return Record(number, "taken", {"turn": f"turn-{number}", "für": "später"})


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "games"


@pytest.fixture
def journal(folder):
    opened = Journal(folder)
    yield opened
    opened.close()


def test_what_is_written_is_read_back_in_order(journal):
    game = journal.new_game()
    journal.append(game, [record(1), record(2)])
    journal.append(game, [record(3)])
    assert journal.read(game) == (record(1), record(2), record(3))


def test_games_are_kept_apart(journal):
    first, second = journal.new_game(), journal.new_game()
    journal.append(first, [record(1)])
    journal.append(second, [record(2), record(3)])
    journal.append(first, [record(4)])
    assert journal.read(first) == (record(1), record(4))
    assert journal.read(second) == (record(2), record(3))
    assert journal.last_game() == (second, (record(2), record(3)))


def test_the_last_game_is_found_whatever_has_come_of_it(journal):
    assert journal.last_game() is None
    game = journal.new_game()
    journal.append(game, [record(1)])
    journal.append(game, [Record(2, "ended", {"winner": None, "reason": "stalemate"})])
    journal.append(game, [Record(2, "opened", {"address": "127.0.0.1"})])
    assert is_over(journal.last_game()[1])
    journal.append(game, [Record(3, "amended", {"turn": "e2e3"})])
    assert not is_over(journal.last_game()[1])


def test_who_lists_games_lets_a_turn_be_written_down_meanwhile(journal, monkeypatch):
    """A press waits for it: of ten thousand games the list takes seconds."""
    monkeypatch.setattr(listing, "PORTION", 2)
    names = [journal.new_game() for _ in range(5)]
    for game in names:
        journal.append(game, [Record(2, "ended", {"winner": None, "reason": "stalemate"})])
    told, written = listing._summary, []

    def meanwhile(*row):
        writer = Thread(target=journal.append, args=(names[0], [Record(3, "opened")]), daemon=True)
        writer.start()
        writer.join(PATIENCE)
        written.append(not writer.is_alive())
        return told(*row)

    monkeypatch.setattr(listing, "_summary", meanwhile)
    assert [game.id for game in journal.finished(4)] == names[:0:-1]
    assert written == [True] * 4


def test_a_journal_is_found_again_after_closing(folder):
    journal = Journal(folder)
    game = journal.new_game()
    journal.append(game, [TURN])
    journal.close()
    journal.close()
    again = Journal(folder)
    again.append(game, [record(2)])
    assert again.read(game) == (TURN, record(2))
    again.close()


def test_nothing_is_written_after_closing(folder):
    journal = Journal(folder)
    journal.close()
    with pytest.raises(StorageFailed, match="closed"):
        journal.append("game", [TURN])


def test_only_its_owner_can_read_it(journal):
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(journal.path.parent.stat().st_mode) == 0o700


def test_two_services_cannot_share_a_folder(journal, folder):
    with pytest.raises(StorageFailed, match="Another firmware-bridge"):
        Journal(folder)


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageFailed, match="cannot be used"):
        Journal(tmp_path / "file" / "games")


def test_a_file_that_is_no_journal_is_left_alone(folder):
    folder.mkdir()
    (folder / FILE).write_bytes(b"a diary of another kind" * 300)
    with pytest.raises(JournalDamaged, match="no journal"):
        Journal(folder)
    assert (folder / FILE).read_bytes().startswith(b"a diary")


def test_a_journal_of_a_newer_version_is_refused(folder):
    Journal(folder).close()
    database = sqlite3.connect(folder / FILE)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(JournalDamaged, match="newer version"):
        Journal(folder)


def test_an_unknown_game_is_no_game(journal):
    with pytest.raises(KeyError):
        journal.read("none")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE records SET data = replace(data, 'turn-2', 'turn-9') WHERE seq = 2",
        "UPDATE records SET t_ms = 7 WHERE seq = 2",
        "UPDATE records SET kind = 'call' WHERE seq = 2",
        "UPDATE records SET data = '{' WHERE seq = 2",
        "DELETE FROM records WHERE seq = 2",
        "UPDATE records SET hash = x'00' WHERE seq = 2",
    ],
)
def test_a_change_made_afterwards_shows(folder, change):
    journal = Journal(folder)
    game = journal.new_game()
    journal.append(game, [record(number) for number in (1, 2, 3)])
    journal.close()
    database = sqlite3.connect(folder / FILE)
    database.execute(change)
    database.commit()
    database.close()
    again = Journal(folder)
    with pytest.raises(JournalDamaged, match="Record 2 of game"):
        again.read(game)
    again.close()


def test_a_commit_is_synced_not_only_written(journal):
    database = journal._database
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


@pytest.mark.timeout(3600 if NIGHTLY else 300)
def test_every_byte_prefix_of_the_log_holds_an_acknowledged_game(folder, tmp_path):
    """A power cut may leave any beginning of the file: records are there whole, or not at all."""
    journal = Journal(folder)
    game = journal.new_game()
    journal._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    log = folder / f"{FILE}-wal"
    sizes = []
    for number in range(1, 5):
        journal.append(game, [record(number)])
        sizes.append(log.stat().st_size)
    main, written = (folder / FILE).read_bytes(), log.read_bytes()
    journal.close()
    seen = set()
    near = {max(0, size + around) for size in sizes for around in (-1, 0, 1)}
    cuts = sorted({0, *near, *range(0, len(written), 1 if NIGHTLY else 997)} - {len(written) + 1})
    for tail in (b"", bytes(600), b"\xa5" * 600):
        for cut in cuts:
            acknowledged = sum(size <= cut for size in sizes)
            found = recovered(tmp_path / "cut", main, written[:cut] + tail, game)
            assert found == tuple(record(n) for n in range(1, len(found) + 1))
            assert len(found) >= acknowledged
            seen.add(len(found))
    assert seen == {0, 1, 2, 3, 4}


def recovered(folder, main, log, game):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / FILE).write_bytes(main)
    (folder / f"{FILE}-wal").write_bytes(log)
    journal = Journal(folder)
    try:
        return journal.read(game)
    except KeyError:
        return ()
    finally:
        journal.close()


def test_records_stand_as_json_that_people_can_read(journal):
    game = journal.new_game()
    journal.append(game, [record(1)])
    (text,) = journal._database.execute("SELECT data FROM records").fetchone()
    assert json.loads(text) == {"turn": "turn-1", "für": "später"}
    assert "später" in text


def test_whichever_part_of_the_file_is_broken_is_noticed_or_does_not_matter(tmp_path):
    """Each block is overwritten once, as a dying card does: never another game or a traceback."""
    journal = Journal(tmp_path)
    game = journal.new_game()
    written = tuple(Record(n, "taken", {"turn": f"t{n}", "filler": "x" * 700}) for n in range(12))
    journal.append(game, written)
    journal.close()
    sound = journal.path.read_bytes()
    noticed = []
    for place in range(0, len(sound), BLOCK):
        broken = sound[:place] + b"\xfe" * BLOCK + sound[place + BLOCK :]
        journal.path.write_bytes(broken)
        again = None
        try:
            again = Journal(tmp_path)
            assert again.last_game() == (game, written)
        except (JournalDamaged, StorageFailed) as error:
            noticed.append(str(error))
        finally:
            if again:
                again.close()
    assert len(noticed) > len(sound) // BLOCK // 2
    assert all(str(tmp_path) in told for told in noticed)
    assert all(
        told.endswith((" card.", "begin a new one.", "to read it.", "can be read."))
        for told in noticed
    )
