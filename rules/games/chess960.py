"""Chess960, Fischer's random chess: chess from one of 960 arrangements of the first rank."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import chess

from rules.arrangement import Gate
from rules.games.chess import Chess, ChessPosition
from rules.interface import Traits
from rules.orthodox import OrthodoxTurn


class Board960(chess.Board):
    """A board on which a king castles from wherever he began, by taking his rook."""

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = True) -> None:
        super().__init__(fen, chess960=chess960)


class Chess960Position(ChessPosition):
    """A position of Chess960."""

    __slots__ = ()

    def _read(self, text: str) -> OrthodoxTurn:
        """A king who goes further than a king can, to the c- or the g-file, means to castle."""
        turn = super()._read(text)
        rook = self._rook_meant(turn.move)
        return turn if rook is None else OrthodoxTurn(chess.Move(turn.move.from_square, rook))

    def _rook_meant(self, move: chess.Move) -> chess.Square | None:
        """Return the rook with which a king would castle by going so far; `None` otherwise."""
        board, king, target = self._board, move.from_square, move.to_square
        row = chess.BB_RANK_1 if board.turn else chess.BB_RANK_8
        own = board.occupied_co[board.turn] & row
        side = chess.SquareSet(board.rooks & own)
        far = abs(target - king) > 1 and (row & (chess.BB_FILE_C | chess.BB_FILE_G)) >> target & 1
        if not (board.kings & own) >> king & 1 or not far or target in side or move.promotion:
            return None
        rooks = [rook for rook in side if (rook > king) == (target > king)]
        may = [rook for rook in rooks if board.clean_castling_rights() >> rook & 1]
        return max(may or rooks, key=lambda rook: abs(rook - king), default=None)


class Chess960(Chess):
    """Chess960; which arrangement is its option, by the numbers that everybody uses."""

    id = "chess960"
    name = "Chess960"
    allowed: ClassVar[Mapping[str, range]] = MappingProxyType({"start": range(960)})
    traits = Traits(kings=True, orthodox=True, chess960=True)
    gate = Gate(chess960=True)
    position_type = Chess960Position
    board_type = Board960

    def start(self) -> ChessPosition:
        """Return the arrangement of this number; 518 is that of chess."""
        board = self.board_type()
        board.set_chess960_pos(int(self.options["start"]))
        return self.position_type(self, board)


GAME = Chess960
