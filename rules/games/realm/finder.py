"""Everything one position can be asked about its turns."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rules.games.realm.bitboard import BETWEEN, scan
from rules.games.realm.choices import Choices
from rules.games.realm.describe import Describer
from rules.games.realm.steps import Steps
from rules.games.realm.turn_search import ANYTHING, Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rules.games.realm.bitboard import Board
    from rules.games.realm.realms import Division
    from rules.games.realm.steps import Step
    from rules.games.realm.turn import RealmTurn
    from rules.games.realm.turn_search import Demand


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

    @cached_property
    def steps(self) -> Steps:
        """Every step that some piece could make."""
        return Steps(self.board)

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
        for steps, parts, realm in self.sets(Choices(self.steps)):
            turn = describer.describe(steps)
            same_way = turn.realm == realm and (turn.kind in parts or turn.kind == "P")
            if same_way and {step.moves[0] for step in steps} == set(turn.moves):
                yield turn

    def any_turn(self) -> bool:
        """Return whether there is a legal turn.

        Castling need not be looked at. Moves made before it leave the king unattacked, so they are
        a legal turn themselves; and where it comes first, the king may also take a single step.
        """
        choices = Choices(self.steps, lambda step: not step.castles)
        return any(True for _ in self.sets(choices))

    def sets(
        self, choices: Choices, demand: Demand = ANYTHING, realms: int = -1
    ) -> Iterator[tuple[tuple[Step, ...], str, str]]:
        """Yield the sets of steps that are legal turns, the parts and the realm they belong to.

        One turn may appear under several realms and in several ways.

        Args:
            choices: the steps to choose from.
            demand: what a turn must do.
            realms: the bit set of the indices of the realms to look at.
        """
        for options, parts, realm in self.families(choices, realms):
            if demand.within_reach(options):
                most = self.most if realm else 1
                for steps in Search(self.board, options, most, demand).turns():
                    yield steps, parts, realm

    def families(
        self, choices: Choices, realms: int = -1
    ) -> Iterator[tuple[Sequence[Step], str, str]]:
        """Yield the steps that may stand together in a turn, and their parts and realm.

        In check those are left out that together have no answer to it.

        Args:
            choices: the steps to choose from.
            realms: the bit set of the indices of the realms to look at.
        """
        if self._may_answer(choices.single):
            yield choices.single, "S", ""
        for parts in self.parts:
            for realm in self.division.realms:
                if realms >> realm.index & 1:
                    options = choices.of(parts, realm)
                    if options and self._may_answer(options):
                        yield options, parts, realm.name

    def _may_answer(self, options: Iterable[Step]) -> bool:
        """Return whether for each check one of the options moves the king or gets in its way."""
        if not self._ways:
            return True
        touched = 0
        for step in options:
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
