"""Finding games among those that are over, and what their players have won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self, cast

from firmware_bridge.journal import Summary

RECORDS = 8
"""Players whose records are shown at once, at most."""


@dataclass(frozen=True, slots=True)
class Search:
    """What somebody looks for; what is empty fits every game.

    Attributes:
        player: a part of a player's name.
        date: the day on which it began here, or the beginning of it: `2026-11-22`, `2026-11`.
    """

    player: str = ""
    game: str = ""
    date: str = ""

    @classmethod
    def of(cls, words: Mapping[str, str]) -> Self:
        """Return the search that an address asks for."""
        return cls(*(words.get(name, "").strip()[:60] for name in ("player", "game", "date")))

    def among(self, games: Iterable[Summary]) -> list[Summary]:
        """Return the games that fit, in their order."""
        return [game for game in games if self._fits(game)]

    def _fits(self, game: Summary) -> bool:
        named = any(self.player.casefold() in name.casefold() for name in _names(game).values())
        return (
            (not self.player or named)
            and self.game in {"", game.agreement["game"]}
            and here(game.begun).startswith(self.date)
        )

    def records(self, games: Iterable[Summary]) -> dict[str, Counter[str]]:
        """Return how often each player who is looked for has `won`, `drawn` and `lost`.

        Only rated games count. Of those from before this was written down nobody knows.
        """
        found: dict[str, Counter[str]] = {}
        for game in (game for game in games if self.player and game.last.get("rated")):
            for side, name in _names(game).items():
                if self.player.casefold() in name.casefold():
                    winner = game.last.get("winner")
                    came = "drawn" if winner is None else "won" if winner == side else "lost"
                    found.setdefault(name, Counter())[came] += 1
        return dict(sorted(found.items(), key=lambda item: -item[1].total())[:RECORDS])


def here(begun: str) -> str:
    """Return when a game began by the clock of the room: `2026-11-22T21:15` for 20:15 UTC."""
    return datetime.fromisoformat(begun).astimezone().isoformat()


def days(games: Iterable[Summary]) -> list[str]:
    """Return the days on which games began, the newest first."""
    return sorted({here(game.begun)[:10] for game in games}, reverse=True)


def _names(game: Summary) -> Mapping[str, str]:
    return cast("Mapping[str, str]", game.agreement.get("players") or {})
