"""Realm Chess and its options."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

import chess

from rules import fen
from rules.arrangement import Gate
from rules.games.realm.bitboard import names_of
from rules.games.realm.position import RealmPosition
from rules.games.realm.realms import Division, division
from rules.games.realm.search_state import state_of
from rules.interface import Game, Problem, Traits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.arrangement import Arrangement
    from rules.interface import OptionValue, Square

_GATE = Gate(pawn_ranks={"white": "1234567", "black": "2345678"})


class RealmChess(Game):
    """Turns of many pieces out of, into or within one quarter of a quarter of the board."""

    id: ClassVar[str] = "realm"
    name: ClassVar[str] = "Realm Chess"
    defaults: ClassVar[Mapping[str, OptionValue]] = {
        "power": False,
        "free": False,
        "balanced": False,
    }
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
