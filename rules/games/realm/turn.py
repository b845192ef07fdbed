"""Turns of Realm Chess and their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import chess

from rules.games.realm.steps import Move
from rules.interface import IllegalTurn, Turn

KINDS = "SDCRP"
"""The kinds of turn in the order in which descriptions are preferred."""

SUITS: Mapping[str, Callable[[int, int], int]] = {
    "D": lambda start, end: start & ~end,
    "C": lambda start, end: end & ~start,
    "R": lambda start, end: start & end,
    "P": lambda start, end: start | end,
}
"""For each kind which realms suit a move, by those that hold the squares where it starts and ends:
bit sets of indices."""

_MOVE = r"[a-h][1-8][a-h][1-8][qrbn]?"
_TURN = re.compile(rf"(?:([DCRP])-([a-h]{{2}}[1-8]{{2}}):)?({_MOVE}(?:,{_MOVE})*)")


@dataclass(frozen=True, slots=True)
class RealmTurn(Turn):
    """One description of a turn.

    Attributes:
        kind: S (standard), D (dispersal), C (concentration), R (rearrangement), P (combination).
        realm: the name of the realm, empty for a standard move.
        moves: the pieces moved, in the order of their texts; castling is the king's move.
    """

    kind: str
    realm: str
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        moves = ",".join(map(str, self.moves))
        return f"{self.kind}-{self.realm}:{moves}" if self.realm else moves

    @property
    def plain(self) -> bool:
        """Whether the turn promotes no pawn; hands may not have shown a promotion."""
        return not any(move.promotion for move in self.moves)


def in_text_order(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves sorted by their texts."""
    return tuple(sorted(moves, key=str))


def is_turn_text(text: str) -> bool:
    """Return whether `text` has the form of a canonical turn text."""
    return _TURN.fullmatch(text) is not None


def read_turn(text: str) -> RealmTurn:
    """Return the turn that `text` spells, legal or not; raise `IllegalTurn("syntax")`."""
    match = _TURN.fullmatch(text)
    if match is None or (match[1] is None and "," in match[3]):
        raise IllegalTurn(
            "syntax",
            f"{text!r} is no turn; write a move (e2e4) or kind, realm and moves"
            " (D-ef12:e2e4,f2f4).",
        )
    moves = [
        Move(chess.parse_square(m[:2]), chess.parse_square(m[2:4]), m[4:])
        for m in match[3].split(",")
    ]
    return RealmTurn(match[1] or "S", match[2] or "", in_text_order(moves))
