"""Breakthrough, by Dan Troyka, on a board of five by six: first on the other side wins.

A man goes one step ahead or diagonally ahead, and captures diagonally only. Its texts look like
those of draughts (`W:Wa1,b1:Bc6:7`): whose turn, White's men, Black's men, the number of the move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules import Deed, Game, IllegalTurn, InvalidPosition, Outcome, Position, Problem, Turn
from rules.values import Label, Side, Square

_TEXT = re.compile(
    r"(?P<side>[WB]):W(?P<white>[^:]*):B(?P<black>[^:]*):(?P<number>[1-9][0-9]{0,3})"
)
_MOVE = re.compile(r"([a-f][1-6])-([a-f][1-6])")


@dataclass(frozen=True, slots=True)
class Step(Turn):
    """A man's step from one square to another."""

    source: Square
    target: Square

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


class BreakthroughPosition(Position):
    """Men of two sides, and who is to move."""

    def __init__(self, game: Breakthrough, men: Mapping[Square, Side], side: Side, number: int):
        self._game, self._men, self._side, self._number = game, men, side, number

    @property
    def game(self) -> Breakthrough:
        return self._game

    @property
    def side(self) -> Side:
        return self._side

    @property
    def fullmove_number(self) -> int:
        return self._number

    @property
    def outcome(self) -> Outcome | None:
        last = {"white": "6", "black": "1"}
        for side, rank in last.items():
            men = [square for square, owner in self._men.items() if owner == side]
            if any(square[1] == rank for square in men) or len(men) == len(self._men):
                return Outcome(side, "broken-through")
        return None

    @property
    def placement(self) -> Mapping[Square, Label]:
        return {square: f"{side[0]}P" for square, side in self._men.items()}

    def turns(self) -> Iterator[Step]:
        if self.outcome is None:
            for source in sorted(self._men):
                for target in sorted(self._game.squares):
                    if self._refusal(source, target) is None:
                        yield Step(source, target)

    def _refusal(self, source: Square, target: Square) -> str | None:
        if source not in self._men:
            return "empty-square"
        if self._men[source] != self._side:
            return "not-your-piece"
        ahead = 1 if self._side == "white" else -1
        across = abs(ord(target[0]) - ord(source[0]))
        if int(target[1]) - int(source[1]) != ahead or across > 1:
            return "no-such-move"
        if self._men.get(target) == self._side:
            return "own-piece-there"
        return "straight-capture" if target in self._men and not across else None

    def parse_turn(self, text: str) -> Step:
        found = _MOVE.fullmatch(text) or re.fullmatch(r"(..)(..)", text)
        if found is None or not self._game.squares >= set(found.groups()):
            raise IllegalTurn("syntax", f"{text!r} is no step; one looks like a2-b3.")
        if self.outcome is not None:
            raise IllegalTurn("game-over")
        source, target = found.groups()
        reason = self._refusal(source, target)
        if reason is not None:
            raise IllegalTurn(reason, squares=(target,))
        return Step(source, target)

    def play(self, turn: Turn) -> BreakthroughPosition:
        step = self.parse_turn(str(turn))
        men = {square: side for square, side in self._men.items() if square != step.source}
        men[step.target] = self._side
        other: Side = "black" if self._side == "white" else "white"
        return BreakthroughPosition(self._game, men, other, self._number + (other == "white"))

    def deed(self, turn: Turn) -> Deed:
        step = self.parse_turn(str(turn))
        taken = (step.target,) if step.target in self._men else ()
        return Deed(((step.source, step.target),), taken)

    def __str__(self) -> str:
        men = {side: sorted(s for s, whose in self._men.items() if whose == side) for side in SIDES}
        listed = ":".join(f"{side[0].upper()}{','.join(men[side])}" for side in SIDES)
        return f"{self._side[0].upper()}:{listed}:{self._number}"


SIDES: tuple[Side, Side] = ("white", "black")


class Breakthrough(Game):
    """The game; `width` is the number of files."""

    id = "breakthrough"
    name = "Breakthrough"
    allowed = MappingProxyType({"width": (5, 6)})
    own_reasons = MappingProxyType({"straight-capture": "A man captures diagonally."})

    @property
    def squares(self) -> frozenset[Square]:
        files = "abcdef"[: int(self.options["width"])]
        return frozenset(f"{file}{rank}" for file in files for rank in range(1, 7))

    def start(self) -> BreakthroughPosition:
        sides: Mapping[str, Side] = {"1": "white", "2": "white", "5": "black", "6": "black"}
        men = {square: sides[square[1]] for square in sorted(self.squares) if square[1] in sides}
        return BreakthroughPosition(self, men, "white", 1)

    def parse(self, text: str) -> BreakthroughPosition:
        found = _TEXT.fullmatch(text)
        if found is None:
            raise InvalidPosition(f"{text!r} is no position of Breakthrough.", (Problem("fields"),))
        men: dict[Square, Side] = {}
        for side in SIDES:
            men.update(dict.fromkeys(filter(None, found[side].split(",")), side))
        if strange := tuple(sorted(men.keys() - self.squares)):
            raise InvalidPosition("Men beside the board.", (Problem("off-board", strange),))
        side = "white" if found["side"] == "W" else "black"
        position = BreakthroughPosition(self, men, side, int(found["number"]))
        if str(position) != text:
            raise InvalidPosition("A man is named twice, or out of order.", (Problem("placement"),))
        return position
