"""The values that games, positions and turns are described with, and the errors that they raise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Side = Literal["white", "black"]
SIDES: tuple[Side, Side] = ("white", "black")
Tier = Literal["occupancy", "identity", "face"]
Square = str
"""A square in algebraic form, `a1` to `h9`."""
Label = str
"""A piece as the board may know it: `wK`, `bP`; on Reality Check's discs `wPN:N`, N lying down."""
OptionValue = bool | int | str


def opponent(side: Side) -> Side:
    """Return the other side."""
    return "black" if side == "white" else "white"


def owner(label: Label) -> Side:
    """Return the side that a label's piece belongs to."""
    return "white" if label[0] == "w" else "black"


def piece_of(label: Label) -> Label:
    """Return which piece a label means, whichever way up it lies: `wPN` for `wPN:N`."""
    return label.partition(":")[0]


def faces_up(label: Label) -> str:
    """Return the faces of a piece, the upper one first where it lies on the board."""
    name, _, down = label[1:].partition(":")
    return name[::-1] if down and name.startswith(down) else name


def king_steps(one: Square, other: Square) -> int:
    """Return how many steps of a king lie between two squares.

    Example:
        >>> king_steps("a1", "c2")
        2
    """
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))


def adjoin(one: Square, other: Square) -> bool:
    """Return whether two squares have a border or a corner in common; none does with no square."""
    return bool(one) and king_steps(one, other) < 2


class UnknownGame(ValueError):  # noqa: N818 - the name is part of the public interface
    """No such game, no such option, or a value that the option does not take.

    Example:
        >>> import rules
        >>> rules.load("draughts")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        rules.values.UnknownGame: There is no game 'draughts'; there are chess, ...
    """


class UnusableGame(UnknownGame):
    """A game that is there, but lacks something; the message names all that it lacks."""


class Turn(ABC):
    """One turn of one game. Equal turns have equal texts."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical turn text."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def public(self) -> str:
        """The turn as everyone may see it: a drop names no underside."""
        return str(self)

    @property
    def plain(self) -> bool:
        """Whether the turn says no more than the hands showed.

        A promotion, a conversion and a Reality Check are not plain: they add a choice. A clock
        press on an open choice takes its one plain turn.
        """
        return True


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an arrangement: a short code and the squares concerned."""

    code: str
    squares: tuple[Square, ...] = ()
    text: str = ""


class InvalidPosition(ValueError):  # noqa: N818 - the name is part of the public interface
    """A position that cannot be read or played; `problems` holds all that is wrong with it.

    Example:
        >>> import rules
        >>> try:
        ...     rules.load("chess").parse("8/8/8/8/8/8/8/4K3 w - - 0 1")
        ... except InvalidPosition as refusal:
        ...     print(len(refusal.problems) > 0)
        True
    """

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class IllegalTurn(ValueError):  # noqa: N818 - the name is part of the public interface
    """A turn that is not legal here.

    Attributes:
        reason: one of the `reasons` of the game.
        squares: the squares that explain the reason: the blocker of `path-blocked`, the attacker
            of `exposes-king`; empty where no square helps.

    Example:
        >>> import rules
        >>> try:
        ...     rules.load("chess").start().parse_turn("e2e5")
        ... except IllegalTurn as refusal:
        ...     print(refusal.reason)
        no-such-move
    """

    def __init__(self, reason: str, message: str = "", squares: tuple[Square, ...] = ()) -> None:
        super().__init__(message or reason)
        self.reason = reason
        self.squares = squares


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (`None` for a draw) and one of the specified reasons.

    Example:
        >>> Outcome("white", "checkmate").winner
        'white'
    """

    winner: Side | None
    reason: str


@dataclass(frozen=True, slots=True)
class Deed:
    """What hands do on the board to make one turn; all that the sensors can ever feel of it.

    After the deed the board shows exactly the placement of the next position.

    Attributes:
        moves: pieces carried from one square to another, as (from, to).
        taken: squares from which a piece leaves the board (captured, sacrificed, sent to hand).
        placed: pieces that come onto the board from beside it, as (square, label).
        flips: pieces turned over where they stand after the moves, as (square, label after).
        becomes: pieces whose label changes although hands may leave them standing, as (square,
            label after): promotions, conversions. Hands may also exchange or turn them.
        touch: a square that the player may touch (lift and put back) to confirm this turn, such as
            the anchor of a conversion.
        region: squares that the turn belongs to and that may glow, such as the realm in play.

    Example:
        >>> capture = Deed(moves=(("e4", "d5"),), taken=("d5",))
        >>> capture.changes({"e4": "wP", "d5": "bP"})
        {'d5': 'wP', 'e4': None}
    """

    moves: tuple[tuple[Square, Square], ...] = ()
    taken: tuple[Square, ...] = ()
    placed: tuple[tuple[Square, Label], ...] = ()
    flips: tuple[tuple[Square, Label], ...] = ()
    becomes: tuple[tuple[Square, Label], ...] = ()
    touch: Square | None = None
    region: tuple[Square, ...] = ()

    @property
    def arrivals(self) -> frozenset[Square]:
        """The squares where pieces come to stand that stood on none, or on another one."""
        return frozenset((*(to for _, to in self.moves), *(square for square, _ in self.placed)))

    def changes(self, placement: Mapping[Square, Label]) -> dict[Square, Label | None]:
        """Return what each square concerned holds after the deed, `None` for nothing.

        Args:
            placement: what stood where before.
        """
        after: dict[Square, Label | None] = dict.fromkeys(self.taken)
        for source, _ in self.moves:
            after[source] = None
        for source, target in self.moves:
            after[target] = placement[source]
        after.update(self.placed)
        after.update(self.flips)
        after.update(self.becomes)
        return after

    @property
    def cleared(self) -> tuple[Square, ...]:
        """The squares to clear by a turn that carries, brings and turns over nothing."""
        return () if self.moves or self.placed or self.flips else self.taken

    @property
    def physical(self) -> bool:
        """Whether hands do anything on the board at all (a kept piece or a dice roll does not)."""
        return bool(self.moves or self.taken or self.placed or self.flips or self.becomes)


@dataclass(frozen=True, slots=True)
class Traits:
    """What the service must know of a game to referee and show it.

    Every default is harmless: a game that says nothing is played on any board, shown and written
    down as it is, and nothing is concluded from pieces that it may not have.

    Attributes:
        least_tier: the least sensing tier on which it can be refereed.
        asks_below: for each tier that is enough but not ideal, the questions it leaves open,
            as keys of the word catalogue.
        records_forbidden: players may see no record of the game until it is over (memory games).
        owners_secret: nothing may tell whose piece is whose until the game is over.
        kinds_secret: men of one side look alike, and nothing may tell which is which.
        long_turns: a turn may be part of a longer one (the verdict `extendable` exists).
        converts: a turn may change pieces that it does not move.
        kings: each side has one king, by the label `wK` or `bK`: when he is in check his square
            glows, and both kings on the centre squares tell the result.
        orthodox: its turns are those of orthodox chess, so that chess programs can follow it.
        chess960: kings castle from wherever they began, and the text of it is the king taking his
            rook, as programs have it.

    Example:
        >>> Traits(kinds_secret=True).least_tier
        'occupancy'
    """

    least_tier: Tier = "occupancy"
    asks_below: Mapping[Tier, tuple[str, ...]] = field(default_factory=dict)
    records_forbidden: bool = False
    owners_secret: bool = False
    kinds_secret: bool = False
    long_turns: bool = False
    converts: bool = False
    kings: bool = False
    orthodox: bool = False
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What is awaited instead of a turn on the board.

    Attributes:
        kind: its name, told in the words `awaited-<kind>` of the game.
        secret: whether its very answers are its owner's secret until one has been given.
        on_board: whether hands make it on the board, as they make a turn, and nothing is chosen.
        chance: whether dice make it.

    Example:
        >>> Decision("roll", chance=True).secret
        False
    """

    kind: str
    secret: bool = False
    on_board: bool = False
    chance: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece as everyone may see it.

    Attributes:
        kind: letter of the visible piece or face: K, Q, R, B, N, P.
        side: its owner, or `None` where that is secret.
        marks: public flags, such as `invisible` (Mockery) or `frozen` (Reality Check).

    Example:
        >>> Shown("P", "white", frozenset({"invisible"})).marks
        frozenset({'invisible'})
    """

    kind: str
    side: Side | None
    marks: frozenset[str] = frozenset()
