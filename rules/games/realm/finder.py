"""Everything one position can be asked about its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import product
from typing import NamedTuple

from rules.games.realm.bitboard import BETWEEN, Board, scan
from rules.games.realm.choices import Choices, Family
from rules.games.realm.describe import Describer
from rules.games.realm.realms import Division, Realm
from rules.games.realm.steps import Step, Steps
from rules.games.realm.turn import RealmTurn
from rules.games.realm.turn_search import ANYTHING, Demand, Search


class Near(NamedTuple):
    """Which realms a step concerns that enters or leaves a square, as bit sets of indices.

    Attributes:
        around: those that hold the square.
        entering: every step that enters it, with the realms of its ends.
        handling: the same, and the realms of the ends of all steps that enter it, leave it
            or take its pawn en passant.
    """

    around: int
    entering: tuple[tuple[Step, int], ...]
    handling: int


def nothing(options: Family) -> int:  # noqa: ARG001 - lets all options pass
    """Bar no option."""
    return 0


class Finder:
    """Finds turns on one board.

    Attributes:
        board: the board before the turn.
        division: the realms that it is divided into.
        power: whether dispersal, concentration and rearrangement may be combined.
        most: how many pieces may move in one turn.
    """

    def __init__(self, board: Board, division: Division, *, power: bool, most: int) -> None:
        self.board = board
        self.division = division
        self.power = power
        self.most = most
        self._families: dict[tuple[int, str], Family] = {}

    @cached_property
    def steps(self) -> Steps:
        """Every step that some piece could make."""
        return Steps(self.board)

    @cached_property
    def choices(self) -> Choices:
        """The steps, sorted by where they begin and end."""
        return Choices(self.steps)

    @cached_property
    def describer(self) -> Describer:
        """What finds the canonical description of a turn."""
        return Describer(self.steps, self.division, power=self.power, most=self.most)

    @property
    def parts(self) -> tuple[str, ...]:
        """Which parts may stand together in a turn in one realm: a combination holds them all."""
        return ("DCR",) if self.power else ("D", "C", "R")

    def turns(self) -> Iterator[RealmTurn]:
        """Yield every legal turn under its canonical description, each once, lazily."""
        describer = self.describer
        for steps, parts, realm in self.sets():
            turn = describer.describe(steps)
            same_way = turn.realm == realm and (turn.kind in parts or turn.kind == "P")
            if same_way and {step.moves[0] for step in steps} == set(turn.moves):
                yield turn

    def any_turn(self) -> bool:
        """Return whether there is a legal turn.

        Castling need not be looked at. Moves made before it leave the king unattacked, so they are
        a legal turn themselves; and where it comes first, the king may also take a single step.
        """
        found = self.sets(barred=lambda options: options.castling)
        return any(True for _ in found)

    def sets(
        self,
        demand: Demand = ANYTHING,
        realms: int = -1,
        barred: Callable[[Family], int] = nothing,
    ) -> Iterator[tuple[tuple[Step, ...], str, str]]:
        """Yield the sets of steps that are legal turns, the parts and the realm they belong to.

        One turn may appear under several realms and in several ways.

        Args:
            demand: what a turn must do.
            realms: the bit set of the indices of the realms to look at.
            barred: tells which of some options (a bit set of indices) are out of the question.
        """
        for options, parts, realm in self.families(realms, barred):
            out = barred(options)
            if demand.within_reach(options, out):
                most = self.most if realm else 1
                for steps in Search(options, most, demand, out).turns():
                    yield steps, parts, realm

    def families(
        self, realms: int = -1, barred: Callable[[Family], int] = nothing
    ) -> Iterator[tuple[Family, str, str]]:
        """Yield the steps that may stand together in a turn, and their parts and realm.

        In check those are left out that together have no answer to it.

        Args:
            realms: the bit set of the indices of the realms to look at.
            barred: tells which of them are out of the question.
        """
        among, ways = self.division.realms, self._ways
        chosen = [among[index] for index in scan(realms & (1 << len(among)) - 1)]
        for parts, realm in (("S", None), *product(self.parts, chosen)):
            options = self._family(realm, parts)
            if options.steps and (not ways or self._may_answer(options, barred(options))):
                yield options, parts, realm.name if realm else ""

    def _family(self, realm: Realm | None, parts: str) -> Family:
        """Return the steps of some parts in a realm, indexed when first asked for."""
        key = (realm.index if realm else -1, parts)
        options = self._families.get(key)
        if options is None:
            steps = self.choices.of(parts, realm) if realm else self.choices.single
            options = self._families[key] = Family(self.board, steps)
        return options

    def prepare(self) -> Iterator[None]:
        """Index every step, so that no question has to wait for it: some of them each time."""
        for realm, parts in ((None, "S"), *product(self.division.realms, self.parts)):
            _ = self._family(realm, parts).bringing
            yield
        _ = self.near

    @cached_property
    def near(self) -> tuple[Near, ...]:
        """For each square which realms a step concerns that enters or leaves it."""
        around = self.division.around
        handling = list(around)
        entering: list[list[tuple[Step, int]]] = [[] for _ in around]
        for step in self.choices.single:
            # A castled rook enters and leaves squares far from the realms of the king's move.
            ways = around[step.moves[0].source] | around[step.moves[0].target]
            for square in scan(step.leaves | step.victim | step.enters):
                handling[square] |= ways
            for square in scan(step.enters):
                entering[square].append((step, ways))
        return tuple(map(Near, around, map(tuple, entering), handling))

    def _may_answer(self, options: Family, barred: int) -> bool:
        """Return whether for each check one of the options moves the king or gets in its way."""
        touched = 0
        for index, step in enumerate(options.steps):
            if not barred >> index & 1:
                touched |= step.leaves | step.enters | step.victim
        return all(touched & way for way in self._ways)

    @cached_property
    def _ways(self) -> tuple[int, ...]:
        """For each check the squares of the king, of who gives it, and between them."""
        board = self.board
        return tuple(
            BETWEEN[board.king][attacker] | 1 << attacker | 1 << board.king
            for attacker in scan(board.checkers)
        )
