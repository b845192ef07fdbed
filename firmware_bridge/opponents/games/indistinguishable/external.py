"""A chess program of others that may be installed, asked in UCI through python-chess."""

from __future__ import annotations

import contextlib
import os
import shutil
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING

import chess
import chess.engine

from firmware_bridge.opponents.engine import WON, Choice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from firmware_bridge.opponents.levels import Level

PROGRAMS = ("stockfish", "fairy-stockfish")
"""The programs that are looked for, by the names of Debian's packages, the better first."""
NONE = "Neither stockfish nor fairy-stockfish is installed: our own search plays."
_BESIDE_THE_PATH = "/usr/games:/usr/local/bin:/usr/bin"
_LINES = 6
"""How many turns a level that misjudges them has judged."""
_PATIENCE_S = 30.0
"""Seconds that the program may take to start; three times what a turn may take at most."""
_CEILING_S = 4.0
"""Seconds after which it is asked for the best so far: ten times what the highest level took while
twenty others were at work on two cores, so that nodes alone decide."""
_GRACE_S = 1.0
"""Seconds more after which it is given up: it was stopped, or hangs."""


def find() -> str | None:
    """Return where a program is, `None` when none is installed."""
    path = f"{os.environ.get('PATH', '')}:{_BESIDE_THE_PATH}"
    return next(filter(None, (shutil.which(name, path=path) for name in PROGRAMS)), None)


class Broken(Exception):  # noqa: N818 - the own search goes on
    """The program cannot be started, has ended, or talks nonsense."""


class Program:
    """A running chess program; raises `Broken` when it does not answer as it must."""

    def __init__(self, path: str) -> None:
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(path, timeout=_PATIENCE_S)
            wanted = {"Threads": 1, "Hash": 16}
            self._engine.configure({k: v for k, v in wanted.items() if k in self._engine.options})
            self._engine.timeout = _GRACE_S
        except (chess.engine.EngineError, OSError, TimeoutError) as error:
            raise Broken(f"{path} cannot be used ({str(error) or 'no answer in time'})") from error
        self.name = self._engine.id.get("name", path)

    def choose(
        self, board: chess.Board, level: Level, rng: Random, only: Sequence[chess.Move] = ()
    ) -> Choice:
        """Return the best move on a valid board.

        Args:
            board: a position that orthodox chess allows.
            level: its nodes and error are looked at.
            rng: what the errors are drawn from.
            only: the moves to choose from, if not all.
        """
        try:
            told = self._engine.analyse(
                board,
                chess.engine.Limit(nodes=level.nodes, time=_CEILING_S),
                multipv=_LINES if level.error else 1,
                game=object(),  # so that it remembers nothing, and decides the same again
                root_moves=only or None,
            )
        except (chess.engine.EngineError, CancelledError, TimeoutError) as error:
            raise Broken(f"{self.name} gave no answer ({str(error) or 'in time'})") from error
        lines = sorted(
            (_choice(info) for info in told if info.get("pv")), key=lambda choice: choice.turn
        )
        if not lines:
            raise Broken(f"{self.name} named no move")
        errors = {choice.turn: rng.gauss(0, level.error) for choice in lines}
        return max(lines, key=lambda choice: _seems(choice.score, errors[choice.turn]))

    def close(self) -> None:
        """End the program."""
        with contextlib.suppress(chess.engine.EngineError, CancelledError, TimeoutError):
            self._engine.quit()
        self._engine.close()


def _seems(score: int, error: float) -> float:
    """Return what a turn seems to be worth; a mate that was seen is not misjudged."""
    return score if abs(score) > WON - 1_000 else score + error


def _choice(info: chess.engine.InfoDict) -> Choice:
    score = info["score"].relative
    line = tuple(move.uci() for move in info["pv"])
    mate = score.mate()
    if mate is None:
        worth = score.score() or 0
    else:
        worth = WON + 1 - 2 * mate if mate > 0 else -WON - 2 * mate
    return Choice(line[0], worth, info.get("depth", 0), info.get("nodes", 0), line)
