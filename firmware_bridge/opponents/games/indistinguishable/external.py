"""A chess program of others that may be installed, asked in UCI behind a door of its own."""

from __future__ import annotations

import os
import re
import select
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random

import chess

from firmware_bridge.opponents.confinement import Door
from firmware_bridge.opponents.engine import WON, Choice, nobody
from firmware_bridge.opponents.levels import Level
from firmware_bridge.opponents.protocol import SURE

PROGRAMS = ("stockfish", "fairy-stockfish")
"""The programs that are looked for, by the names of Debian's packages, the better first."""
NONE = "Neither stockfish nor fairy-stockfish is installed"
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
_GLANCE_S = 0.02
"""Seconds between two looks at whether somebody wants the turn now."""
_MOST = 1 << 20
"""Bytes: no program says so much about one turn."""
_WANTED = {"Threads": "1", "Hash": "16", "UCI_AnalyseMode": "true"}
_LINE = re.compile(
    r"info (?:.* )?depth (?P<depth>\d+) .*?multipv (?P<rank>\d+) .*?score (?P<unit>cp|mate) "
    r"(?P<score>-?\d+).* nodes (?P<nodes>\d+) .*?pv (?P<line>.+)"
)


def find() -> str | None:
    """Return where a program is, `None` when none is installed."""
    path = f"{os.environ.get('PATH', '')}:{_BESIDE_THE_PATH}"
    return next(filter(None, (shutil.which(name, path=path) for name in PROGRAMS)), None)


class Broken(Exception):  # noqa: N818 - the own search goes on
    """The program cannot be started, has ended, or talks nonsense."""


@cache
def program() -> Program:
    """Return the program that plays for all minds of this process, started when first needed.

    Raises:
        Broken: when none is installed, or it cannot be used.
    """
    path = find()
    if path is None:
        raise Broken(NONE)
    return Program(path)


class Program:
    """A running chess program; raises `Broken` when it does not answer as it must."""

    def __init__(self, path: str) -> None:
        self.name = path
        self.door = Door(path)
        self._heard = bytearray()
        self._known: set[str] = set()

    def _introduce(self) -> None:
        """Wait until it has started, and shut its door; it is started while others wait for us."""
        self._say("uci")
        for line in self._until("uciok", _PATIENCE_S):
            word, _, rest = line.partition(" name ")
            if word == "id":
                self.name = rest
            elif word == "option":
                self._known.add(rest.partition(" type ")[0])
        for name, value in _WANTED.items():
            self._set(name, value)
        self._ready(_PATIENCE_S)
        self.door.shut()

    def choose(
        self,
        board: chess.Board,
        level: Level,
        rng: Random,
        only: Sequence[chess.Move] = (),
        stopped: Callable[[], bool] = nobody,
    ) -> Choice:
        """Return the best move on a valid board.

        The errors are drawn from `rng`, as large as the level says; `only` are the moves to choose
        from.
        """
        try:
            if not self._known:
                self._introduce()
            self._set("MultiPV", str(_LINES if level.error else 1))
            self._set("UCI_Chess960", str(board.chess960).lower())
            self._say("ucinewgame")  # so that it remembers nothing, and decides the same again
            self._ready(_GRACE_S)
            played = " ".join(move.uci() for move in board.move_stack)
            self._say(f"position fen {board.root().fen()}" + (f" moves {played}" if played else ""))
            chosen = " searchmoves " + " ".join(move.uci() for move in only) if only else ""
            self._say(f"go nodes {level.nodes} movetime {round(_CEILING_S * 1000)}{chosen}")
            told = self._until("bestmove ", _CEILING_S + _GRACE_S, stopped)
            found = {line["rank"]: line for line in map(_LINE.fullmatch, told) if line}
        except OSError as error:
            raise Broken(f"{self.name} has ended") from error
        lines = sorted(map(_choice, found.values()), key=lambda choice: choice.turn)
        if not lines:
            raise Broken(f"{self.name} named no move")
        errors = {choice.turn: rng.gauss(0, level.error) for choice in lines}
        return max(lines, key=lambda choice: _seems(choice.score, errors[choice.turn]))

    def _set(self, name: str, value: str) -> None:
        if name in self._known:
            self._say(f"setoption name {name} value {value}")

    def _ready(self, seconds: float) -> None:
        self._say("isready")
        for _ in self._until("readyok", seconds):
            pass

    def _say(self, line: str) -> None:
        os.write(self.door.pipes[0], line.encode() + b"\n")

    def _until(
        self, last: str, seconds: float, stopped: Callable[[], bool] = nobody
    ) -> Iterator[str]:
        """Yield its lines before one that begins so."""
        output, left, asked, room = self.door.pipes[1], seconds, False, _MOST
        while left > 0 and room > 0:
            *lines, rest = self._heard.split(b"\n")
            self._heard = rest
            for number, line in enumerate(lines):
                text = line.decode("ascii", "replace").rstrip()
                if text.startswith(last):
                    self._heard = bytearray(b"\n".join((*lines[number + 1 :], rest)))
                    return
                yield text
            if not asked and stopped():
                asked, left = True, _GRACE_S
                self._say("stop")
            if not select.select([output], [], [], _GLANCE_S)[0]:
                left -= _GLANCE_S
            elif more := os.read(output, 1 << 16):
                self._heard += more
                room -= len(more)
            else:
                raise Broken(f"{self.name} has ended")
        raise Broken(f"{self.name} gave no answer in time")

    def close(self) -> None:
        """End the program, for all who play with it."""
        program.cache_clear()
        self.door.end()


def _seems(score: int, error: float) -> float:
    """Return what a turn seems to be worth; a mate that was seen is not misjudged."""
    return score if abs(score) > SURE else score + error


def _choice(told: re.Match[str]) -> Choice:
    line = tuple(told["line"].split())
    worth = int(told["score"])
    if told["unit"] == "mate":
        worth = WON + 1 - 2 * worth if worth > 0 else -WON - 2 * worth
    return Choice(line[0], worth, int(told["depth"]), int(told["nodes"]), line)
