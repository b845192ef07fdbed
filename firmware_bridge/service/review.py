"""What became of each turn of a game that is over: the course of it, and where it turned.

Each turn is judged from what its player could know then, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from firmware_bridge.opponents import protocol
from firmware_bridge.opponents.protocol import Known
from firmware_bridge.recordings.export import GameSoFar, RecordedGame
from firmware_bridge.service.adviser import Analysis
from firmware_bridge.service.seat_process import lines
from firmware_bridge.views import told
from rules.belief import Seen
from rules.interface import IllegalTurn, Position, Side, Turn
from rules.values import SIDES

MOST = 400
"""Positions that are looked at; what follows in a longer game is not reviewed."""
TURNING_POINTS = 3
"""How many a player is shown, at most."""
WORTH_TELLING = 0.08
"""A turn that gives away less of what could be expected is no turning point."""
STILL_OPEN = 0.9
"""Who could expect less than the rest had lost already; who still expects more wins anyhow."""
_PAWNS = 400
"""Hundredths of a pawn that make a win ten times as likely as a loss, as in ratings (Elo)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One position of the game that is to be looked at.

    Attributes:
        number: how many turns had been made.
        position: where the game stood, secrets included: what is answered is held against it.
        told: what the player to act had been told, as lines of the protocol.
    """

    number: int
    position: Position
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that gave much away.

    Attributes:
        number: how many turns had been made before it.
        better: what would have been better, as far as its player could know.
        before: what he could expect before it, from 0 (lost) to 1 (won).
        after: what he could expect after it.
        known: what he could not know for certain, if anything.
    """

    number: int
    side: Side
    turn: Turn
    better: Turn
    before: float
    after: float
    known: Known | None


@dataclass(frozen=True, slots=True)
class Review:
    """How a game went.

    Attributes:
        chances: what White could expect from 0 (lost) to 1 (won), at the start and after each turn.
        turning_points: in the order of the game.
    """

    chances: tuple[float, ...]
    turning_points: tuple[TurningPoint, ...]


def questions(recorded: RecordedGame) -> tuple[Question, ...]:
    """Return what is to be looked at, one player's positions after the other's."""
    return tuple(question for side in SIDES for question in _of_side(recorded, side))


def asked_at(recorded: GameSoFar, number: int, branch: Sequence[str] = ()) -> Question:
    """Return what is to be looked at after so many turns of a game, and others tried from there.

    Raises:
        IllegalTurn: when one of them cannot be made.
    """
    here, tried = _position(recorded, number), []
    for text in branch:
        if here.outcome is not None:
            raise IllegalTurn("game-over", "The game is over in this position.")
        turn = here.parse_turn(text)
        tried.append((here, turn))
        here = here.play(turn)
    side = here.side
    known = told(recorded.state, recorded.records, side)
    given, *texts = lines(known)
    turns = (isinstance(event, Seen) for event in known.events)
    made = accumulate(turns, initial=0)
    so_far = [text for text, before in zip(texts, made, strict=False) if before < number]
    news = [protocol.saw(before.seen(turn, side)) for before, turn in tried]
    return Question(number + len(tried), here, (given, *so_far, *news))


def review(recorded: RecordedGame, answers: Mapping[int, Analysis]) -> Review:
    """Return how a game went, by what was thought of its positions: turns made -> thought."""
    chances = tuple(_chances(recorded, answers))
    lost = {
        side: sorted(
            (point for point in _losses(recorded, answers, chances) if point.side == side),
            key=lambda point: point.after - point.before,
        )
        for side in SIDES
    }
    worst = [point for side in SIDES for point in lost[side][:TURNING_POINTS]]
    return Review(chances, tuple(sorted(worst, key=lambda point: point.number)))


def expected(score: int) -> float:
    """Return what a score lets the side to act expect, from 0 (lost) to 1 (won)."""
    return 1 / (1 + 10 ** (-score / _PAWNS))


def _of_side(recorded: RecordedGame, side: Side) -> Iterator[Question]:
    known = told(recorded.state, recorded.records, side)
    given, *texts = lines(known)
    so_far, number = [given], 0
    for event, text in zip(known.events, texts, strict=True):
        if isinstance(event, Seen):
            yield from _asked(recorded, side, number, so_far)
            number += 1
        so_far.append(text)
    yield from _asked(recorded, side, number, so_far)


def _asked(
    recorded: RecordedGame, side: Side, number: int, so_far: list[str]
) -> Iterator[Question]:
    """Yield the question of one position, if this side had to choose there."""
    position = _position(recorded, number)
    chooses = position.side == side and position.outcome is None and not position.awaits_dice
    if chooses and number < MOST:
        yield Question(number, position, tuple(so_far))


def _position(recorded: GameSoFar, number: int) -> Position:
    played = recorded.state.played
    return played[number].before if number < len(played) else recorded.state.position


def _chances(recorded: RecordedGame, answers: Mapping[int, Analysis]) -> Iterator[float]:
    """Yield what White could expect; where nobody looked it stays as it was."""
    last = 0.5
    for number in range(min(len(recorded.state.played), MOST) + 1):
        position = _position(recorded, number)
        if number in answers:
            own = expected(answers[number].score)
            last = own if position.side == "white" else 1 - own
        elif position.outcome is not None:
            last = {"white": 1.0, "black": 0.0, None: 0.5}[position.outcome.winner]
        yield last


def _losses(
    recorded: RecordedGame, answers: Mapping[int, Analysis], chances: tuple[float, ...]
) -> Iterator[TurningPoint]:
    """Yield the turns after which their player could expect much less."""
    for number, played in enumerate(recorded.state.played[:MOST]):
        found = answers.get(number)
        judged = number + 1 in answers or _position(recorded, number + 1).outcome is not None
        if found is None or not judged or str(found.turn) == str(played.turn):
            continue
        before, after = chances[number], chances[number + 1]
        if played.side == "black":
            before, after = 1 - before, 1 - after
        lost, still_won = before < 1 - STILL_OPEN, after > STILL_OPEN
        if before - after >= WORTH_TELLING and not (lost or still_won):
            yield TurningPoint(
                number, played.side, played.turn, found.turn, before, after, found.known
            )
