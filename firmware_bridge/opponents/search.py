"""The search that most games share: negamax with alpha-beta over nodes that a game provides.

Iterative deepening, a transposition table, killers, history, null moves, late move reductions, and
a quiescence over captures. It is limited by the number of positions looked at, never by time, so
that it decides the same on every machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from random import Random
from typing import Final, Generic, NamedTuple, Self, TypeVar

from firmware_bridge.opponents.engine import WON, nobody
from firmware_bridge.opponents.levels import Level
from firmware_bridge.opponents.protocol import SURE

Move = TypeVar("Move", bound="Hashable")

_FAR: Final = WON + 1
_SURE: Final = SURE  # a constant, where this is compiled
_QUIET_PLIES: Final = 8
"""How many captures in a row are looked into: an exchange on one square is seldom longer."""
_QUIET_CHECKS: Final = 2
"""Among the first of them every way out of a check is."""
_MARGIN: Final = 150
"""A capture that even with a pawn and a half on top stays below the bound is not looked into."""
_FIRST: Final = 2_000
"""So many positions the first ply may look at, to find a move. Chess needs some hundreds. Where
every move is a capture, looking into captures alone would take hours."""
_STOP_MASK: Final = 127
"""Every 128 positions it is asked whether to stop: soon enough, and it costs next to nothing."""


class Node(ABC, Generic[Move]):
    """A position as the search walks over it; `made` gives new ones and changes nothing.

    Attributes:
        side: whether White is to act.
    """

    __slots__ = ()

    side: bool

    @property
    @abstractmethod
    def key(self) -> Hashable:
        """What is equal when the position is."""

    @property
    @abstractmethod
    def check(self) -> bool:
        """Whether the side to act is in check."""

    @property
    @abstractmethod
    def value(self) -> int:
        """What the position is worth to the side to act, in hundredths of a pawn."""

    @property
    @abstractmethod
    def ended(self) -> int | None:
        """1, 0 or -1 where the side to act has won, drawn or lost whatever turns there are."""

    @property
    @abstractmethod
    def stuck(self) -> int:
        """What `ended` would be when no move is legal."""

    @abstractmethod
    def captures(self) -> list[tuple[int, Move]]:
        """Return the moves that win something, with what they win, the best first.

        As with `quiets`, some may turn out to be illegal.
        """

    @abstractmethod
    def quiets(self) -> list[Move]:
        """Return all other moves."""

    @abstractmethod
    def made(self, move: Move) -> Self | None:
        """Return the node after a move, `None` when it is illegal."""

    @abstractmethod
    def passed(self) -> Self | None:
        """Return the node after no move, `None` where that says nothing about the others."""


class Found(NamedTuple, Generic[Move]):
    """What a search came to; `line` begins with the move that was chosen."""

    line: tuple[Move, ...]
    score: int
    depth: int
    nodes: int


class _Enough(Exception):  # noqa: N818 - it ends a search, and is no error
    """The nodes are used up, or somebody wants the turn now."""


class Search(Generic[Move]):
    """One search for one turn.

    The level's nodes, depth and error are looked at; to come back to a key of `past` is a draw.
    """

    def __init__(
        self,
        level: Level,
        rng: Random,
        past: Collection[Hashable] = (),
        stopped: Callable[[], bool] = nobody,
    ) -> None:
        self.nodes = 0
        self._level = level
        self._rng = rng
        self._past = past
        self._stopped = stopped
        self._limit = max(level.nodes, _FIRST)
        self._path: set[Hashable] = set()
        self._table: dict[Hashable, tuple[int, int, int, Move | None]] = {}
        self._killers: list[tuple[Move | None, Move | None]] = [(None, None)] * 256
        self._history: dict[Move, int] = {}

    def best(self, root: Node[Move], only: Collection[Move] = ()) -> Found[Move] | None:
        """Return the best move of a node with the line expected, `None` when none is legal.

        `only` are the moves to choose from, if not all.
        """
        children = [pair for pair in _children(root) if not only or pair[0] in only]
        if not children:
            return None
        children.sort(key=lambda pair: str(pair[0]))
        errors = {move: round(self._rng.gauss(0, self._level.error)) for move, _ in children}
        children.sort(key=lambda pair: pair[1].value * (1 if pair[1].side != root.side else -1))
        if self._level.overlooks(self._rng) and not self._wins(children):
            return _shiniest(root, children, errors)
        self._path.add(root.key)
        best, score, done = children[0][0], 0, 0
        for depth in range(1, self._level.depth + 1):
            try:
                best, score = self._root(root, children, errors, depth)
            except _Enough as enough:
                best, score = enough.args[0] or (best, score)
                break
            done = depth
            if abs(score) > _SURE and depth >= WON - abs(score):
                break  # nothing is quicker
            children.sort(key=lambda pair: pair[0] != best)
            self._limit = self._level.nodes
        return Found(self._line(root, best), score, done, self.nodes)

    def _wins(self, children: Sequence[tuple[Move, Node[Move]]]) -> bool:
        """Return whether one of these moves wins at once; who looks one ply ahead sees none."""
        return self._level.depth > 1 and any(_lost(child) for _, child in children)

    def _root(
        self,
        root: Node[Move],
        children: Sequence[tuple[Move, Node[Move]]],
        errors: dict[Move, int],
        depth: int,
    ) -> tuple[Move, int]:
        """Search every move of the root; the errors shift what each seems to be worth."""
        best: tuple[Move, int] | None = None
        seems = -_FAR - WON
        for move, child in children:
            error = errors[move]
            floor = max(seems - error, -_FAR)
            try:
                score = self._probe(root, child, depth - 1, floor, first=best is None)
            except _Enough:
                raise _Enough(best) from None
            worth = score if abs(score) > _SURE else score + error
            if best is None or worth > seems:
                best, seems = (move, score), worth
        if best is None:
            raise ValueError("there is no move to search")
        return best

    def _probe(
        self, root: Node[Move], child: Node[Move], depth: int, floor: int, *, first: bool
    ) -> int:
        """Return a root move's score, exact where it is above the floor."""
        if not first and depth > 0:
            score = self._below(root, child, depth, floor, floor + 1, 1)
            if score <= floor:
                return score
        return self._below(root, child, depth, floor, _FAR, 1)

    def _below(
        self, node: Node[Move], child: Node[Move], depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Return what a child is worth to the side that is to act at its parent."""
        if child.side == node.side:
            return self._negamax(child, depth, alpha, beta, ply)
        return -self._negamax(child, depth, -beta, -alpha, ply)

    def _tick(self) -> None:
        self.nodes += 1
        if self._limit and self.nodes > self._limit:
            raise _Enough(None)
        if not self.nodes & _STOP_MASK and self._stopped():
            raise _Enough(None)

    def _negamax(self, node: Node[Move], depth: int, alpha: int, beta: int, ply: int) -> int:
        ended = node.ended
        if ended is not None:
            self._tick()
            return ended * (WON - ply)
        key = node.key
        if key in self._path or key in self._past:
            return 0
        check = node.check
        if check and ply < 60:
            depth += 1
        if depth <= 0:
            return self._quiet(node, alpha, beta, ply, _QUIET_PLIES)
        self._tick()
        known = self._table.get(key)
        wanted = None
        if known is not None:
            known_depth, bound, score, wanted = known
            if known_depth >= depth:
                score = _from_here(score, ply)
                if bound == 0 or (bound > 0 and score >= beta) or (bound < 0 and score <= alpha):
                    return score
        if not check and depth >= 3 and abs(beta) < _SURE and beta == alpha + 1:
            score = self._null(node, depth, beta, ply)
            if score >= beta:
                return score
        self._path.add(key)
        try:
            best, score = self._moves(node, wanted, depth, (alpha, beta), ply)
        finally:
            self._path.discard(key)
        bound = 1 if score >= beta else -1 if score <= alpha else 0
        self._table[key] = depth, bound, _from_there(score, ply), best
        return score

    def _null(self, node: Node[Move], depth: int, beta: int, ply: int) -> int:
        """Return what not moving at all is worth, where that may be enough already."""
        if node.value < beta:
            return -_FAR
        child = node.passed()
        if child is None:
            return -_FAR
        return self._below(node, child, depth - 3, beta - 1, beta, ply + 1)

    def _moves(
        self,
        node: Node[Move],
        wanted: Move | None,
        depth: int,
        window: tuple[int, int],
        ply: int,
    ) -> tuple[Move | None, int]:
        """Return the best move at a node and its score."""
        alpha, beta = window
        best, high, legal = None, -_FAR, 0
        late = depth >= 3 and not node.check
        for stage, move in self._ordered(node, wanted, ply):
            child = node.made(move)
            if child is None:
                continue
            legal += 1
            less = (legal > 4) + (legal > 12) if late and stage == 2 else 0
            null = legal > 1
            score = self._scout(node, child, (depth - 1, less), (alpha, beta), ply, null=null)
            if score > high:
                best, high = move, score
                alpha = max(alpha, score)
                if alpha >= beta:
                    if stage:
                        self._remember(move, depth, ply)
                    break
        if not legal:
            return None, node.stuck * (WON - ply)
        return best, high

    def _scout(
        self,
        node: Node[Move],
        child: Node[Move],
        depths: tuple[int, int],
        window: tuple[int, int],
        ply: int,
        *,
        null: bool,
    ) -> int:
        """Return a move's score: asked cheaply first whether it is better than the best so far."""
        depth, less = depths
        alpha, beta = window
        if null:
            score = self._below(node, child, depth - less, alpha, alpha + 1, ply + 1)
            if less and score > alpha:
                score = self._below(node, child, depth, alpha, alpha + 1, ply + 1)
            if not alpha < score < beta:
                return score
        return self._below(node, child, depth, alpha, beta, ply + 1)

    def _remember(self, move: Move, depth: int, ply: int) -> None:
        """Try a quiet move that refuted something early elsewhere too."""
        self._history[move] = self._history.get(move, 0) + depth * depth
        first, _ = self._killers[ply]
        if first != move:
            self._killers[ply] = move, first

    def _ordered(
        self, node: Node[Move], wanted: Move | None, ply: int
    ) -> Iterator[tuple[int, Move]]:
        """Yield all moves, the most promising first, with 0 captures, 1 killers, 2 the others."""
        captures = node.captures()
        if wanted is not None:
            yield int(all(move != wanted for _, move in captures)), wanted
        for _, move in captures:
            if move != wanted:
                yield 0, move
        quiets = node.quiets()
        killers = self._killers[ply]
        for killer in killers:
            if killer is not None and killer != wanted and killer in quiets:
                yield 1, killer
        history = self._history
        for move in sorted(quiets, key=lambda move: -history.get(move, 0)):
            if move != wanted and move not in killers:
                yield 2, move

    def _quiet(self, node: Node[Move], alpha: int, beta: int, ply: int, left: int) -> int:
        """Return what a node is worth once nothing more is to be captured."""
        self._tick()
        ended = node.ended
        if ended is not None:
            return ended * (WON - ply)
        evading = left > _QUIET_PLIES - _QUIET_CHECKS and node.check
        if evading:
            high = -_FAR
        else:
            high = node.value
            if high >= beta or not left:
                return high
            alpha = max(alpha, high)
        stand, legal = high, 0
        for gain, move in _loud(node, evading=evading):
            if not evading and stand + gain + _MARGIN <= alpha:
                break
            child = node.made(move)
            if child is None:
                continue
            legal += 1
            high = max(high, self._calm(node, child, alpha, beta, ply, left))
            if high >= beta:
                return high
            alpha = max(alpha, high)
        return high if legal or not evading else node.stuck * (WON - ply)

    def _calm(
        self, node: Node[Move], child: Node[Move], alpha: int, beta: int, ply: int, left: int
    ) -> int:
        if child.side == node.side:
            return self._quiet(child, alpha, beta, ply + 1, left - 1)
        return -self._quiet(child, -beta, -alpha, ply + 1, left - 1)

    def _line(self, root: Node[Move], best: Move) -> tuple[Move, ...]:
        """Return the moves expected, as the table knows them."""
        line, node, seen = [best], root.made(best), {root.key}
        while node is not None and node.key not in seen and len(line) < 12:
            seen.add(node.key)
            known = self._table.get(node.key)
            if known is None or known[3] is None:
                break
            line.append(known[3])
            node = node.made(known[3])
        return tuple(line)


def _shiniest(
    root: Node[Move], children: Sequence[tuple[Move, Node[Move]]], errors: dict[Move, int]
) -> Found[Move]:
    """Return the move that seems best to who does not look at the answers."""
    worth = {move: child.value * (1 if child.side == root.side else -1) for move, child in children}
    best = max(worth, key=lambda move: worth[move] + errors[move])
    return Found((best,), worth[best], 1, len(children))


def _lost(node: Node[Move]) -> bool:
    """Return whether the side to act has lost here, since it has no move."""
    return node.stuck < 0 and next(_children(node), None) is None


def _children(root: Node[Move]) -> Iterator[tuple[Move, Node[Move]]]:
    for move in (*(move for _, move in root.captures()), *root.quiets()):
        child = root.made(move)
        if child is not None:
            yield move, child


def _loud(node: Node[Move], *, evading: bool) -> Iterator[tuple[int, Move]]:
    """Yield the captures with what they win, and all moves where a check must be answered."""
    yield from node.captures()
    if evading:
        yield from ((0, move) for move in node.quiets())


def _from_here(score: int, ply: int) -> int:
    """Return a score of the table, where ends are counted from its node, as from the root."""
    if score > _SURE:
        return score - ply
    return score + ply if score < -_SURE else score


def _from_there(score: int, ply: int) -> int:
    """Return a score as the table keeps it: ends are counted from its node."""
    if score > _SURE:
        return score + ply
    return score - ply if score < -_SURE else score
