"""The pages of a service on a real socket, and callers from many addresses of this machine.

`127.0.0.1` is the machine itself. All others of `127.0.0.0/8` lead to it too, and are strangers.
"""

import asyncio
import contextlib
import json
import resource
import socket

from firmware_bridge.config import Config
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.keys import Keys
from firmware_bridge.pages.server import Server, listen
from firmware_bridge.service.assembly import friends_of
from tests.firmware_bridge.service.desk_help import desk_at
from tests.patience import in_time

MACHINE = "127.0.0.1"
PIN = "471147"
FILES = 4000


def stranger(number):
    """Return one of 60,000 addresses of strangers."""
    return f"127.7.{number // 250}.{number % 250 + 1}"


def allow_files():
    """Let this process have a file for each of many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))


@contextlib.asynccontextmanager
async def open_doors(folder, game="reversi", **settings):
    """Serve the pages of a controller at all addresses; give its hands with `port` and `keys`."""
    allow_files()  # the callers' ends are files of this process too
    async with desk_at(folder, game, **settings) as hands:
        pages = {"host": "0.0.0.0", "port": 0, "referee_pin": PIN}
        broker = {"host": MACHINE, "port": 1}  # nobody is there; what is asked is judged as ever
        config = Config.model_validate({"pages": pages, "distance": broker, "data": str(folder)})
        friends = friends_of(config, hands.controller)
        hands.keys = Keys(b"k" * 32, PIN, lambda: hands.t)
        listener = listen(config.pages)
        hands.listener = listener
        hands.port = listener.getsockname()[1]
        server = Server(
            create_app(AppContext(hands.controller, hands.keys, config, friends=friends))
        )
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield hands
        finally:
            hands.controller.hub.close()
            server.should_exit = True
            await in_time(serving)


class Caller:
    """One connection."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def send(self, *lines, body=b""):
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)

    async def ended(self):
        """Return whether the other end has ended the connection, when it has."""
        with contextlib.suppress(ConnectionError):
            while await self.reader.read(65536):
                pass
        return True

    async def line(self):
        return (await in_time(self.reader.readline())).decode().strip()

    async def status(self):
        """Return the status of an answer, 0 if there is none; its headers and body are to come."""
        try:
            line = await self.line()
        except ConnectionError:
            return 0
        return int(line.split()[1]) if line else 0


@contextlib.asynccontextmanager
async def call(port, address=MACHINE, room=None):
    """Connect from this address, with so much room for what comes back (bytes)."""
    line = socket.socket()
    line.setblocking(False)
    line.bind((address, 0))
    if room:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    await in_time(asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port)))
    reader, writer = await asyncio.open_connection(sock=line)
    try:
        yield Caller(reader, writer)
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)  # what is left of it ends in the next round


async def ask(port, path, body=None, address=MACHINE, cookie=""):
    """Ask for one page, or for a change, over a connection of its own; return status and text."""
    async with call(port, address) as caller:
        sent = b"" if body is None else json.dumps(body).encode()
        caller.send(
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Connection: close",
            f"Cookie: {cookie}",
            "Content-Type: application/json",
            f"Content-Length: {len(sent)}",
            body=sent,
        )
        status = await caller.status()
        return status, (await in_time(caller.reader.read())).decode()


async def listen_to(caller, path="/api/v1/events", cookie=""):
    """Ask for an event stream; return the status of the answer."""
    caller.send(f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Cookie: {cookie}")
    return await caller.status()


async def phase(caller):
    """Return the phase of the next scene that a stream tells."""
    while not (line := await caller.line()).startswith("data: {") or '"phase"' not in line:
        pass
    return json.loads(line.removeprefix("data: "))["phase"]
