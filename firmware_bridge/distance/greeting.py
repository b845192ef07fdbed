"""A test letter there and back between friends' hosts, which both ends begin at once."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.letters import Receipt
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import release, shown
from firmware_bridge.distance.sealing import Bond

if TYPE_CHECKING:
    from firmware_bridge.distance.carrier import Carrier
    from firmware_bridge.distance.letters import Letter, Signed
    from firmware_bridge.distance.pairing import Friend

AGAIN = 1.0
"""Seconds after which what is not confirmed is sent again."""
LINGER = 5.0
"""Seconds for which the friend's last receipt is waited for: it may be lost for good."""
_OURS = "test", "back"
"""What is answered here; a letter of another kind is confirmed by whoever keeps it alone."""
MOST = 8
"""Correspondences at once: a friend who began more would only use up memory."""


@dataclass(frozen=True, slots=True)
class Greeted:
    """What a test letter has told.

    Attributes:
        seconds: there and back.
        ahead: seconds that the friend's clock is ahead of ours; behind if negative.
        release: what the friend's host runs.
    """

    seconds: float
    ahead: float
    release: str


class Greeting:
    """Sends a friend a test letter and answers his; to be made before the carrier runs.

    Args:
        friend: who.
        carrier: moves what is sealed.

    Attributes:
        refused: why what came last was not taken up, if it was not.
    """

    def __init__(self, friend: Friend, carrier: Carrier) -> None:
        self._bond = Bond(friend.own, friend.theirs)
        self._game = secrets.token_hex(16)
        test = Line(self._game).write("test", _told(), _now(), self._bond.sign)
        self._lines = {self._game: test}
        self._send = partial(carrier.send, self._bond.outbox)
        self._sent_at = 0.0
        self._greeted: Greeted | None = None
        self._moved = asyncio.Event()
        self.refused = ""
        carrier.listen(self._bond.inbox, self._hear)

    async def greeted(self, patience: float) -> Greeted | None:
        """Return what came of it, or `None` if the friend's host did not answer in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._greeted is None or len(self._lines) == 1:
                    await self._go_on()
            async with asyncio.timeout(LINGER):
                while any(line.outstanding for line in self._lines.values()):
                    await self._go_on()
        return self._greeted

    async def _go_on(self) -> None:
        """Send what is not confirmed, and wait for news, or until it is time to send it again."""
        for game, line in self._lines.items():
            if game == self._game:
                self._sent_at = time.monotonic()
            for letter in line.outstanding:
                self._send(self._bond.seal(letter))
        with suppress(TimeoutError):
            async with asyncio.timeout(AGAIN):
                await self._moved.wait()
        self._moved.clear()

    def _hear(self, sealed: bytes) -> None:
        try:
            came = self._bond.open(sealed)
        except Refused as refused:
            self.refused = str(refused)
            return
        if isinstance(came, Receipt):
            if line := self._lines.get(came.game):
                self._lines[came.game] = line.confirm(came)
        elif came.letter.kind in _OURS and (came.letter.game in self._lines or self._has_room):
            self._take(came)

    @property
    def _has_room(self) -> bool:
        """Whether one more correspondence may be begun."""
        return len(self._lines) < MOST

    def _take(self, came: Signed) -> None:
        before = self._lines.get(came.letter.game, Line(came.letter.game))
        line = before.take(came)
        for each in line.taken[len(before.taken) :]:
            line = self._answered(line, each.letter)
        self._lines[line.game] = line
        self._send(self._bond.seal(line.receipt))
        if len(line.taken) > len(before.taken):
            self._moved.set()

    def _answered(self, line: Line, letter: Letter) -> Line:
        """Answer a test letter, or note what the answer to ours tells."""
        if letter.kind == "test":
            return line.write("back", _told(), _now(), self._bond.sign)
        if letter.kind == "back" and line.game == self._game:
            seconds = time.monotonic() - self._sent_at
            ahead = (letter.t - _now()) / 1000 + seconds / 2
            self._greeted = Greeted(seconds, ahead, shown(str(letter.body.get("release"))))
        return line


def _told() -> dict[str, str]:
    return {"release": release()}


def _now() -> int:
    return round(time.time() * 1000)
