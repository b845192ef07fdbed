"""Marseillais Chess, by Albert Fortis: two moves in a turn, so that a turn is one of a thousand.

White's first turn is one move, and a check ends a turn. What two moves leave as it was is no turn,
and nobody takes en passant: so it does not matter which of two moves was made first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType

import chess

from rules import Deed, IllegalTurn, Outcome, Traits, Turn
from rules.orthodox import (
    OrthodoxGame,
    OrthodoxPosition,
    after,
    attacked_king,
    bare_kings,
    castling_objection,
    king_attackers,
    move_deed,
    objection,
    read_move,
)
from rules.values import Label, Square


@dataclass(frozen=True, slots=True)
class TwoMoves(Turn):
    """The moves of one turn in their order, in UCI with a comma between."""

    moves: tuple[chess.Move, ...]

    def __str__(self) -> str:
        return ",".join(move.uci() for move in self.moves)

    @property
    def plain(self) -> bool:
        return not any(move.promotion for move in self.moves)


class MarseillaisPosition(OrthodoxPosition[TwoMoves]):
    """A position before a turn."""

    __slots__ = ()

    turn_type = TwoMoves

    @property
    def fen(self) -> None:
        """No program for orthodox chess plays on from it."""

    def turns(self) -> Iterator[TwoMoves]:
        if self._early_end() is not None:
            return
        for first in self._board.legal_moves:
            between = self._between(first)
            if between is None:
                yield TwoMoves((first,))
            else:
                back = chess.Move(first.to_square, first.from_square)
                quiet = not self._board.is_capture(first) and first.promotion is None
                for second in between.legal_moves:
                    if not (quiet and second == back):
                        yield TwoMoves((first, second))

    def _between(self, first: chess.Move) -> chess.Board | None:
        """Return the board of the second move; `None` where the first one ends the turn."""
        board = after(self._board, first)
        if (self._board.fullmove_number == 1 and self._board.turn) or board.is_check():
            return None
        board.turn = self._board.turn
        board.fullmove_number = self._board.fullmove_number
        board.ep_square = None
        return board if any(board.legal_moves) else None

    def _boards(self, turn: TwoMoves) -> Iterator[tuple[chess.Board, chess.Move]]:
        """Yield each move with the board that it is made on."""
        yield self._board, turn.moves[0]
        if len(turn.moves) > 1 and (between := self._between(turn.moves[0])):
            yield between, turn.moves[1]

    def _read(self, text: str) -> TwoMoves:
        moves = tuple(map(read_move, text.split(",")))
        if len(moves) > 2:
            raise IllegalTurn("syntax", f"{text!r} is more than two moves.")
        return TwoMoves(moves)

    def _objection(self, turn: TwoMoves) -> IllegalTurn | None:
        board: chess.Board | None = self._board
        for move in turn.moves:
            if board is None:
                return IllegalTurn("turn-is-over", "No second move follows this one.")
            if found := objection(board, move) or castling_objection(board, move):
                return found
            if attackers := king_attackers(after(board, move), board.turn):
                return attacked_king(attackers, was_in_check=board.is_check())
            board = self._between(move) if board is self._board else None
        if len(turn.moves) < 2 and self._between(turn.moves[0]) is not None:
            return IllegalTurn("two-moves", "A turn is two moves.")
        return None if self.deed(turn).physical else IllegalTurn("two-moves", "Nothing has moved.")

    def objection(self, moves: Sequence[tuple[Square, Square]]) -> IllegalTurn | None:
        if len(moves) > 2:
            return IllegalTurn("too-many-pieces", "No more than two pieces move in a turn.")
        refusals = []
        for order in permutations(moves):
            try:
                self.parse_turn(",".join(map("".join, order)))
            except IllegalTurn as refusal:
                refusals.append(refusal)
            else:
                return None
        return refusals[0] if refusals[0].reason != "needs-promotion" else None

    def _after(self, turn: TwoMoves) -> MarseillaisPosition:
        *_, (board, last) = self._boards(turn)
        quiet = not any(board.is_zeroing(move) for board, move in self._boards(turn))
        board = after(board, last)
        board.ep_square = None
        board.halfmove_clock = self._board.halfmove_clock + 1 if quiet else 0
        return MarseillaisPosition(self._game, board)

    def deed(self, turn: Turn) -> Deed:
        """Return what both moves come to: what is taken on the way is taken where it stood."""
        homes = dict(zip(self.placement, self.placement, strict=True))
        taken: list[Square] = []
        becomes: dict[Square, Label] = {}
        for board, move in self._boards(self._own(turn)):
            done = move_deed(board, move)
            taken += [homes.pop(square) for square in done.taken]
            carried = {target: homes.pop(source) for source, target in done.moves}
            became = {target: becomes.pop(source, "") for source, target in done.moves}
            homes |= carried
            becomes |= {square: label for square, label in became.items() if label}
            becomes |= dict(done.becomes)
        moved = tuple((home, square) for square, home in homes.items() if home != square)
        return Deed(moved, tuple(taken), becomes=tuple(becomes.items()))

    def written(self, turn: Turn) -> str:
        return " ".join(board.san(move) for board, move in self._boards(self._own(turn)))

    def understand(self, text: str) -> TwoMoves:
        written = text.replace(",", " ").split()
        for turn in self.turns():
            if str(turn) == text or self.written(turn).split() == written:
                return turn
        return self.parse_turn(text)

    def _early_end(self) -> Outcome | None:
        return Outcome(None, "bare-kings") if bare_kings(self._board) else None


class Marseillais(OrthodoxGame[MarseillaisPosition]):
    """Marseillais Chess."""

    id = "marseillais"
    name = "Marseillais Chess"
    own_reasons = MappingProxyType(
        {
            "two-moves": "A turn is two moves.",
            "turn-is-over": "A check, and White's first move, are a whole turn.",
        }
    )
    traits = Traits(kings=True, long_turns=True)  # one piece's two moves may be the first of a turn
    position_type = MarseillaisPosition
