"""Why a turn is not legal: the fixed set of codes, each with its meaning in plain words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "not-your-piece": "The piece belongs to the opponent.",
        "empty-square": "Nothing stands on that square.",
        "no-such-move": "That piece does not move in this way.",
        "path-blocked": "Another piece stands in the way.",
        "own-piece-there": "A piece of the same side stands on the target square.",
        "exposes-king": "The move would leave the mover's own king attacked.",
        "still-in-check": "The mover's king is in check and would still be.",
        "castling-rights": "That king or rook has moved, so castling there is no longer allowed.",
        "castling-through-check": "The king stands on, passes or reaches an attacked square.",
        "needs-promotion": "The pawn reaches the last rank, so the new piece must be named.",
        "invisible-target": "The piece there is invisible and cannot be captured.",
        "no-such-segment": "No pieces can be converted between the capturing piece and that one.",
        "wrong-realm": "A piece does not start or end in the realm as this kind of turn asks.",
        "mixed-realms": "The pieces moved do not share one realm.",
        "too-many-pieces": "More pieces moved than this turn allows.",
        "moved-twice": "One piece moved more than once.",
        "king-capture": "A king may not be captured in this way.",
        "nothing-changed": "The board would be as it was.",
        "no-such-square": "The board of this game has no such square.",
        "first-turn": "White's first turn is a move without capture.",
        "must-drop": "Too many pieces are in hand, so one must be dropped.",
        "must-flip": "After this move a piece must be flipped.",
        "no-flip-allowed": "No piece may be flipped with this turn.",
        "flip-forbidden": "The opponent flipped or dropped that piece just before.",
        "die-not-met": "The die does not allow that piece to be flipped.",
        "hand-limit": "The hand would hold more pieces than its limit.",
        "not-a-home-square": "Pieces are dropped on one's own home squares only.",
        "square-occupied": "Something already stands on that square.",
        "not-in-hand": "That piece is not in hand.",
        "must-decide": "A decision is awaited before anything else.",
        "must-capture": "A certain piece must be captured first.",
        "touched-piece": "The piece that was touched first must move.",
        "ambiguous": "More than one piece could move so.",
        "game-over": "The game is over.",
        "syntax": "That is not the text of a turn.",
    }
)
