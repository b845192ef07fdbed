"""The position and the game of Mockery Chess."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from types import MappingProxyType
from typing import Self

import chess

from rules.arrangement import Arrangement, Gate
from rules.fen import invalid, parse_fen, parse_squares, split_fields
from rules.games.mockery.vanishing import Reach, Visibility, reach_after, reach_of
from rules.interface import IllegalTurn, InvalidPosition, Outcome, Problem, Shown, Square, Traits
from rules.orthodox import OrthodoxGame, OrthodoxPosition, OrthodoxTurn
from rules.orthodox.conversion import (
    NAMES,
    after,
    bare_kings,
    board_of,
    mask_of,
    side_of,
    squares_of,
)
from rules.orthodox.objections import (
    attacked_castling,
    attacked_king,
    castling_of,
    en_passant_victim,
    objection,
)
from rules.orthodox.position import read_move

_INVISIBLE = frozenset({"invisible"})


class MockeryPosition(OrthodoxPosition[OrthodoxTurn]):
    """A position of Mockery Chess.

    Args:
        game: the game.
        board: the python-chess board; from now on nobody may change it.
        invisible: the squares of the invisible pieces, as a bit mask.
        reach: what every piece attacks, where it is known already.
    """

    __slots__ = ("_invisible", "_known_reach", "_last")

    turn_type = OrthodoxTurn

    def __init__(
        self,
        game: OrthodoxGame[MockeryPosition],
        board: chess.Board,
        invisible: int = 0,
        reach: Reach | None = None,
    ) -> None:
        super().__init__(game, board)
        self._invisible = invisible
        self._known_reach = reach
        self._last: tuple[chess.Move, Self] | None = None

    def __str__(self) -> str:
        return f"{super().__str__()} {','.join(self.invisible) or '-'}"

    @property
    def invisible(self) -> tuple[Square, ...]:
        """The squares of the invisible pieces of both sides, sorted."""
        return squares_of(self._invisible)

    @property
    def shown(self) -> Mapping[Square, Shown]:
        """What everyone may see on the board, the invisible pieces marked."""
        hidden = set(self.invisible)
        return {
            square: Shown(piece.kind, piece.side, _INVISIBLE) if square in hidden else piece
            for square, piece in super().shown.items()
        }

    def _what_repeats(self) -> Hashable:
        return super()._what_repeats(), self._invisible

    @property
    def in_check(self) -> bool:
        """Whether the king of the side to move is visible and threatened by a visible piece."""
        return bool(self.checkers(self._board.turn))

    @property
    def _reach(self) -> Reach:
        if self._known_reach is None:
            self._known_reach = reach_of(self._board)
        return self._known_reach

    def _king(self, color: chess.Color) -> int:
        return self._board.kings & self._board.occupied_co[color]

    def checkers(self, color: chess.Color) -> int:
        """Return the visible enemies that attack the visible king of a side."""
        king = self._king(color) & ~self._invisible
        return self._attackers(not color, king) if king else 0

    def _attackers(self, color: chess.Color, target: int) -> int:
        """Return the visible pieces of a side that attack one of the target squares."""
        visible = self._board.occupied_co[color] & ~self._invisible
        attackers = 0
        for square, attacked in self._reach.items():
            if attacked & target and visible >> square & 1:
                attackers |= 1 << square
        return attackers

    def turns(self) -> Iterator[OrthodoxTurn]:
        """Yield every legal turn, each once, lazily."""
        if self._early_end() is not None:
            return
        for move in self._ways():
            if self._forbidden(move) is None and not self._exposing(move):
                yield OrthodoxTurn(move)

    def _ways(self) -> Iterator[chess.Move]:
        """Yield the moves that the pieces' ways allow, castling last."""
        board = self._board
        for move in board.generate_pseudo_legal_moves():
            if castling_of(board, move) is None:
                yield move
        home = chess.E1 if board.turn else chess.E8
        for target in (home + 2, home - 2):
            move = chess.Move(home, target)
            if castling_of(board, move) and objection(board, move) is None:
                yield move

    def _forbidden(self, move: chess.Move) -> IllegalTurn | None:
        """Return what an invisible target, a king or an attacked way has against the move."""
        victim = en_passant_victim(self._board, move)
        target = move.to_square if victim is None else victim
        if self._invisible >> target & 1:
            message = f"The piece on {NAMES[target]} is invisible and cannot be captured."
            return IllegalTurn("invisible-target", message, (NAMES[target],))
        if self._captures_king(move) and not self._invisible >> move.from_square & 1:
            message = "Only an invisible piece captures a king."
            return IllegalTurn("king-capture", message, (NAMES[target],))
        if castling_of(self._board, move):
            passed = 1 << (move.from_square + move.to_square) // 2
            color = self._board.turn
            attackers = self.checkers(color) | self._attackers(not color, passed)
            return attacked_castling(attackers) if attackers else None
        return None

    def _captures_king(self, move: chess.Move) -> bool:
        return bool(self._king(not self._board.turn) >> move.to_square & 1)

    def _exposing(self, move: chess.Move) -> int:
        """Return the enemies that attack the mover's king in the end; none matter if he wins."""
        if self._captures_king(move):
            return 0
        return self._result(move).checkers(self._board.turn)

    def _result(self, move: chess.Move) -> Self:
        """Return the settled position after a move; the last one asked for is remembered.

        Whether a turn is legal shows only in its result, and who asks the one mostly goes on to
        ask for the other.
        """
        if self._last is None or self._last[0] != move:
            self._last = (move, self._settled(move))
        return self._last[1]

    def _settled(self, move: chess.Move) -> Self:
        """Return the position after a move, with everybody's flags settled."""
        mover = self._board.turn
        board = after(self._board, move)
        flags = self._invisible & ~(1 << move.to_square)
        emptied = 1 << move.from_square
        victim = en_passant_victim(self._board, move)
        if victim is not None:
            emptied |= 1 << victim
        flags = _carried(flags, move.from_square, move.to_square)
        filled = 1 << move.to_square
        if castling := castling_of(self._board, move):
            rook_from, rook_to = castling.rook
            flags = _carried(flags, rook_from, rook_to)
            emptied, filled = emptied | 1 << rook_from, filled | 1 << rook_to
        reach = reach_after(self._reach, board, emptied | filled)
        visibility = Visibility(
            (board.occupied_co[chess.BLACK], board.occupied_co[chess.WHITE]), reach
        )
        return type(self)(
            self._game, board, visibility.settle(flags & board.occupied, mover), reach
        )

    def _early_end(self) -> Outcome | None:
        """A captured king wins, two bare kings draw."""
        if not self._king(self._board.turn):
            return Outcome(side_of(not self._board.turn), "king-captured")
        return Outcome(None, "bare-kings") if bare_kings(self._board) else None

    def _read(self, text: str) -> OrthodoxTurn:
        """Return the turn that a UCI text names, legal or not."""
        return OrthodoxTurn(read_move(text))

    def _objection(self, turn: OrthodoxTurn) -> IllegalTurn | None:
        """Return why `turn` is not legal here, or `None` when it is."""
        move = turn.move
        found = objection(self._board, move) or self._forbidden(move)
        if found is not None:
            return found
        attackers = self._exposing(move)
        return attacked_king(attackers, was_in_check=self.in_check) if attackers else None

    def _after(self, turn: OrthodoxTurn) -> Self:
        """Return the position after a legal turn."""
        return self._result(turn.move)


def _carried(flags: int, source: chess.Square, target: chess.Square) -> int:
    """Return the flags with that of `source`, if it has one, moved to `target`."""
    if not flags >> source & 1:
        return flags
    return flags & ~(1 << source) | 1 << target


class Mockery(OrthodoxGame[MockeryPosition]):
    """Mockery Chess, by Stephane Burkhart."""

    id = "mockery"
    name = "Mockery Chess"
    own_reasons = MappingProxyType({"invisible-target": "An invisible piece cannot be captured."})
    traits = Traits(asks_below={"occupancy": ("promotion",)}, kings=True)
    gate = Gate(kingless=True)
    position_type = MockeryPosition

    def parse(self, text: str) -> MockeryPosition:
        """Return the position of a FEN with a seventh field, the squares of invisible pieces.

        Raises:
            InvalidPosition: with all problems.
        """
        *orthodox, field = split_fields(text, 7)
        problems: list[Problem] = []
        invisible = parse_squares(field, problems, "invisible")
        try:
            arrangement = parse_fen(" ".join(orthodox))
        except InvalidPosition as unreadable:
            raise invalid([*unreadable.problems, *problems]) from None
        if problems:
            raise invalid([*self.gate.problems(arrangement), *problems])
        return self.admit(arrangement, invisible)

    def admit(
        self, arrangement: Arrangement, invisible: tuple[Square, ...] = ()
    ) -> MockeryPosition:
        """Return the position that an arrangement makes.

        It is taken as it stands: nobody vanishes or comes back, and a king may stand attacked
        though his side has just moved.

        Raises:
            InvalidPosition: with all problems.
        """
        problems = self.gate.problems(arrangement)
        empty = tuple(square for square in invisible if square not in arrangement.placement)
        if empty:
            problems.append(Problem("invisible", empty, "an invisible piece must be a piece"))
        if problems:
            raise invalid(problems)
        return MockeryPosition(self, board_of(arrangement), mask_of(invisible))
