"""The languages of the simulated board's page."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "words"
CODES = tuple(file.stem for file in FOLDER.glob("*.toml"))
Direction = Literal["ltr", "rtl"]


@dataclass(frozen=True, slots=True)
class Language:
    """What the page says in one language.

    Attributes:
        code: such as `en`.
        texts: key -> text, with gaps in braces.
        direction: which way it is written.
        offered: whether the page offers it, or gives it to those alone who ask for it.
    """

    code: str
    texts: Mapping[str, str]
    direction: Direction = "ltr"
    offered: bool = True


def shipped() -> tuple[Language, ...]:
    """Return the languages that come with the page, English first; what one lacks is in English."""
    english = _read("en")
    codes = sorted(CODES, key=lambda code: (code != "en", code))
    return tuple(Language(code, {**english, **_read(code)}) for code in codes)


def _read(code: str) -> dict[str, str]:
    return tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Wording:
    """What the page says around the board.

    Attributes:
        languages: the languages, the usual one first.
        display: address of the display of the game that is played here; empty if there is none.
    """

    languages: tuple[Language, ...] = field(default_factory=shipped)
    display: str = ""

    def language(self, asked: str | None) -> Language:
        """Return the language asked for, else the usual one."""
        known = {language.code: language for language in self.languages}
        return known.get(asked or "", self.languages[0])
