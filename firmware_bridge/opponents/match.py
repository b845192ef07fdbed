"""Games between two players, for measuring: levels, players from outside, turns at random."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from firmware_bridge.opponents.engine import Choice
from firmware_bridge.opponents.finding import engine_of
from firmware_bridge.opponents.levels import Level
from firmware_bridge.opponents.seat import Seat
from rules import draws
from rules.belief import Knowledge, Seen
from rules.interface import Game, IllegalTurn, Outcome, Position, Side, Turn
from rules.values import SIDES

Entrant = Callable[[Game, str], "Player"]

_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
UNDECIDED = "*"


class Player(Protocol):
    """Who sits at the table: is told what the seat may know, and asked for its turns.

    A `Seat` is one. What makes one for a game, with the seed of its chance, is an `Entrant`.
    """

    def know(self, knowledge: Knowledge) -> None:
        """Begin with what the seat knows of a position."""

    def see(self, seen: Seen) -> None:
        """Take in one turn of either side, as the seat may know it."""

    def rule(self, move: str) -> None:
        """Take in that the game's own referee ruled on an attempt of its own."""

    def choose(self) -> Choice:
        """Return what it wants to do."""


def entrant(level: Level) -> Entrant:
    """Return what seats a level."""
    return lambda game, seed: Seat(game, level, seed)


@dataclass(frozen=True, slots=True)
class Match:
    """What a match is played by.

    Attributes:
        game: the game, options included.
        players: who has White in the first game, and who Black; they change after each. `None`
            draws turns at random.
        seed: what all chance is drawn from. Two games in a row have the same opening.
        plies: after how many a game is cut.
    """

    game: Game
    players: tuple[Entrant | None, Entrant | None]
    seed: str
    plies: int = 200

    def play(self, number: int) -> Played:
        """Play one game of the match, from 0; who began with White has Black in every other."""
        first, second = self.players if number % 2 == 0 else self.players[::-1]
        played = Played(opening(self.game, f"{self.seed} {number // 2}"))
        seats: dict[Side, Entrant | None] = {"white": first, "black": second}
        table = _Table(self, played, seats, Random(f"{self.seed} {number}"))  # noqa: S311 - play
        table.run()
        return played


@dataclass(slots=True)
class Played:
    """A game that was played.

    Attributes:
        opened: the position it started from, and the turns drawn at random that opened it.
        turns: all turns from the start on, the opening included.
        outcome: how it ended, `None` when it was cut.
        attempts: how often each side tried what its game's referee had to rule on.
        ms: how long each side thought, turn by turn.
    """

    opened: tuple[Position, list[str]]
    turns: list[str] = field(default_factory=list)
    outcome: Outcome | None = None
    attempts: Counter[Side] = field(default_factory=Counter)
    ms: Mapping[Side, list[float]] = field(default_factory=lambda: {"white": [], "black": []})

    @property
    def result(self) -> str:
        """The result as in PGN."""
        return UNDECIDED if self.outcome is None else _RESULTS[self.outcome.winner]

    def points(self, number: int) -> float:
        """Return what the first player of a match made of it, its game of this number."""
        if self.result not in ("1-0", "0-1"):
            return 0.5
        return float((self.result == "1-0") == (number % 2 == 0))

    def to_json(self) -> dict[str, Any]:
        """Return what is written down of it."""
        return {
            "start": str(self.opened[0]),
            "turns": self.turns,
            "result": self.result,
            "reason": "plies" if self.outcome is None else self.outcome.reason,
            "ms": {side: _spread(self.ms[side]) for side in SIDES},
            "attempts": {side: self.attempts[side] for side in SIDES},
        }


def _spread(ms: list[float]) -> list[float]:
    """Return the median, the 95th percentile and the greatest of some times."""
    if not ms:
        return []
    times = sorted(ms)
    return [round(times[int((len(times) - 1) * share)], 1) for share in (0.5, 0.95, 1)]


def opening(game: Game, seed: str) -> tuple[Position, list[str]]:
    """Return a start and 4 to 8 random turns from it; secrets are dealt at random."""
    rng = Random(seed)  # noqa: S311 - play
    start = game.start()
    for side in SIDES:
        start = rng.choice(game.believe(side, start.knowledge(side)).worlds())
    position, turns = start, []
    for _ in range(rng.randint(4, 8)):
        if position.outcome is not None:
            break
        turn = drawn(position, rng)
        turns.append(str(turn))
        position = position.play(turn)
    return start, turns


def drawn(position: Position, rng: Random) -> Turn:
    """Return a turn at random."""
    return engine_of(position.game.id).drawn(position, rng)


class _Table:
    """A game being played."""

    def __init__(
        self, match: Match, played: Played, players: Mapping[Side, Entrant | None], rng: Random
    ) -> None:
        self._match = match
        self._played = played
        self._rng = rng
        self._position = played.opened[0]
        self._met: list[Position] = []
        self._seats: dict[Side, Player] = {
            side: seats(match.game, f"{match.seed} {rng.random()} {side}")
            for side, seats in players.items()
            if seats is not None
        }
        for side, seat in self._seats.items():
            seat.know(self._position.knowledge(side))

    def run(self) -> None:
        """Play from the opening to the end, or until it is cut."""
        for text in self._played.opened[1]:
            self._make(self._position.parse_turn(text))
        while len(self._played.turns) < self._match.plies:
            self._played.outcome = self._position.outcome or draws.drawn(self._met, self._position)
            if self._played.outcome is not None:
                return
            self._make(self._chosen())
        self._played.outcome = self._position.outcome

    def _make(self, turn: Turn) -> None:
        for side, seat in self._seats.items():
            seat.see(self._position.seen(turn, side))
        self._met.append(self._position)
        self._position = self._position.play(turn)
        self._played.turns.append(str(turn))

    def _chosen(self) -> Turn:
        """Return the turn of whoever is to act; what dice decide, they decide here."""
        position, side = self._position, self._position.side
        seat = self._seats.get(side)
        if seat is None or position.awaits_dice:
            return drawn(position, self._rng)
        began = time.perf_counter()
        turn, _, attempts = settled(seat, position)
        self._played.ms[side].append(1000 * (time.perf_counter() - began))
        self._played.attempts[side] += attempts
        return turn


def settled(seat: Player, position: Position) -> tuple[Turn, Choice, int]:
    """Return the legal turn that a seat comes to, and how many attempts were ruled upon before.

    What it expected of the turn is the second.

    Raises:
        IllegalTurn: when it wants what neither is legal nor can be ruled upon.
    """
    game, attempts = position.game, 0
    while True:
        choice = seat.choose()
        wanted = choice.turn
        try:
            return position.parse_turn(wanted), choice, attempts
        except IllegalTurn:
            referee = game.referee(position, 0)
            if referee is None:
                raise
            after, ruling = referee.attempt(wanted)
            if ruling is None:
                raise
            position = after.position
            attempts += 1
            seat.rule(wanted)
