"""Whether a board can carry a game, and if not, why: told before the game starts."""

from __future__ import annotations

from drivers.description import BoardDescription
from firmware_bridge.views import Announcement
from rules.interface import Game, Tier
from rules.values import SIDES

_ORDER: tuple[Tier, ...] = ("occupancy", "identity", "face")


def obstacles(board: BoardDescription, game: Game) -> tuple[Announcement, ...]:
    """Return why this board cannot referee this game; nothing when it can."""
    reasons = []
    needed = game.traits.least_tier
    if _ORDER.index(board.tier) < _ORDER.index(needed):
        words = {"needed": f"tier-{needed}", "has": f"tier-{board.tier}"}
        reasons.append(Announcement("page-tier-too-low", words))
    if missing := sorted(game.squares - set(board.squares)):
        reasons.append(Announcement("page-squares-missing", {"squares": ", ".join(missing)}))
    return tuple(reasons)


def questions(board: BoardDescription, game: Game) -> tuple[str, ...]:
    """Return what this board must ask on the screen because it cannot feel it, as keys."""
    return tuple(game.traits.asks_below.get(board.tier, ()))


def hides(game: Game) -> bool:
    """Return whether pieces of this game hide something from the other player."""
    return bool(game.with_tokens(SIDES).tokens)
