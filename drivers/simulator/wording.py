"""The languages of the simulated board's page."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "words"
PAGE = FOLDER.parent / "page"
"""Drawings, styles and scripts."""
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


def lacking(code: str) -> tuple[str, ...]:
    """Return the keys that a language lacks here."""
    own = _read(code) if code in CODES else {}
    return tuple(sorted(_read("en").keys() - own.keys()))


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

    def language(self, asked: str | None, accepts: str = "") -> Language:
        """Return the language asked for, else one that a browser accepts, else the usual one."""
        known = {language.code: language for language in self.languages}
        code = asked if asked in known else liked(accepts, known)
        return known.get(code, self.languages[0])


def liked(accepts: str, known: Collection[str]) -> str:
    """Return which of the known languages a browser likes best, empty if none of them.

    `accepts` is what its `Accept-Language` says, such as `de-AT,de;q=0.9,en;q=0.7`.
    """
    weights: dict[str, float] = {}
    for part in accepts.replace(" ", "").lower().split(","):
        name, _, weight = part.partition(";q=")
        weights.setdefault(name.partition("-")[0], _weight(weight))
    wished = [code for code, weight in weights.items() if code in known and weight > 0]
    return max(wished, key=weights.__getitem__, default="")


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0
