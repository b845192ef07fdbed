"""What a game with a referee of its own rules on the attempts of its players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from rules.values import Square, Turn

P_co = TypeVar("P_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee says to one illegal attempt.

    Attributes:
        reason: one of the game's reason codes, as everyone may be told it: it names no secret.
        calls: short names of the sentences called out, in order, such as `opponents-piece`.
        words: the same sentences in English, by the letter of the game's rules.
        penalty: seconds off the offender's clock.
        obligation: the square of the piece that must be captured from now on, if any.
    """

    reason: str
    calls: tuple[str, ...]
    words: tuple[str, ...]
    penalty: int = 0
    obligation: Square | None = None


class Referee(Protocol[P_co]):
    """The game as its referee sees it: immutable; every step gives the next state."""

    @property
    def position(self) -> P_co:
        """The position, its turns limited to what is owed while an obligation stands."""

    @property
    def obligation(self) -> Square | None:
        """The square of the piece that must be captured, if any."""

    def attempt(self, move: str) -> tuple[Referee[P_co], Ruling | None]:
        """Judge a hand movement (`e2e5`, `e7e8q`); no ruling when it is a legal turn."""

    def play(self, turn: Turn) -> Referee[P_co]:
        """Return the state after a legal turn."""
