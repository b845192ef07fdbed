"""The journal's file while this process writes it, and nobody else does."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from firmware_bridge.journal.file import (
    LOCK,
    VERSION,
    JournalDamaged,
    StorageFailed,
    copy_out,
    fold,
    open_database,
    own,
    usable,
)
from firmware_bridge.journal.harm import INDEX, LOG, Harm, copy_aside, put_aside

Check = Callable[[sqlite3.Connection], bool]
_Stamp = tuple[int, int, int, int]


class Hold:
    """Remembers some files as this process left them, and looks whether they still lie so.

    Somebody may delete, move or overwrite them while a game goes on. What is open can be written
    all the same, and is gone with the process that has it open.

    Those `written` nobody else writes; of those `named` only the names matter.
    """

    def __init__(self, written: Iterable[Path], named: Iterable[Path]) -> None:
        self._written, self._named = tuple(written), tuple(named)
        self.left()

    def left(self) -> None:
        """Take what lies there now for what this process left."""
        self._left = self._look()

    def in_place(self) -> bool:
        """Return whether the same files are found by the same names."""
        return _names(self._look()) == _names(self._left)

    def untouched(self) -> bool:
        """Return whether they are, and nobody else has written them either."""
        return self._look() == self._left

    def _look(self) -> tuple[_Stamp | None, ...]:
        written = (_stamp(path) for path in self._written)
        return (*written, *_names(tuple(_stamp(path) for path in self._named)))


class OpenFile:
    """The file, opened or made, and its folder if need be, for this process and user alone.

    Attributes:
        database: what is in it.
        harm: what was wrong with the files last; whoever has told people may clear it.

    Raises:
        StorageFailed: the folder or file cannot be used, or another service uses it.
        JournalDamaged: the file is no journal, or one of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, path.with_name(LOCK)
        self._beside = [path.with_name(path.name + end) for end in (LOG, INDEX)]
        with usable(path.parent):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._owner = own(path.parent)
            try:
                self.harm = put_aside(path)
                self.database = open_database(path)
            except BaseException:
                self._owner.close()
                raise
        log, index = self._beside
        self._files, self._owned = Hold((path, log), (index,)), Hold((), (self._lock,))

    @property
    def closed(self) -> bool:
        """Whether it was closed for good."""
        return self._owner.closed

    def holds(self, knows_all: Check) -> bool:
        """Return whether the next start finds what this process has written.

        Args:
            knows_all: returns whether all that was written down is in there.
        """
        if not self.in_place():
            return False
        return self._files.untouched() or _reads_back(self._path, knows_all)

    def in_place(self) -> bool:
        """Return whether the next start finds the files that this process has open."""
        return self._files.in_place() and self._owned.in_place()

    def left(self) -> None:
        """Take the files as they are now for what this process has left."""
        self._files.left()

    def open_again(self) -> None:
        """Open it after a write failed, if it can be written now.

        What the system was told to keep and could not may seem to be there and be gone with the
        power. So the log is taken into the file: nothing rests on a sync that failed.

        Raises:
            StorageFailed: it cannot be written yet.
            JournalDamaged: it is no journal any more.
        """
        self.database.close()
        try:
            with usable(self._path.parent):
                database = open_database(self._path)
            try:
                database.execute(f"PRAGMA user_version = {VERSION}")
                fold(database)
            except sqlite3.Error as error:
                database.close()
                raise StorageFailed(f"{self._path} cannot be written: {error}.") from error
            self.database = database
        finally:
            self.left()  # the log comes and goes

    def lay_anew(self, knows_all: Check) -> None:
        """Write everything again if the open files have been replaced on disk.

        What is open is still there, and mostly whole, until it is closed. Where it is not, what
        was found in its place is gone on with, if that is a journal. A copy of that is kept.

        Args:
            knows_all: returns whether all that was written down is in there.

        Raises:
            StorageFailed: that cannot be done now, or another service has the folder.
            OSError, sqlite3.Error: it cannot be written.
        """
        with usable(self._path.parent):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._owned.in_place():
                self._owner, before = own(self._path.parent), self._owner
                before.close()
                self._owned.left()
        fresh, copy = self._path.with_suffix(".new"), copy_aside(self._path)
        whole = self._copied_out(fresh, knows_all)
        if not whole:
            self._begin_with_what_is_there(fresh)
        for path in self._beside:  # they belong to what stands there, or to what is open
            path.unlink(missing_ok=True)
        fresh.replace(self._path)
        self.database.close()
        self.database = open_database(self._path)
        self.left()
        what = f"{self._path} was deleted, moved or overwritten while the service had it open."
        self.harm = Harm(("anew" if copy else "gone") if whole else "lost", what, copy)

    def _copied_out(self, fresh: Path, knows_all: Check) -> bool:
        """Copy what is open into a file; return whether that is all."""
        _begin_file(fresh)
        try:
            copy_out(self.database, fresh)
            return _reads_back(fresh, knows_all)
        except sqlite3.DatabaseError:
            return False

    def _begin_with_what_is_there(self, fresh: Path) -> None:
        """Take what stands in the file's place, or begin an empty one."""
        _begin_file(fresh)
        try:
            shutil.copyfile(self._path, fresh)
            open_database(fresh).close()
        except (FileNotFoundError, StorageFailed, JournalDamaged):
            _begin_file(fresh)

    def close(self) -> None:
        """Close it and let another service use it. Idempotent."""
        self.database.close()
        self._owner.close()


def _reads_back(path: Path, knows_all: Check) -> bool:
    """Return whether a file is whole and holds all that was written down."""
    try:
        with closing(sqlite3.connect(path)) as database:
            (found,) = database.execute("PRAGMA quick_check").fetchone()
            return found == "ok" and knows_all(database)
    except sqlite3.DatabaseError:
        return False


def _begin_file(path: Path) -> None:
    """Make an empty file for this user alone."""
    os.close(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _names(stamps: tuple[_Stamp | None, ...]) -> tuple[_Stamp | None, ...]:
    """Return only which files these are."""
    return tuple(stamp and (*stamp[:2], 0, 0) for stamp in stamps)
