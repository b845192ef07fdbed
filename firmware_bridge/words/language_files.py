"""The words of each language: what it says itself, and what it lacks.

A language is used key by key: what it lacks, or says with other gaps, is said in English. Another
package adds a language, or words for what it brings, by an entry point of the group
`firmware_bridge.words`: a folder of such files. Where both say something, this one counts.
"""

from __future__ import annotations

import logging
import re
import string
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from drivers.board_reasons import SENTENCES
from firmware_bridge import extensions
from rules.reasons import COMMON

FOLDER = Path(__file__).parent
ADDED = extensions.folders("firmware_bridge.words")
FILES = ("", "pages.", "setup.", "wall.")
"""How the names of the files begin, before the language's code."""
LANGUAGES = tuple(
    sorted(
        {
            file.name.removesuffix(".toml")
            for folder in (FOLDER, *ADDED)
            for file in folder.iterdir()
            if re.fullmatch(r"[a-z]{2}\.toml", file.name)
        },
        key=lambda code: (code != "en", code),
    )
)
"""The languages that there are words in, English first."""
_IN_CODE = {f"why-{reason}": sentence for reason, sentence in COMMON.items()} | {
    f"board-{reason}": sentence for reason, sentence in SENTENCES.items()
}
"""What rules and drivers say in English: why a turn is not legal, or a board not there."""
_OFFERED_FROM = 0.8
"""Share of all texts from which on a language is offered: whoever asks for one that has less gets
it all the same, and reads much English."""
_LOG = logging.getLogger(__name__)


def gaps_of(text: str) -> frozenset[str]:
    """Return the names of the gaps in a text; raise `ValueError` if its braces do not match."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def fits(text: object, english: str) -> bool:
    """Return whether a text can stand for the English one: it has no gap that nothing fills."""
    try:
        return isinstance(text, str) and gaps_of(text) <= gaps_of(english)
    except ValueError:
        return False


@cache
def own(file: str, language: str) -> Mapping[str, str]:
    """Return what a language says itself, as far as it can be used.

    Args:
        file: one of `FILES`, such as `pages.`.
        language: such as `de`.
    """
    name = f"{file}{language}.toml"
    texts = {key: text for folder in (*ADDED, FOLDER) for key, text in _read(folder / name).items()}
    if language == "en":
        return texts if file else _IN_CODE | texts
    english = own(file, "en")
    # What only another language has, such as a game's words, stands on its own.
    return {key: text for key, text in texts.items() if fits(text, english.get(key, str(text)))}


def said(file: str, language: str) -> dict[str, str]:
    """Return all texts of a file: in the language where it has them, else in English."""
    return {**own(file, "en"), **own(file, language)}


def lacking(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the keys that a language lacks, by the file they belong in."""
    missing = {
        f"{file}{language}.toml": tuple(sorted(own(file, "en").keys() - own(file, language).keys()))
        for file in FILES
    }
    return {file: keys for file, keys in missing.items() if keys}


def strange(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the keys that only this language has, by the file they stand in: slips, as a rule."""
    added = {
        f"{file}{language}.toml": tuple(sorted(own(file, language).keys() - own(file, "en").keys()))
        for file in FILES
    }
    return {file: keys for file, keys in added.items() if keys}


@cache
def offered() -> tuple[str, ...]:
    """Return the languages that pages offer: those that say most of it themselves."""
    total = sum(len(own(file, "en")) for file in FILES)
    return tuple(
        language
        for language in LANGUAGES
        if "language" in own("", language)
        and sum(map(len, lacking(language).values())) <= (1 - _OFFERED_FROM) * total
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:  # no TOML, or no text at all
        _LOG.error("%s cannot be read, English is said instead: %s", path, error)
        return {}
