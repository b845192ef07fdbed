"""The four words of an invitation: two name the room, and all four are the password."""

from __future__ import annotations

import difflib
import hashlib
import secrets
from dataclasses import dataclass
from importlib import resources

from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.sentences import Sentence

WORDS = tuple((resources.files(__package__) / "words.txt").read_text("ascii").split())
"""256 short ones, no two of which sound alike; the page about letters points to them."""
ROOM, PASSWORD = 2, 2
"""How many words name the room, which the carrier sees, and how many it does not."""


class NotWords(Sentence, Refused):
    """These are no words of an invitation."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Four words, for one use within ten minutes."""

    words: tuple[str, ...]

    @classmethod
    def made(cls) -> Invitation:
        """Return a new one."""
        return cls(tuple(secrets.choice(WORDS) for _ in range(ROOM + PASSWORD)))

    @classmethod
    def entered(cls, text: str) -> Invitation:
        """Return the one that somebody entered.

        Raises:
            NotWords: these are not four words of the list; the message says which.
        """
        words = tuple(text.lower().replace("-", " ").split())
        for word in words:
            if word not in WORDS:
                near = difflib.get_close_matches(word, WORDS, 1)
                if near:
                    raise NotWords("pairing-no-word-but", word=word, near=near[0])
                raise NotWords("pairing-no-word", word=word)
        if len(words) != ROOM + PASSWORD:
            raise NotWords("pairing-count", count=str(len(words)))
        return cls(words)

    @property
    def text(self) -> str:
        """The words as they are shown."""
        return " ".join(self.words)

    @property
    def room(self) -> str:
        """Where both ends meet; it tells the first words alone."""
        name = "firmware-bridge/distance/1/room\n" + " ".join(self.words[:ROOM])
        return hashlib.sha256(name.encode()).hexdigest()[:32]

    @property
    def password(self) -> bytes:
        """What proves that somebody knows the words."""
        return self.text.encode()
