"""The words of the pages: what is said at the table, and what stands around it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from firmware_bridge.views import Announcement
from firmware_bridge.views.wants import LACKING
from firmware_bridge.words import PSEUDO, Catalogue, catalogue, pseudo, spoken
from firmware_bridge.words.language_files import said


@dataclasses.dataclass(frozen=True, slots=True)
class Say:
    """Turns a key of the word catalogue, and what fills its gaps, into a sentence."""

    catalogue: Catalogue

    def __call__(self, key: str, **words: str) -> str:
        """Return the sentence; turns in it have the letters that pieces have in its language."""
        if "turn" in words:
            words["turn"] = self.lettered(words["turn"])
        return self.catalogue.text(key, words)

    def aloud(self, told: Announcement) -> str:
        """Return what is announced as a voice says it: turns in words."""
        return spoken(self.catalogue, told.key, told.words)

    def lettered(self, turn: str) -> str:
        """Return a turn as people read it: `Bxh1~a8` is `Lxh1 bis a8` in German."""
        text = self.catalogue.text
        turn = _LETTER.sub(lambda found: text(f"letter-{found[0]}"), turn)
        turn = turn.replace("~", f" {text('spoken-up-to')} ")
        return _REALM.sub(lambda found: text(f"realm-{found[1]}", _corners(found[2])), turn)


_LETTER = re.compile(r"(?<![A-Za-z-])[KQRBN](?=x?[a-h]?[1-9]?x?[a-h][1-9])|(?<==)[QRBN]")
"""The letter of a piece before where it goes, or of what a pawn becomes."""
_REALM = re.compile(r"\(([CDRP])-([a-h]{2}[1-8]{2})\)")
"""What a turn is to its realm, and that realm: two files and two ranks."""


def _corners(realm: str) -> dict[str, str]:
    return {"from": realm[::2], "to": realm[1::2]}


@cache
def texts(language: str, game: str | None, *more: str) -> Catalogue:
    """Return all texts that a page shows while this game, if any, is on the table.

    `more` are further files of words, such as `wall`.
    """
    found = catalogue(language, game)
    for name in ("pages", *more):
        found = dataclasses.replace(found, texts={**found.texts, **_around(name, language)})
    return found


def speaking(language: str, game: str | None) -> Say:
    """Return what turns keys into sentences of this language, in the words of a game, if any."""
    return Say(texts(language, game))


def say_all(told: Iterable[Announcement], say: Say) -> str:
    """Return what is told, sentence after sentence."""
    return " ".join(say(sentence.key, **sentence.words) for sentence in told)


def told_in(by_language: Mapping[str, str], language: str) -> str:
    """Return the text of a game's data file in this language, else in English."""
    english = by_language["en"]
    return pseudo(english) if language == PSEUDO else by_language.get(language, english)


def _around(name: str, language: str) -> dict[str, str]:
    if language == PSEUDO:
        return {key: pseudo(text) for key, text in _around(name, "en").items()}
    return said(f"{name}.", language)


HEARD = {"hint", "ready", "paused", "resumed"}
"""Announcements of what the headline and the wishes tell those who read."""


def announced(news: Sequence[Announcement], wants: Sequence[str], say: Say) -> list[str]:
    """Return what was announced, nothing of it twice, nor what the board wants, or has wanted.

    That is for those who listen: whoever reads is told what it wants now. Where that is what a
    turn lacks, that it was said again tells that a press was heard. What came before the press is
    not told to press first: it stands beside where that must go.
    """
    told = []
    for one in news:
        wanted = say(one.key, **one.words) in wants
        if one.key in LACKING:
            told += [say("not-finished")] * wanted
        elif one.key == "press-first":
            told.append(say("page-too-early"))
        elif not (wanted or one.key in HEARD or one.key.startswith("want-")):
            told.append(say.aloud(one))
    return list(dict.fromkeys(told))
