"""Why a turn is not legal: the codes that every game may use, each with a sentence for players.

What only one game refuses for, comes with that game: `rules.interface.Game.own_reasons`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COMMON: Mapping[str, str] = MappingProxyType(
    {
        "not-your-piece": "That is the opponent's piece.",
        "empty-square": "Nothing stood on that square.",
        "no-such-move": "That piece does not move like this.",
        "path-blocked": "Something stands in the way.",
        "own-piece-there": "One's own piece stands there.",
        "exposes-king": "The king would be in check.",
        "still-in-check": "The king is still in check.",
        "castling-rights": "Castling is no longer allowed.",
        "castling-through-check": "The king may not castle out of, through or into check.",
        "needs-promotion": "The new piece must be named.",
        "too-many-pieces": "Too many pieces moved.",
        "king-capture": "The king cannot be captured.",
        "nothing-changed": "Nothing has changed.",
        "must-flip": "A piece must be turned over.",
        "no-flip-allowed": "Nothing may be turned over here.",
        "square-occupied": "That square is taken.",
        "not-in-hand": "That piece is not in hand.",
        "touched-piece": "The piece touched first must move.",
        "ambiguous": "It is not clear which piece is meant.",
        "game-over": "The game is over.",
        "syntax": "That is no turn.",
    }
)
