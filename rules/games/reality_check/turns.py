"""The turns of the game, one class for each kind, and how their texts are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rules.games.reality_check.discs import NAMES, Name
from rules.interface import IllegalTurn, Square, Turn


@dataclass(frozen=True, slots=True)
class Move(Turn):
    """A move without capture, and the piece then flipped, named by its square after the move."""

    source: Square
    target: Square
    flip: Square | None = None

    def __str__(self) -> str:
        move = self.source + self.target
        return f"{move}/{self.flip}" if self.flip else move


@dataclass(frozen=True, slots=True)
class Drop(Turn):
    """A piece from the hand put on a home square; `faces` are two capitals, up-face first."""

    faces: str
    square: Square

    def __str__(self) -> str:
        return f"{self.faces}@{self.square}"

    @property
    def public(self) -> str:
        """The drop with its underside hidden."""
        return f"{self.faces[0]}?@{self.square}"


@dataclass(frozen=True, slots=True)
class Capture(Turn):
    """A capture, with or without a Reality Check."""

    source: Square
    target: Square
    check: bool = False

    def __str__(self) -> str:
        return f"{self.source}x{self.target}{'!' if self.check else ''}"

    @property
    def plain(self) -> bool:
        """Whether no Reality Check is declared: the hands do the same either way."""
        return not self.check


@dataclass(frozen=True, slots=True)
class Memory(Turn):
    """Two of the opponent's pieces turned over, in the hope that what they hid is alike."""

    first: Square
    second: Square

    def __str__(self) -> str:
        return f"?{self.first},{self.second}"


class Spoken(Turn):
    """A turn that hands cannot show, because nothing on the board need change."""

    __slots__ = ()

    @property
    def plain(self) -> bool:
        """Never: it says more than the hands showed."""
        return False


@dataclass(frozen=True, slots=True)
class Decision(Spoken):
    """The owner's answer about a captured piece: into the hand, or out of play for good."""

    keep: bool
    piece: Name

    def __str__(self) -> str:
        return f"{self.public}:{self.piece}"

    @property
    def public(self) -> str:
        """The answer without the piece, which nobody else may see."""
        return "keep" if self.keep else "refuse"


@dataclass(frozen=True, slots=True)
class Sacrifice(Spoken):
    """A true piece of one's own given up, the price of a memory that failed."""

    piece: Name

    def __str__(self) -> str:
        return f"sacrifice:{self.piece}"


@dataclass(frozen=True, slots=True)
class Roll(Spoken):
    """What the dice show, in the order in which they will be used."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return f"roll:{','.join(map(str, self.dice))}"


@dataclass(frozen=True, slots=True)
class Flip(Turn):
    """The flip that a die asks for."""

    square: Square

    def __str__(self) -> str:
        return f"flip:{self.square}"


AnyTurn = Move | Drop | Capture | Memory | Decision | Sacrifice | Roll | Flip

_SQUARE = "([a-h][1-9])"
_FACES = "([PNBR]{2})"
_TEXTS: tuple[tuple[re.Pattern[str], Callable[..., AnyTurn]], ...] = (
    (re.compile(f"{_SQUARE}{_SQUARE}(?:/{_SQUARE})?"), Move),
    (re.compile(f"{_SQUARE}x{_SQUARE}(!?)"), lambda a, b, check: Capture(a, b, bool(check))),
    (re.compile(f"{_FACES}@{_SQUARE}"), Drop),
    (re.compile(rf"\?{_SQUARE},{_SQUARE}"), Memory),
    (re.compile(f"(keep|refuse):{_FACES}"), lambda word, piece: Decision(word == "keep", piece)),
    (re.compile(f"sacrifice:{_FACES}"), Sacrifice),
    (re.compile("roll:([1-6])(?:,([1-6]))?"), lambda *dice: Roll(tuple(int(d) for d in dice if d))),
    (re.compile(f"flip:{_SQUARE}"), Flip),
)
_CAPTURE_WITH_FLIP = re.compile(f"{_SQUARE}x{_SQUARE}!?/{_SQUARE}")


@lru_cache(maxsize=256)
def parse(text: str) -> AnyTurn:
    """Return the turn of a canonical text, whether or not it is legal anywhere.

    Raises:
        IllegalTurn: `syntax`, or `no-flip-allowed` for a capture that names a flip.
    """
    for pattern, build in _TEXTS:
        if match := pattern.fullmatch(text):
            turn = build(*match.groups())
            if _well_formed(turn):
                return turn
    if match := _CAPTURE_WITH_FLIP.fullmatch(text):
        raise IllegalTurn("no-flip-allowed", "A capture flips nothing.", (match[3],))
    raise IllegalTurn("syntax", f"{text!r} is not the text of a turn.")


def _well_formed(turn: AnyTurn) -> bool:
    """Return whether the letters name a piece and the squares stand in their order."""
    match turn:
        case Decision(_, piece) | Sacrifice(piece):
            return piece in NAMES
        case Memory(first, second):
            return first < second
        case _:
            return True
