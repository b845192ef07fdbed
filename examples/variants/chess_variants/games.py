"""The seven games; each says what is its own."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import chess
import chess.variant

from chess_variants.base import VariantGame, VariantPosition, whole_deed
from rules import Deed, IllegalTurn, Outcome, Traits
from rules.orthodox import OrthodoxTurn, after, read_move, side_of

if TYPE_CHECKING:
    from rules import Turn

_NO_KINGS = Traits()
_KINGS = Traits(kings=True)


class AtomicPosition(VariantPosition):
    """Captures explode: capturer, captured, and all around them but pawns leave the board."""

    __slots__ = ()

    forbidden, ended = "own-king-explodes", "king-exploded"

    def _why_not(self, move: chess.Move) -> IllegalTurn:
        exploded = after(self._board, move)
        if exploded.kings & exploded.occupied_co[self._board.turn]:
            return super()._why_not(move)
        square = chess.square_name(move.to_square)
        return IllegalTurn(self.forbidden, self.game.own_reasons[self.forbidden], (square,))

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do; what has exploded is taken off, the capturer too."""
        if not self._board.is_capture(self._own(turn).move):
            return super().deed(turn)
        return whole_deed(dict(self.placement), self._own(turn).move, self._stands_after(turn))


class Atomic(VariantGame[AtomicPosition]):
    """Atomic Chess."""

    id = "atomic"
    name = "Atomic Chess"
    own_reasons = MappingProxyType({"own-king-explodes": "Your own king would explode."})
    position_type = AtomicPosition
    board_type = chess.variant.AtomicBoard
    traits = _KINGS


class AntichessPosition(VariantPosition):
    """Whoever can capture must, and who has nothing left to move has won."""

    __slots__ = ()

    forbidden, ended = "must-take", "nothing-left"

    @property
    def in_check(self) -> bool:
        """Kings are men like any other here."""
        return False

    def _why_not(self, move: chess.Move) -> IllegalTurn:
        squares = tuple(
            sorted({chess.square_name(m.to_square) for m in self._board.generate_legal_captures()})
        )
        del move
        return IllegalTurn(self.forbidden, "You can capture, so you must.", squares)

    def _no_turn_end(self) -> Outcome | None:
        return None if any(True for _ in self.turns()) else self._won()

    def _early_end(self) -> Outcome | None:
        return None if self._board.occupied_co[self._board.turn] else self._won()

    def _won(self) -> Outcome:
        return Outcome(side_of(self._board.turn), self.ended)

    def _read(self, text: str) -> OrthodoxTurn:
        """A pawn may become a king, too."""
        if text[4:] == "k":
            return OrthodoxTurn(chess.Move.from_uci(str(read_move(text[:4])) + "k"))
        return super()._read(text)


class Antichess(VariantGame[AntichessPosition]):
    """Antichess."""

    id = "antichess"
    name = "Antichess"
    own_reasons = MappingProxyType({"must-take": "Whoever can capture must."})
    position_type = AntichessPosition
    board_type = chess.variant.AntichessBoard
    traits = _NO_KINGS


class CrazyhousePosition(VariantPosition):
    """What was captured changes sides, and may be dropped instead of a move."""

    __slots__ = ()

    forbidden = "no-such-drop"

    def _read(self, text: str) -> OrthodoxTurn:
        """A drop is `N@f3`; all else is read as in chess."""
        if text[1:2] != "@":
            return super()._read(text)
        try:
            return OrthodoxTurn(chess.Move.from_uci(text))
        except ValueError:
            raise IllegalTurn("syntax", f"{text!r} is no drop; one looks like N@f3.") from None

    def _objection(self, turn: OrthodoxTurn) -> IllegalTurn | None:
        board, move = self._board, turn.move
        if move.drop is None or board.is_legal(move):
            return super()._objection(turn)
        square = chess.square_name(move.to_square)
        if board.piece_type_at(move.to_square):
            return IllegalTurn("square-occupied", f"{square} is not empty.", (square,))
        if not board.pockets[board.turn].count(move.drop):  # type: ignore[attr-defined]
            return IllegalTurn("not-in-hand", "You hold no such piece.", (square,))
        if board.is_check():
            return IllegalTurn("still-in-check", "Your king would still be attacked.", (square,))
        return IllegalTurn(self.forbidden, self.game.own_reasons[self.forbidden], (square,))

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do: a drop comes from beside the board."""
        move = self._own(turn).move
        if move.drop is None:
            return super().deed(turn)
        label = f"{self.side[0]}{chess.piece_symbol(move.drop).upper()}"
        return Deed(placed=((chess.square_name(move.to_square), label),))


class Crazyhouse(VariantGame[CrazyhousePosition]):
    """Crazyhouse."""

    id = "crazyhouse"
    name = "Crazyhouse"
    own_reasons = MappingProxyType({"no-such-drop": "No pawn is dropped on the last ranks."})
    position_type = CrazyhousePosition
    board_type = chess.variant.CrazyhouseBoard
    traits = _KINGS


class ThreeCheckPosition(VariantPosition):
    """Who has given check three times has won."""

    __slots__ = ()

    ended = "third-check"


class ThreeCheck(VariantGame[ThreeCheckPosition]):
    """Three-check Chess."""

    id = "three-check"
    name = "Three-check"
    position_type = ThreeCheckPosition
    board_type = chess.variant.ThreeCheckBoard
    traits = _KINGS


class HillPosition(VariantPosition):
    """A king on one of the four squares in the middle has won."""

    __slots__ = ()

    ended = "king-in-the-middle"


class Hill(VariantGame[HillPosition]):
    """King of the Hill, as it is played on the net; that of `examples/plug_in` is stricter."""

    id = "hill"
    name = "King of the Hill (as on the net)"
    position_type = HillPosition
    board_type = chess.variant.KingOfTheHillBoard
    traits = _KINGS


class HordePosition(VariantPosition):
    """White has pawns and no king: Black wins by capturing them all."""

    __slots__ = ()

    ended = "horde-gone"


class Horde(VariantGame[HordePosition]):
    """Horde."""

    id = "horde"
    name = "Horde"
    position_type = HordePosition
    board_type = chess.variant.HordeBoard
    traits = _NO_KINGS


class RacingKingsPosition(VariantPosition):
    """No check is given; the first king on the eighth rank wins, and Black may still follow."""

    __slots__ = ()

    forbidden, ended = "gives-check", "race-over"


class RacingKings(VariantGame[RacingKingsPosition]):
    """Racing Kings."""

    id = "racing-kings"
    name = "Racing Kings"
    own_reasons = MappingProxyType({"gives-check": "No turn may give check."})
    position_type = RacingKingsPosition
    board_type = chess.variant.RacingKingsBoard
    traits = _KINGS
