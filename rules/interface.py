"""What every game offers: games, positions and turns; `rules.values` has what they are made of.

Everything here is immutable and pure: no input or output, no clock, no randomness.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from rules.belief import Belief, Knowledge, Seen, dealings
from rules.explain import Explainer, TableExplainer
from rules.game_referee import Referee
from rules.reasons import COMMON
from rules.values import (
    Decision,
    Deed,
    IllegalTurn,
    InvalidPosition,
    Label,
    OptionValue,
    Outcome,
    Problem,
    Shown,
    Side,
    Square,
    Tier,
    Traits,
    Turn,
    UnknownGame,
)

__all__ = [
    "Decision",
    "Deed",
    "Game",
    "IllegalTurn",
    "InvalidPosition",
    "Label",
    "OptionValue",
    "Outcome",
    "Position",
    "Problem",
    "Shown",
    "Side",
    "Square",
    "Tier",
    "Traits",
    "Turn",
    "UnknownGame",
]


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
    def in_check(self) -> bool:
        """Whether the side to act is in check; never in a game without kings."""
        return False

    def king(self, side: Side) -> Square | None:
        """Return the square of a side's king, `None` if it has none."""
        if not self.game.traits.kings:
            return None
        label = f"{side[0]}K"
        return next((square for square, there in self.placement.items() if there == label), None)

    @property
    def halfmove_clock(self) -> int:
        """Half-moves since something could not be undone, as a capture in chess.

        100 allow the claim of a draw, 150 are one; 0 in a game that knows no such rule.
        """
        return 0

    @property
    def fullmove_number(self) -> int:
        """The number of the full move, from 1; 1 where the game does not count them."""
        return 1

    @property
    def repetition_key(self) -> Hashable | None:
        """What is equal whenever the position is the same by the rule of repetition.

        `None` in a game that knows no such rule.
        """
        return None

    @property
    def progress(self) -> Hashable | None:
        """What changes whenever the game comes nearer to its end.

        Where it stays the same for long a draw may be claimed; `None` in a game that knows no such
        rule. It may hold secrets: players are told of the draw alone.
        """
        return None

    @property
    def fen(self) -> str | None:
        """The position as a FEN that programs for orthodox chess read, `None` if there is none."""
        return None

    def has_insufficient_material(self, side: Side) -> bool:  # noqa: ARG002
        """Whether a side can no longer win. If the other side's flag falls then, it is a draw."""
        return False

    @property
    @abstractmethod
    def placement(self) -> Mapping[Square, Label]:
        """What stands where, secrets included. Never show this to players."""

    @property
    def shown(self) -> Mapping[Square, Shown]:
        """What everyone may see on the board: the `Game.face` of each piece, without marks."""
        owners: Mapping[str, Side] = {"w": "white", "b": "black"}
        faces = self.game.faces(self.placement)
        return {square: Shown(face[1], owners.get(face[0])) for square, face in faces.items()}

    @property
    def hands(self) -> Mapping[Side, tuple[Label, ...]]:
        """Pieces in hand by owner, secrets included; empty where the game has no hands."""
        return {}

    def looks_like(self, other: Position) -> bool:
        """Return whether everyone sees the same on the board."""
        return self.game.faces(self.placement) == other.game.faces(other.placement)

    def rearranged(self, placement: Mapping[Square, Label]) -> Position:  # noqa: ARG002
        """Return this position with other pieces of the same faces where these stand.

        Only a game whose pieces look alike and are not has another position then.

        Args:
            placement: a piece for every occupied square, none of them twice.
        """
        return self

    @property
    def decision(self) -> Decision | None:
        """The decision awaited instead of a turn on the board; `None` where a turn is."""
        return None

    @property
    def awaited(self) -> str | None:
        """The kind of decision awaited instead of a turn on the board (`hand`, `roll`, ...)."""
        return self.decision.kind if self.decision else None

    @property
    def awaits_dice(self) -> bool:
        """Whether dice make the decision that is awaited."""
        return self.decision is not None and self.decision.chance

    @property
    def decides_in_secret(self) -> bool:
        """Whether the player to act decides among pieces that only he knows."""
        return self.decision is not None and self.decision.secret

    @property
    def due(self) -> str | None:
        """The kind of turn that the rules demand now, where players should be reminded of it.

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

    def opened(self, turn: Turn) -> Mapping[Square, Label]:  # noqa: ARG002
        """Return the pieces whose both sides a legal turn shows, as they lie before it.

        They come by their squares then, `hand` for one in a hand. What is only turned over is not
        among them: the face that lies up from then on tells enough.
        """
        return {}

    def told_of(self, side: Side) -> str:  # noqa: ARG002
        """Return what everybody may know of a side's pieces; empty where nothing is secret."""
        return ""

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
        """Return why a piece may not come onto the board from beside it.

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
        """Return why pieces may not change into others where they stand.

        Args:
            moves: the pieces carried besides, as (from, to).
            squares: where the others stand, after these moves.
        """
        return "not-in-hand"

    def knowledge(self, side: Side) -> Knowledge:
        """Return what the player of a side may know of this position.

        It names the first of the positions that he cannot tell from this one.
        """
        return Knowledge(side, min(map(str, self.alike(side))))

    def alike(self, side: Side) -> Iterator[Position]:
        """Yield every position that the player of a side cannot tell from this one, this included.

        The opponent's pieces that look alike may stand in each other's places: in a game without
        secrets that is nothing. A game whose secrets are others overrides this, or `knowledge` and
        `Game.agreeing`.
        """
        faces = self.game.faces(self.placement)
        for placement in dealings(self.placement, faces, side):
            yield self if placement == self.placement else self.rearranged(placement)

    def seen(self, turn: Turn, side: Side) -> Seen:
        """Return a legal turn as the player of a side may know it."""
        return Seen(
            turn=str(turn) if self.side == side else turn.public,
            revealed=tuple(sorted(self.revealed(turn).items())),
            knowledge=self.play(turn).knowledge(side),
        )

    def shown_as(self, text: str) -> Iterator[Turn]:
        """Yield the legal turns that a player may know by this text: his own, or a public text."""
        try:
            yield self.parse_turn(text)
        except IllegalTurn:
            yield from (turn for turn in self.turns() if turn.public == text)

    def explainer(self) -> Explainer:
        """Return a search that finds the legal turns which explain what a board shows."""
        return TableExplainer(self)

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical position text."""


class Game(ABC):
    """One of the games with its options fixed; two are equal when their ids and options are."""

    id: ClassVar[str]
    name: ClassVar[str]
    allowed: ClassVar[Mapping[str, Sequence[OptionValue]]] = {}
    """Every option with the values it takes, its default first; a `range` is a number that is
    written, not chosen."""
    own_reasons: ClassVar[Mapping[str, str]] = {}
    """Codes of reasons that only this game knows, each with a sentence for its players."""
    traits: ClassVar[Traits] = Traits()
    tokens: frozenset[Side] = frozenset()
    """Sides whose pieces have one face each on the board; see `with_tokens`."""

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
            if name not in self.allowed:
                known = ", ".join(self.allowed) or "none"
                raise UnknownGame(f"{self.id} has no option {name!r}; its options: {known}.")
            # True == 1, but a die is no truth value: compare the types too.
            allowed = self.allowed[name]
            if not any(type(value) is type(v) and value == v for v in allowed):
                values = ", ".join(map(repr, allowed))
                if isinstance(allowed, range):
                    values = f"a whole number from {allowed[0]} to {allowed[-1]}"
                raise UnknownGame(f"{name} of {self.id} cannot be {value!r}; it takes {values}.")
        self._options = {name: values[0] for name, values in self.allowed.items()} | options

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
    def chosen(self) -> Mapping[str, OptionValue]:
        """The options that differ from their defaults, with their values."""
        return {n: value for n, value in self._options.items() if value != self.allowed[n][0]}

    @property
    def reasons(self) -> Mapping[str, str]:
        """Every reason code with which a turn may be refused, each with a sentence for players."""
        return {**COMMON, **self.own_reasons}

    @property
    @abstractmethod
    def squares(self) -> frozenset[Square]:
        """The squares that exist."""

    def with_tokens(self, sides: Collection[Side]) -> Game:  # noqa: ARG002
        """Return this game with the pieces of some sides as tokens that have one face each.

        What such a piece hides lies nowhere on the board: the rules alone know it. So hands turn
        one over without knowing what they will see. To a game that hides nothing below its pieces
        that makes no difference.
        """
        return self

    @property
    def free_start(self) -> bool:
        """Whether players choose what is seen on which square at the start."""
        return False

    @property
    def printed(self) -> Mapping[Square, Side]:
        """The start squares whose pieces have not their owners' colour, with the colour."""
        return {}

    @property
    def regions(self) -> tuple[tuple[Square, ...], ...]:
        """The parts that the board is divided into, to be drawn on it; empty where it is one."""
        return ()

    def face(self, label: Label) -> Label:
        """Return what everyone sees of a piece: its kind, and its colour where that is no secret.

        `wP?` for a disc of White's with its P up, `?P` for a pawn that may be anybody's, `w?` for
        one of White's men that all look alike.
        """
        side = "?" if self.traits.owners_secret else label[0]
        return f"{side}?" if self.traits.kinds_secret else side + label[1:]

    def faces(self, placement: Mapping[Square, Label]) -> dict[Square, Label]:
        """Return what everyone sees of pieces by their squares; see `face`."""
        return {square: self.face(label) for square, label in placement.items()}

    @abstractmethod
    def start(self) -> Position:
        """Return the starting position."""

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Return the position of a canonical text; raise `InvalidPosition` with all problems."""

    def set_up(self, placement: Mapping[Square, Label], agreed: Position | None = None) -> Position:
        """Return the start that pieces placed on the board make; only their faces are looked at.

        A game with a choice of starts (a secret arrangement) overrides this.

        Args:
            placement: what stands on the board.
            agreed: the position agreed on to start from, if not the game's own start.

        Raises:
            InvalidPosition: naming every square on which something else must stand.
        """
        start = agreed or self.start()
        due, seen = self.faces(start.placement), self.faces(placement)
        wrong = tuple(s for s in sorted(due.keys() | seen.keys()) if due.get(s) != seen.get(s))
        if wrong:
            problem = Problem("not-the-start", wrong, "other pieces belong here")
            raise InvalidPosition("These pieces do not stand as at the start.", (problem,))
        return start.rearranged(placement)

    def start_told(self, start: Position, side: Side, told: str) -> Position:
        """Return a start in which `Position.told_of` says this of a side's pieces.

        The other side's are as they are. Raise `InvalidPosition` when no start looks so.
        """
        if start.told_of(side) != told:
            raise InvalidPosition(f"{side} cannot begin with {told!r}")
        return start

    def believe(self, side: Side, knowledge: Knowledge) -> Belief[Position]:
        """Return every position that is possible for a player who knows this and no more.

        Args:
            side: whose belief it is.
            knowledge: what `Position.knowledge` gave for that side.

        Raises:
            InvalidPosition: when the knowledge is none of this game.
            ValueError: when it is the other side's.
        """
        if side != knowledge.side:
            raise ValueError(f"{side} cannot believe what {knowledge.side} knows.")
        return Belief(side, self.agreeing(knowledge))

    def agreeing(self, knowledge: Knowledge, *, spread: bool = False) -> Iterator[Position]:  # noqa: ARG002
        """Yield every position that gives a player exactly this knowledge, each once.

        With `spread` neighbours have little in common; it takes longer until the first one comes.
        """
        yield from self.parse(knowledge.text).alike(knowledge.side)

    def referee(self, position: Position, penalty: int) -> Referee[Position] | None:  # noqa: ARG002
        """Return the game's own referee, where its rules have one, else `None`.

        Args:
            position: where the game stands.
            penalty: seconds for an illegal attempt, as agreed before the game.
        """
        return None
