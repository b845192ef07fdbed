"""A seat's process as its owner has it: started, spoken to, watched; nothing of it is trusted.

It knows the protocol and no search. Whatever the process does costs that process and nothing else:
its owner is told within a second, and a turn that the rules refuse never gets past here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from drivers.beside import begin
from firmware_bridge.opponents import protocol
from firmware_bridge.service.liveness import Pulse
from firmware_bridge.views import Attempted, Told
from rules.interface import IllegalTurn, Position, Turn

Start = Callable[[protocol.Seating, Sequence[str]], Awaitable["Opponent"]]

FaultKind = Literal[
    "ended", "exhausted", "stopped", "silent", "garbage", "flood", "illegal", "late"
]
CEILING_S = 10.0
"""How long a turn may take at most, on the slowest machine."""
GRACE_S = 5.0
"""How much longer it may take to name it, of its own time: it is waited for as long as it only
waits for its share of the processor."""
_PULSE_S = 0.2
_MOST_LINES = 500
_MOST_BYTES = 4 * protocol.LONGEST_LINE
"""What it may say between two beats of the pulse: a hundred times what a mind has to say, also
where this process was held up for seconds meanwhile."""
_ALIVE = "isready"
_KEPT = ("PATH", "PYTHONPATH", "LANG", "LC_ALL")
"""What of this process' environment the seat's process sees."""


class Fault(Exception):  # noqa: N818 - it is told, and play goes on
    """What was wrong with a seat's process, which is gone now.

    Attributes:
        kind: `ended` by itself or killed, `exhausted` its memory, was `stopped`, `silent`, talked
            `garbage` or a `flood` of words, wanted an `illegal` turn, or answered too `late`.
    """

    def __init__(self, kind: FaultKind, told: str) -> None:
        super().__init__(told)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Attempt:
    """A movement that the game's own referee rules on, as on anybody's; it is no turn."""

    move: str


class Opponent:
    """The process of one seat.

    Attributes:
        fault: done as soon as something is wrong with the process; it has been killed then.
        note: what people should know of how it plays, perhaps nothing.
        judgements: what it thinks of the position in which it was asked last, the best turn first.
        known: how much it knew there, if not everything and it was asked to analyse.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, pipes: asyncio.SubprocessTransport
    ) -> None:
        self.fault: asyncio.Future[Fault] = asyncio.get_running_loop().create_future()
        self.note = ""
        self.judgements: dict[int, protocol.Judgement] = {}
        self.known: protocol.Known | None = None
        self._told: tuple[str, ...] = ()
        self._piped: list[str] = []
        self._process, self._pipes = process, pipes
        self._pulse = Pulse(process.pid)
        self._turn: asyncio.Future[str] | None = None
        self._room = _MOST_LINES, _MOST_BYTES
        self._tasks = (
            begin(self._hear(), "ear of a seat's process", self._lost),
            begin(self._watch(), "watch of a seat's process", self._lost),
        )

    @property
    def judgement(self) -> protocol.Judgement:
        """What it thinks of the best turn."""
        return self.judgements.get(1, protocol.Judgement(0))

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @classmethod
    async def start(
        cls,
        seating: protocol.Seating,
        told: Sequence[str] = (),
        command: Sequence[str] = (sys.executable, *protocol.COMMAND),
    ) -> Self:
        """Start the process and tell it what the seat was told so far.

        After a restart it is told lines of `protocol.knows`, `saw` and `ruled`.

        Raises:
            Fault: when it cannot be started.
        """
        try:
            self = cls(*await _begun(command))
        except OSError as error:
            raise Fault("ended", f"{command[0]} cannot be started: {error.strerror}") from None
        for line in seating.lines():
            self.tell(line)
        self.brief(told)
        return self

    def brief(self, told: Sequence[str]) -> None:
        """Tell it all that its seat was told: what is new alone, where the rest is known."""
        known = len(self._told)
        if tuple(told[:known]) != self._told:
            self.tell("ucinewgame")
            known = 0
        for line in told[known:]:
            self.tell(line)
        self._told = tuple(told)

    def piped(self) -> tuple[str, ...]:
        """Return, and forget, what went through its pipe: what it was told, and the turns it named.

        Without the signs of life that it was asked for, and what it said of a turn.
        """
        lines, self._piped = tuple(self._piped), []
        return lines

    def tell(self, line: str) -> None:
        """Tell it a line of the protocol; what is wrong with it, `fault` says."""
        if line != _ALIVE:
            self._piped.append(f"> {line}")
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(line.encode() + b"\n")

    async def think(
        self, position: Position, ceiling_s: float = CEILING_S, limit: str = ""
    ) -> Turn | Attempt:
        """Return the turn that it wants in a position, held against the rules.

        Args:
            position: where the game stands; the process knows of it what it was told.
            ceiling_s: seconds after which it is asked for the best so far.
            limit: what `go` is told besides: to deepen as far as that, and to say what it thinks.

        Raises:
            Fault: when no turn came of it; the process is gone then.
        """
        self._turn = asyncio.get_running_loop().create_future()
        self.judgements, self.known = {}, None
        self.tell(f"go movetime {round(ceiling_s * 1000)} {limit}".rstrip())
        await self._answered(ceiling_s)
        if self.fault.done():
            raise self.fault.result()
        if not self._turn.done():
            raise self._fail("late", "it named no turn in time")
        return self._held_against_the_rules(self._turn.result(), position)

    async def _answered(self, ceiling_s: float) -> None:
        """Wait until it named a turn, was at fault, or had its time."""
        waited_for = [future for future in (self._turn, self.fault) if future is not None]
        await asyncio.wait(waited_for, timeout=ceiling_s, return_when=asyncio.FIRST_COMPLETED)
        self._pulse.own_time()
        left = GRACE_S
        while left > 0 and not any(future.done() for future in waited_for):
            await asyncio.wait(
                waited_for, timeout=min(_PULSE_S, left), return_when=asyncio.FIRST_COMPLETED
            )
            left -= self._pulse.own_time()

    def _held_against_the_rules(self, text: str, position: Position) -> Turn | Attempt:
        try:
            return position.parse_turn(text)
        except IllegalTurn as illegal:
            referee = position.game.referee(position, 0)
            with contextlib.suppress(IllegalTurn):
                if referee is not None and referee.attempt(text)[1] is not None:
                    return Attempt(text)
            raise self._fail("illegal", f"it wanted a turn that is {illegal.reason}") from None

    def _fail(self, kind: FaultKind, told: str) -> Fault:
        """Kill the process and tell its owner why, once."""
        fault = Fault(kind, told)
        if not self.fault.done():
            self.fault.set_result(fault)
        self._kill()
        return fault

    def _lost(self, error: Exception) -> None:
        """Give up a process that is not heard or watched any more."""
        self._fail("ended", f"what looks after it failed: {type(error).__name__}")

    def _kill(self) -> None:
        """Kill it and all that it may have started, which would hold its pipes open."""
        if self._process.returncode is None:  # else its number may be another's by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _hear(self) -> None:
        """Take in what the process says, until it ends."""
        output = self._process.stdout
        while output is not None:
            try:
                line = await output.readline()
            except ValueError:  # longer than any line of the protocol
                line = b"\0"
            if not line:
                break
            self._room = self._room[0] - 1, self._room[1] - len(line)
            if min(self._room) < 0:
                self._fail("flood", "it talks without end")
                break
            said = protocol.heard(line.decode("utf-8", "replace").rstrip("\r\n"))
            unasked = self._turn is None or self._turn.done()
            if said is None or (said.turn is not None and unasked):
                self._fail("garbage", "it said what is no word of the protocol")
                break
            self._take(said)
        self._ended(await self._process.wait())

    def _ended(self, code: int) -> None:
        exhausted = code == protocol.EXHAUSTED
        self._fail("exhausted" if exhausted else "ended", f"it ended with code {code}")

    def _take(self, said: protocol.Said) -> None:
        if said.ready:
            self._pulse.answered()
        if said.note is not None:
            self.note = said.note
        if said.judgement is not None:
            self.judgements[said.judgement.rank] = said.judgement
        if said.known is not None:
            self.known = said.known
        if said.turn is not None and self._turn is not None:
            self._piped.append(f"< bestmove {said.turn}")
            self._turn.set_result(said.turn)

    async def _watch(self) -> None:
        """Ask for a sign of life again and again.

        That it has ended is seen here too: what it has started may hold its pipe open for ever.
        """
        while not self.fault.done():
            if self._process.returncode is not None:
                self._ended(self._process.returncode)
            self._room = _MOST_LINES, _MOST_BYTES
            if self._pulse.due():
                self.tell(_ALIVE)
            await asyncio.sleep(_PULSE_S)
            missing = self._pulse.missing()
            if missing is not None and not self.fault.done():
                self._fail(missing, f"it is {missing}")

    async def close(self) -> None:
        """End the process; nothing is a fault any more.

        It is killed at once: whoever is told to end while he waits here leaves none behind.
        """
        for task in self._tasks:
            task.cancel()
        self._kill()
        # Its pipes are given up, whatever is still in them, and whoever else holds their other end:
        # before that nobody is told that the process has ended.
        for pipe in map(self._pipes.get_pipe_transport, (0, 1)):
            if pipe is None or pipe.is_closing():
                continue
            if isinstance(pipe, asyncio.WriteTransport):
                pipe.abort()
            else:
                pipe.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._process.wait()
        self._pipes.close()


async def _begun(
    command: Sequence[str],
) -> tuple[asyncio.subprocess.Process, asyncio.SubprocessTransport]:
    """Start a process that can be spoken to, and return with it what holds its pipes."""
    loop = asyncio.get_running_loop()
    pipes, heard = await loop.subprocess_exec(
        lambda: asyncio.subprocess.SubprocessStreamProtocol(protocol.LONGEST_LINE, loop),
        *command,
        stderr=asyncio.subprocess.DEVNULL,  # it could tell what only the seat may know
        start_new_session=True,
        env={name: os.environ[name] for name in _KEPT if name in os.environ},
    )
    return asyncio.subprocess.Process(pipes, heard, loop), pipes


def lines(told: Told) -> tuple[str, ...]:
    """Return what a seat is told, as lines of the protocol."""
    events = (
        protocol.ruled(event.move) if isinstance(event, Attempted) else protocol.saw(event)
        for event in told.events
    )
    return (protocol.knows(told.start), *events)
