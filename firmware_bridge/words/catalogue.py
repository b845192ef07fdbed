"""Looks texts up: the words of every game, and the words of the one that is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import rules
from firmware_bridge.games import metadata
from firmware_bridge.words.language_files import LANGUAGES, fits, gaps_of, said
from firmware_bridge.words.pseudo import PSEUDO, pseudo

_ESSENTIAL = (
    "illegal", "penalty-", "offer-", "over", "came-back", "awaited-", "cell-", "tag-", "refused-",
    "answer-refused", "not-finished", "nothing-moved", "set-down-again", "press-first",
    "waits-for-hands", "want-", "paused", "adjourned", "resumed", "referee-", "coach-", "hint",
    "puzzle-",
)  # fmt: skip
"""Beginnings of the keys that are said in quiet mode too: nobody can go on without them."""


SOFT_HYPHEN = "\N{SOFT HYPHEN}"
"""Stands in a game's name where a long word may be broken; `name-parts` alone has it."""


class MissingWords(KeyError):  # noqa: N818 - named like the errors of `rules`
    """A key that a catalogue lacks, or a gap that nothing fills."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language, with those of one game or of none.

    Attributes:
        texts: key -> text with gaps in braces.
        rulings: keys that a game's own referee calls out; said in quiet mode too.
    """

    language: str
    texts: Mapping[str, str]
    rulings: frozenset[str] = frozenset()

    def text(self, key: str, words: Mapping[str, str] | None = None) -> str:
        """Return the text for a key with its gaps filled.

        A gap is filled by a key of the catalogue, or a text that stands for itself (a square, a
        number).

        Raises:
            MissingWords: when the key is unknown or a gap stays open.
        """
        template = self.texts.get(key)
        if template is None:
            raise MissingWords(f"no words for {key!r} in {self.language!r}")
        filled = {name: self.texts.get(word, word) for name, word in (words or {}).items()}
        try:
            return template.format_map(filled)
        except KeyError as gap:
            raise MissingWords(f"nothing fills {gap} of {key!r} in {self.language!r}") from None

    def needed(self, key: str) -> bool:
        """Return whether this is said in quiet mode too."""
        return key in self.rulings or key.startswith(_ESSENTIAL)

    def gaps(self, key: str) -> frozenset[str]:
        """Return the names of the gaps in a text."""
        return gaps_of(self.texts[key])


@cache
def catalogue(language: str, game: str | None = None) -> Catalogue:
    """Return the texts of a language, with those of a game; what it lacks is in English.

    Raises:
        MissingWords: when there is no such language.
    """
    if language == PSEUDO:
        real = catalogue("en", game)
        return Catalogue(
            PSEUDO, {key: pseudo(text) for key, text in real.texts.items()}, real.rulings
        )
    if language not in LANGUAGES:
        raise MissingWords(f"no words in {language!r}; the languages are {', '.join(LANGUAGES)}")
    texts = said("", language)
    if game is None:
        return Catalogue(language, texts)
    told = metadata.of(game)
    english = metadata.own(game, "en")
    theirs = metadata.own(game, language).items()
    own = {**english} | {key: text for key, text in theirs if fits(text, english.get(key, text))}
    if name := own.get("name"):
        own |= {"name": name.replace(SOFT_HYPHEN, ""), "name-parts": name}
    for number, screen in enumerate(told.learn, start=1):
        own[f"lesson-{number}"] = screen.text.get(language, screen.text["en"])
    return Catalogue(language, texts | own, frozenset(told.rulings))


@cache
def hold_said(game: str) -> None:
    """See that a game can say all that its data file wants said.

    Raises:
        UnusableGame: it has no words for it, or nothing fills a gap of them.
    """
    told, words = metadata.of(game), catalogue("en", game)
    wanted = [("name", set[str]()), ("tagline", set())]
    wanted += [(each.key, each.filled) for each in (*told.remarks, *told.choices)]
    for mark in told.marks.values():
        keys = (mark.on, mark.off, mark.coin_on, mark.coin_off)
        wanted += [(key, {"piece", "square"}) for key in keys if key]
    own = told.words["en"].items()
    open_braces = [key for key, text in own if not fits(text, text)]
    if not (wrong := [f"the braces of {key!r} do not match" for key in open_braces]):
        said = {*told.rulings, *(key for key, _ in wanted)}
        wrong += [f"there are none for {key!r}" for key in sorted(said - words.texts.keys())]
        wrong += [
            f"nothing fills {', '.join(sorted(unfilled))} in {key!r}"
            for key, filled in wanted
            if key in words.texts and (unfilled := words.gaps(key) - filled)
        ]
    if wrong:
        listed = "".join(f"\n  - {one}" for one in wrong)
        raise rules.UnusableGame(f"The words of {game!r} cannot be used:{listed}")
