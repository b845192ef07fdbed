"""Plays seeded games on the reconciler with clumsy hands and counts what came of it."""

from __future__ import annotations

from random import Random

from drivers.port import Reading
from firmware_bridge.bench import disturbances
from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import Row, choose, styles
from firmware_bridge.bench.harness import Seat
from firmware_bridge.games import metadata
from firmware_bridge.reconciler import Settings, TurnAmended, TurnTaken
from firmware_bridge.simulation import play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from rules.interface import Turn

READS: tuple[Reading, ...] = (None, True)
"""What faulty cells read: nothing when they are dead, something when they are stuck."""


def run(row: Row, games: int, plies: int, seed: int, *, faulty: bool = False) -> Figures:
    """Play games, every other one with clock buttons, and return the figures.

    On faulty boards one cell is dead or stuck, and people know it; then only legal turns are made.
    """
    figures = Figures()
    for number in range(games):
        dice = Random(f"{seed}/{row.name}/{row.tier}/{number}")  # noqa: S311 - a game of chance
        _game(row, figures, plies, dice, clock=number % 2 == 0, faulty=faulty)
    return figures


def _game(
    row: Row, figures: Figures, plies: int, dice: Random, *, clock: bool, faulty: bool
) -> None:
    game = row.load()
    position = game.start()
    settings = Settings(clock=clock, take_backs=not game.traits.records_forbidden)
    fault: tuple[str, Reading] | None = None
    if faulty:
        fault = dice.choice(sorted(game.squares)), dice.choice(READS)
    seat = Seat(position, row.tier, settings, simulated_pieces(game), figures, faulty=fault)
    for _ in range(plies):
        if seat.position.outcome is not None:
            break
        if faulty:
            legal(seat, figures, dice, clock=clock)
            continue
        if seat.position.awaited is None and dice.random() < 0.15:
            disturbances.illegal(seat, figures, dice, clock=clock)
        legal(seat, figures, dice, clock=clock)
        if settings.take_backs and dice.random() < 0.1:
            disturbances.take_back(seat, figures, dice)
        if dice.random() < 0.05:
            disturbances.upset(seat, figures, dice)


def legal(seat: Seat, figures: Figures, dice: Random, *, clock: bool) -> None:
    """Let hands make a legal turn and see that it is taken, and nothing else."""
    before = seat.position
    turn = choose(before, dice)
    seat.hush()
    chosen = styles(dice)
    figures.turns += 1
    if before.deed(turn).physical:
        seat.feel(play(before, turn, seat.pieces, dice, chosen))
        _confirm(seat, turn, dice, clock=clock)
    else:
        seat.answer(str(turn))
    figures.alarms += len(seat.alarms)
    figures.asked += seat.asked
    figures.answered += seat.answered
    figures.needless += bool(seat.idle)
    made = [found for found in seat.taken if isinstance(found, TurnTaken | TurnAmended)]
    figures.amended += sum(isinstance(found, TurnAmended) for found in made)
    right = bool(made) and seat.position == before.play(turn)
    figures.right += right
    if right and isinstance(made[-1], TurnTaken):
        figures.factors.update(made[-1].against)
    if seat.idle:
        asked = [str(t) for verdict in seat.idle for t in verdict.turns]
        seat.fail(f"{before}: {turn} with {sorted(chosen)}, clock {clock}: no need to ask {asked}")
    if not right or seat.alarms:
        figures.wrong += bool(made) and not right
        told = ", ".join(str(found.turn) for found in made) or "nothing"
        alarms = ", ".join(f"{v.kind} {v.reason} {v.cells}" for v in seat.alarms)
        seat.fail(
            f"{before}: {turn} with {sorted(chosen)}, clock {clock}: took {told}; {alarms}; "
            f"{seat.verdict.kind} {[str(t) for t in seat.verdict.turns]}"
        )
        seat.restart(before.play(turn))


def _confirm(seat: Seat, turn: Turn, dice: Random, *, clock: bool) -> None:
    """Press the clock, let the turn stand, or answer what is asked."""
    seat.wait(dice.uniform(0.2, 0.6) if clock else 0.5)
    verdict = seat.verdict
    plain = [t for t in verdict.turns if t.plain]
    told = metadata.of(seat.position.game.id)
    if told.declarations and not turn.plain and verdict.kind == "in-progress":
        seat.declare()  # what the board cannot show yet, a press would take for the plain turn
    if clock and (verdict.kind != "choice" or plain == [turn]):
        seat.press()
    if seat.verdict.kind == "in-progress":
        seat.wait(4.0)
    waits = seat.verdict.kind in ("in-progress", "settled") and not seat.taken
    if waits and seat.doubtful:
        seat.asked = seat.answered = True  # where a question would tell a secret, people tell
        seat.answer(str(turn))
    if seat.verdict.kind == "choice" or (seat.verdict.kind == "extendable" and not clock):
        seat.answer(str(turn))
