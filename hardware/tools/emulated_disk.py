"""The disk of an emulated machine, and what a power cut leaves of it."""

from __future__ import annotations

import itertools
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from firmware_bridge.journal import Journal

_SECTOR = 512
_LOG_MAGIC = 0x6A736677736872
_LOG_FLUSH, _LOG_DISCARD = 1, 4
_GAMES = "/var/lib/firmware-bridge"
_MENDED = 1
"""What e2fsck ends with when it had something to do, and could."""


@dataclass(frozen=True)
class Unflushed:
    """How many writes a cut found on their way to the disk, and how many of those it lost."""

    writes: int
    lost: int


class DiskError(AssertionError):
    """A disk is not as it should be; the text says how."""


def copy_disk(source: Path, target: Path) -> None:
    """Copy a disk; what is empty on it takes no room, and where it can be shared nothing does."""
    subprocess.run(["cp", "--sparse=auto", "--reflink=auto", source, target], check=True)  # noqa: S603, S607


@dataclass(frozen=True)
class Disk:
    """What `hardware/install/make-disk` made: a folder with disk, kernel and first file system."""

    folder: Path
    architecture: str

    @property
    def path(self) -> Path:
        """The disk itself, written to by the machine that runs on it."""
        return self.folder / "disk"

    @property
    def root(self) -> str:
        """What the kernel is told of its root."""
        return "root=/dev/vda rw"

    @property
    def before(self) -> Path:
        """The disk as it was when the machine started, and the log began."""
        return self.folder / "before"

    @property
    def log(self) -> Path:
        """Every write since the machine started, and when it asked for them to be kept."""
        return self.folder / "writes"

    @property
    def writes(self) -> int:
        """How many writes, and demands to keep them, the log holds so far."""
        return sum(1 for _ in self._logged())

    def after_cut(
        self, target: Path, dice: Random, survival: float, *, writes: int | None = None
    ) -> Unflushed:
        """Write what a power cut at this moment leaves: all up to the last flush, and some more.

        A disk holds writes back until a flush, and carries them out in whatever order it likes.

        Args:
            target: where the disk after the cut is put.
            dice: decide which of the later writes got through.
            survival: how likely each of them does.
            writes: after how many entries of the log the power fails; without it, now.
        """
        certain, later = self._kept_and_held_back(writes)
        lucky = [entry for entry in later if dice.random() < survival]
        copy_disk(self.before, target)
        with self.log.open("rb") as log, target.open("r+b") as disk:
            for sector, count, flags, offset in certain + lucky:
                log.seek(offset)
                data = bytes(count * _SECTOR) if flags & _LOG_DISCARD else log.read(count * _SECTOR)
                disk.seek(sector * _SECTOR)
                disk.write(data)
        return Unflushed(writes=len(later), lost=len(later) - len(lucky))

    @property
    def holds_back(self) -> bool:
        """Whether there are writes that the machine has not asked to be kept yet."""
        return bool(self._kept_and_held_back()[1])

    def _kept_and_held_back(self, writes: int | None = None) -> tuple[list[Any], list[Any]]:
        entries = list(itertools.islice(self._logged(), writes))
        flushes = (at + 1 for at, entry in enumerate(entries) if entry[2] & _LOG_FLUSH)
        certain = max(flushes, default=0)
        return entries[:certain], [entry for entry in entries[certain:] if entry[1]]

    def _logged(self) -> Any:  # noqa: ANN401 - sectors and offsets
        """Yield sector, number of sectors, flags and place in the log of every write.

        The format is the kernel's dm-log-writes, which QEMU's blklogwrites writes.
        """
        with self.log.open("rb") as log:
            head = log.read(28)
            if not any(head):  # it is written with the first flush
                return
            magic, _version, _entries, size = struct.unpack("<QQQI", head)
            if magic != _LOG_MAGIC:
                raise DiskError(f"{self.log} is no log of writes.")
            at, end = size, self.log.stat().st_size  # entries are counted in the head too late
            while at + size <= end:
                log.seek(at)
                sector, count, flags, _length = struct.unpack("<QQQQ", log.read(32))
                start, at = at + size, at + size
                if not flags & _LOG_DISCARD:
                    at += count * _SECTOR
                if at > end:  # still being written
                    return
                yield sector, count, flags, start


def turns_on(disk: Path, folder: Path) -> list[str]:
    """Return the turns of the game that is found on a disk, as the service reads them.

    Args:
        disk: the disk, whose file system is mended first, as a start does.
        folder: where the games are copied to.

    Raises:
        DiskError: the file system cannot be mended, or no game is there.
        JournalDamaged: the game is not whole.
    """
    mended = subprocess.run(["e2fsck", "-p", disk], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if mended.returncode > _MENDED:
        raise DiskError(f"e2fsck cannot mend {disk}: {mended.stdout}{mended.stderr}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copying = f"rdump {_GAMES} {folder}"
    subprocess.run(["debugfs", "-R", copying, disk], check=True, capture_output=True)  # noqa: S603, S607
    journal = Journal(folder / _GAMES.rpartition("/")[2])
    found = journal.last_game()
    journal.close()
    if found is None:
        raise DiskError(f"No game is on {disk}.")
    return [str(record.data["turn"]) for record in found[1] if record.kind == "taken"]
