"""A language that nobody speaks, written from right to left: it proves that no page breaks so.

Its texts are the English ones in Hebrew letters, so it has all texts by itself. It can be asked
for by its name, and is offered nowhere.
"""

from __future__ import annotations

import re

PSEUDO = "he-XB"
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_HEBREW = "אבצדעפגהיגקלמנופקרסטוושכיז"
_LETTERS = str.maketrans(_LATIN + _LATIN.upper(), _HEBREW + _HEBREW)
_GAP_OR_TEXT = re.compile(r"(\{[^}]*\})")


def pseudo(text: str) -> str:
    """Return a text in this language; gaps in braces stay as they are."""
    parts = _GAP_OR_TEXT.split(text)
    return "".join(part if part.startswith("{") else part.translate(_LETTERS) for part in parts)


def direction(language: str) -> str:
    """Return which way a language is written: `ltr` or `rtl`."""
    return "rtl" if language.partition("-")[0] in {"ar", "fa", "he", "ur"} else "ltr"
