"""A memory that fades: whose the pieces are that have moved since they stood at the start."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import chess

from rules.interface import Deed, Position, Square


class Memory:
    """What one player remembers. The same seed and the same turns give the same mistakes.

    A piece that has never moved is known, and so are both kings. Of any other he becomes the more
    likely to be wrong the longer ago he saw it move or heard whose it is; once he is wrong of it,
    he stays so until it moves again or the referee speaks.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._ply = 0
        self._since: dict[Square, int] = {}

    def saw(self, deed: Deed) -> None:
        """Take in a turn: who moves a piece shows whose it is."""
        self._ply += 1
        for square in (*deed.taken, *(source for source, _ in deed.moves)):
            self._since.pop(square, None)
        self._since |= {target: self._ply for _, target in deed.moves}

    def sure_of(self, squares: Iterable[Square]) -> None:
        """Know again whose the pieces on some squares are."""
        self._since |= {square: self._ply for square in squares if square in self._since}

    def sure_of_all(self) -> None:
        """Look at the whole board again and work out whose every piece is."""
        self.sure_of(tuple(self._since))

    def wrong(self, position: Position, kept: float) -> tuple[Square, ...]:
        """Return the squares of the pieces that he takes for the other side's, sorted.

        `kept`, 0 to 1, is how much of the memory is left after each ply.
        """
        if kept >= 1:
            return ()
        kings = {position.king("white"), position.king("black")}
        return tuple(
            square
            for square, since in sorted(self._since.items())
            if square in position.placement
            and square not in kings
            and self._luck(square, since) > kept ** (self._ply - since)
        )

    def _luck(self, square: Square, since: int) -> float:
        """Return how long a piece is remembered: drawn once for each time that it was seen."""
        return Random(f"{self._seed} {square} {since}").random()  # noqa: S311 - a weakness, no key


def believed(board: chess.Board, wrong: Iterable[Square]) -> chess.Board:
    """Return the board as a player believes it to stand who is wrong of some pieces.

    What cannot be is not believed: mistakes are put right one by one until the position is one
    that may be played.
    """
    mistaken = list(wrong)
    while mistaken:
        other = board.copy(stack=False)
        for square in map(chess.parse_square, mistaken):
            piece = other.piece_at(square)
            if piece is not None:
                other.set_piece_at(square, chess.Piece(piece.piece_type, not piece.color))
        other.castling_rights = other.clean_castling_rights()
        if not other.has_legal_en_passant():
            other.ep_square = None
        if other.is_valid() and any(other.generate_legal_moves()):
            return other
        mistaken.pop()
    return board
