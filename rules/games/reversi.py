"""Reversi Chess: a capture may turn the enemies between the capturing piece and a friend."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple, Self

import chess

from rules.interface import Deed, IllegalTurn, Outcome, Square, Traits, Turn
from rules.orthodox import OrthodoxGame, OrthodoxPosition, OrthodoxTurn
from rules.orthodox.conversion import LABELS, NAMES, after, bare_kings, king_attackers
from rules.orthodox.objections import (
    attacked_king,
    castling_objection,
    objection,
)
from rules.orthodox.position import move_deed, read_move

_CONVERSION = re.compile(r"(?P<move>[^~]*)(?:~(?P<anchor>[a-h][1-8]))?")


@dataclass(frozen=True, slots=True)
class ReversiTurn(OrthodoxTurn):
    """A move and, when it converts, the anchor that bounds the segment converted."""

    anchor: chess.Square | None = None

    def __str__(self) -> str:
        return self.move.uci() + ("" if self.anchor is None else "~" + NAMES[self.anchor])

    @property
    def plain(self) -> bool:
        """Whether the hands showed all: neither a promotion nor a conversion."""
        return self.move.promotion is None and self.anchor is None


class Segment(NamedTuple):
    """The enemies, as a bit mask, between the capturing piece and the anchor."""

    anchor: chess.Square
    enemies: int


def segments(board: chess.Board, square: chess.Square, mover: chess.Color) -> Iterator[Segment]:
    """Yield the segments that `mover` may convert after capturing on `square`."""
    friends = board.occupied_co[mover] & ~(1 << square)
    enemies = board.occupied_co[not mover]
    for ray in _RAYS[square]:
        inside = 0
        for step in ray:
            bit = 1 << step
            if friends & bit:
                if inside and not inside & board.kings and not board.pawns & bit:
                    yield Segment(step, inside)
                break
            inside |= enemies & bit


def convert(board: chess.Board, enemies: int) -> None:
    """Turn the enemies of a segment to the other colour, on the board itself."""
    board.occupied_co[chess.WHITE] ^= enemies
    board.occupied_co[chess.BLACK] ^= enemies


class ReversiPosition(OrthodoxPosition[ReversiTurn]):
    """A position of Reversi Chess."""

    __slots__ = ()

    turn_type = ReversiTurn

    def turns(self) -> Iterator[ReversiTurn]:
        """Yield every legal turn, each once, lazily."""
        board = self._board
        if bare_kings(board):
            return
        for move in board.generate_legal_moves():
            if not board.is_capture(move):
                yield ReversiTurn(move)
        for move in board.generate_pseudo_legal_captures():
            mover = board.turn
            played = after(board, move)
            if not king_attackers(played, mover):
                yield ReversiTurn(move)
            for segment in segments(played, move.to_square, mover):
                convert(played, segment.enemies)
                if not king_attackers(played, mover):
                    yield ReversiTurn(move, segment.anchor)
                convert(played, segment.enemies)

    def _early_end(self) -> Outcome | None:
        """Two bare kings draw."""
        return Outcome(None, "bare-kings") if bare_kings(self._board) else None

    def _read(self, text: str) -> ReversiTurn:
        """Return the turn that a canonical text names, legal or not."""
        parts = _CONVERSION.fullmatch(text)
        move = read_move(parts["move"] if parts else text)
        anchor = parts["anchor"] if parts else None
        return ReversiTurn(move, None if anchor is None else chess.parse_square(anchor))

    def _objection(self, turn: ReversiTurn) -> IllegalTurn | None:
        """Return why `turn` is not legal here, or `None` when it is."""
        board, move = self._board, turn.move
        found = objection(board, move) or castling_objection(board, move)
        if found is not None:
            return found
        played = self._played(turn)
        if isinstance(played, IllegalTurn):
            return played
        attackers = king_attackers(played, board.turn)
        return attacked_king(attackers, was_in_check=board.is_check()) if attackers else None

    def _played(self, turn: ReversiTurn) -> chess.Board | IllegalTurn:
        """Return the board after a pseudo-legal turn, or why it converts nothing."""
        played = after(self._board, turn.move)
        if turn.anchor is None:
            return played
        if not self._board.is_capture(turn.move):
            return IllegalTurn("no-such-segment", "Only a capture converts.")
        for segment in segments(played, turn.move.to_square, self._board.turn):
            if segment.anchor == turn.anchor:
                convert(played, segment.enemies)
                return played
        squares = (NAMES[turn.move.to_square], NAMES[turn.anchor])
        message = f"Nothing can be converted between {squares[0]} and {squares[1]}."
        return IllegalTurn("no-such-segment", message, squares)

    def _after(self, turn: ReversiTurn) -> Self:
        """Return the position after a legal turn."""
        played = self._played(turn)
        if isinstance(played, IllegalTurn):
            raise played
        return type(self)(self._game, played)

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do on the board to make this legal turn."""
        own = self._own(turn)
        deed = move_deed(self._board, own.move)
        if own.anchor is None:
            return deed
        played = after(self._board, own.move)
        mover = self._board.turn
        converted = tuple(
            (NAMES[square], LABELS[mover][played.piece_type_at(square) or 0])
            for segment in segments(played, own.move.to_square, mover)
            if segment.anchor == own.anchor
            for square in chess.scan_forward(segment.enemies)
        )
        return replace(deed, becomes=deed.becomes + converted, touch=NAMES[own.anchor])

    def against_exchange(
        self,
        moves: Sequence[tuple[Square, Square]],  # noqa: ARG002
        squares: Collection[Square],
    ) -> str:
        """Return the reason against pieces that were turned over: no capture converts them.

        What takes the place of the mover's own pieces converts nothing: it came from beside.
        """
        own = all(self.placement.get(square, " ")[0] == self.side[0] for square in squares)
        return "not-in-hand" if own else "no-such-segment"


class Reversi(OrthodoxGame[ReversiPosition]):
    """Reversi Chess, by Terry H. Jones."""

    id = "reversi"
    name = "Reversi Chess"
    own_reasons = MappingProxyType({"no-such-segment": "Nothing can be converted that way."})
    traits = Traits(
        asks_below={"occupancy": ("promotion", "conversion")}, converts=True, kings=True
    )
    position_type = ReversiPosition


def _ray(square: chess.Square, across: int, up: int) -> tuple[chess.Square, ...]:
    """Return the squares from `square` to the edge in one direction, the nearest first."""
    ray = []
    file, rank = chess.square_file(square) + across, chess.square_rank(square) + up
    while 0 <= file < 8 and 0 <= rank < 8:
        ray.append(chess.square(file, rank))
        file, rank = file + across, rank + up
    return tuple(ray)


_RAYS = tuple(
    tuple(_ray(square, x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
    for square in chess.SQUARES
)

GAME = Reversi
