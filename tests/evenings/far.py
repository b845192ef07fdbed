"""What is far from the service on an evening, and stood for: each may fail as it does."""

import asyncio
import contextlib
import json

import aiomqtt

from drivers.board_reasons import Reason
from drivers.session_board import SessionBoard
from drivers.transport import PortUnusableError, Reconnecting
from firmware_bridge.bench.games import choose

PATHS = (
    "/", "/referee", "/white", "/black", "/api/v1/state", "/api/v1/events", "/games", "/learn",
    "/static/nothing", "/metrics", "/setup?game=mockery", "/setup?game=%00",
)  # fmt: skip
"""Pages and streams that somebody asks for and then leaves."""
MOODS = ("dies", "hangs", "busy", "babbles", "floods", "shouts", "late", "illegal", "missing")
"""What a seat's process may be besides well."""


class Wire(Reconnecting):
    """A line that loses, doubles, holds back and spoils what passes, to a board on this table."""

    name = "wire"

    def __init__(self, evening):
        super().__init__()
        self.evening, self.opened = evening, False

    @property
    def is_open(self):
        return self.opened

    async def _connect(self):
        evening = self.evening
        if evening.odd_openings:
            raise evening.odd_openings.pop()
        if not evening.plugged:
            raise PortUnusableError(Reason("port-missing", {"port": "wire"}))
        self.opened = True

    async def _listen(self):
        self.evening.wire = self

    async def _disconnect(self):
        self.opened = False

    def write(self, data):
        if self.opened:
            self.evening.pass_on(data, self.evening.board_hears)

    def bring(self, data):
        if self.opened and self.evening.plugged and not self._items.full():
            self._items.put_nowait(data)


class FarBoard(SessionBoard):
    """The board on this table, whose driver may fail of anything it has told."""

    def __init__(self, evening, description, session):
        super().__init__(description, Wire(evening), session)
        self.evening = evening

    async def events(self):
        async for event in super().events():
            yield event
            if self.evening.driver_fails:
                self.evening.driver_fails = False
                raise KeyError("odd")


class FarBroker:
    """Stands for a client of the broker: it tells and is told, unless the broker is gone or odd.

    What is to be kept the broker keeps, through all lives of the service.
    """

    def __init__(self, evening):
        self.evening = evening
        self.came = asyncio.Queue()
        self.messages = self._messages()
        self.ousted = False

    async def __aenter__(self):
        self._may_fail()
        return self

    async def __aexit__(self, *exc):
        for ears in self.evening.followed.values():
            ears.discard(self)

    async def _messages(self):
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    yield await self.came.get()
            self._may_fail()

    def _may_fail(self):
        if self.evening.broker == "gone" or self.ousted:
            raise aiomqtt.MqttError("gone")
        if self.evening.broker == "odd":
            raise self.evening.dice.choice([KeyError("odd"), RuntimeError("odd"), ValueError("x")])

    async def tell(self, topic, data, retain=False):
        await asyncio.sleep(0.01)
        self._may_fail()
        if self.evening.given_up:
            return True  # the machine has had no power since its disk was kept
        message = aiomqtt.Message(topic, data.encode() if retain else data, 1, retain, 0, None)
        if retain:
            self.evening.retained[topic] = message
        if retain and self.evening.rival and topic.endswith("/state"):
            self._be_ousted(topic)
        self.evening.carried.append((topic, message))
        for ear in self.evening.followed.get(topic, ()):
            ear.bring(message)
        return True

    def bring(self, message):
        """Bring what was told to somebody; a bad line loses, doubles and holds it back."""
        evening, bad = self.evening, self.evening.spoils
        for _ in range(evening.dice.choices((0, 1, 2), (bad, 1, bad))[0] if bad else 1):
            evening.loop.call_later(
                3.0 * bad * evening.dice.random(), self.came.put_nowait, message
            )

    def _be_ousted(self, topic):
        """Let another board of our name take our place, and tell how it is."""
        self.ousted = True
        theirs = json.dumps({**json.loads(self.evening.retained[topic].payload), "boot": "theirs"})
        self.evening.retained[topic] = aiomqtt.Message(topic, theirs.encode(), 1, True, 0, None)

    async def follow(self, *topics, **__):
        self._may_fail()
        for topic in topics:
            self.evening.followed.setdefault(topic, set()).add(self)
            if topic in self.evening.retained:
                self.came.put_nowait(self.evening.retained[topic])

    async def subscribe(self, topic):
        await self.follow(topic)

    async def unsubscribe(self, topic):
        self._may_fail()
        self.evening.followed[topic].discard(self)

    def lost(self):
        pass


class FarReader:
    """A browser at the far end of a page or a stream: it reads, stalls, or goes away.

    A silent one says that it sends nine bytes, and never does.
    """

    def __init__(self, evening, path="/api/v1/events", *, silent=False):
        self.evening, self.path, self.turns = evening, path, None
        self.gone = asyncio.Event()
        self.sends = [(b"content-length", b"9"), (b"content-type", b"application/json")] * silent

    async def read(self):
        while True:
            self.gone.clear()
            await self.visit()
            await asyncio.sleep(1.0)

    async def visit(self):
        path, _, query = self.path.partition("?")
        ask = {
            "type": "http", "method": "POST" if self.sends else "GET",
            "path": path, "raw_path": b"",
            "query_string": query.encode(), "root_path": "", "scheme": "http",
            "http_version": "1.1", "asgi": {"version": "3.0"}, "client": ("192.168.1.20", 4000),
            "server": ("10.0.0.1", 80), "headers": [(b"host", b"10.0.0.1"), *self.sends],
        }  # fmt: skip
        await self.evening.service._server.config.app(ask, self._receive, self._send)

    async def _receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        await self.evening.reads.wait()
        assert message.get("status", 200) < 500, message
        for line in message.get("body", b"").splitlines():
            if line.startswith(b"data: ") and b'"turns"' in line:
                self.turns = len(json.loads(line[6:])["turns"])


class FarMind:
    """Stands for a seat's process: it speaks the protocol, as well as its evening lets it."""

    def __init__(self, evening, pid):
        self.evening, self.pid, self.returncode = evening, pid, None
        self.stdin, self.stdout = self, asyncio.StreamReader()
        self.used, self.end = 0.0, asyncio.Event()

    def is_closing(self):
        return self.returncode is not None

    def get_pipe_transport(self, _number):
        return None

    def close(self):
        assert self.returncode is not None

    def write(self, data):
        for line in data.decode().splitlines():
            self._hear(line)

    async def wait(self):
        await self.end.wait()
        return self.returncode

    def die(self, code):
        if self.returncode is None:
            self.returncode = code
            self.stdout.feed_eof()
            self.end.set()

    def state(self):
        """Return what the kernel tells: whether it sleeps, and what it used of the processor."""
        if self.returncode is not None:
            return set(), 0.0
        self.used += 0.2 * (self.evening.mood == "busy")
        return {"R" if self.evening.mood == "busy" else "S"}, self.used

    def befall(self):
        """Do at once what this mood does without being asked."""
        match self.evening.mood:
            case "dies":
                self.die(1)
            case "babbles":
                self._say(b"Hello there!")
            case "floods":
                self._say(b"info string still thinking\n" * 9999)
            case "shouts":
                self._say(b"x" * 200_000)

    def _say(self, data):
        if self.returncode is None:
            self.stdout.feed_data(data + b"\n")

    def _hear(self, line):
        mood, word = self.evening.mood, line.split()[0]
        if mood in {"hangs", "busy"}:
            return
        self.befall()
        if word == "isready":
            self._say(b"readyok")
        elif word == "go":
            wait = 30.0 if mood == "late" else self.evening.dice.uniform(0.01, 3.0)
            asyncio.get_running_loop().call_later(wait, self._choose)

    def _choose(self):
        position = self.evening.service.controller.table.state.position
        turn = "z9z9" if self.evening.mood == "illegal" else choose(position, self.evening.dice)
        if self.evening.mood not in {"hangs", "busy", "late"}:
            self._say(b"info depth 1 score cp 10 nodes 9 pv x")
            self._say(f"bestmove {turn}".encode())
