"""Protocol 1.1, the host's end: bytes in, values of `drivers.port` out. Pure; time is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drivers.board_reasons import NOTICE_TEXTS, Reason
from drivers.link import codec
from drivers.link.clock_fit import ClockFit
from drivers.link.incoming import Incoming
from drivers.link.mismatch import Mismatch
from drivers.link.outgoing import Outgoing, encode_lights
from drivers.port import BoardNotice, ButtonEvent, CellEvent, LinkChanged, Snapshot

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.link.codec import Event, FromHost
    from drivers.port import BoardEvent, Lights, Reading

GREETING_TIME = 3.0
"""Seconds in which a board must answer the greeting."""
SILENCE = 3.0
"""Seconds without a sound frame after which the board counts as gone."""
_ASK_AGAIN = 0.15
"""Seconds between greetings: a board that starts misses the first."""
_EXPLAIN_TIME = 1.0
"""Seconds in which whatever answers otherwise may show what it is."""
_PING_FIRST, _PING_LATER, _QUICK_PINGS = 0.05, 1.0, 4
"""Seconds between pings: a few at once find the board's clock, later ones its drift."""
_LISTENED = 512
"""Bytes of what made no sense that are looked at for a prompt."""
_PROMPTS = (b">>> ", b"raw REPL; CTRL-B to exit", b"paste mode; Ctrl-C to cancel")
"""What MicroPython answers to the bytes of a greeting: 03, 01 and 05 are keys to it."""
RESTART = b"\x03\x03\x02\x03import machine; machine.reset()\r"
"""Keys that leave whatever its prompt was about to take, and a line that restarts the board."""
_RESTARTS = 2
"""So many in a row, and the firmware counts as broken."""
_UNPOWERED = Reason("unpowered")
_NEVER = float("inf")
_STALLED = 2.0
"""Seconds between two polls after which it was the host that was busy, not the board silent."""


@dataclass(frozen=True, slots=True)
class LinkStatistics:
    """How well the wire works: counts since the session object was made, round trip in seconds."""

    good: int
    damaged: int
    repeated: int
    early: int
    round_trip: float | None


def reading_of(wire: codec.Reading) -> Reading:
    """Return a reading as the port names it: UIDs in capital hexadecimal digits."""
    return wire.hex().upper() if isinstance(wire, bytes) else (wire or None)


class HostSession:
    """One board's protocol, over any number of connections.

    Call `connect` when the wire is open, `receive` with what it brings, `poll` at `wake_at` and
    after every call, and send what `poll` returns. When `problem` is set, close the wire.

    Attributes:
        problem: why this connection cannot go on; `None` while all is well.
        hello: the board's greeting, once it has greeted.
    """

    def __init__(self, description: BoardDescription, nonce: int = 0) -> None:
        self.description = description
        self.problem: Reason | None = None
        self.hello: codec.Hello | None = None
        self._reader = codec.FrameReader()
        self._clock = ClockFit()
        self._incoming = Incoming(len(description.cells))
        self._outgoing = Outgoing(len(description.cells))
        self._nonce = nonce
        self._known: tuple[bytes, int] | None = None  # board id and boot counter last seen
        self._latest = 0.0
        self._untold: list[BoardEvent] = []  # of a session without a snapshot yet
        self._restarts = 0  # of a board at its prompt, since one last greeted
        self._forget_connection(_NEVER)

    def _forget_connection(self, now: float) -> None:
        self.problem = None
        self._linked = False  # whether the board was there since the wire was opened
        self._forget_session(now)

    def _forget_session(self, now: float) -> None:
        self.hello = None
        self._bytes_in = 0
        self._babble = b""  # the end of what was heard before the greeting
        self._mismatch: Mismatch | None = None
        self._opened_at = now
        self._heard_at = now
        self._greeted_at = now
        self._polled_at = now
        self._ask_at = now
        self._asked_at = now
        self._ack_due = False
        self._snapshot_wanted = False
        self._ping: tuple[int, float] | None = None
        self._ping_at = _NEVER
        self._pings = 0

    @property
    def up(self) -> bool:
        """Whether the board has greeted, fits its description, and has said what stands on it."""
        return self._fits and self._incoming.based

    @property
    def _fits(self) -> bool:
        return self.hello is not None and self._mismatch is None and self.problem is None

    @property
    def statistics(self) -> LinkStatistics:
        """How well the wire works."""
        return LinkStatistics(
            self._reader.good,
            self._reader.damaged,
            self._incoming.repeated,
            self._incoming.early,
            self._clock.round_trip,
        )

    def connect(self, now: float) -> None:
        """Begin a connection: the wire has just been opened."""
        self._ask_anew()
        good, damaged = self._reader.good, self._reader.damaged
        self._reader = codec.FrameReader()
        self._reader.good, self._reader.damaged = good, damaged
        self._forget_connection(now)

    def _ask_anew(self) -> None:
        self._nonce = (self._nonce + 1) % 65536

    def show(self, lights: Lights) -> None:
        """Have the board show these lights; they are shown again after every return."""
        self._outgoing.show(encode_lights(self.description, lights))

    def sound(self, name: str, now: float) -> None:
        """Have the board play a sound, if it is there."""
        if self.up:
            self._outgoing.command(name, now)

    def self_test(self, now: float) -> None:
        """Have the board test itself; it reports by a `BoardNotice`."""
        if self.up:
            self._outgoing.command("self-test", now)

    def ask_snapshot(self) -> None:
        """Have the board send a `Snapshot` although nothing changed."""
        self._snapshot_wanted = True

    def receive(self, data: bytes, now: float) -> list[BoardEvent]:
        """Take bytes from the wire; return what they say, in order, each thing once."""
        self._bytes_in += len(data)
        if self.hello is None:
            self._babble = (self._babble + data)[-_LISTENED:]
        values: list[BoardEvent] = []
        for body in self._reader.feed(data):
            message = codec.decode(body)
            if message is not None and self.problem is None:
                values += self._understand(message, now)
        return values

    def poll(self, now: float) -> bytes:
        """Return the bytes to send now; sets `problem` when the board has been silent too long."""
        messages: list[FromHost] = []
        away, self._polled_at = now - self._polled_at, now
        if self.problem is not None:
            return b""
        if away > _STALLED:
            self._heard_at += away
            self._greeted_at += away
        if self.hello is None:
            if any(sign in self._babble for sign in _PROMPTS):
                return self._restart()
            messages += self._greeting(now)
        elif self._mismatch is not None:
            messages += self._comparing(self._mismatch, now)
        elif now - self._heard_at > SILENCE:
            self.problem = _UNPOWERED
        elif not self._incoming.based and now - self._greeted_at > SILENCE:
            self.problem = Reason("blind")
        else:
            messages += self._conversation(now)
        return b"".join(codec.frame(codec.encode(message)) for message in messages)

    @property
    def wake_at(self) -> float:
        """The time at which `poll` must be called at the latest."""
        if self.hello is None or self._mismatch is not None:
            return self._ask_at
        ask = self._ask_at if self._snapshot_wanted else _NEVER
        return min(self._ping_at, self._heard_at + SILENCE + 0.01, self._outgoing.wake_at, ask)

    def _greeting(self, now: float) -> list[FromHost]:
        if now - self._opened_at > GREETING_TIME:
            self.problem = self._why_no_greeting()
            return []
        if now < self._ask_at:
            return []
        self._asked_at, self._ask_at = now, now + _ASK_AGAIN
        boot = self._known[1] if self._known else 0
        resume = self._known is not None
        ask = codec.AskHello(codec.VERSION, self._nonce, resume, boot, self._incoming.expected)
        return [ask]

    def _why_no_greeting(self) -> Reason:
        if self._linked:
            return _UNPOWERED
        if self._bytes_in:
            return Reason("no-board", {"bytes": str(self._bytes_in)})
        return Reason("no-firmware")

    def _restart(self) -> bytes:
        """Have MicroPython restart the board, and give this connection up."""
        self.problem = Reason("prompt-left" if self._restarts < _RESTARTS else "prompt-stays")
        self._restarts += 1
        return RESTART

    def _comparing(self, mismatch: Mismatch, now: float) -> list[FromHost]:
        if mismatch.complete or now - self._heard_at > _EXPLAIN_TIME:
            self.problem = mismatch.reason()
            return []
        if now < self._ask_at:
            return []
        self._ask_at = now + _ASK_AGAIN
        return [codec.AskDescription(mismatch.wanted)]

    def _conversation(self, now: float) -> list[FromHost]:
        messages: list[FromHost] = []
        if self._ack_due:
            self._ack_due = False
            messages.append(codec.Ack(self._incoming.expected))
        if self._snapshot_wanted and now >= self._ask_at:
            self._ask_at = now + _ASK_AGAIN
            messages.append(codec.AskSnapshot())
        if now >= self._ping_at:
            self._pings += 1
            self._ping = (self._pings % 65536, now)
            quick = self._pings < _QUICK_PINGS
            self._ping_at = now + (_PING_FIRST if quick else _PING_LATER)
            messages.append(codec.Ping(self._pings % 65536))
        return messages + self._outgoing.due(now)

    def _understand(self, message: codec.Message, now: float) -> list[BoardEvent]:
        if isinstance(message, codec.Hello):
            return self._greeted(message, now)
        if self.hello is None:
            return []
        if isinstance(message, codec.NoSession):
            self._ask_anew()
            self._forget_session(now)
            return []
        return self._heard(message, now)

    def _heard(self, message: codec.Message, now: float) -> list[BoardEvent]:
        if self._mismatch is None:
            self._heard_at = now
        match message:
            case codec.Cell() | codec.Button() | codec.Notice():
                return self._felt(message, now)
            case codec.Part():
                return self._snapshot(message, now)
            case codec.Pong():
                if self._ping and message.nonce == self._ping[0]:
                    self._clock.add(self._ping[1], now, message.t)
            case codec.LightsAck():
                self._outgoing.confirm_lights(message)
            case codec.CommandAck():
                self._outgoing.confirm_command(message)
            case codec.Description() if self._mismatch:
                self._mismatch.take(message)
                self._ask_at = now
            case _:
                pass
        return []

    def _greeted(self, hello: codec.Hello, now: float) -> list[BoardEvent]:
        if self.hello is not None:
            return []  # repeated, or from before this session
        if hello.version != codec.VERSION:
            older = "older-firmware" if hello.version < codec.VERSION else "older-program"
            versions = {"theirs": str(hello.version), "ours": str(codec.VERSION)}
            self.problem = Reason(older, versions)
            return []
        if hello.nonce != self._nonce:
            return []  # an answer to an earlier question
        self.hello = hello
        self._restarts = 0
        self._heard_at = self._greeted_at = self._ask_at = now
        if hello.fingerprint != self.description.fingerprint:
            self._mismatch = Mismatch(self.description, hello)
            return []
        return self._begin(hello, now)

    def _begin(self, hello: codec.Hello, now: float) -> list[BoardEvent]:
        identity = (hello.id, hello.boot)
        same = self._known == identity
        resumed = same and hello.first == self._incoming.expected
        reset = self._known is not None and self._known[0] == hello.id and not same
        if not same:
            self._clock.reset()
        self._known = identity
        self._clock.add(self._asked_at, now, hello.t)
        self._incoming.begin(hello.first, resumed=resumed)
        self._outgoing.begin()
        self._snapshot_wanted = True
        self._ask_at = now + _ASK_AGAIN
        self._ping_at = now
        if reset:
            self._untold.append(self._notice("board-reset", (), now))
        elif same and not resumed:
            self._untold.append(self._notice("overflow", (), now))
        return self._welcome(now) if self._incoming.based else []

    def _welcome(self, now: float) -> list[BoardEvent]:
        """Say that the board is there, unless it never was away."""
        hello, notices, self._untold = self.hello, self._untold, []
        if hello is None or (self._linked and not notices):
            return notices
        firmware = ".".join(str(number) for number in hello.firmware)
        there = Reason("connected", {"board": hello.name, "firmware": firmware})
        back: list[BoardEvent] = [LinkChanged(self._time(now), up=True, reason=there)]
        if self._linked:
            back.insert(0, LinkChanged(self._time(now), up=False, reason=Reason("restarted")))
        self._linked = True
        return [*back, *notices]

    def _felt(self, event: Event, now: float) -> list[BoardEvent]:
        if not self._fits or not self._names_known(event):
            return []
        self._ack_due = True
        if not self._incoming.accept(event):
            return []
        t = self._time(self._clock.host_time(event.t, now))
        match event:
            case codec.Cell():
                return [CellEvent(t, self.description.cells[event.cell], reading_of(event.reading))]
            case codec.Button():
                return [ButtonEvent(t, self.description.button_names[event.button])]
            case _:
                code = codec.NOTICES[event.code]
                self._snapshot_wanted |= code == "overflow"
                return [self._notice(code, event.cells, t)]

    def _names_known(self, event: Event) -> bool:
        match event:
            case codec.Cell():
                return bool(event.cell < len(self.description.cells))
            case codec.Button():
                return bool(event.button < len(self.description.buttons))
            case _:
                known = all(cell < len(self.description.cells) for cell in event.cells)
                return known and bool(event.code < len(codec.NOTICES))

    def _snapshot(self, part: codec.Part, now: float) -> list[BoardEvent]:
        first = not self._incoming.based
        whole = self._incoming.assemble(part) if self._fits else None
        if whole is None:
            return []
        self._ack_due = True
        readings, differs = whole
        if not differs and not self._snapshot_wanted:
            return []
        self._snapshot_wanted = False
        named = {
            cell: reading_of(wire)
            for cell, wire in zip(self.description.cells, readings, strict=True)
            if wire is not None
        }
        told = self._welcome(now) if first else []
        return [*told, Snapshot(self._time(self._clock.host_time(part.t, now)), named)]

    def _notice(self, code: str, numbers: tuple[int, ...], t: float) -> BoardNotice:
        cells = tuple(self.description.cells[number] for number in numbers)
        text = NOTICE_TEXTS[code] + (f" Cells: {', '.join(cells)}." if cells else "")
        return BoardNotice(self._time(t), code, text, cells)

    def _time(self, t: float) -> float:
        """Keep what is told in order: nothing happens before what was told last."""
        self._latest = max(self._latest, t)
        return self._latest
