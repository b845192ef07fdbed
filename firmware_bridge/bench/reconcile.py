"""Plays seeded games on the reconciler with clumsy hands and counts what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from drivers.port import Reading
from firmware_bridge.bench import disturbances
from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import Row, choose, styles
from firmware_bridge.bench.harness import Harness, agreed
from firmware_bridge.games import metadata
from firmware_bridge.reconciler import TurnAmended, TurnTaken
from firmware_bridge.simulation import play
from rules.interface import Turn

CONDUCT: Mapping[str, Any] = {"penalty": "none", "sealed": False, "take_backs": True}
"""What is agreed on: offences cost nothing, so that games go on; all is shown as it is judged."""
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
    start = row.load().start()
    fault: tuple[str, Reading] | None = None
    if faulty:
        fault = dice.choice(sorted(start.game.squares)), dice.choice(READS)
    board = Harness(agreed(row, clock=clock, **CONDUCT), row.tier, start, faulty=fault)
    for _ in range(plies):
        if board.position.outcome is not None:
            break
        if faulty:
            legal(board, figures, dice, clock=clock)
            continue
        if board.position.awaited is None and dice.random() < 0.15:
            disturbances.illegal(board, figures, dice, clock=clock)
        legal(board, figures, dice, clock=clock)
        if board.take_backs and dice.random() < 0.1:
            disturbances.take_back(board, figures, dice)
        if dice.random() < 0.05:
            disturbances.upset(board, figures, dice)
    figures.event_us += board.event_us
    figures.prepare_us += board.prepare_us


def legal(board: Harness, figures: Figures, dice: Random, *, clock: bool) -> None:
    """Let hands make a legal turn and see that it is taken, and nothing else."""
    before = board.position
    turn = choose(before, dice)
    board.hush()
    chosen = styles(dice)
    figures.turns += 1
    if before.deed(turn).physical:
        board.feel(play(before, turn, board.pieces, dice, chosen))
        _confirm(board, turn, dice, clock=clock)
    else:
        board.answer(str(turn))
    figures.alarms += len(board.alarms)
    figures.asked += board.asked
    figures.answered += board.answered
    figures.needless += bool(board.idle)
    made = [found for found in board.taken if isinstance(found, TurnTaken | TurnAmended)]
    figures.amended += sum(isinstance(found, TurnAmended) for found in made)
    right = bool(made) and board.position == before.play(turn)
    figures.right += right
    if right and isinstance(made[-1], TurnTaken):
        figures.factors.update(made[-1].against)
    if board.idle:
        asked = [str(t) for verdict in board.idle for t in verdict.turns]
        figures.fail(
            f"{before}: {turn} with {sorted(chosen)}, clock {clock}: no need to ask {asked}",
            board.recording(),
        )
    if not right or board.alarms:
        figures.wrong += bool(made) and not right
        told = ", ".join(str(found.turn) for found in made) or "nothing"
        alarms = ", ".join(f"{v.kind} {v.reason} {v.cells}" for v in board.alarms)
        figures.fail(
            f"{before}: {turn} with {sorted(chosen)}, clock {clock}: took {told}; {alarms}; "
            f"{board.verdict.kind} {[str(t) for t in board.verdict.turns]}",
            board.recording(),
        )
        board.restart(before.play(turn))


def _confirm(board: Harness, turn: Turn, dice: Random, *, clock: bool) -> None:
    """Press the clock, let the turn stand, or answer what is asked."""
    board.wait(dice.uniform(0.2, 0.6) if clock else 0.5)
    verdict = board.verdict
    plain = [t for t in verdict.turns if t.plain]
    declared = metadata.of(board.position.game.id).declarations
    if declared and not turn.plain and verdict.kind == "in-progress":
        board.declare()  # what the board cannot show yet, a press would take for the plain turn
    if clock and (verdict.kind != "choice" or plain == [turn]):
        board.press()
    if board.verdict.kind == "in-progress":
        board.wait(4.0)
    waits = board.verdict.kind in ("in-progress", "settled") and not board.taken
    if waits and board.doubtful:
        board.tell(str(turn))
    if board.verdict.kind == "choice" or (board.verdict.kind == "extendable" and not clock):
        board.answer(str(turn))
