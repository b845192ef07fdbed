"""How an announcement is said aloud: what eyes take in at a glance, a voice would spell out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from firmware_bridge.words.catalogue import Catalogue

_UNSAID = re.compile(r"\([^)]*\)|[,+#]")
"""The kind of a turn, which has been named already, and check, which is announced by itself."""
_MARK = re.compile(r"=?[KQRBNP]|x|(?<=\d)-?(?=[a-h]\d)")
_BETWEEN = {"x": "spoken-takes", "-": "spoken-to", "": "spoken-to"}
_CASTLES = {"0-0": "spoken-castles-short", "0-0-0": "spoken-castles-long"}


def spoken(catalogue: Catalogue, key: str, words: Mapping[str, str] | None = None) -> str:
    """Return the text for a key as a voice says it: turns in words, dice one by one.

    Args:
        catalogue: the texts of one language.
        key: a key of the catalogue.
        words: what fills each gap, as `Catalogue.text` takes it.

    Raises:
        MissingWords: when the key is unknown or a gap stays open.
    """
    aloud = {
        name: _SAID[name](word, catalogue) if name in _SAID else word
        for name, word in (words or {}).items()
    }
    return catalogue.text(key, aloud)


def _turn(written: str, catalogue: Catalogue) -> str:
    """Return a turn as people write it (`d4 Nxc3 (C-cd34)`) in words (`d4, knight takes c3`)."""
    moves = _UNSAID.sub(" ", written).split()
    return ", ".join(_move(move, catalogue) for move in moves)


def _move(move: str, catalogue: Catalogue) -> str:
    if move in _CASTLES:
        return catalogue.text(_CASTLES[move])

    def told(mark: re.Match[str]) -> str:
        key = _BETWEEN.get(mark[0], f"piece-{mark[0][-1:]}")
        return f" {catalogue.text(key)} "

    return " ".join(_MARK.sub(told, move).split())


def _dice(rolled: str, _: Catalogue) -> str:
    """Return dice one by one: with a comma alone between them they would be a fraction."""
    return rolled.replace(",", ", ")


_SAID: Mapping[str, Callable[[str, Catalogue], str]] = {"turn": _turn, "dice": _dice}
"""Gaps whose words are said in another way than they are written."""
