"""Realm Chess: its options and its positions."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar
from weakref import ref

import chess

from rules import fen
from rules.arrangement import Arrangement, Gate
from rules.explain import Explainer
from rules.games.realm import notation
from rules.games.realm.bitboard import EMPTY, Board, names_of, scan
from rules.games.realm.explainer import RealmExplainer
from rules.games.realm.finder import Finder
from rules.games.realm.order import after
from rules.games.realm.realms import SQUARE_NAMES, Division, division
from rules.games.realm.search_state import State, following, state_of
from rules.games.realm.steps import Move, Step, rook_of
from rules.games.realm.turn import RealmTurn, read_turn
from rules.games.realm.whynot import judge, refuse_hands
from rules.interface import (
    Deed,
    Game,
    IllegalTurn,
    Label,
    OptionValue,
    Outcome,
    Position,
    Problem,
    Side,
    Square,
    Traits,
    Turn,
)

_NO_LIMIT = 64  # a board has no more squares
_RECENT: deque[Finder] = deque(maxlen=8)
"""What searched last stays at hand; it knows thousands of turns, too many for every position."""


class RealmPosition(Position):
    """A position: immutable, equal when the game and the texts are equal."""

    __slots__ = ("_ended", "_finder", "_game", "_state")

    def __init__(self, game: RealmChess, state: State) -> None:
        self._game = game
        self._state = state
        self._finder: ref[Finder] | None = None
        self._ended: tuple[Outcome | None] | None = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RealmPosition)
            and self._state == other._state
            and self._game == other._game
        )

    def __hash__(self) -> int:
        return hash(self._state)

    def __str__(self) -> str:
        state = self._state
        return str(
            fen.Fen(
                self.placement,
                self.side,
                state.castling,
                names_of(state.passed),
                state.half_moves,
                state.full_move,
            )
        )

    @property
    def game(self) -> RealmChess:
        """The game, with its options, that this position belongs to."""
        return self._game

    @property
    def state(self) -> State:
        """The six fields of the FEN as the search likes them."""
        return self._state

    @property
    def side(self) -> Side:
        """Who is to move."""
        return "white" if self._state.white else "black"

    @property
    def finder(self) -> Finder:
        """What answers questions about the turns of this position."""
        found = self._finder() if self._finder else None
        if found is None:
            state, game = self._state, self._game
            board = Board(
                state.squares, white=state.white, castling=state.castling, passed=state.passed
            )
            plies = 2 * state.full_move - state.white
            most = min(plies, _NO_LIMIT) if game.balanced else _NO_LIMIT
            found = Finder(board, game.division, power=game.power, most=most)
            self._finder = ref(found)
            _RECENT.append(found)
        return found

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or `None` while it goes on."""
        if self._ended is None:
            self._ended = (self._end(),)
        return self._ended[0]

    def _end(self) -> Outcome | None:
        if self.drawn:
            return Outcome(None, "bare-kings")
        if self.finder.any_turn():
            return None
        if self.in_check:
            return Outcome("black" if self._state.white else "white", "checkmate")
        return Outcome(None, "stalemate")

    @property
    def drawn(self) -> bool:
        """Whether only the two kings are left."""
        return self._state.squares.count(EMPTY) == 62

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.finder.board.checkers)

    @property
    def halfmove_clock(self) -> int:
        """Half-moves since the last capture or turn in which a pawn moved."""
        return self._state.half_moves

    @property
    def fullmove_number(self) -> int:
        """The number of the full move."""
        return self._state.full_move

    @property
    def repetition_key(self) -> Hashable:
        """All but the two counters; any square passed over counts, as a turn may use several."""
        return self._state[:4]

    @property
    def fen(self) -> str | None:
        """The position text, which is a FEN unless several squares were passed over."""
        return str(self) if self._state.passed.bit_count() < 2 else None

    def has_insufficient_material(self, side: Side) -> bool:
        """Whether a side has only its bare king left."""
        men = (letter for letter in self._state.squares if letter != EMPTY)
        return sum(letter.isupper() == (side == "white") for letter in men) == 1

    @property
    def placement(self) -> Mapping[Square, Label]:
        """What stands where."""
        return {
            name: fen.label_of(letter)
            for name, letter in zip(SQUARE_NAMES, self._state.squares, strict=True)
            if letter != EMPTY
        }

    def turns(self) -> Iterator[RealmTurn]:
        """Yield every legal turn under its canonical description, each once, lazily."""
        if not self.drawn:
            yield from self.finder.turns()

    def parse_turn(self, text: str) -> RealmTurn:
        """Return the turn that any legal description names, under its canonical description."""
        return self.finder.describer.describe(self.steps_of(read_turn(text)))

    def play(self, turn: Turn) -> RealmPosition:
        """Return the next position; raise `IllegalTurn` when the turn is not legal here."""
        return RealmPosition(
            self._game, following(self._state, self.finder.board, self.steps_of(_own(turn)))
        )

    def deed(self, turn: Turn) -> Deed:
        """Return what hands do on the board to make this legal turn."""
        own = _own(turn)
        steps = self.steps_of(own)
        board = self.finder.board
        carried = [*own.moves, *(rook_of(step) for step in steps if step.castles)]
        letter = "w" if self._state.white else "b"
        realm = self._game.division.named(own.realm)
        return Deed(
            moves=tuple((SQUARE_NAMES[move.source], SQUARE_NAMES[move.target]) for move in carried),
            taken=tuple(SQUARE_NAMES[square] for square in scan(after(board, steps)[1])),
            becomes=tuple(
                (SQUARE_NAMES[move.target], letter + move.promotion.upper())
                for move in own.moves
                if move.promotion
            ),
            region=tuple(SQUARE_NAMES[square] for square in scan(realm.squares)) if realm else (),
        )

    def objection(self, moves: Sequence[tuple[Square, Square]]) -> IllegalTurn | None:
        """Return why these moves of hands make no legal turn; `None` when they make one."""
        if self.outcome is not None:
            return IllegalTurn("game-over", f"The game is over: {self.outcome.reason}.")
        carried = [Move(chess.parse_square(a), chess.parse_square(b)) for a, b in moves]
        return refuse_hands(self.finder, carried)

    def explainer(self) -> Explainer:
        """Return the search from what a board shows to the legal turns that explain it."""
        return RealmExplainer(self, self.finder, self.steps_of)

    def written(self, turn: Turn) -> str:
        """Return the turn in the inventor's notation; it holds no secrets."""
        return notation.write(self, self.finder, _own(turn))

    def understand(self, text: str) -> Turn:
        """Return the legal turn that people wrote, in the inventor's notation or as turn text."""
        return notation.read(self, self.finder, text)

    def steps_of(self, turn: RealmTurn) -> Sequence[Step]:
        """Return the steps of a legal turn; raise `IllegalTurn` when it is not legal."""
        if self.drawn:
            raise IllegalTurn("game-over", "Only the kings are left: the game is drawn.")
        verdict = self.finder.describer.steps_of(turn) or judge(self.finder, turn)
        if not isinstance(verdict, IllegalTurn):
            return verdict
        if self.outcome is not None:
            raise IllegalTurn("game-over", f"The game is over: {self.outcome.reason}.")
        raise verdict


def _own(turn: Turn) -> RealmTurn:
    """Return `turn` as a turn of this game; one of another game counts by its text."""
    return turn if isinstance(turn, RealmTurn) else read_turn(str(turn))


_GATE = Gate(pawn_ranks={"white": "1234567", "black": "2345678"})


class RealmChess(Game):
    """Turns of many pieces out of, into or within one quarter of a quarter of the board."""

    id: ClassVar[str] = "realm"
    name: ClassVar[str] = "Realm Chess"
    allowed: ClassVar[Mapping[str, tuple[OptionValue, ...]]] = {
        "power": (False, True),
        "free": (False, True),
        "balanced": (False, True),
    }
    own_reasons: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "wrong-realm": "A piece starts or ends in the wrong realm.",
            "mixed-realms": "The pieces moved do not share one realm.",
            "moved-twice": "A piece moved twice.",
        }
    )
    traits: ClassVar[Traits] = Traits(
        least_tier="occupancy",
        asks_below={"occupancy": ("promotion", "rearrangement")},
        long_turns=True,
        kings=True,
    )

    @property
    def power(self) -> bool:
        """Whether dispersal, concentration and rearrangement may be combined."""
        return bool(self.options["power"])

    @property
    def balanced(self) -> bool:
        """Whether the number of pieces that may move grows with the plies."""
        return bool(self.options["balanced"])

    @property
    def division(self) -> Division:
        """The realms of the board."""
        return division(free=bool(self.options["free"]))

    @property
    def squares(self) -> frozenset[Square]:
        """The 64 squares."""
        return frozenset(fen.SQUARES)

    @property
    def regions(self) -> tuple[tuple[Square, ...], ...]:
        """The realms, unless they overlap."""
        if self.options["free"]:
            return ()
        return tuple(names_of(realm.squares) for realm in self.division.realms)

    def start(self) -> RealmPosition:
        """Return the starting position."""
        return self.parse(chess.STARTING_FEN)

    def parse(self, text: str) -> RealmPosition:
        """Return the position of a FEN; raise `InvalidPosition` with all problems."""
        return self.admit(fen.parse_fen(text))

    def admit(self, arrangement: Arrangement) -> RealmPosition:
        """Return the position that an arrangement makes; raise `InvalidPosition` with all problems.

        Pawns may stand on their own first rank. The side that has just moved may stand in check: it
        makes no difference to the other's turns, as no king is ever captured. A square for en
        passant lies behind a pawn of the side that has just moved, on the second or third rank as
        that side counts.
        """
        problems = _GATE.problems(replace(arrangement, en_passant=()))
        problems += _en_passant_problems(arrangement)
        if problems:
            raise fen.invalid(problems)
        return RealmPosition(self, state_of(arrangement))


def _en_passant_problems(arrangement: Arrangement) -> list[Problem]:
    """Return a problem for the squares over which no pawn can just have passed."""
    ranks, ahead, pawn = ("76", -1, "bP") if arrangement.side == "white" else ("23", 1, "wP")
    wrong = tuple(
        square
        for square in arrangement.en_passant
        if square[1] not in ranks
        or square in arrangement.placement
        or arrangement.placement.get(f"{square[0]}{int(square[1]) + ahead}") != pawn
    )
    return [Problem("en-passant", wrong, "no pawn can just have passed over")] if wrong else []
