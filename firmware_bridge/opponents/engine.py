"""What a mind is: it is shown what its seat knows, and chooses a turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from firmware_bridge.opponents.confinement import Door
from firmware_bridge.opponents.levels import Level
from firmware_bridge.opponents.protocol import WON
from rules.game_referee import Ruling
from rules.interface import Label, Position, Square, Turn

__all__ = ["WON", "Choice", "Engine", "Stopped", "Worlds", "nobody"]


class Worlds(Protocol):
    """What a seat may believe: every position that agrees with all that it was shown."""

    @property
    def count(self) -> int:
        """How many there are; 1 in a game without secrets."""

    def worlds(self) -> tuple[Position, ...]:
        """Return them, sorted."""

    def chances(self) -> Mapping[Square, Mapping[Label, float]]:
        """Return how likely each label is on each occupied square."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a mind decided.

    Attributes:
        turn: the canonical text of a turn; whoever asked holds it against the rules.
        score: what it expects, in hundredths of a pawn for the side to act; see `WON`.
        depth: full plies looked ahead.
        nodes: positions looked at.
        line: the texts of the turns expected, this one first.

    Example:
        >>> Choice("e2e4", score=30, line=("e2e4", "e7e5")).depth
        0
    """

    turn: str
    score: int = 0
    depth: int = 0
    nodes: int = 0
    line: tuple[str, ...] = ()


def best_first(
    choose: Callable[[Collection[str]], Choice | None], count: int
) -> tuple[Choice, ...]:
    """Return the best turns, the best first, at most `count`.

    `choose` returns the best turn but those named, `None` when there is no other.
    """
    found: list[Choice] = []
    while len(found) < count and (more := choose([each.turn for each in found])):
        found.append(more)
    return tuple(sorted(found, key=lambda choice: -choice.score))


def nobody() -> bool:
    """Tell a search that nobody wants it to stop."""
    return False


class Stopped(Exception):  # noqa: N818 - it ends a search, and is no error
    """Somebody wants the turn now."""


class Engine(ABC):
    """The mind of one seat for one game. The same seed and the same events give the same turns.

    Args:
        seed: what its chance is drawn from.
        stopped: asked now and then in a long search; once true, the best turn so far is wanted.

    Example:
        >>> class First(Engine):
        ...     def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        ...         return Choice(min(str(turn) for turn in belief.worlds()[0].turns()))
        >>> import rules
        >>> game = rules.load("chess")
        >>> believed = game.believe("white", game.start().knowledge("white"))
        >>> First().choose(believed, None, Random(1)).turn
        'a2a3'
    """

    def __init__(self, seed: str = "", stopped: Callable[[], bool] = nobody) -> None:
        self.seed = seed
        self.stopped = stopped
        self.note = ""
        """What people should know of how it plays, such as that a program is missing."""
        self.door: Door | None = None
        """The program of others that it plays with, if it does."""

    @classmethod
    def missing(cls) -> str:
        """Return what should be installed for it to play as well as it can, nothing if all is."""
        return ""

    @classmethod
    def drawn(cls, position: Position, rng: Random) -> Turn:
        """Return a turn at random, all legal ones alike; the position has one."""
        return rng.choice(sorted(position.turns(), key=str))

    def prepare(self, level: Level) -> None:  # noqa: B027 - most need nothing
        """Start what it plays with at a level: later it can start nothing any more."""

    @abstractmethod
    def choose(self, belief: Worlds, level: Level, rng: Random) -> Choice:
        """Return a turn for the side to act.

        Args:
            belief: what the seat knows. Nobody has won yet, and the seat is to act.
            level: how strong to be: limits are positions looked at, never time.
            rng: all the chance there is, drawn from the seed and what the seat knows.
        """

    def ranked(
        self,
        belief: Worlds,
        level: Level,
        rng: Random,
        count: int,  # noqa: ARG002 - who can name several
    ) -> tuple[Choice, ...]:
        """Return the best turns, the best first, at least one and at most `count`; as `choose`."""
        return (self.choose(belief, level, rng),)

    def saw(self, before: Worlds, turn: str) -> None:  # noqa: B027 - most forget nothing
        """Take notice of a turn of either side, as this seat may know it.

        Args:
            before: what the seat believed before it.
            turn: its text, the public one where it was the other's.
        """

    def ruled(self, move: str, ruling: Ruling) -> None:  # noqa: B027 - most try nothing illegal
        """Take notice of what the game's own referee said to an attempt of either side."""
