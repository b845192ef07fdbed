"""How an announcement is said aloud: what eyes take in at a glance, a voice would spell out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from firmware_bridge.words.catalogue import Catalogue

_UNSAID = re.compile(r"\([^)]*\)|[,+#]")
"""The kind of a turn, which has been named already, and check, which is announced by itself."""
_MARK = re.compile(r"=?[KQRBNP]|[x~]|(?<=\d)-?(?=[a-h]\d)")
_BETWEEN = {"x": "spoken-takes", "~": "spoken-up-to", "-": "spoken-to", "": "spoken-to"}
_SEVERAL = re.compile(r"(?P<kind>[A-Z])@(?P<files>[a-z]+)(?P<ranks>\d+)#(?P<count>\d+)")
_ONE = re.compile(r"(?P<piece>[A-Z])?(?P<from>[a-z]\d)?(?P<how>[-x@/*~])(?P<to>[a-z]\d)")
_DEEDS = {
    "-": "spoken-move",
    "x": "spoken-capture",
    "@": "spoken-drop",
    "/": "spoken-flip",
    "*": "spoken-off",
    "~": "spoken-converts",
}
"""What hands do, by the sign that stands for it, as keys of the catalogue."""
_CASTLES = {"0-0": "spoken-castles-short", "0-0-0": "spoken-castles-long"}


def spoken(catalogue: Catalogue, key: str, words: Mapping[str, str] | None = None) -> str:
    """Return the text for a key as a voice says it: turns in words, dice one by one.

    What tells of a turn by what hands do (`deed`, see `referee.remarks.told_deed`) is said as that,
    after what stands before a turn alone (`Hint: {turn}`).

    Raises:
        MissingWords: when the key is unknown or a gap stays open.
    """
    if deed := (words or {}).get("deed"):
        told = _deed(deed, catalogue)
        return catalogue.text(key, {"turn": told}) if catalogue.gaps(key) == {"turn"} else told
    aloud = {
        name: _SAID[name](word, catalogue) if name in _SAID else word
        for name, word in (words or {}).items()
    }
    return catalogue.text(key, aloud)


def _deed(told: str, catalogue: Catalogue) -> str:
    """Return what hands do for a turn as a sentence (`Knight from b1 takes d2.`)."""
    sentence = ", ".join(_part(part, catalogue) for part in told.split())
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _part(part: str, catalogue: Catalogue) -> str:
    """Return one thing that hands do, in words."""
    if part in _CASTLES:
        return catalogue.text(_CASTLES[part])
    if several := _SEVERAL.fullmatch(part):
        corners = (several["files"][at] + several["ranks"][at] for at in (0, -1))
        realm = catalogue.text("spoken-between", dict(zip(("from", "to"), corners, strict=True)))
        count = several["count"]
        pieces = catalogue.text(
            "spoken-piece" if count == "1" else "spoken-pieces", {"number": f"spoken-{count}"}
        )
        kind = several["kind"]
        words = {"kind": kind, "way": f"{kind}-way", "realm": realm, "pieces": pieces}
        return catalogue.text("spoken-realm", words)
    if part.startswith("="):
        return catalogue.text("spoken-promotes", {"piece": f"piece-{part[1:]}"})
    found = _ONE.fullmatch(part)
    if found is None:
        return part
    signs = {name: sign for name, sign in found.groupdict().items() if sign}
    key = _DEEDS[signs.pop("how")]
    signs["piece"] = f"piece-{signs['piece']}" if "piece" in signs else "spoken-something"
    return catalogue.text(key, signs)


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
