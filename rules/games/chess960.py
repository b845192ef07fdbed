"""Chess960, Fischer's random chess: chess from one of 960 arrangements of the first rank."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

import chess

from rules.arrangement import Gate
from rules.games.chess import Chess, ChessPosition
from rules.interface import Traits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.values import OptionValue


class Board960(chess.Board):
    """A board on which a king castles from wherever he began, by taking his rook."""

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = True) -> None:
        super().__init__(fen, chess960=chess960)


class Chess960(Chess):
    """Chess960; which arrangement is its option, by the numbers that everybody uses."""

    id = "chess960"
    name = "Chess960"
    defaults: ClassVar[Mapping[str, OptionValue]] = MappingProxyType({"start": 0})
    allowed: ClassVar[Mapping[str, range]] = MappingProxyType({"start": range(960)})
    traits = Traits(kings=True, orthodox=True, chess960=True)
    gate = Gate(chess960=True)
    board_type = Board960

    def start(self) -> ChessPosition:
        """Return the arrangement of this number; 518 is that of chess."""
        board = self.board_type()
        board.set_chess960_pos(int(self.options["start"]))
        return self.position_type(self, board)


GAME = Chess960
