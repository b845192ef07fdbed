"""What the games that move as in chess share: their turns, positions and game class."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar

import chess

from rules import fen
from rules.arrangement import Arrangement, Gate
from rules.interface import (
    Deed,
    Game,
    IllegalTurn,
    Label,
    Outcome,
    Position,
    Problem,
    Side,
    Square,
    Traits,
    Turn,
)
from rules.orthodox import conversion, san
from rules.orthodox.objections import (
    attacked_king,
    castling_objection,
    castling_of,
    en_passant_victim,
    objection,
)

OwnTurn = TypeVar("OwnTurn", bound="OrthodoxTurn")
OwnPosition = TypeVar("OwnPosition", bound="OrthodoxPosition[Any]")

_UCI = re.compile(r"([a-h][1-8])(?!\1)[a-h][1-8][qrbn]?")


@dataclass(frozen=True, slots=True)
class OrthodoxTurn(Turn):
    """A move as in chess; its text is UCI."""

    move: chess.Move

    def __str__(self) -> str:
        return self.move.uci()

    @property
    def plain(self) -> bool:
        """Whether the hands showed all: which piece a pawn becomes, they may not have shown."""
        return self.move.promotion is None


def read_move(text: str) -> chess.Move:
    """Return the move that a UCI text names; raise `IllegalTurn` (`syntax`) when it is none."""
    if not _UCI.fullmatch(text):
        message = f"{text!r} is not the text of a turn; one looks like e2e4 or e7e8q."
        raise IllegalTurn("syntax", message)
    return chess.Move.from_uci(text)


class OrthodoxPosition(Position, Generic[OwnTurn]):
    """A position whose pieces move as in chess; what each game adds is in its subclass.

    Args:
        game: the game, options included.
        board: the python-chess board; from now on nobody may change it.
    """

    __slots__ = ("_board", "_game", "_judged", "_key", "_outcome", "_placement", "_text")

    turn_type: type[OwnTurn]
    """The class of the game's own turns."""

    def __init__(self, game: OrthodoxGame[Any], board: chess.Board) -> None:
        self._game = game
        self._board = board
        self._placement: Mapping[Square, Label] | None = None
        self._outcome: Outcome | None = None
        self._judged = False
        self._text: str | None = None
        self._key: Hashable | None = None

    def __str__(self) -> str:
        if self._text is None:
            self._text = conversion.text_of(self._board)
        return self._text

    @property
    def game(self) -> OrthodoxGame[Any]:
        """The game, with its options, that this position belongs to."""
        return self._game

    @property
    def side(self) -> Side:
        """Who is to move."""
        return conversion.side_of(self._board.turn)

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._board.is_check()

    @property
    def halfmove_clock(self) -> int:
        """Half-moves since the last capture or pawn move."""
        return self._board.halfmove_clock

    @property
    def fullmove_number(self) -> int:
        """The number of the full move."""
        return self._board.fullmove_number

    @property
    def repetition_key(self) -> Hashable:
        """The same pieces, side to move, castling rights and, if one is legal, en passant."""
        if self._key is None:
            self._key = self._what_repeats()
        return self._key

    def _what_repeats(self) -> Hashable:
        board = self._board
        passing = board.has_pseudo_legal_en_passant() and any(
            board.is_en_passant(turn.move) for turn in self.turns()
        )
        return (
            *(board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings),
            *board.occupied_co,
            board.turn,
            board.clean_castling_rights(),
            board.ep_square if passing else None,
        )

    @property
    def fen(self) -> str | None:
        """The six fields of a FEN."""
        return conversion.text_of(self._board)

    def has_insufficient_material(self, side: Side) -> bool:
        """Whether a side has only its bare king left."""
        return self._board.occupied_co[side == "white"].bit_count() == 1

    @property
    def placement(self) -> Mapping[Square, Label]:
        """What stands where."""
        if self._placement is None:
            self._placement = MappingProxyType(conversion.placement_of(self._board))
        return self._placement

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or `None` while it goes on."""
        if not self._judged:
            self._outcome = self._early_end() or self._no_turn_end()
            self._judged = True
        return self._outcome

    def _no_turn_end(self) -> Outcome | None:
        """Return checkmate or stalemate when there is no legal turn."""
        if any(True for _ in self.turns()):
            return None
        if self.in_check:
            return Outcome(conversion.side_of(not self._board.turn), "checkmate")
        return Outcome(None, "stalemate")

    @abstractmethod
    def _early_end(self) -> Outcome | None:
        """Return the end that leaves legal moves on the board, if it has come."""

    @abstractmethod
    def _objection(self, turn: OwnTurn) -> IllegalTurn | None:
        """Return why `turn` is not legal here, or `None` when it is; the game is not over."""

    @abstractmethod
    def _after(self, turn: OwnTurn) -> Self:
        """Return the position after a legal turn."""

    @abstractmethod
    def turns(self) -> Iterator[OwnTurn]:
        """Yield every legal turn, each once, lazily."""

    @abstractmethod
    def _read(self, text: str) -> OwnTurn:
        """Return the turn that a canonical text names, legal or not."""

    def parse_turn(self, text: str) -> OwnTurn:
        """Return the legal turn that `text` describes.

        Raises:
            IllegalTurn: with the most helpful true reason; `syntax` when it is no turn text.
        """
        turn = self._read(text)
        self._check(turn)
        return turn

    def play(self, turn: Turn) -> Self:
        """Return the next position; raise `IllegalTurn` when the turn is not legal here."""
        own = self._own(turn)
        self._check(own)
        return self._after(own)

    def _own(self, turn: Turn) -> OwnTurn:
        """Return `turn` as a turn of this game; one of another game counts by its text."""
        if type(turn) is self.turn_type:
            return turn
        return self._read(str(turn))

    def _check(self, turn: OwnTurn) -> None:
        """Raise `IllegalTurn` unless the turn is legal here."""
        if self._early_end() is not None:
            raise IllegalTurn("game-over", "The game is over.")
        objection = self._objection(turn)
        if objection is None:
            return
        if self.outcome is not None:
            raise IllegalTurn("game-over", "The game is over.")
        raise objection

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do on the board to make this legal turn."""
        return move_deed(self._board, self._own(turn).move)

    def written(self, turn: Turn) -> str:
        """Return a legal turn in algebraic notation."""
        return san.write(self, turn)

    def understand(self, text: str) -> Turn:
        """Return the legal turn that people wrote, in algebraic notation or as a turn text."""
        return san.understand(self, text)


class MovesPosition(OrthodoxPosition[OrthodoxTurn]):
    """A position whose turns are the moves of chess; a game says only how it ends, or what it bars.

    Example:
        `rules/games/chess.py` adds when neither side can give mate any more.
    """

    __slots__ = ()

    turn_type = OrthodoxTurn

    def turns(self) -> Iterator[OrthodoxTurn]:
        """Yield every legal turn, each once, lazily."""
        if self._early_end() is None:
            for move in self._board.generate_legal_moves():
                if self._bar(move) is None:
                    yield OrthodoxTurn(move)

    def _bar(self, move: chess.Move) -> IllegalTurn | None:  # noqa: ARG002 - for games with bars
        """Return why a game forbids a move that chess allows, or `None`."""
        return None

    def _read(self, text: str) -> OrthodoxTurn:
        return OrthodoxTurn(read_move(text))

    def _objection(self, turn: OrthodoxTurn) -> IllegalTurn | None:
        board, move = self._board, turn.move
        found = objection(board, move) or castling_objection(board, move) or self._bar(move)
        plain = type(board) is chess.Board  # which can tell without making the move
        if found is not None or (plain and not board.is_into_check(move)):
            return found
        attackers = conversion.king_attackers(conversion.after(board, move), board.turn)
        return attacked_king(attackers, was_in_check=board.is_check()) if attackers else None

    def _after(self, turn: OrthodoxTurn) -> Self:
        return type(self)(self._game, conversion.after(self._board, turn.move))


def move_deed(board: chess.Board, move: chess.Move) -> Deed:
    """Return what hands do to make a legal orthodox move."""
    source, target = conversion.NAMES[move.from_square], conversion.NAMES[move.to_square]
    if castling := castling_of(board, move):
        ways = [(conversion.NAMES[start], conversion.NAMES[end]) for start, end in castling]
        return Deed(tuple(way for way in ways if way[0] != way[1]))
    victim = en_passant_victim(board, move)
    if victim is None and board.occupied >> move.to_square & 1:
        victim = move.to_square
    taken = () if victim is None else (conversion.NAMES[victim],)
    if move.promotion is None:
        return Deed(((source, target),), taken)
    label = conversion.LABELS[board.turn][move.promotion]
    return Deed(((source, target),), taken, becomes=((target, label),))


class OrthodoxGame(Game, Generic[OwnPosition]):
    """A game that starts as chess does and whose position texts are FEN."""

    gate: ClassVar[Gate] = Gate()
    traits: ClassVar[Traits] = Traits(kings=True)
    position_type: type[OwnPosition]
    """The class of the game's own positions."""
    board_type: ClassVar[type[chess.Board]] = chess.Board
    """The class of its boards: python-chess's own, one of its variants, or a class made of one."""

    @property
    def squares(self) -> frozenset[Square]:
        """The 64 squares."""
        return frozenset(fen.SQUARES)

    def start(self) -> OwnPosition:
        """Return the starting position."""
        return self.position_type(self, self.board_type())

    def parse(self, text: str) -> OwnPosition:
        """Return the position of a FEN; raise `InvalidPosition` with all problems."""
        return self.admit(fen.parse_fen(text, chess960=self.traits.chess960))

    def admit(self, arrangement: Arrangement) -> OwnPosition:
        """Return the position that an arrangement makes; raise `InvalidPosition` with all problems.

        Any material may be played, nine queens a side included; what cannot be is a side without
        its one king, a pawn where none can stand, the side that has just moved left in check, and
        castling rights or an en passant square that the pieces contradict.
        """
        problems = self.gate.problems(arrangement)
        if problems:
            raise fen.invalid(problems)
        board = conversion.board_of(arrangement, self.board_type)
        checkers = conversion.king_attackers(board, not board.turn)
        if checkers:
            text = "the side that has just moved is in check"
            raise fen.invalid([Problem("opponent-in-check", conversion.squares_of(checkers), text)])
        return self.position_type(self, board)
