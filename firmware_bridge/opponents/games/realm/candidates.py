"""The promising turns of a position, best first, without listing all turns.

The steps of a turn are judged one by one, and their worths add up: so the best sets of steps in a
realm are made from its best steps, and thousands of sets are never looked at. Whether a set is a
legal turn is then asked of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

import chess

from firmware_bridge.opponents.chesslike.tables import KING_ATTACKS, reach
from firmware_bridge.opponents.games.realm.evaluation import Evaluation
from firmware_bridge.opponents.games.realm.piece_values import KINDS, PLACED, WORTH
from rules.games.realm.bitboard import scan
from rules.games.realm.choices import Family
from rules.games.realm.finder import Finder
from rules.games.realm.order import Order, find_order
from rules.games.realm.realms import Realm
from rules.games.realm.steps import Step
from rules.games.realm.turn_search import Search, attackers_after

BEAM = 10
"""How many sets of steps of one kind in one realm are grown at a time."""
OPTIONS = 12
"""How many steps of one kind in one realm are combined."""
EVASIONS = 24
"""How many answers to a check are taken of each kind and realm."""

_Option = tuple[int, int, int, int]
"""What a set of steps is worth, its members (a bit set of indices), what it leaves and enters."""


def candidates(finder: Finder, evaluation: Evaluation, most: int) -> Iterator[tuple[Step, ...]]:
    """Yield up to `most` legal turns as sets of steps, the most promising first.

    In check every kind and realm that has an answer yields some. Where no promising turn is legal,
    all turns are tried.
    """
    options = Options(finder, evaluation)
    promising = _evasions(options) if finder.board.checkers else _combined(options)
    first = next(promising, None)
    if first is None:
        return islice((steps for steps, _, _ in finder.sets()), most)
    return islice(chain((first,), promising), most)


class Options:
    """The steps of a position, each with about what it is worth.

    Attributes:
        finder: what knows the steps.
        steps: every step judged so far; indices into it are the members of sets.
    """

    def __init__(self, finder: Finder, evaluation: Evaluation) -> None:
        self.finder = finder
        self.steps: list[Step] = []
        self._board = finder.board
        self._own, self._enemy = own, enemy = evaluation.own, evaluation.enemy
        self._zone = KING_ATTACKS[enemy.king] | 1 << enemy.king
        self._at_risk = {
            square: enemy.gain(bit, WORTH[kind], own) * 3 // 4
            for square, bit, kind, _ in own.pieces
            if bit & enemy.all
        }
        self._prey = enemy.men & ~enemy.all
        self._arranging: dict[tuple[int, int], list[_Option]] = {}

    def option(self, step: Step) -> _Option:
        """Return a step judged; it gets an index."""
        self.steps.append(step)
        bit = 1 << len(self.steps) - 1
        return self.worth(step), bit, step.leaves | step.victim, step.enters

    def within(self, realm: Realm) -> list[_Option]:
        """Return the steps that rearrange single pieces of a realm."""
        found = []
        for source in scan(realm.squares & self._board.own):
            for target in scan(realm.squares):
                if (source, target) not in self._arranging:
                    steps = self.finder.steps.arranging(source, target)
                    self._arranging[source, target] = [self.option(step) for step in steps]
                found += self._arranging[source, target]
        return found

    def worth(self, step: Step) -> int:
        """Return what a step is worth by itself, without the other steps of its turn."""
        board = self._board
        source, target, promotion = step.moves[0]
        letter = became = board.squares[source]
        kind = letter.upper()
        if promotion:
            kind = promotion.upper()
            became = kind if board.white else promotion
        worth = PLACED[became][target] - PLACED[letter][source]
        if not board.white:
            worth = -worth
        bit = 1 << target
        if step.castles:
            worth += 40
        elif bit & board.enemy:
            worth += WORTH[board.kind(target)]
        elif step.victim:
            worth += WORTH["P"]
        if source in self._at_risk:
            worth += self._at_risk[source]
        if bit & self._enemy.all and kind != "K":
            worth -= self._loss(kind, bit) * 7 // 8
        left = board.occupied & ~step.leaves
        attacked = reach(KINDS[kind], target, left, white=board.white)
        worth += 6 * (attacked & self._zone).bit_count()
        return worth + 8 * (attacked & self._prey).bit_count()

    def _loss(self, kind: str, bit: int) -> int:
        """Return what a piece put on an attacked square may lose."""
        worth = WORTH[kind]
        return max(0, worth - self._enemy.cheapest(bit)) if self._own.all & bit else worth


def _combined(options: Options) -> Iterator[tuple[Step, ...]]:
    """Yield the legal ones among the single moves and the best sets, the best first."""
    board = options.finder.board
    ranked = sorted({each[1]: each for each in _sets(options)}.values(), reverse=True)
    for _, members, _, _ in ranked:
        steps = tuple(options.steps[index] for index in chess.scan_forward(members))
        if find_order(board, steps) is Order.EXISTS and not attackers_after(board, steps):
            yield steps


def _sets(options: Options) -> Iterator[_Option]:
    """Yield the single moves, and the best sets of every kind in every realm."""
    finder = options.finder
    around = finder.division.around
    out: list[list[_Option]] = [[] for _ in finder.division.realms]
    into: list[list[_Option]] = [[] for _ in finder.division.realms]
    for step in finder.steps.all():
        each = options.option(step)
        if not step.waits:
            yield each
        source, target, _ = step.moves[0]
        start, end = around[source], around[target]
        for index in scan(start & ~end):
            out[index].append(each)
        for index in scan(end & ~start):
            into[index].append(each)
    for realm in finder.division.realms:
        index = realm.index
        within = options.within(realm) if realm.squares & finder.board.own else []
        for each in within:
            if not options.steps[each[1].bit_length() - 1].waits:
                yield each
        if finder.power:
            yield from _best_sets(options, out[index] + into[index] + within)
        else:
            yield from _best_sets(options, out[index])
            yield from _best_sets(options, into[index])
            yield from _best_sets(options, within)


def _best_sets(options: Options, single: list[_Option]) -> Iterable[_Option]:
    """Return the best sets of two and more of the single steps."""
    chosen = _worth_combining(options, single)
    if len(chosen) < 2:
        return ()
    most = options.finder.most
    beam: list[_Option] = []
    found: list[_Option] = []
    for each in chosen:
        worth, member, leaves, enters = each
        grown = [
            (worth + more, member | members, leaves | left, enters | entered)
            for more, members, left, entered in beam
            if not (leaves & left or enters & entered) and members.bit_count() < most
        ]
        found += grown
        beam += grown
        beam.append(each)
        if len(beam) > BEAM:
            beam.sort(reverse=True)
            del beam[BEAM:]
    return found


def _worth_combining(options: Options, single: list[_Option]) -> list[_Option]:
    """Return the best steps, and what must get out of the way of the very best ones."""
    chosen = sorted((each for each in single if each[0] > 0), reverse=True)[:OPTIONS]
    for _, member, _, _ in chosen[:3]:
        waits = options.steps[member.bit_length() - 1].waits
        if waits:
            chosen += [each for each in single if each[0] <= 0 and each[2] & waits][:2]
    return chosen


def _evasions(options: Options) -> Iterator[tuple[Step, ...]]:
    """Yield answers to a check, those of the best steps first in each kind and realm."""
    finder = options.finder
    worths: dict[Step, int] = {}
    found: dict[frozenset[Step], tuple[int, tuple[Step, ...]]] = {}
    for family, _, realm in finder.families():
        for step in family.steps:
            if step not in worths:
                worths[step] = options.worth(step)
        best = sorted(family.steps, key=worths.__getitem__, reverse=True)
        search = Search(Family(finder.board, best), finder.most if realm else 1)
        for steps in islice(search.turns(), EVASIONS):
            worth = sum(worths[step] for step in steps)
            found.setdefault(frozenset(steps), (worth, steps))
    for _, steps in sorted(found.values(), reverse=True):
        yield steps
