"""Plays Indistinguishable Chess: a program of others when there is one, else our own search."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from random import Random

import chess

from firmware_bridge.opponents.chesslike.board960 import Board960
from firmware_bridge.opponents.chesslike.mind import ChesslikeEngine, board_of
from firmware_bridge.opponents.chesslike.search_board import Board
from firmware_bridge.opponents.engine import WON, Choice, Worlds, best_first
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.games.indistinguishable.memory import Memory, believed
from firmware_bridge.opponents.levels import TECHNIQUE, Level
from rules.game_referee import Ruling
from rules.interface import Position, Square
from rules.orthodox.objections import en_passant_victim

_ALONE = 4_000
"""Positions looked at to mate a king who is alone: few moves are left, and plans are long."""


class IndistinguishableEngine(ChesslikeEngine):
    """Moves what it believes to be its own, and learns from the referee where it was wrong."""

    def __init__(self, seed: str = "", stopped: Callable[[], bool] | None = None) -> None:
        super().__init__(seed, *([stopped] if stopped else []))
        self._memory = Memory(seed)
        self._played = chess.Board()
        self._owed: Square | None = None
        self._program: external.Program | None = None

    def prepare(self, level: Level) -> None:
        """Start the program where the level asks one."""
        if level.blind:
            return
        try:
            self._program = external.program()
        except external.Broken as broken:
            self._without(str(broken))
        else:
            self.door = self._program.door

    @classmethod
    def missing(cls) -> str:
        """Return that no other program is installed, when none is."""
        return "" if external.find() else f"{external.NONE}: our own search plays."

    def on(self, board: chess.Board) -> Board:
        """Return the node that a board is to the search."""
        return Board960.of(board) if board.chess960 else super().on(board)

    def saw(self, before: Worlds, turn: str) -> None:
        """Remember the position, and whose the piece is that moved."""
        super().saw(before, turn)
        position = before.worlds()[0]
        self._memory.saw(position.deed(position.parse_turn(turn)))
        self._played = self._with_its_past(position)
        self._played.push(chess.Move.from_uci(turn))
        self._owed = None

    def ruled(self, move: str, ruling: Ruling) -> None:
        """Learn whose a piece is; what else was wrong is found by looking at all of them again."""
        self._owed = ruling.obligation
        if ruling.reason == "not-your-piece":
            self._memory.sure_of([move[:2]])
        else:
            self._memory.sure_of_all()

    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return the best turn of the position as it is remembered: perhaps one not allowed."""
        choice = self._chosen(belief, level, rng)
        if choice is None:
            raise ValueError("there is no turn in this position")
        return choice

    def ranked(self, belief: Worlds, level: Level, rng: Random, count: int) -> tuple[Choice, ...]:
        """Return the best turns, each looked for without those found before it."""
        return best_first(lambda found: self._chosen(belief, level, rng, found), count)

    def _chosen(
        self, belief: Worlds, level: Level, rng: Random, without: Collection[str] = ()
    ) -> Choice | None:
        position = belief.worlds()[0]
        true = self._with_its_past(position)
        board = believed(true, self._memory.wrong(position, level.memory))
        only = self._owing(board)
        if self._owed is not None and not only:
            board, only = true, self._owing(true)
        if without:
            only = [move for move in only or board.legal_moves if move.uci() not in without]
            if not only:
                return None
        texts = {move.uci() for move in only}
        if level.number >= TECHNIQUE and board.occupied_co[not board.turn].bit_count() == 1:
            return self.search(self.on(board), replace(level, error=0, nodes=_ALONE), rng, texts)
        if self._program is not None and not level.blind and board.is_valid():
            glance = self.search(self.on(board), replace(level, depth=1), rng, texts)
            if glance.score == WON - 1:
                return glance  # which a program with few nodes might overlook
            try:
                choice = self._program.choose(board, level, rng, only, self.stopped)
            except external.Broken as broken:
                self._program.close()
                self._program = None
                self._without(str(broken))
            else:
                self.note = f"{self._program.name} plays."
                return choice
        own = replace(level, nodes=level.own_nodes or level.nodes)
        return self.search(self.on(board), own, rng, texts)

    def _with_its_past(self, position: Position) -> chess.Board:
        """Return the board of a position, with the turns before it: a program knows repetitions."""
        board = board_of(position)
        return self._played if self._played == board else board

    def _owing(self, board: chess.Board) -> list[chess.Move]:
        """Return the captures of the piece that is owed, none when none is."""
        if self._owed is None:
            return []
        square = chess.parse_square(self._owed)
        return [
            move
            for move in board.generate_legal_captures()
            if square in (move.to_square, en_passant_victim(board, move))
        ]

    def _without(self, why: str) -> None:
        """Go on with our own search, and say why."""
        self.note = f"{why}: our own search plays."
