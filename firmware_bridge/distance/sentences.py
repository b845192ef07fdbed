"""Why something cannot be between two boards, in any language: a key of the words of the pages."""

from __future__ import annotations

from firmware_bridge.words.language_files import said


class Sentence(Exception):  # noqa: N818 - names what it is
    """Something cannot be; `key` and `words` say why to people.

    Example: `str(Sentence("pairing-two"))` is what English pages show.
    """

    def __init__(self, key: str, **words: str) -> None:
        super().__init__(key)
        self.key, self.words = key, words

    def __str__(self) -> str:
        """Return it in English, as commands say it."""
        return said("pages.", "en")[self.key].format_map(self.words)
