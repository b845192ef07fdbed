"""DGT boards that are connected to DGT's own program, LiveChess: JSON over a WebSocket.

LiveChess lists the boards that it serves, and tells the whole position of the one that is
subscribed to whenever it changes. It knows no lights.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TypeAlias

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from drivers.board_reasons import Reason
from drivers.commercial.commercial_session import CommercialSession
from drivers.commercial.cpp import readings
from drivers.commercial.web_socket import LARGEST, WebSocketTransport
from drivers.commercial.wires import joined
from drivers.description import BoardDescription
from drivers.port import BoardEvent
from drivers.probes import SystemProbe, found_by
from drivers.session_board import SessionBoard

Message: TypeAlias = "dict[str, object]"

HERE = "localhost"
PORT = 1982
"""Where LiveChess listens; fixed by its maker."""
_LIST, _SUBSCRIPTION, _FEED = 1, 2, 1
"""The numbers of our calls, and of the only feed."""
_USABLE = "ACTIVE", "INACTIVE"  # no set: what is told may be anything, a list as well
"""States of a board of which positions can be believed."""
_LONGEST = 200
"""Letters of what LiveChess says that are passed on."""


def url(address: str) -> str:
    """Return where LiveChess listens on a computer, named as `host` or `host:port`."""
    port = "" if re.search(r":\w+$", address) else f":{PORT}"
    return f"ws://{address}{port}/api/v1.0"


def _call(number: int, name: str, **more: object) -> bytes:
    return json.dumps({"id": number, "call": name, **more}).encode()


ASK_BOARDS = _call(_LIST, "eboards")


def subscribe(serial: object) -> bytes:
    """Return the call that has LiveChess tell every change of a board."""
    feed = {"feed": "eboardevent", "id": _FEED, "param": {"serialnr": serial}}
    return _call(_SUBSCRIPTION, "subscribe", param=feed)


class Messages:
    """One text is one message; what is no JSON object is dropped."""

    def feed(self, data: bytes) -> list[Message]:
        """Return the message."""
        try:
            message = json.loads(data)
        except (ValueError, RecursionError):
            return []
        return [message] if isinstance(message, dict) else []


def listed(message: Message) -> dict[str, Message] | None:
    """Return the boards by their serial numbers if this message lists them, else `None`."""
    match message:
        case {"response": "call", "id": int(number), "param": [*boards]} if number == _LIST:
            told = (board for board in boards if isinstance(board, dict))
            return {str(board["serialnr"]): board for board in told if "serialnr" in board}
    return None


def usable(boards: dict[str, Message]) -> list[str]:
    """Return the serial numbers of the boards that are in order."""
    return [serial for serial, board in boards.items() if board.get("state") in _USABLE]


class LiveChessSession(CommercialSession[Message]):
    """Asks which boards there are, subscribes to one, and goes on asking whether it is in order.

    What stands on the board is taken from the feed. Until that has told something the list may say
    it, but only one that was made after the subscription, so that no change falls in between.
    Without a serial number the first usable board is taken.
    """

    title = "DGT board at LiveChess"
    board = "livechess"
    parser = Messages
    opening = question = (ASK_BOARDS,)
    ask_every = 2.0
    """Seconds; the answers show that LiveChess and the board are there."""

    def __init__(self, description: BoardDescription, serial: str = "") -> None:
        super().__init__(description)
        self._wanted = serial
        self._subscribed = ""

    def _begin(self, now: float) -> None:
        self._subscribed = ""
        super()._begin(now)

    def _message(self, message: Message, now: float) -> list[BoardEvent]:
        if (boards := listed(message)) is not None:
            return self._choose(boards, now)
        match message:
            case {"response": "call", "id": int(number)} if number == _SUBSCRIPTION:
                self._ask_at = now
            case {"response": "feed", "param": {"board": str(placement)}}:
                return self._placed(placement, now)
            case {"response": "error"}:
                said = json.dumps(message.get("param") or message.get("message"))[:_LONGEST]
                self.problem = Reason("livechess-refuses", {"error": said})
        return []

    def _choose(self, boards: dict[str, Message], now: float) -> list[BoardEvent]:
        ready = usable(boards)
        serial = self._subscribed or self._wanted or next(iter(ready), "")
        if serial not in ready:
            self.problem = _missing(serial, boards)
        elif not self._subscribed:
            self._subscribed = serial
            self._say(subscribe(boards[serial]["serialnr"]))
        elif not self.up and isinstance(placement := boards[serial].get("board"), str):
            return self._placed(placement, now)
        return []

    def _placed(self, placement: str, now: float) -> list[BoardEvent]:
        standing = readings(placement)
        return [] if standing is None else self._felt(standing, now)


def _missing(serial: str, boards: dict[str, Message]) -> Reason:
    if serial in boards:
        state = str(boards[serial].get("state"))[:_LONGEST]
        return Reason("livechess-state", {"serial": serial, "state": state})
    if not boards:
        return Reason("livechess-empty")
    if not serial:
        return Reason("livechess-unusable")
    others = ", ".join(boards)[:_LONGEST]
    return Reason("livechess-others", {"serial": serial, "others": others})


class LiveChessProbe(SystemProbe):
    """Boards of a LiveChess on this computer; the driver takes the setting `serial`.

    Args:
        address: where it runs, if elsewhere.
    """

    def __init__(self, address: str = HERE) -> None:
        self._url = url(address)

    def settings(self) -> Sequence[dict[str, str]]:
        """Return the serial number of each board that is in order."""
        try:
            with connect(self._url, open_timeout=1, max_size=LARGEST, proxy=None) as socket:
                socket.send(ASK_BOARDS.decode())
                answer = socket.recv(timeout=2, decode=False)
        except (OSError, WebSocketException):
            return []
        return [
            {"serial": serial}
            for message in Messages().feed(answer)
            for serial in usable(listed(message) or {})
        ]


@found_by(LiveChessProbe())
def livechess_board(
    description: BoardDescription, address: str = HERE, serial: str = ""
) -> SessionBoard[LiveChessSession]:
    """Return the driver of a DGT board at LiveChess.

    Args:
        description: the board.
        address: the computer on which LiveChess runs, with its port if that is not 1982.
        serial: the serial number of one certain board.
    """
    transport = WebSocketTransport(url(address), "LiveChess")
    return joined(LiveChessSession(description, str(serial)), transport)


DRIVER = livechess_board
