"""Copy the games to `/var/backups/firmware-bridge`, safely while a game is being played.

Databases are copied through SQLite, so that a copy is whole even in the middle of a write. The last
fourteen copies are kept. To restore one: stop the service, unpack it over `/`, start the service.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tarfile
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

KEPT = 14
PREFIX = "games-"


def back_up(data: Path, configuration: Path, target: Path) -> Path:
    """Write one archive of data and configuration and drop the oldest ones; return its path."""
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    archive = target / f"{PREFIX}{stamp}.tar.gz"
    with tempfile.TemporaryDirectory() as scratch:
        copies = Path(scratch)
        for path in sorted(data.rglob("*")):
            if path.is_file() and not path.name.endswith(("-wal", "-shm")):
                copy = copies / path.relative_to(data)
                copy.parent.mkdir(parents=True, exist_ok=True)
                _copy(path, copy)
        unfinished = archive.with_suffix(".part")
        unfinished.touch(mode=0o600)  # games that are played hold secrets
        with tarfile.open(unfinished, "w:gz") as bundle:
            bundle.add(copies, arcname=_inside(data))
            if configuration.exists():
                bundle.add(configuration, arcname=_inside(configuration))
        unfinished.replace(archive)
    for old in sorted(target.glob(f"{PREFIX}*.tar.gz"))[:-KEPT]:
        old.unlink()
    return archive


def _copy(path: Path, copy: Path) -> None:
    with path.open("rb") as file:
        is_database = file.read(16) == b"SQLite format 3\0"
    if not is_database:
        copy.write_bytes(path.read_bytes())
    else:
        with (
            closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    shutil.copymode(path, copy)


def _inside(path: Path) -> str:
    return str(path.resolve()).lstrip("/")


if __name__ == "__main__":
    folders = [Path(argument) for argument in sys.argv[1:]] or [
        Path("/var/lib/firmware-bridge"),
        Path("/etc/firmware-bridge"),
        Path("/var/backups/firmware-bridge"),
    ]
    sys.stdout.write(f"{back_up(*folders)}\n")
