"""The mind for a game that moves as in chess: the shared search on the game's core."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from random import Random
from typing import ClassVar

import chess

from firmware_bridge.opponents.chesslike.search_board import Board, Move
from firmware_bridge.opponents.engine import Choice, Engine, Worlds, best_first
from firmware_bridge.opponents.levels import Level
from firmware_bridge.opponents.search import Search
from rules.interface import Position


def board_of(position: Position) -> chess.Board:
    """Return the board of a position, which castles as its game does."""
    return chess.Board(position.fen, chess960=position.game.traits.chess960)


class ChesslikeEngine(Engine):
    """Plays a game without secrets; knows which positions were on the board already."""

    node: ClassVar[type[Board]] = Board

    _past: frozenset[Hashable] = frozenset()

    def node_of(self, position: Position) -> Board:
        """Return the node that a position is to the search."""
        return self.on(board_of(position))

    def on(self, board: chess.Board) -> Board:
        """Return the node that a board is to the search."""
        return self.node.of(board)

    def saw(self, before: Worlds, turn: str) -> None:
        """Remember the position, since to come back to it is a draw."""
        del turn
        self._past |= {self.node_of(before.worlds()[0]).key}

    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return the best turn that the search finds."""
        return self.search(self.node_of(belief.worlds()[0]), level, rng)

    def ranked(self, belief: Worlds, level: Level, rng: Random, count: int) -> tuple[Choice, ...]:
        """Return the best turns, each searched without those found before it."""
        node = self.node_of(belief.worlds()[0])
        moves = (*(move for _, move in node.captures()), *node.quiets())
        every = {node.text(move) for move in moves if node.made(move)}

        def choose(found: Collection[str]) -> Choice | None:
            left = every.difference(found)
            return self.search(node, level, rng, left) if left else None

        return best_first(choose, count)

    def search(self, node: Board, level: Level, rng: Random, only: Collection[str] = ()) -> Choice:
        """Return the best turn from a node, among those of the texts given, if not all."""
        search = Search[Move](level, rng, self._past - {node.key}, self.stopped)
        moves = (*(move for _, move in node.captures()), *node.quiets())
        found = search.best(node, [move for move in moves if node.text(move) in only])
        if found is None:
            raise ValueError("there is no turn in this position")
        texts, here = [], node
        for move in found.line:
            texts.append(here.text(move))
            here = here.made(move) or here
        return Choice(texts[0], found.score, found.depth, found.nodes, tuple(texts))
