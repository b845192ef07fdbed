"""The journal's file: whose it is, what tables are in it, and what can be the matter with it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from firmware_bridge.journal.harm import move_aside

FILE, LOCK = "journal.sqlite", "journal.lock"
VERSION = 1  # of the tables below; a file with a higher one is refused
_SCHEMA = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    begun TEXT NOT NULL
) STRICT;
CREATE TABLE records (
    game INTEGER NOT NULL REFERENCES games (number),
    seq INTEGER NOT NULL,
    t_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
"""
_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
)


class StorageFailed(Exception):  # noqa: N818 - names what happened, as the players are told
    """Nothing can be written down any more; the message says why and what to do."""


class JournalDamaged(Exception):  # noqa: N818 - names what happened
    """What was written down is not what is there now; the message says where."""


def damaged(what: str) -> JournalDamaged:
    """Return the error for a file that is not to be relied on."""
    return JournalDamaged(f"{what} Keep it and move it away to begin a new one.")


@contextmanager
def usable(directory: Path) -> Iterator[None]:
    """Say in words what the system says when a folder cannot be used."""
    try:
        yield
    except OSError as error:
        raise StorageFailed(
            f"The journal in {directory} cannot be used: {error.strerror}. "
            "Check that the folder exists, is writable and has room."
        ) from error


def set_aside(directory: Path) -> Path:
    """Move a journal that is refused into a folder beside it, so that a new one can begin.

    Returns:
        The new folder. Nothing is deleted.

    Raises:
        StorageFailed: another service uses it.
        OSError: it cannot be moved.
    """
    with own(directory):
        return move_aside(directory / FILE)


def own(directory: Path) -> BinaryIO:
    """Keep every other service out of this folder for as long as this process lives."""
    owner = (directory / LOCK).open("ab")
    try:
        fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner.close()
        raise StorageFailed(
            f"Another firmware-bridge uses {directory}. Stop it, or give this one its own folder."
        ) from None
    return owner


def in_use(directory: Path) -> bool:
    """Return whether a service uses this folder."""
    try:
        with (directory / LOCK).open("rb") as owner:
            fcntl.flock(owner, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def copied(directory: Path, copy: Path) -> int:
    """Copy the journal of a folder, whole, even while a service writes it; return its games.

    Raises:
        StorageFailed: when it cannot be read, or the copy cannot be written.
    """
    path = directory / FILE
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            return copy_out(source, copy)
    except sqlite3.Error as error:
        raise StorageFailed(f"The journal {path} cannot be copied: {error}.") from error


def copy_out(source: sqlite3.Connection, copy: Path) -> int:
    """Copy what is open into a file of its own, all of it; return its games.

    Raises:
        sqlite3.Error: it cannot be read, or the copy cannot be written.
    """
    with closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
        return int(target.execute("SELECT count(*) FROM games").fetchone()[0])


def check(path: Path) -> None:
    """Refuse a file that is no journal, or one of a newer version, before a service relies on it.

    Raises:
        StorageFailed: when it cannot be read.
        JournalDamaged: when it is refused.
    """
    open_database(path).close()


def open_database(path: Path) -> sqlite3.Connection:
    """Open a journal, or make an empty one.

    Raises:
        OSError, StorageFailed: it cannot be used.
        JournalDamaged: it is refused.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    # A text that is none any more fails the check of its record; it must not hide all others.
    database.text_factory = lambda text: text.decode(errors="replace")
    try:
        for setting in _SETTINGS:
            database.execute(setting)
        _prepare(database, path)
        sync_folder(path.parent)
    except BaseException as error:
        database.close()
        if isinstance(error, sqlite3.OperationalError):
            raise StorageFailed(
                f"The journal {path} cannot be used: {error}. Make room, or check the disk or card."
            ) from error
        if isinstance(error, sqlite3.DatabaseError | UnicodeError):  # of names in the file itself
            raise damaged(f"{path} is no journal ({error}).") from error
        raise
    return database


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise JournalDamaged(
            f"{path} was written by a newer version. Update firmware-bridge to read it."
        )
    if version == 0:
        database.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"
        )
        fold(database)
    (found,) = database.execute("PRAGMA integrity_check(games)").fetchone()
    if found != "ok":
        database.execute("REINDEX games")  # else a game might be there and not be found by its id


def fold(database: sqlite3.Connection) -> None:
    """Take the log into the file: what breaks in the log costs all that follows there."""
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def sync_folder(directory: Path) -> None:
    """See to it that the file itself survives a power cut, not only what is in it."""
    folder = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
