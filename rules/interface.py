"""What every game offers: games, positions, turns, outcomes and the errors they raise.

Everything here is immutable and pure: no input or output, no clock, no randomness.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal

from rules.reasons import COMMON

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from rules.explain import Explainer
    from rules.rulings import Referee

Side = Literal["white", "black"]
Tier = Literal["occupancy", "identity", "face"]
Square = str
"""A square in algebraic form, `a1` to `h9`."""
Label = str
"""A piece as the board may know it: `wK`, `bP`; on Reality Check's discs `wPN:N`, N lying down."""
OptionValue = bool | int | str


class UnknownGame(ValueError):  # noqa: N818 - the name is part of the public interface
    """No such game, no such option, or a value that the option does not take."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an arrangement: a short code and the squares concerned."""

    code: str
    squares: tuple[Square, ...] = ()
    text: str = ""


class InvalidPosition(ValueError):  # noqa: N818 - the name is part of the public interface
    """A position that cannot be read or played; `problems` holds all that is wrong with it."""

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class IllegalTurn(ValueError):  # noqa: N818 - the name is part of the public interface
    """A turn that is not legal here.

    Attributes:
        reason: one of the `reasons` of the game.
        squares: the squares that explain the reason: the blocker of `path-blocked`, the attacker
            of `exposes-king`; empty where no square helps.
    """

    def __init__(self, reason: str, message: str = "", squares: tuple[Square, ...] = ()) -> None:
        super().__init__(message or reason)
        self.reason = reason
        self.squares = squares


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (`None` for a draw) and one of the specified reasons."""

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
    """

    moves: tuple[tuple[Square, Square], ...] = ()
    taken: tuple[Square, ...] = ()
    placed: tuple[tuple[Square, Label], ...] = ()
    flips: tuple[tuple[Square, Label], ...] = ()
    becomes: tuple[tuple[Square, Label], ...] = ()
    touch: Square | None = None
    region: tuple[Square, ...] = ()

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
    def physical(self) -> bool:
        """Whether hands do anything on the board at all (a kept piece or a dice roll does not)."""
        return bool(self.moves or self.taken or self.placed or self.flips or self.becomes)


class Turn(ABC):
    """One turn of one game. Equal turns have equal texts."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical turn text."""

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
class Traits:
    """What the service must know of a game to referee and show it.

    Attributes:
        least_tier: the least sensing tier on which it can be refereed.
        asks_below: for each tier that is enough but not ideal, the questions it leaves open,
            as keys of the word catalogue.
        records_forbidden: players may see no record of the game until it is over (memory games).
        owners_secret: nothing may tell whose piece is whose until the game is over.
        long_turns: a turn may be part of a longer one (the verdict `extendable` exists).
        kings: the game has kings, so there is check and a result by kings in the centre.
    """

    least_tier: Tier = "occupancy"
    asks_below: Mapping[Tier, tuple[str, ...]] = field(default_factory=dict)
    records_forbidden: bool = False
    owners_secret: bool = False
    long_turns: bool = False
    kings: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece as everyone may see it.

    Attributes:
        kind: letter of the visible piece or face: K, Q, R, B, N, P.
        side: its owner, or `None` where that is secret.
        marks: public flags, such as `invisible` (Mockery) or `frozen` (Reality Check).
    """

    kind: str
    side: Side | None
    marks: frozenset[str] = frozenset()


class Position(ABC):
    """A playable position: immutable, hashable, equal when the canonical texts are equal."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game, with its options, that this position belongs to."""

    @property
    @abstractmethod
    def side(self) -> Side:
        """Who acts now."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or `None` while it goes on."""

    @property
    @abstractmethod
    def in_check(self) -> bool:
        """Whether the side to act is in check; always false in a game without kings."""

    @property
    @abstractmethod
    def placement(self) -> Mapping[Square, Label]:
        """What stands where, secrets included. Never show this to players."""

    @property
    @abstractmethod
    def shown(self) -> Mapping[Square, Shown]:
        """What everyone may see on the board."""

    @property
    def hands(self) -> Mapping[Side, tuple[Label, ...]]:
        """Pieces in hand by owner, secrets included; empty where the game has no hands."""
        return {}

    @property
    def awaited(self) -> str | None:
        """The kind of decision awaited instead of a turn on the board (`hand`, `roll`, ...)."""
        return None

    @property
    def due(self) -> str | None:
        """The kind of turn that the rules want, where it is worth a reminder.

        Everyone is reminded of it, in the words `due-<kind>` of the game.
        """
        return None

    @abstractmethod
    def turns(self) -> Iterator[Turn]:
        """Yield every legal turn, each once, lazily."""

    @abstractmethod
    def parse_turn(self, text: str) -> Turn:
        """Return the legal turn that `text` describes.

        Raises:
            IllegalTurn: with the most helpful true reason; `syntax` when it is no turn text.
        """

    @abstractmethod
    def play(self, turn: Turn) -> Position:
        """Return the next position; raise `IllegalTurn` when the turn is not legal here."""

    @abstractmethod
    def deed(self, turn: Turn) -> Deed:
        """Return what hands do on the board to make this legal turn."""

    def understand(self, text: str) -> Turn:
        """Return the legal turn that people wrote, canonical texts included.

        Raises:
            IllegalTurn: as `parse_turn` does; `ambiguous` when several turns are written so.
        """
        return self.parse_turn(text)

    def revealed(self, turn: Turn) -> Mapping[Square, Label]:  # noqa: ARG002
        """Return the pieces that a legal turn shows to all from both sides, by square after it.

        A piece that leaves the board comes under a square that is then empty; one that was not on
        the board comes under the empty text.
        """
        return {}

    def written(self, turn: Turn) -> str:
        """Return a legal turn as people write it, without secrets."""
        return turn.public

    def objection(self, moves: Sequence[tuple[Square, Square]]) -> IllegalTurn | None:
        """Return why hands that carried these pieces made no legal turn; `None` when they made one.

        A promotion still to be named is no objection.

        Args:
            moves: the pieces carried, as (from, to); at least one.
        """
        if len(moves) > 1:
            return IllegalTurn("too-many-pieces", "Only one piece moves in a turn.")
        try:
            self.parse_turn("".join(moves[0]))
        except IllegalTurn as refusal:
            return None if refusal.reason == "needs-promotion" else refusal
        return None

    def against_arrival(self, square: Square, label: Label) -> str:  # noqa: ARG002
        """Return the reason against a piece that came onto the board from beside it.

        Args:
            square: where it stands, though no legal turn puts it there.
            label: the piece; empty where the board cannot tell.
        """
        return "not-in-hand"

    def against_exchange(
        self,
        moves: Sequence[tuple[Square, Square]],  # noqa: ARG002
        squares: Collection[Square],  # noqa: ARG002
    ) -> str:
        """Return the reason against pieces that have become others where they stand.

        Args:
            moves: the pieces carried besides, as (from, to).
            squares: where the others stand, after these moves.
        """
        return "not-in-hand"

    def explainer(self) -> Explainer:
        """Return the prepared search from what a board shows to the legal turns that explain it."""
        from rules.explain import TableExplainer

        return TableExplainer(self)

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical position text."""


class Game(ABC):
    """One of the games with its options fixed; two are equal when their ids and options are."""

    id: ClassVar[str]
    name: ClassVar[str]
    defaults: ClassVar[Mapping[str, OptionValue]] = {}
    """Every option with its default."""
    allowed: ClassVar[Mapping[str, tuple[OptionValue, ...]]] = {}
    """Every option with the values it takes."""
    own_reasons: ClassVar[Mapping[str, str]] = {}
    """Codes of reasons that only this game knows, each with a sentence for its players."""
    traits: ClassVar[Traits] = Traits()

    def __init_subclass__(cls) -> None:
        """Refuse a game that gives a code of all games another meaning.

        Raises:
            TypeError: naming the codes.
        """
        super().__init_subclass__()
        if again := sorted(cls.own_reasons.keys() & COMMON.keys()):
            raise TypeError(f"{cls.__name__} defines again what all games share: {again}.")

    def __init__(self, **options: OptionValue) -> None:
        """Fix the options; those not given keep their defaults.

        Raises:
            UnknownGame: when there is no such option, or it does not take that value.
        """
        for name, value in options.items():
            if name not in self.defaults:
                known = ", ".join(self.defaults) or "none"
                raise UnknownGame(f"{self.id} has no option {name!r}; its options: {known}.")
            # True == 1, but a die is no truth value: compare the types too.
            if (type(value), value) not in [(type(v), v) for v in self.allowed[name]]:
                values = ", ".join(map(repr, self.allowed[name]))
                raise UnknownGame(f"{name} of {self.id} cannot be {value!r}; it takes {values}.")
        self._options = {**self.defaults, **options}

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, Game)
            and (self._options == other._options)
        )

    def __hash__(self) -> int:
        return hash((self.id, tuple(self._options.items())))

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option with the value in force."""
        return MappingProxyType(self._options)

    @property
    def reasons(self) -> Mapping[str, str]:
        """Every reason code with which a turn may be refused, each with a sentence for players."""
        return {**COMMON, **self.own_reasons}

    @property
    @abstractmethod
    def squares(self) -> frozenset[Square]:
        """The squares that exist."""

    @property
    def free_start(self) -> bool:
        """Whether players choose what is seen on which square at the start."""
        return False

    @property
    def printed(self) -> Mapping[Square, Side]:
        """The colours of the pieces on the start squares where they are not their owners'."""
        return {}

    @abstractmethod
    def start(self) -> Position:
        """Return the starting position."""

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Return the position of a canonical text; raise `InvalidPosition` with all problems."""

    def set_up(self, placement: Mapping[Square, Label]) -> Position:
        """Return the start that pieces placed on the board make.

        A game with a choice of starts (a secret arrangement) overrides this.

        Raises:
            InvalidPosition: naming every square on which something else must stand.
        """
        start = self.start()
        wanted = start.placement
        squares = sorted(self.squares | placement.keys())
        wrong = tuple(s for s in squares if placement.get(s) != wanted.get(s))
        if wrong:
            problem = Problem("not-the-start", wrong, "other pieces belong here")
            raise InvalidPosition("These pieces do not stand as at the start.", (problem,))
        return start

    def referee(self, position: Position, penalty: int) -> Referee | None:  # noqa: ARG002
        """Return the game's own referee, where its rules have one, else `None`.

        Args:
            position: where the game stands.
            penalty: seconds for an illegal attempt, as agreed before the game.
        """
        return None
