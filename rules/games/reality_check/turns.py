"""The turns of the game, one class for each kind."""

from __future__ import annotations

from dataclasses import dataclass

from rules.games.reality_check.discs import Name
from rules.interface import Square, Turn


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
