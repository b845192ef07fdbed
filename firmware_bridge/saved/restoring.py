"""Puts what was saved in place: all of it or nothing, whenever the power fails.

All parts are written beside the games first. The one moment that decides is when the configuration
is replaced by one that names them; from then on they only have to be moved, which the next start
does where this one was cut off. What they replace is moved aside, not deleted.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from firmware_bridge.config import Config
from firmware_bridge.distance.friends import FILE as FRIENDS
from firmware_bridge.distance.friends import FriendsUnreadable, friends_in
from firmware_bridge.journal import FILE as GAMES
from firmware_bridge.journal import JournalDamaged, StorageFailed
from firmware_bridge.journal.file import check, own, sync_folder
from firmware_bridge.journal.letter_book import put_letters
from firmware_bridge.saved.archive import (
    ABOUT,
    BOARD,
    CONFIGURATION,
    FORMAT,
    LETTERS,
    OWN,
    PARTS,
    Saved,
    running,
    sum_of,
)
from firmware_bridge.words.language_files import said

_STAGED, _MOVING, _BEFORE = "restored-", "moving-", "before-"
"""How the names of folders begin: not decided or not begun; being moved; what was there before."""
_SPARE = 2**20  # bytes that stay free
_CHUNK = 2**16  # bytes read at once, of what may be larger than the memory
_MEGABYTE = 10**6
_LARGEST = 2**20
"""Bytes of what is told of the file, which is read at once, before anything is known of it."""
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""How parts are packed; no others are unpacked."""
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError)
"""What reading from a zip that was altered ends with."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class NotRestored(Exception):  # noqa: N818 - names what happened
    """Nothing was taken from a file; what is here is as it was.

    Args:
        why: which sentence of the pages' words says it, without `restore-`.
        gaps: what fills its gaps.
    """

    def __init__(self, why: str, /, **gaps: str) -> None:
        self.why, self.gaps = why, gaps
        super().__init__(self.told("en"))

    def told(self, language: str) -> str:
        """Return what, where, and what to do, in a language."""
        return _said(language, self.why, **self.gaps)


def restored(saved: Saved, language: str) -> str:
    """Return what was restored, and what has still to be done by hand."""
    sentences = [
        _said(language, "done", games=str(saved.games), day=saved.day, version=saved.version)
    ]
    if not saved.keys:
        sentences.append(_said(language, "no-keys"))
        if saved.friends:
            sentences.append(_said(language, "pair", friends=", ".join(saved.friends)))
    return " ".join(sentences)


def restore(source: Path, config: Config, configuration: Path) -> Saved:
    """Put everything in place that a file holds; return what is told of it.

    Args:
        source: the file.
        config: what this machine runs with so far: where its games lie stays as it is.
        configuration: the file that is read at the next start; made if there is none.

    Raises:
        NotRestored: nothing was taken.
    """
    data = config.data
    with _opened(source) as packed:
        saved = _about(source, packed)
        with _unwritten(data):
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            _look_for_room(source, packed, data)
        with _alone(data), _unwritten(data):
            _move(data, configuration)  # of one before, that was cut off
            for left in data.glob(f"{_STAGED}*"):
                shutil.rmtree(left)
            staged = data / f"{_STAGED}{secrets.token_hex(8)}"
            try:
                _stage(source, packed, saved, staged)
                text = _configured(source, saved, staged, config)
                for path in (*staged.rglob("*"), staged, data / "journal.lock"):
                    _give(path, data)
                os.sync()
                _decide(configuration, text, data)
            except BaseException:
                if not _names(configuration, staged):
                    shutil.rmtree(staged, ignore_errors=True)
                raise
            _move(data, configuration)
    return saved


def finish(data: Path, configuration: Path | None) -> None:
    """Move to its place what was restored when the power failed; mostly there is nothing.

    Raises:
        StorageFailed: another service uses the folder.
        OSError: it cannot be moved.
    """
    begun = [*data.glob(f"{_STAGED}*"), *data.glob(f"{_MOVING}*")]
    if begun and configuration is not None:
        with own(data):
            _move(data, configuration)


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        packed = zipfile.ZipFile(source)
    except OSError as error:
        raise NotRestored("unreadable", name=source.name, why=error.strerror or "") from None
    except _BROKEN:
        raise NotRestored("half", name=source.name) from None
    with packed:
        yield packed


def _about(source: Path, packed: zipfile.ZipFile) -> Saved:
    """Return what is told of the file, once it holds just the parts that it tells of."""
    names = packed.namelist()
    for part in packed.infolist():
        name = part.filename
        if name not in PARTS | {ABOUT} or names.count(name) > 1:
            raise NotRestored("strange", name=source.name, part=name)
        if part.compress_type not in _PACKED or (name == ABOUT and part.file_size > _LARGEST):
            raise NotRestored("altered", name=source.name, part=name)
    if ABOUT not in names:
        raise NotRestored("half", name=source.name)
    try:
        told = json.loads(b"".join(_read(source, packed, ABOUT)))
        if told["format"] > FORMAT:
            gaps = {"version": str(told.get("version", "?")), "running": running()}
            raise NotRestored("newer", name=source.name, part=ABOUT, **gaps)
        saved = Saved.model_validate(told)
    except (*_BROKEN, KeyError, TypeError, ValidationError):
        raise NotRestored("altered", name=source.name, part=ABOUT) from None
    if saved.sums.keys() != {*names} - {ABOUT} or CONFIGURATION not in names:
        raise NotRestored("half", name=source.name)
    return saved


def _read(source: Path, packed: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield what a part holds: what fails on the way is the file's, and not the card's."""
    try:
        with packed.open(name) as part:
            while chunk := part.read(_CHUNK):
                yield chunk
    except OSError as error:
        raise NotRestored("unreadable", name=source.name, why=error.strerror or "") from None
    except _BROKEN:
        raise NotRestored("altered", name=source.name, part=name) from None


def _look_for_room(source: Path, packed: zipfile.ZipFile, data: Path) -> None:
    needed = sum(part.file_size for part in packed.infolist()) + _SPARE
    free = shutil.disk_usage(data).free
    if needed > free:
        gaps = {"needed": f"{needed / _MEGABYTE:.0f}", "free": f"{free / _MEGABYTE:.0f}"}
        raise NotRestored("room", name=source.name, folder=str(data), **gaps)


@contextlib.contextmanager
def _alone(data: Path) -> Iterator[None]:
    try:
        owner = own(data)
    except StorageFailed:
        raise NotRestored("in-use", folder=str(data)) from None
    with owner:
        yield


@contextlib.contextmanager
def _unwritten(data: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        path = str(error.filename or data)
        raise NotRestored("unwritten", path=path, why=error.strerror or "") from None


def _stage(source: Path, packed: zipfile.ZipFile, saved: Saved, staged: Path) -> None:
    """Write all parts beside the games, where nobody looks for them yet."""
    staged.mkdir(mode=0o700)
    for name, expected in saved.sums.items():
        part = staged / name
        part.touch(mode=0o600)
        with part.open("wb") as file:
            file.writelines(_read(source, packed, name))
        if sum_of(part) != expected:
            raise NotRestored("altered", name=source.name, part=name)
    if GAMES in saved.sums:
        try:
            check(staged / GAMES)
        except (JournalDamaged, StorageFailed):
            raise _not_understood(source, saved, GAMES) from None
    try:
        friends_in(staged)
    except FriendsUnreadable:
        raise _not_understood(source, saved, FRIENDS) from None
    if LETTERS in saved.sums:
        try:
            put_letters((staged / LETTERS).read_text(encoding="ascii"), staged)
        except (ValueError, RecursionError):
            raise _not_understood(source, saved, LETTERS) from None
        (staged / LETTERS).unlink()


def _configured(source: Path, saved: Saved, staged: Path, config: Config) -> str:
    """Return the configuration's text: what was saved, and what is about this machine.

    It is the text that is tried, as the next start reads it, and not what it was made of.
    """
    part = staged / CONFIGURATION
    head = (
        f"{_mark(staged)}"
        f"# Restored from what version {saved.version} saved on {saved.day}. "
        "Every key is explained in docs/configuration.md.\n"
    )
    try:
        told: dict[str, Any] = json.loads(part.read_bytes())
        values = {section: value for section, value in told.items() if section not in OWN}
        board = values.get("board", {})
        for key, name in BOARD.items():
            if board.get(key) == name and name in saved.sums:
                board[key] = str(config.data.absolute() / name)
        values |= config.model_dump(mode="json", exclude_unset=True, include=set(OWN))
        text = head + "".join(f"{line}\n" for line in _toml(values))
        Config.model_validate(tomllib.loads(text))
        text.encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        # No JSON, or settings that mean nothing here.
        raise _not_understood(source, saved, CONFIGURATION) from None
    part.unlink()
    return text


def _not_understood(source: Path, saved: Saved, part: str) -> NotRestored:
    gaps = {"version": saved.version, "running": running()}
    return NotRestored("newer", name=source.name, part=part, **gaps)


def _mark(staged: Path) -> str:
    return f"# Brings {staged.name}\n"


def _names(configuration: Path, staged: Path) -> bool:
    """Whether it was decided that these parts count."""
    try:
        return _mark(staged) in configuration.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


def _toml(values: dict[str, Any], *place: str) -> Iterator[str]:
    """Yield the lines of a table and of those below it."""
    tables = {key: value for key, value in values.items() if isinstance(value, dict)}
    for key, value in values.items():
        if key not in tables:
            yield f"{_key(key)} = {_written(value)}"
    for key, table in tables.items():
        yield ""
        yield f"[{'.'.join(map(_key, (*place, key)))}]"
        yield from _toml(table, *place, key)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _written(key)


def _written(value: object) -> str:
    """Return a value as JSON and TOML both write it; one sign TOML wants escaped besides."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _decide(configuration: Path, text: str, data: Path) -> None:
    """Replace the configuration, whose owner and mode stay: before this all is old, then new."""
    fresh = configuration.with_name(f"{configuration.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if configuration.exists():
        shutil.copymode(configuration, fresh)
    _give(fresh, configuration if configuration.exists() else data)
    fresh.replace(configuration)
    sync_folder(configuration.parent)


def _give(path: Path, like: Path) -> None:
    """Let a file belong to whom another one belongs to; only root can, and only root has to."""
    if os.geteuid() == 0:
        owner = like.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def _move(data: Path, configuration: Path) -> None:
    """Exchange the files that a decided configuration names; cut off, it is done again."""
    for staged in data.glob(f"{_STAGED}*"):
        if not _names(configuration, staged):
            continue
        before = data / staged.name.replace(_STAGED, _BEFORE)
        before.mkdir(mode=0o700, exist_ok=True)
        _give(before, data)
        for part in staged.iterdir():
            for old in (data / part.name, *data.glob(f"{part.name}-*")):  # the journal's log, too
                if old.exists():
                    old.rename(before / old.name)
        sync_folder(data)
        staged.rename(data / staged.name.replace(_STAGED, _MOVING))
    for moving in data.glob(f"{_MOVING}*"):
        for part in moving.iterdir():
            part.rename(data / part.name)
        moving.rmdir()
    sync_folder(data)


def _said(language: str, key: str, /, **gaps: str) -> str:
    return said("pages.", language)[f"restore-{key}"].format_map(gaps)
