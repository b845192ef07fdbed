"""DGT's LiveChess with one board, as its published protocol describes it: JSON over a WebSocket."""

import asyncio
import json
import re

from websockets.asyncio.server import broadcast, serve

from drivers.testing import Device
from tests.patience import free_port

from .squares import index_from_a8


class LiveChess(Device):
    """Tells the position as soon as somebody subscribes.

    Attributes:
        address: where it listens, once and for all.
        state: of the board.
        serial: of the board.
        refuses: what it says to whoever subscribes, if it refuses.
    """

    serial = "12345"
    state = "ACTIVE"
    refuses = ""
    lists_position = False
    tells_at_once = True

    def __init__(self, start):
        super().__init__(None, start)
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.subscribers = set()
        self._serving = None
        self._listening = asyncio.Event()

    async def __aenter__(self):
        await super().__aenter__()
        await self._listening.wait()
        return self

    async def __aexit__(self, *exc):
        await super().__aexit__(*exc)
        await asyncio.gather(self._serving, return_exceptions=True)

    def plug(self):
        self._serving = asyncio.create_task(self._serve(self._serving))

    def unplug(self):
        self._serving.cancel()
        self.subscribers.clear()

    async def _serve(self, before):
        if before is not None:
            await asyncio.wait({before})  # the port is free when the last one has ended
        async with serve(self._talk, "127.0.0.1", self.port, process_request=self._at_path):
            self._listening.set()
            await asyncio.Event().wait()

    @staticmethod
    def _at_path(socket, request):
        return None if request.path == "/api/v1.0" else socket.respond(404, "")

    async def _talk(self, socket):
        async for text in socket:
            call = json.loads(text)
            self.commands.append(call)
            for answer in self.answers(call, socket):
                await socket.send(json.dumps(answer))

    def answers(self, call, socket):
        if call["call"] == "eboards":
            board = {"serialnr": self.serial, "state": self.state, "source": "USB"}
            if self.lists_position:
                board["board"] = self.placement()
            yield {"response": "call", "id": call["id"], "param": [board], "time": 1}
        elif call["call"] == "subscribe" and self.refuses:
            yield {"response": "error", "id": call["id"], "param": self.refuses, "time": 1}
        elif call["call"] == "subscribe":
            assert call["param"]["feed"] == "eboardevent"
            assert call["param"]["param"] == {"serialnr": self.serial}
            self.subscribers.add((socket, call["param"]["id"]))
            yield {"response": "call", "id": call["id"], "param": None, "time": 1}
            if self.tells_at_once:
                yield self.event(call["param"]["id"])

    def event(self, feed):
        board = {"serialnr": self.serial, "flipped": False, "board": self.placement(), "san": []}
        return {"response": "feed", "id": feed, "param": board, "time": 1}

    def changed(self, cell):
        for socket, feed in self.subscribers:
            broadcast([socket], json.dumps({**self.event(feed), "param": {"clock": None}}))
            broadcast([socket], json.dumps(self.event(feed)))

    def placement(self):
        letters = ["."] * 64
        for cell, label in self.stands.items():
            letters[index_from_a8(cell)] = label[1] if label[0] == "w" else label[1].lower()
        rows = ("".join(letters[start : start + 8]) for start in range(0, 64, 8))
        return "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows)


class ReticentLiveChess(LiveChess):
    """Tells only changes; the list of boards says what stands there."""

    lists_position = True
    tells_at_once = False
