"""What became of an update: files that are whole at any moment, also after a power cut."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

_FOR_THE_PAGE = ("version", "before", "notes")
"""Gaps that the page looks at besides what is told."""
_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


class RefusedError(Exception):
    """The bundle is not taken, and what ran goes on; says why by a key of `words.toml`."""

    def __init__(self, why: str, **gaps: object) -> None:
        super().__init__(why)
        self.why, self.gaps = why, gaps


def tell(place: Path, state: str, **gaps: object) -> None:
    """Tell the log how the update stands, and everybody as far as the card takes it.

    A card that is full holds nothing up: what is told is no step of what is done.
    """
    log(state, **gaps)
    try:
        show(place, state, **gaps)
    except OSError as error:
        print(f"This could not be shown on the page: {error}. Make room.", flush=True)  # noqa: T201


def log(state: str, **gaps: object) -> None:
    """Tell the log alone."""
    print(_said("en", state, gaps), flush=True)  # noqa: T201


def show(place: Path, state: str, **gaps: object) -> None:
    """Write for everybody, in each language, how the update stands.

    Raises:
        OSError: the card does not take it.
    """
    told = {language: _said(language, state, gaps) for language in _WORDS}
    shown = {name: gaps[name] for name in _FOR_THE_PAGE if name in gaps}
    write(place, {"state": state, "told": told, **shown})
    place.chmod(0o644)


def _said(language: str, state: str, gaps: dict[str, object]) -> str:
    """Return what is told; a file's name may hold bytes that are no text, and they are shown."""
    told: str = _WORDS[language][state].format(**gaps)
    return told.encode(errors="backslashreplace").decode()


def write(place: Path, contents: dict[str, Any]) -> None:
    """Put contents into a file, all or nothing, and on the card before this returns."""
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_suffix(".new")
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump(contents, file)  # in ASCII, which keeps the name of any file as it is
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(place)
    settle(place.parent)


def read(place: Path) -> dict[str, Any] | None:
    """Return what was written, or `None` where nothing was."""
    return json.loads(place.read_bytes()) if place.exists() else None


def settle(folder: Path) -> None:
    """Have the names in a folder on the card."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
