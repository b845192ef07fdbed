"""The Masked King: four men a side look alike; one is the king, and his owner alone knows which.

On a board of four by five a man goes one step in any direction and captures so. Who loses his king
has lost. With a capture one may call `Masks off!`: both men are shown to all, and it goes on.
A position is written man by man (`black 3 a1:P b1:K | d5:P c5:K`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules import (
    Deed,
    Game,
    IllegalTurn,
    InvalidPosition,
    Outcome,
    Position,
    Problem,
    Shown,
    Traits,
    Turn,
)
from rules.values import Label, Side, Square

_TURN = re.compile(r"([a-d][1-5])x?([a-d][1-5])(!?)")
_MAN = re.compile(r"([a-d][1-5]):([KP])")
SIDES: tuple[Side, Side] = ("white", "black")


@dataclass(frozen=True, slots=True)
class Step(Turn):
    """A step, a capture, or a capture with which the masks are called off."""

    source: Square
    target: Square
    captures: bool
    unmasks: bool = False

    def __str__(self) -> str:
        return f"{self.source}{'x' * self.captures}{self.target}{'!' * self.unmasks}"

    @property
    def plain(self) -> bool:
        return not self.unmasks


class MaskedPosition(Position):
    """Where everybody stands, masks and faces."""

    def __init__(self, game: MaskedKing, men: Mapping[Square, Label], side: Side, number: int):
        self._game, self._men, self._side, self._number = game, men, side, number

    @property
    def game(self) -> MaskedKing:
        return self._game

    @property
    def side(self) -> Side:
        return self._side

    @property
    def fullmove_number(self) -> int:
        return self._number

    @property
    def repetition_key(self) -> tuple[frozenset[tuple[Square, Label]], Side]:
        return frozenset(self._men.items()), self._side

    @property
    def outcome(self) -> Outcome | None:
        for side, other in (SIDES, SIDES[::-1]):
            if f"{side[0]}K" not in self._men.values():
                return Outcome(other, "unmasked-king")
        return None

    @property
    def placement(self) -> Mapping[Square, Label]:
        return self._men

    @property
    def shown(self) -> Mapping[Square, Shown]:
        return {square: Shown("P", _owner(label)) for square, label in self._men.items()}

    def rearranged(self, placement: Mapping[Square, Label]) -> MaskedPosition:
        return MaskedPosition(self._game, dict(placement), self._side, self._number)

    def turns(self) -> Iterator[Step]:
        if self.outcome is not None:
            return
        for source in sorted(self._men):
            for target in sorted(self._game.squares):
                if self._refusal(source, target) is None:
                    captures = target in self._men
                    yield Step(source, target, captures)
                    if captures:
                        yield Step(source, target, captures, unmasks=True)

    def _refusal(self, source: Square, target: Square) -> str | None:
        if source not in self._men:
            return "empty-square"
        if _owner(self._men[source]) != self._side:
            return "not-your-piece"
        across, up = abs(ord(target[0]) - ord(source[0])), abs(int(target[1]) - int(source[1]))
        if max(across, up) != 1:
            return "no-such-move"
        taken = self._men.get(target)
        return "own-piece-there" if taken and _owner(taken) == self._side else None

    def parse_turn(self, text: str) -> Step:
        found = _TURN.fullmatch(text)
        if found is None:
            raise IllegalTurn("syntax", f"{text!r} is no step; one looks like a1b2 or a1xb2!.")
        if self.outcome is not None:
            raise IllegalTurn("game-over")
        source, target, unmasks = found.groups()
        reason = self._refusal(source, target)
        captures = target in self._men
        if reason is None and unmasks and not captures:
            reason = "nobody-unmasked"
        if reason is not None:
            raise IllegalTurn(reason, squares=(target,))
        return Step(source, target, captures, bool(unmasks))

    def play(self, turn: Turn) -> MaskedPosition:
        step = self.parse_turn(str(turn))
        men = dict(self._men)
        men[step.target] = men.pop(step.source)
        other: Side = "black" if self._side == "white" else "white"
        return MaskedPosition(self._game, men, other, self._number + (other == "white"))

    def deed(self, turn: Turn) -> Deed:
        step = self.parse_turn(str(turn))
        return Deed(((step.source, step.target),), (step.target,) if step.captures else ())

    def revealed(self, turn: Turn) -> Mapping[Square, Label]:
        step = self.parse_turn(str(turn))
        if not step.unmasks:
            return {}
        return {step.target: self._men[step.source], step.source: self._men[step.target]}

    def __str__(self) -> str:
        listed = sorted(self._men.items())
        men = (
            " ".join(f"{square}:{label[1]}" for square, label in listed if label[0] == side)
            for side in "wb"
        )
        return f"{self._side} {self._number} {' | '.join(men)}"


def _owner(label: Label) -> Side:
    return "white" if label[0] == "w" else "black"


class MaskedKing(Game):
    """The game."""

    id = "masked-king"
    name = "The Masked King"
    own_reasons = MappingProxyType({"nobody-unmasked": "Nobody is captured, so nobody is shown."})
    traits = Traits(least_tier="identity", records_forbidden=True, kinds_secret=True)

    @property
    def squares(self) -> frozenset[Square]:
        return frozenset(f"{file}{rank}" for file in "abcd" for rank in range(1, 6))

    def start(self) -> MaskedPosition:
        men = {f"{file}1": "wK" if file == "b" else "wP" for file in "abcd"}
        men |= {f"{file}5": "bK" if file == "c" else "bP" for file in "abcd"}
        return MaskedPosition(self, men, "white", 1)

    def set_up(
        self, placement: Mapping[Square, Label], agreed: Position | None = None
    ) -> MaskedPosition:
        start = agreed or self.start()
        homes = {square: label[0] for square, label in start.placement.items()}
        squares = homes.keys() | placement.keys()
        wrong = {
            s for s in squares if placement.get(s) not in (f"{homes.get(s)}K", f"{homes.get(s)}P")
        }
        for side in "wb":
            kings = [square for square, label in placement.items() if label == f"{side}K"]
            if len(kings) != 1:
                wrong |= {square for square, owner in homes.items() if owner == side}
        if wrong:
            problem = Problem("not-the-start", tuple(sorted(wrong)))
            raise InvalidPosition("Four men a side, one of them the king.", (problem,))
        return MaskedPosition(self, dict(placement), start.side, start.fullmove_number)

    def parse(self, text: str) -> MaskedPosition:
        found = re.fullmatch(r"(white|black) ([1-9][0-9]{0,3}) ([^|]*) \| (.*)", text)
        if found is None:
            raise InvalidPosition(f"{text!r} is no position of this game.", (Problem("fields"),))
        side, number, *sides = found.groups()
        men: dict[Square, Label] = {}
        for owner, listed in zip("wb", sides, strict=True):
            for man in listed.split():
                read = _MAN.fullmatch(man)
                if read is None or read[1] in men:
                    raise InvalidPosition(f"{man!r} is no man here.", (Problem("placement"),))
                men[read[1]] = owner + read[2]
        position = MaskedPosition(self, men, "white" if side == "white" else "black", int(number))
        if str(position) != text:
            raise InvalidPosition("The men must be named in order.", (Problem("placement"),))
        return position
