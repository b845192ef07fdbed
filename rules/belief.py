"""What a player can know of a game: what he knows now, what he sees, and what may therefore be.

Knowledge is what the position itself lets a player know; a `Belief` is what follows from all that
he has seen: every position that agrees with it, and no other. Nothing here guesses or forgets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Generic, Protocol, Self, TypeVar

from rules.values import SIDES, Label, Side, Square


class Contradiction(ValueError):  # noqa: N818 - it is no error of the code
    """What was seen agrees with no position that was possible before."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the player of one side may know of a position.

    Attributes:
        side: whose knowledge it is.
        text: the position in a form of the game's own, with no place for what this player may not
            know: equal for all positions that he cannot tell apart.
    """

    side: Side
    text: str


@dataclass(frozen=True, slots=True)
class Seen:
    """One turn as the player of one side may know it.

    Attributes:
        turn: its text; the public one where it is the opponent's.
        revealed: the pieces that it showed from both sides, as `Position.revealed`, sorted.
        knowledge: what the player may know of the position that it led to.
    """

    turn: str
    revealed: tuple[tuple[Square, Label], ...]
    knowledge: Knowledge

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, which `from_json` reads."""
        return {
            "turn": self.turn,
            "revealed": [list(piece) for piece in self.revealed],
            "side": self.knowledge.side,
            "knowledge": self.knowledge.text,
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the object that `to_json` wrote; raise `ValueError` for values of another form."""
        match value:
            case {
                "turn": str(turn),
                "revealed": list(pieces),
                "side": ("white" | "black") as side,
                "knowledge": str(text),
            }:
                return cls(turn, tuple(map(_piece, pieces)), Knowledge(side, text))
        raise ValueError(f"this is no turn as a player sees it: {value!r}")


def _piece(value: object) -> tuple[Square, Label]:
    match value:
        case [str(square), str(label)]:
            return square, label
    raise ValueError(f"this is no piece that was shown: {value!r}")


class World(Protocol):
    """What a belief asks of a position; `rules.Position` is one."""

    @property
    def placement(self) -> Mapping[Square, Label]:
        """What stands where."""

    def shown_as(self, text: str) -> Iterator[Any]:
        """Yield the legal turns that a player may know by this text."""

    def revealed(self, turn: Any) -> Mapping[Square, Label]:  # noqa: ANN401 - a turn of its game
        """Return the pieces that a legal turn shows to all from both sides."""

    def play(self, turn: Any) -> Self:  # noqa: ANN401 - a turn of its game
        """Return the next position."""

    def knowledge(self, side: Side) -> Knowledge:
        """Return what the player of a side may know of this position."""


W = TypeVar("W", bound=World)


class Belief(Generic[W]):
    """All positions that agree with what one player has seen; there is always at least one.

    Raises:
        Contradiction: when there is none.

    Example:
        >>> import rules
        >>> game = rules.load("chess")
        >>> position = game.start()
        >>> game.believe("white", position.knowledge("white")).count  # no secrets: one position
        1
    """

    __slots__ = ("_worlds", "side")

    def __init__(self, side: Side, worlds: Iterable[W]) -> None:
        self.side = side
        self._worlds = tuple(sorted(set(worlds), key=str))
        if not self._worlds:
            raise Contradiction(f"No position agrees with what {side} has seen.")

    @property
    def count(self) -> int:
        """How many positions there may be; 1 when everything is known."""
        return len(self._worlds)

    def worlds(self) -> tuple[W, ...]:
        """Return them all, sorted by their texts."""
        return self._worlds

    def chances(self) -> dict[Square, dict[Label, float]]:
        """Return how likely each piece is on each occupied square, all worlds being alike.

        The probabilities of a square add up to 1; squares and labels are sorted.
        """
        counts: dict[Square, Counter[Label]] = {}
        for world in self._worlds:
            for square, label in world.placement.items():
                counts.setdefault(square, Counter())[label] += 1
        return {
            square: {label: n / self.count for label, n in sorted(counts[square].items())}
            for square in sorted(counts)
        }

    def after(self, seen: Seen) -> Belief[W]:
        """Return the belief after a turn was seen, the player's own or the opponent's.

        Raises:
            Contradiction: when it can have happened in none of the worlds.
        """
        return Belief(self.side, self._after(seen))

    def _after(self, seen: Seen) -> Iterator[W]:
        shown = dict(seen.revealed)
        for world in self._worlds:
            for turn in world.shown_as(seen.turn):
                if world.revealed(turn) == shown:
                    after = world.play(turn)
                    if after.knowledge(self.side) == seen.knowledge:
                        yield after


def dealings(
    placement: Mapping[Square, Label], faces: Mapping[Square, str], side: Side
) -> Iterator[dict[Square, Label]]:
    """Yield each way in which the opponent's pieces that look alike can have changed places."""
    groups: dict[str, list[Square]] = {}
    for square, label in placement.items():
        if SIDES[label[0] == "b"] != side:
            groups.setdefault(faces[square], []).append(square)
    ways = (
        [dict(zip(there, order, strict=True)) for order in _orders([placement[s] for s in there])]
        for there in groups.values()
    )
    for chosen in product(*ways):
        dealt = dict(placement)
        for part in chosen:
            dealt.update(part)
        yield dealt


def _orders(labels: Sequence[Label]) -> Iterator[tuple[Label, ...]]:
    """Yield the different orders of some labels, each once."""
    if not labels:
        yield ()
    for i, label in enumerate(labels):
        if label not in labels[:i]:
            for rest in _orders([*labels[:i], *labels[i + 1 :]]):
                yield (label, *rest)
