"""What the seven games share: python-chess knows turns and ends, hands and words are ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import chess
import chess.variant

from rules import Deed, IllegalTurn, InvalidPosition, Outcome, Problem
from rules.orthodox import (
    MovesPosition,
    OrthodoxGame,
    OrthodoxTurn,
    after,
    castling_objection,
    objection,
    side_of,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from rules import Side, Turn

Own = TypeVar("Own", bound="VariantPosition")


class VariantPosition(MovesPosition):
    """A position on one of python-chess's variant boards; its text is the board's own FEN."""

    __slots__ = ()

    forbidden = "variant-forbids"
    """The reason against a move that chess allows and this game does not."""
    ended = "variant-end"
    """The reason of the end that only this game has."""

    def __str__(self) -> str:
        return self._board.fen(en_passant="fen")

    @property
    def fen(self) -> str | None:
        """No program for orthodox chess reads it."""
        return None

    def _what_repeats(self) -> Hashable:
        """What the text says, but for its two counters, and en passant where it is possible."""
        return self._board.epd(en_passant="legal")

    def has_insufficient_material(self, side: Side) -> bool:
        """Whether a side has no win left."""
        return self._board.has_insufficient_material(side == "white")

    def turns(self) -> Iterator[OrthodoxTurn]:
        """Yield every legal turn, each once."""
        if self._early_end() is None:
            yield from map(OrthodoxTurn, self._board.legal_moves)

    def _objection(self, turn: OrthodoxTurn) -> IllegalTurn | None:
        board, move = self._board, turn.move
        if board.is_legal(move):
            return None
        found = objection(board, move) or castling_objection(board, move)
        return found or self._why_not(move)

    def _why_not(self, move: chess.Move) -> IllegalTurn:
        """Return why a move that the pieces' ways allow is not allowed here."""
        if self._board.is_check():
            return IllegalTurn("still-in-check", "Your king would still be attacked.")
        if self._board.is_into_check(move):
            return IllegalTurn("exposes-king", "Your king would be attacked.")
        squares = chess.square_name(move.from_square), chess.square_name(move.to_square)
        return IllegalTurn(self.forbidden, self.game.own_reasons.get(self.forbidden, ""), squares)

    def _early_end(self) -> Outcome | None:
        """Return the end that this game adds to those of chess."""
        board = self._board
        if board.is_variant_win():
            return Outcome(side_of(board.turn), self.ended)
        if board.is_variant_loss():
            return Outcome(side_of(not board.turn), self.ended)
        if board.is_variant_draw():
            return Outcome(None, self.ended)
        return Outcome(None, "insufficient-material") if board.is_insufficient_material() else None

    def written(self, turn: Turn) -> str:
        """Return a legal turn as people write it."""
        return self._board.san(self._own(turn).move)

    def understand(self, text: str) -> Turn:
        """Return the legal turn that people wrote, or a turn text."""
        try:
            return OrthodoxTurn(self._board.parse_san(text.strip()))
        except ValueError:
            return self.parse_turn(text.strip())

    def _stands_after(self, turn: Turn) -> dict[str, str]:
        """Return what stands where when a legal turn is over."""
        return dict(type(self)(self._game, after(self._board, self._own(turn).move)).placement)


class VariantGame(OrthodoxGame[Own]):
    """A game on one of python-chess's variant boards."""

    board_type: type[Any]

    def parse(self, text: str) -> Own:
        """Return the position of a board's FEN; raise `InvalidPosition` with what is wrong."""
        board = self.board_type(None)
        try:
            board.set_fen(text)
        except ValueError as error:
            raise InvalidPosition(str(error), (Problem("fields"),)) from None
        if status := board.status():
            problems = [flag.name for flag in chess.Status if flag and flag in status]
            wrong = ", ".join(str(name).lower().replace("_", " ") for name in problems)
            raise InvalidPosition(f"This cannot stand: {wrong}.", (Problem("placement"),))
        position = self.position_type(self, board)
        if str(position) != text:  # python-chess fills in what a short text leaves out
            raise InvalidPosition(f"In full this is {position}.", (Problem("fields"),))
        return position


def whole_deed(before: dict[str, str], move: chess.Move, later: dict[str, str]) -> Deed:
    """Return what hands do where a turn takes more off the board than the piece that it captures.

    Args:
        before: what stood where.
        move: the move.
        later: what stands where when the turn is over.
    """
    source, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    gone = tuple(sorted(square for square in before if square not in later))
    if target in later:
        return Deed(((source, target),), tuple(square for square in gone if square != source))
    return Deed(taken=gone)
