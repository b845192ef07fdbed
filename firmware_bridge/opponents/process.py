"""The loop of a seat's process: one thread listens and answers at once, the other thinks."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from queue import SimpleQueue

import rules
from firmware_bridge.opponents.confinement import confine, settle_in
from firmware_bridge.opponents.engine import WON, Choice
from firmware_bridge.opponents.levels import level_of
from firmware_bridge.opponents.protocol import EXHAUSTED, SURE, believes, read_knowledge, read_seen
from firmware_bridge.opponents.seat import MOST, Seat

_ABOUT_THE_GAME = ("position", "seen", "ruled", "go")


class Loop:
    """Keeps what the owner has said so far, and the seat made from it."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.waiting: SimpleQueue[str] = SimpleQueue()
        self._options = {"Game": "", "Options": "{}", "Level": "3", "Seed": ""}
        self._options |= {"UCI_AnalyseMode": "false", "MultiPV": "1"}
        self._seat: Seat | None = None
        self._note = ""
        self._lines = iter(sys.stdin)
        self._words: Mapping[str, Callable[[str], None]] = {
            "uci": self._uci,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": lambda text: self.seat.know(read_knowledge(text)),
            "seen": lambda text: self.seat.see(read_seen(text)),
            "ruled": lambda text: self.seat.rule(text),  # noqa: PLW0108 - there is no seat yet
            "go": self._go,
        }

    @property
    def seat(self) -> Seat:
        """The seat; made from the options when it is first needed."""
        if self._seat is None:
            game = rules.load(self._options["Game"], **json.loads(self._options["Options"]))
            level = level_of(game.id, int(self._options["Level"]))
            if self._options["UCI_AnalyseMode"] == "true":
                level = level.advising()
            self._seat = Seat(game, level, self._options["Seed"], self.stop.is_set)
        return self._seat

    def set_up(self) -> None:
        """Take in who plays what; at the first word about the game load it and give up the rest."""
        for line in self._lines:
            self._hear(line)
            if line.startswith(_ABOUT_THE_GAME):
                break
            while not self.waiting.empty():
                self._do(self.waiting.get())
        else:
            os._exit(0)
        confine(self.seat.door)

    def listen(self) -> None:
        """Take in lines for ever; what cannot wait is answered here, while the other thinks."""
        for line in self._lines:
            self._hear(line)
        os._exit(0)

    def _hear(self, line: str) -> None:
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word == "isready":
            say("readyok")
        elif word == "stop":
            self.stop.set()
        elif word == "quit":
            os._exit(0)
        elif word:
            if word == "go":
                self.stop.clear()
            self.waiting.put(line.strip())

    def think(self) -> None:
        """Do what was said, one line after the other, for ever."""
        while True:
            self._do(self.waiting.get())

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        act = self._words.get(word)
        if act is not None:  # as in UCI, other words mean nothing
            act(rest.strip())

    def _uci(self, _: str) -> None:
        say("id name firmware-bridge")
        for name, value in self._options.items():
            say(f"option name {name} type string default {value}")
        say("uciok")

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        self._options[name] = value

    def _new_game(self, _: str) -> None:
        self._seat = None

    def _go(self, text: str) -> None:
        if self._options["UCI_AnalyseMode"] == "true" and self.seat.belief.count > 1:
            say(believes(self.seat.belief.count, self.seat.belief.chances()))
        words = text.split()
        limits = dict(zip(words[::2], words[1::2], strict=False))
        with ceiling(limits, self.stop.set):
            if words[:1] == ["infinite"] or limits.keys() & {"nodes", "depth"}:
                choice = self._deepened(limits, endless=words[:1] == ["infinite"])
            else:
                choice = self.seat.choose()
        if self.seat.note != self._note:
            self._note = self.seat.note
            say(f"info string {self._note}")
        say(told(choice))
        say(f"bestmove {choice.turn}")

    def _deepened(self, limits: Mapping[str, str], *, endless: bool) -> Choice:
        """Return the best turn, telling all the while what is thought of the best ones."""
        count = int(self._options["MultiPV"])
        nodes, depth = int(limits.get("nodes", MOST)), int(limits.get("depth", 0))
        found: tuple[Choice, ...] = ()
        for found in self.seat.deepen(count, nodes, depth):
            for rank, choice in enumerate(found, 1):
                say(told(choice, rank))
        if endless:
            self.stop.wait()
        return found[0] if found else self.seat.choose()


@contextmanager
def ceiling(limits: Mapping[str, str], reached: Callable[[], None]) -> Iterator[None]:
    """Tell when the time that `go movetime MS` grants is over."""
    if "movetime" not in limits:
        yield
        return
    timer = threading.Timer(int(limits["movetime"]) / 1000, reached)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def say(line: str) -> None:
    """Write a line to the owner at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def told(choice: Choice, rank: int = 1) -> str:
    """Return the `info` line of a choice; wins and losses in full moves, as UCI has them."""
    if abs(choice.score) > SURE:
        moves = (WON - abs(choice.score) + 1) // 2
        score = f"mate {moves if choice.score > 0 else -moves}"
    else:
        score = f"cp {choice.score}"
    line = " ".join(choice.line)
    return f"info depth {choice.depth} multipv {rank} score {score} nodes {choice.nodes} pv {line}"


def run() -> int:
    """Run until the owner ends it; memory that is exhausted ends it with a code of its own."""
    settle_in()
    loop = Loop()
    threading.excepthook = lambda _: os._exit(1)
    try:
        loop.set_up()
        threading.Thread(target=loop.listen, daemon=True).start()
        loop.think()
    except MemoryError:
        os._exit(EXHAUSTED)
    return 0
