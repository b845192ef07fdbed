"""The file that everything is saved in: a zip of parts whose names are all known beforehand.

Games, set-up, pieces and friends; keys only where somebody asked for them. A sum of every part
tells whether it is as it was saved, not who saved it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import BaseModel, Field

from drivers.description import is_file_name
from firmware_bridge.config import Config
from firmware_bridge.config.loading import SECRET
from firmware_bridge.distance.friends import FILE as FRIENDS
from firmware_bridge.distance.friends import friends_in
from firmware_bridge.journal import FILE as GAMES
from firmware_bridge.journal.file import copied
from firmware_bridge.journal.letter_book import copied_letters
from firmware_bridge.journal.small_file import SECRET_FILE

FORMAT = 1
"""Of the file; one of a higher format is of a newer version and is not read."""
ABOUT = "saved.json"
CONFIGURATION = "configuration.json"
BOARD = {"description": "board.toml", "pieces": "pieces.json", "habits": "habits.toml"}
"""The files that the section `board` of a configuration may name, and what they are called here."""
KEYS = (SECRET_FILE, FRIENDS)
LETTERS = "letters.json"
"""Those of games with friends; without their keys nobody goes on with them."""
PARTS = frozenset({CONFIGURATION, GAMES, LETTERS, *BOARD.values(), *KEYS})
OWN = frozenset({"data", "updates"})
"""Sections of the configuration that are about one machine, and stay there."""


class Saved(BaseModel):
    """What is told of a file in which everything is saved.

    Attributes:
        format: of the file.
        version: which saved it.
        day: when, as `2026-11-24` (UTC).
        games: how many are in it, one that is being played included.
        friends: the names of all, whether their keys are in it or not.
        keys: whether keys are in it.
        sums: the SHA-256 of each part.
    """

    format: int
    version: str = Field(pattern=r"\A[0-9A-Za-z.+_-]+\z")
    day: str = Field(pattern=r"\A\d{4}-\d\d-\d\d\z")
    games: int
    friends: list[str]
    keys: bool
    sums: dict[str, str]


def running() -> str:
    """Return the version that runs here."""
    return version("firmware-bridge")


def file_name() -> str:
    """Return what such a file is called where nobody chose a name."""
    return f"firmware-bridge-{datetime.now(UTC):%Y%m%d-%H%M%S}.saved.zip"


def save(config: Config, path: Path, *, keys: bool) -> Saved:
    """Save everything into one file, also in the middle of a game.

    Args:
        config: what the service runs with, or would.
        path: where; what lies there is replaced once all is written.
        keys: whether PIN, passwords, the keys of friendships and what was written to friends are
            saved too.

    Raises:
        OSError: a file of the board cannot be read, or this one cannot be written.
        StorageFailed: the journal cannot be copied.
        FriendsUnreadable: the friends cannot be read.
    """
    values = config.model_dump(mode="json", exclude_unset=True, exclude_none=True, exclude=set(OWN))
    with TemporaryDirectory() as scratch:
        parts = Path(scratch)
        for key, source in _board_files(config):
            shutil.copyfile(source, parts / BOARD[key])
            values["board"][key] = BOARD[key]
        chosen = values if keys else _without_keys(values)
        (parts / CONFIGURATION).write_text(json.dumps(chosen), encoding="utf-8")
        if keys:  # before the games: what was told of a game stands in it
            (parts / LETTERS).write_text(copied_letters(config.data), encoding="ascii")
        exists = (config.data / GAMES).exists()
        games = copied(config.data, parts / GAMES) if exists else 0
        for name in KEYS if keys else ():
            if (config.data / name).exists():
                shutil.copyfile(config.data / name, parts / name)
        saved = Saved(
            format=FORMAT,
            version=running(),
            day=f"{datetime.now(UTC):%Y-%m-%d}",
            games=games,
            friends=[friend.name for friend in friends_in(config.data)],
            keys=keys,
            sums={part.name: sum_of(part) for part in sorted(parts.iterdir())},
        )
        _pack(saved, parts, path)
    return saved


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _board_files(config: Config) -> list[tuple[str, Path]]:
    """Return the files that this board needs beside the configuration, by the keys there."""
    named = [(key, getattr(config.board, key)) for key in BOARD]
    return [
        (key, Path(source))
        for key, source in named
        if source is not None and (key != "description" or is_file_name(source))
    ]


def _without_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings without any that are secret, however deep they lie."""
    return {
        key: _without_keys(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if key not in SECRET
    }


def _pack(saved: Saved, parts: Path, path: Path) -> None:
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)  # what pieces hide stands in it, and perhaps keys
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(ABOUT, saved.model_dump_json())
            for name in saved.sums:
                packed.write(parts / name, name)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
