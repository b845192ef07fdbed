"""From the steps of a turn to its canonical description, and from a description to its steps.

A turn is the position that results. Its descriptions differ in kind and realm, and in which of
several like pieces went where; the first by kind, then by fewest pieces, then by text is canonical.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from rules.games.realm.bitboard import scan
from rules.games.realm.order import Order, after, find_order
from rules.games.realm.realms import Division, Realm
from rules.games.realm.steps import LAST_RANKS, Move, Step, Steps
from rules.games.realm.turn import KINDS, SUITS, RealmTurn, in_text_order

REMEMBERED = 2000
"""How many turns of one position are remembered with their descriptions."""
_Kinds = dict[int, str]
"""The kind of piece on each of some squares."""


class Describer:
    """Finds descriptions of the turns of one position."""

    def __init__(self, steps: Steps, division: Division, *, power: bool, most: int) -> None:
        self._steps = steps
        self._board = steps.board
        self._division = division
        self._power = power
        self._most = most
        self._described: dict[tuple[Step, ...], RealmTurn] = {}
        self._made: dict[RealmTurn, Sequence[Step]] = {}

    def steps_of(self, turn: RealmTurn) -> Sequence[Step] | None:
        """Return the steps of a turn that was described here, and so is legal."""
        return self._made.get(turn)

    def assemble(self, kind: str, realm: Realm | None, moves: Sequence[Move]) -> list[Step] | None:
        """Return the steps of a description, or `None` when some piece does not move so.

        Whether the moves suit the kind and the realm is not looked at.
        """
        steps = []
        for move in moves:
            source, target, _ = move
            step: Step | None
            if kind in "RP" and realm and realm.squares >> source & realm.squares >> target & 1:
                arranging = self._steps.arranging(source, target)
                step = next((s for s in arranging if s.moves[0] == move), None)
            else:
                step = self._steps.step(move)
            if step is None:
                return None
            steps.append(step)
        return steps

    def describe(self, steps: Sequence[Step]) -> RealmTurn:
        """Return the canonical description of the legal turn that `steps` make.

        Like pieces may have gone in many ways, and all have to be thought of. With the sixteen
        pieces a side that a game from the start can have, that takes some milliseconds; with forty
        knights, which only a position text can have, it may take seconds. So it is remembered.
        """
        key = tuple(steps)
        turn = self._described.get(key)
        if turn is None:
            if len(self._described) >= REMEMBERED:
                self._described.clear()
                self._made.clear()
            turn, made = self._described_anew(steps)
            self._described[key], self._made[turn] = turn, made
        return turn

    def _described_anew(self, steps: Sequence[Step]) -> tuple[RealmTurn, Sequence[Step]]:
        """Return the canonical description of the legal turn, and the steps that it names."""
        trace = self._trace(steps)
        castling = tuple(step.moves[0] for step in steps if step.castles)
        before, after_ = self._kinds([s.moves[0] for s in steps if not s.castles])
        passing = [square for square in before if before[square] == after_.get(square)]
        for square in passing:
            del before[square], after_[square]
        for extra in range(len(passing) + 1):
            for turn in self._candidates(before, after_, castling, extra):
                realm = self._division.named(turn.realm) if turn.realm else None
                other = self.assemble(turn.kind, realm, turn.moves)
                if (
                    other is not None
                    and self._trace(other) == trace
                    and find_order(self._board, other) is Order.EXISTS
                ):
                    return turn, other
        raise AssertionError("a legal turn describes itself")

    def _trace(self, steps: Sequence[Step]) -> tuple[int, int, int]:
        """Return what tells results with the same own pieces apart.

        Returns:
            The enemy pieces taken, the squares passed by pawns, and where rights to castle end.
        """
        left = passed = 0
        for step in steps:
            left |= step.leaves
            passed |= step.passed
        occupied, taken = after(self._board, steps)
        return taken, passed & ~occupied, left & self._board.guarded

    def _kinds(self, moves: Sequence[Move]) -> tuple[_Kinds, _Kinds]:
        """Return which kinds of pieces leave which squares, and which enter which."""
        before = {move.source: self._board.kind(move.source) for move in moves}
        entering = {move.target: move.promotion.upper() or before[move.source] for move in moves}
        return before, entering

    def _candidates(
        self, before: _Kinds, entering: _Kinds, castling: tuple[Move, ...], extra: int
    ) -> list[RealmTurn]:
        """Return the conceivable descriptions, the preferred first.

        Args:
            before: the kinds on the squares left.
            entering: the kinds on the squares entered.
            castling: the castling move, if there is one.
            extra: how many more pieces move, each followed by a like one to the square it left.
        """
        found: list[RealmTurn] = []
        for sources, targets in self._with_passing(before, entering, extra):
            for moves in self._matchings(sources, targets, -1):
                ordered = in_text_order((*castling, *moves))
                if len(ordered) <= self._most:
                    found.extend(self.suiting(ordered))
        found.sort(key=lambda turn: (KINDS.index(turn.kind), str(turn)))
        return found

    def _with_passing(
        self, before: _Kinds, entering: _Kinds, extra: int
    ) -> Iterator[tuple[_Kinds, _Kinds]]:
        """Yield the squares left and entered when `extra` pieces more are replaced by like ones."""
        if not extra:
            yield before, entering
            return
        moved = {*before.values(), *entering.values()}
        spare = {
            square: self._board.kind(square)
            for square in scan(self._board.own)
            if square not in before and square not in entering and self._board.kind(square) in moved
        }
        for squares in combinations(spare, extra):
            passing = {square: spare[square] for square in squares}
            yield before | passing, entering | passing

    def _matchings(
        self, sources: _Kinds, targets: _Kinds, realms: int
    ) -> Iterator[tuple[Move, ...]]:
        """Yield the ways in which like pieces may have gone from the sources to the targets.

        `realms` (a bit set of indices) are those that have part in all other moves.
        """
        if not sources:
            yield ()
            return
        around = self._division.around
        source, kind = next(iter(sources.items()))
        rest = {s: k for s, k in sources.items() if s != source}
        for target, becomes in targets.items():
            move = _move(source, kind, target, becomes)
            shared = realms & (around[source] | around[target])
            if move is None or (not shared and len(sources) > 1):
                continue
            if not around[source] & around[target] and self._steps.step(move) is None:
                continue
            others = {t: k for t, k in targets.items() if t != target}
            for moves in self._matchings(rest, others, shared):
                yield (move, *moves)

    def suiting(self, moves: tuple[Move, ...]) -> Iterator[RealmTurn]:
        """Yield the descriptions of `moves` by the kinds and realms that they suit."""
        around = self._division.around
        if len(moves) == 1:
            yield RealmTurn("S", "", moves)
        for kind, fits in SUITS.items():
            realms = -1 if kind != "P" or self._power else 0
            for source, target, _ in moves:
                realms &= fits(around[source], around[target])
            for index in scan(realms):
                yield RealmTurn(kind, self._division.realms[index].name, moves)


def _move(source: int, kind: str, target: int, becomes: str) -> Move | None:
    """Return the move by which a piece of `kind` comes to stand on `target` as `becomes`."""
    if source == target:
        return None
    if kind == "P" and 1 << target & LAST_RANKS and becomes != "P":
        return Move(source, target, becomes.lower())
    return Move(source, target) if kind == becomes else None
