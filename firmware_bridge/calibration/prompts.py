"""What is said at a new board: by key first, put into words where it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_bridge.pages.texts import texts
from firmware_bridge.words import Catalogue


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is told.

    Attributes:
        key: of the text in `firmware_bridge/words/setup.*.toml`.
        gaps: what fills the text's gaps: other keys, what stands for itself, or several lines.
    """

    key: str
    gaps: Mapping[str, str | tuple[Line, ...]] = field(default_factory=dict)

    def told(self, words: Catalogue) -> str:
        """Return the line in a language."""
        filled = {
            name: gap if isinstance(gap, str) else "; ".join(line.told(words) for line in gap)
            for name, gap in self.gaps.items()
        }
        return words.text(self.key, filled)


def words_of(language: str) -> Catalogue:
    """Return all that is said at a new board in this language."""
    return texts(language, None, "setup")
