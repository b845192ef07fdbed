"""The journal: what happened, on disk before anyone is shown it.

One SQLite file in write-ahead mode, synced at every commit. A record is never changed: the state of
a game is what its records add up to. Each record carries the hash of the one before, so that a
change made afterwards shows. A failed write or sync is never tried again, since the system may
have dropped the data meanwhile: the journal refuses everything from then on, until it is opened
again and reads what is really there.

What is acknowledged lies where the next start looks for it: what somebody has deleted, moved or
overwritten meanwhile is written anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, cast

from firmware_bridge.journal.file import FILE, JournalDamaged, StorageFailed, damaged, fold
from firmware_bridge.journal.harm import Harm
from firmware_bridge.journal.open_file import OpenFile
from firmware_bridge.messages.records import BESIDE, Record, RecordKind

_LOG = logging.getLogger(__name__)
_SUMMARIES = """
SELECT id, begun, first.t_ms, first.kind, first.data, first.hash,
    last.seq, last.t_ms, last.kind, last.data, last.hash, before.hash FROM games
JOIN records AS first ON first.game = number AND first.seq = 1
JOIN records AS last ON last.game = number AND {last} AND last.seq =
    (SELECT max(seq) FROM records WHERE game = number AND kind NOT IN ({passing}))
LEFT JOIN records AS before ON before.game = number AND before.seq = last.seq - 1
WHERE number BETWEEN ? AND ? ORDER BY number DESC
"""
"""Games whose last record, but for some that change nothing, is of a certain kind."""
_LEFT = "last.kind != 'ended' AND number < (SELECT max(number) FROM games) AND "
"""Its kind where another game was begun before the end."""
_PLAYED = "EXISTS (SELECT 1 FROM records WHERE game = number AND kind = 'taken')"
_SAID_LAST = """
(SELECT said FROM (SELECT seq, kind, CASE WHEN kind = 'call' AND json_valid(data)
        THEN json_extract(data, '$.what') END AS said FROM records WHERE game = number)
    WHERE kind IN ('taken', 'ended') OR said IN ('adjourn', 'resume') ORDER BY seq DESC LIMIT 1)
"""
"""Whether it rests (`adjourn`), whatever was said since then that does not carry it on."""

PORTION = 200
"""Games that are looked at without letting a turn be written down: a press waits no longer."""
FOLDED_AFTER = 20
"""Turns after which the log is taken into the file at the latest."""
_RESTS = ("start", "pause", "adjourn")


@dataclass(frozen=True, slots=True)
class Summary:
    """A game that is over, adjourned or broken off, without what happened in it.

    Attributes:
        begun: when it began (UTC, ISO 8601).
        agreement: what was agreed, as its first record says.
        last: what its last record says: `winner`, `reason` and `rated` of a game that is over,
            nothing of one that was broken off.
    """

    id: str
    begun: str
    agreement: Mapping[str, object]
    last: Mapping[str, Any]


class Journal:
    """The games of one board, in a folder that is made if need be, for this user alone.

    Raises:
        StorageFailed: when the folder or file cannot be used, or another service uses it.
        JournalDamaged: when the file is no journal, or one of a newer version.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE
        self._lock = threading.Lock()
        self._failure: str | None = None
        self._tails: dict[str, tuple[int, int, bytes]] = {}
        self._latest = ""  # the game that goes on
        self._acknowledged: list[Record] = []  # of it
        self._since_checkpoint = 0  # turns
        self._file = OpenFile(self.path)

    @property
    def _database(self) -> sqlite3.Connection:
        return self._file.database

    def take_harm(self) -> Harm | None:
        """Return what has been wrong with the files since this was asked last, if anything."""
        harm, self._file.harm = self._file.harm, None
        return harm

    def new_game(self) -> str:
        """Return an id for a game to come; it stands in the journal from its first record on."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        return f"{stamp}-{secrets.token_hex(3)}"

    def append(self, game: str, records: Sequence[Record]) -> None:
        """Write records down; when this returns they are on disk, with all before them.

        Without any records it is only seen to it that what was written down still is.

        Raises:
            StorageFailed: when they may not be; nothing is written any more from then on.
        """
        with self._writing():
            if not records:
                return
            self._attend_to(game)
            tail = self._write(game, records)
            self._fold(records)
            self._tails[game] = tail
            self._acknowledged += records

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Let nobody else in, let the files be ours before and after, and say what is the matter.

        Raises:
            StorageFailed: when anything fails; nothing is written any more from then on.
        """
        with self._lock:
            if self._failure:
                raise StorageFailed(self._failure)
            try:
                if not self._file.holds(self._all_in):
                    self._lay_anew()
                yield
                if not self._file.in_place():
                    self._lay_anew()
            except (sqlite3.Error, UnicodeError, OSError) as error:
                raise self._failed(error) from error
            except (StorageFailed, JournalDamaged) as error:
                self._failure = str(error)
                raise StorageFailed(self._failure) from error
            self._file.left()

    def _lay_anew(self) -> None:
        """Write down anew what was acknowledged, at least of the game that goes on."""
        self._file.lay_anew(self._all_in)
        self._tails.clear()
        self._write_again()
        _LOG.error("%s It was written anew.", self._file.harm.text if self._file.harm else "")

    def _all_in(self, database: sqlite3.Connection) -> bool:
        """Return whether everything is in there that was written down while this was open."""
        query = "SELECT hash FROM records WHERE game = ? AND seq = ?"
        ends = self._tails.values()
        return all(
            database.execute(query, (number, seq)).fetchone() == (digest,)
            for number, seq, digest in ends
        )

    def _attend_to(self, game: str) -> None:
        """Remember from now on what is written down of a game."""
        if game != self._latest:
            number = self._number(game)
            self._acknowledged = list(self._checked(game, number)) if number else []
            self._latest = game

    def _write_again(self) -> None:
        """Write what was acknowledged of the game that goes on, where it is not in the file.

        Raises:
            JournalDamaged: when something else is there.
        """
        number, known = self._number(self._latest), self._acknowledged
        there = list(self._checked(self._latest, number)) if number else []
        if any(map(_differ, there, known)):
            raise damaged(f"{self.path} tells game {self._latest} in another way.")
        if missing := known[len(there) :]:
            self._tails[self._latest] = self._write(self._latest, missing)
        self._acknowledged = [*there, *missing]

    def read(self, game: str) -> tuple[Record, ...]:
        """Return the records of a game, in order.

        Raises:
            KeyError: when there is no such game.
            JournalDamaged: when a record is missing or was changed.
        """
        with self._reading():
            number = self._number(game)
            if number is None:
                raise KeyError(game)
            return tuple(self._checked(game, number))

    def with_letters(self, line: str) -> str | None:
        """Return the game with somebody far away that these letters are of, if it is here."""
        query = (
            "SELECT id FROM games JOIN records ON game = number AND seq = 1 "
            "WHERE json_extract(data, '$.line') = ? ORDER BY number DESC LIMIT 1"
        )
        with self._reading():
            row = self._database.execute(query, (line,)).fetchone()
        return None if row is None else cast("str", row[0])

    def finished(self, most: int) -> tuple[Summary, ...]:
        """Return the newest games that are over, at most so many, the newest first."""
        query = _SUMMARIES.format(last="last.kind = 'ended'", passing=_quoted(*BESIDE))
        return self._summaries(query, most)

    def adjourned(self, most: int) -> tuple[Summary, ...]:
        """Return the newest games that are adjourned, at most so many, the newest first."""
        last = f"last.kind != 'ended' AND {_SAID_LAST} = 'adjourn'"
        return self._summaries(_SUMMARIES.format(last=last, passing=_quoted(*BESIDE)), most)

    def broken_off(self, most: int) -> tuple[Summary, ...]:
        """Return the newest games in which turns were made, and that nobody can go on with."""
        last = f"{_LEFT}{_PLAYED} AND {_SAID_LAST} IS NOT 'adjourn'"
        query = _SUMMARIES.format(last=last, passing=_quoted(*BESIDE))
        return tuple(replace(summary, last={}) for summary in self._summaries(query, most))

    def far_away(self, most: int) -> tuple[Summary, ...]:
        """Return the newest games with somebody far away that another one has interrupted."""
        last = _LEFT + "json_extract(first.data, '$.line') != ''"
        query = _SUMMARIES.format(last=last, passing=_quoted(*BESIDE))
        return self._summaries(query, most)

    def _summaries(self, query: str, most: int) -> tuple[Summary, ...]:
        """Return the newest games that a query finds."""
        return tuple(islice(self._intact(query), most))

    def _intact(self, query: str) -> Iterator[Summary]:
        """Yield games but damaged ones, the newest first, and let others write in between."""
        with self._reading():
            (newest,) = self._database.execute("SELECT max(number) FROM games").fetchone()
        for last in range(newest or 0, 0, -PORTION):
            with self._reading():
                rows = self._database.execute(query, (last - PORTION + 1, last)).fetchall()
            for row in rows:
                summary = _summary(*row)
                if summary is None:
                    _LOG.error("game %s in %s was damaged and is left out", row[0], self.path)
                else:
                    yield summary

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Let nobody else in, and say in words what a broken file says in codes."""
        with self._lock:
            try:
                yield
            except (sqlite3.OperationalError, sqlite3.ProgrammingError) as error:  # or is closed
                raise StorageFailed(
                    f"The journal {self.path} cannot be read: {error}. Check the disk or card."
                ) from error
            except (sqlite3.DatabaseError, ValueError) as error:  # no table, or no JSON in it
                raise damaged(f"{self.path} is broken ({error}).") from error

    def take_up(self, game: str) -> None:
        """Make a game the newest one again: that is the one to go on with after a restart.

        Its records stay as they are.

        Raises:
            KeyError: when there is no such game.
            StorageFailed: when that cannot be written down.
        """
        with self._writing():
            self._renumber(self._to_change(game))
            self._tails.pop(game, None)

    def delete(self, game: str) -> None:
        """Forget a game for good: nothing of it is left in the file.

        Raises:
            KeyError: when there is no such game.
            StorageFailed: when that cannot be done.
        """
        with self._writing():
            number = self._to_change(game)
            self._database.execute("PRAGMA secure_delete = ON")
            with _transaction(self._database) as database:
                database.execute("DELETE FROM records WHERE game = ?", (number,))
                database.execute("DELETE FROM games WHERE number = ?", (number,))
            self._tails.pop(game, None)
            if game == self._latest:
                self._latest, self._acknowledged = "", []

    def _to_change(self, game: str) -> int:
        """Return the number of a game that is about to be changed as a whole.

        Raises:
            KeyError: when there is no such game.
        """
        number = self._number(game)
        if number is None:
            raise KeyError(game)
        return number

    def _renumber(self, number: int) -> None:
        with _transaction(self._database) as database:
            database.execute("PRAGMA defer_foreign_keys = ON")
            (newest,) = database.execute("SELECT max(number) FROM games").fetchone()
            for table, column in (("games", "number"), ("records", "game")):
                update = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"  # noqa: S608
                database.execute(update, (newest + 1, number))

    def _failed(self, error: Exception) -> StorageFailed:
        """Write nothing any more from now on; return what is the matter."""
        self._failure = (
            f"The game could not be written down in {self.path}: {error}. "
            "Make room or check the disk or card."
        )
        return StorageFailed(self._failure)

    def last_game(self) -> tuple[str, tuple[Record, ...]] | None:
        """Return the newest game with its records: it was on the table last.

        Raises:
            JournalDamaged: when a record of it is missing or was changed.
        """
        newest_game = "SELECT number, id FROM games ORDER BY number DESC LIMIT 1"
        with self._reading():
            row = self._database.execute(newest_game).fetchone()
            if row is None:
                return None
            number, game = row
            records = tuple(self._checked(game, number))
            self._latest, self._acknowledged = game, list(records)
        return (game, records) if records else None

    def open_again(self) -> None:
        """After a write failed, read what is on disk now, and take what is to be written again.

        Raises:
            StorageFailed: when nothing can be written yet.
            JournalDamaged: when the file is no journal any more.
        """
        with self._lock:
            if self._file.closed:
                raise StorageFailed(str(self._failure))
            try:
                if self._file.in_place():
                    self._file.open_again()
                    self._tails.clear()
                    self._write_again()
                else:
                    self._lay_anew()
            except (sqlite3.Error, UnicodeError, OSError) as error:
                raise self._failed(error) from error
            self._file.left()
            self._failure = None

    def close(self) -> None:
        """Close the file and let another service use it. Idempotent."""
        with suppress(StorageFailed):
            self.append(self._latest, ())  # what was written down still is
        with self._lock:
            self._failure = self._failure or "The journal has been closed."
            self._file.close()

    def _write(self, game: str, records: Sequence[Record]) -> tuple[int, int, bytes]:
        number, seq, digest = self._tails.get(game) or self._tail(game)
        with _transaction(self._database) as database:
            if number == 0:
                begun = datetime.now(UTC).isoformat(timespec="seconds")
                insert = "INSERT INTO games (id, begun) VALUES (?, ?)"
                number = cast("int", database.execute(insert, (game, begun)).lastrowid)
            for record in records:
                seq += 1
                text = _canonical(record)
                digest = _chain(digest, f"{seq}\n{record.t_ms}\n{record.kind}\n{text}")
                row = (number, seq, record.t_ms, record.kind, text, digest)
                database.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", row)
        return number, seq, digest

    def _fold(self, records: Sequence[Record]) -> None:
        """Take the log into the file where a game begins, rests and ends, and now and then."""
        self._since_checkpoint += sum(record.kind == "taken" for record in records)
        rests = any(
            record.kind == "call" and record.data.get("what") in _RESTS for record in records
        )
        borders = {"begun", "ended"} & {record.kind for record in records}
        if rests or borders or self._since_checkpoint >= FOLDED_AFTER:
            fold(self._database)
            self._since_checkpoint = 0

    def _tail(self, game: str) -> tuple[int, int, bytes]:
        """Return number of the game, number of its last record, and that record's hash."""
        number = self._number(game)
        if number is None:
            return 0, 0, game.encode()
        query = "SELECT seq, hash FROM records WHERE game = ? ORDER BY seq DESC LIMIT 1"
        seq, digest = self._database.execute(query, (number,)).fetchone() or (0, game.encode())
        return number, seq, digest

    def _number(self, game: str) -> int | None:
        query = "SELECT number FROM games WHERE id = ?"
        row = self._database.execute(query, (game,)).fetchone()
        return None if row is None else cast("int", row[0])

    def _checked(self, game: str, number: int) -> Iterator[Record]:
        query = "SELECT seq, t_ms, kind, data, hash FROM records WHERE game = ? ORDER BY seq"
        digest = game.encode()
        rows = self._database.execute(query, (number,)).fetchall()  # an open query locks the file
        for expected, (seq, t_ms, kind, text, stored) in enumerate(rows, start=1):
            digest = _chain(digest, f"{expected}\n{t_ms}\n{kind}\n{text}")
            if seq != expected or digest != stored:
                raise JournalDamaged(
                    f"Record {expected} of game {game} in {self.path} is missing or was changed. "
                    "All other games can be read."
                )
            yield Record(t_ms, cast("RecordKind", kind), json.loads(text))


def _summary(  # noqa: PLR0913, PLR0917 - a row of `_SUMMARIES`
    name: str,
    begun: str,
    first_t: int,
    first_kind: str,
    agreement: str,
    first_hash: bytes,
    seq: int,
    last_t: int,
    last_kind: str,
    last: str,
    last_hash: bytes,
    before: bytes | None,
) -> Summary | None:
    """Return a game as its first and last record tell it, unless one of them was changed."""
    opening = _chain(name.encode(), f"1\n{first_t}\n{first_kind}\n{agreement}")
    closing = _chain(before or name.encode(), f"{seq}\n{last_t}\n{last_kind}\n{last}")
    if opening != first_hash or closing != last_hash:
        return None
    return Summary(name, begun, json.loads(agreement), json.loads(last))


def newest(directory: Path) -> tuple[Record, ...]:
    """Return the newest game in a folder, also while a service writes it.

    Nothing, where there is none.

    Raises:
        StorageFailed: when the journal cannot be read.
    """
    path = directory / FILE
    if not path.exists():
        return ()
    query = (
        "SELECT t_ms, kind, data FROM records WHERE game = (SELECT max(number) FROM games) "
        "ORDER BY seq"
    )
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise StorageFailed(f"The journal {path} cannot be read: {error}.") from error
    return tuple(Record(t_ms, kind, json.loads(data)) for t_ms, kind, data in rows)


def _quoted(*kinds: RecordKind) -> str:
    return ", ".join(f"'{kind}'" for kind in kinds)


def _canonical(record: Record) -> str:
    return json.dumps(record.data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _differ(one: Record, other: Record) -> bool:
    told, again = ((each.t_ms, each.kind, _canonical(each)) for each in (one, other))
    return told != again


def _chain(before: bytes, line: str) -> bytes:
    """Return the hash of a record, which seals all records before it as well."""
    return hashlib.sha256(before + line.encode()).digest()


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Write all or nothing; of what fails the first error counts, not that of rolling back."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            if database.in_transaction:  # SQLite has not rolled back itself
                database.execute("ROLLBACK")
        raise
