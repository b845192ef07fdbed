"""A test letter there and back between friends' hosts."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from drivers.beside import is_set_within
from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.carrier import Carrier
from firmware_bridge.distance.letters import Kind, Letter, Receipt, Signed
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.pairing import Friend, release, shown
from firmware_bridge.distance.readings import SignedReading
from firmware_bridge.distance.sealing import Bond

AGAIN = 1.0
"""Seconds after which what is not confirmed is sent again."""
LINGER = 5.0
"""Seconds for which a friend who may have begun at once is answered, and his last receipt waited
for: it may be lost for good."""
MOST = 8
"""Correspondences at once; a friend who begins more has the oldest forgotten."""


class Desk:
    """Answers a friend's test letters; to be made before the carrier runs.

    Attributes:
        refused: why what came last was not taken up, if it was not.
    """

    def __init__(self, friend: Friend, carrier: Carrier) -> None:
        self.refused = ""
        self._game = ""  # of a correspondence that we began
        self._bond = Bond(friend.own, friend.theirs)
        self._lines: dict[str, Line] = {}
        self._send = partial(carrier.send, self._bond.outbox)
        self._moved = asyncio.Event()
        carrier.listen(self._bond.inbox, self._hear)

    async def run(self) -> None:
        """Answer until cancelled."""
        while True:
            await self._go_on()

    @property
    def _unconfirmed(self) -> bool:
        return any(line.outstanding for line in self._lines.values())

    def _open_lines(self) -> Iterator[Line]:
        """Yield every correspondence whose letters are sent."""
        yield from self._lines.values()

    async def _go_on(self) -> None:
        """Send what is not confirmed, and wait for news, or until it is time to send it again."""
        for line in self._open_lines():
            for letter in line.outstanding:
                self._send(self._bond.seal(letter))
        await is_set_within(self._moved, AGAIN if self._unconfirmed else None)
        self._moved.clear()

    def _hear(self, sealed: bytes) -> None:
        try:
            came = self._bond.open(sealed)
        except Refused as refused:
            self.refused = str(refused)
            return
        if isinstance(came, Receipt):
            known = not self._unconfirmed
            self._confirm(came)
            if known and self._unconfirmed:
                self._moved.set()  # an old receipt takes back, and nobody looks at the time
        elif isinstance(came, SignedReading):
            self._read(came)
        elif self._minds(came.letter):
            self._take(came)

    def _confirm(self, came: Receipt) -> None:
        """Take notice that letters have arrived."""
        if line := self._lines.get(came.game):
            self._lines[came.game] = line.confirm(came)

    def _read(self, came: SignedReading) -> None:
        """Take notice of how the friend's clock stands."""

    def _minds(self, letter: Letter) -> bool:
        """Return whether a letter is for us; of a game it is for whoever keeps its letters."""
        return letter.kind == "test"

    def _take(self, came: Signed) -> None:
        before = self._lines.get(came.letter.game, Line(came.letter.game))
        line = before.take(came)
        for each in line.taken[len(before.taken) :]:
            line = self._answered(line, each.letter)
        self._lines[line.game] = line
        if len(self._lines) > MOST:
            del self._lines[next(game for game in self._lines if game != self._game)]
        self._send(self._bond.seal(line.receipt))
        if len(line.taken) > len(before.taken):
            self._moved.set()

    def _answered(self, line: Line, letter: Letter) -> Line:
        """Return the line after a letter was minded."""
        del letter
        return self._with_letter(line, "back", _told())

    def _with_letter(self, line: Line, kind: Kind, body: Mapping[str, object]) -> Line:
        """Return the line with one more letter of ours, stamped and signed."""
        return line.write(kind, body, now(), self._bond.sign)


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


class Greeting(Desk):
    """Sends a friend a test letter; to be made before the carrier runs.

    Where the service answers the friend's test letters, this does not (`answers`).
    """

    def __init__(self, friend: Friend, carrier: Carrier, *, answers: bool = True) -> None:
        super().__init__(friend, carrier)
        self._answers = answers
        self._greeted: Greeted | None = None
        self._sent_at = 0.0
        self._game = secrets.token_hex(16)
        self._lines[self._game] = self._with_letter(Line(self._game), "test", _told())

    async def greeted(self, patience: float) -> Greeted | None:
        """Return what came of it, or `None` if the friend's host did not answer in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._greeted is None:
                    self._sent_at = time.monotonic()
                    await self._go_on()
            async with asyncio.timeout(LINGER):
                while self._unconfirmed or (self._answers and len(self._lines) == 1):
                    await self._go_on()
        return self._greeted

    def _minds(self, letter: Letter) -> bool:
        if letter.game == self._game:
            return letter.kind == "back"
        return self._answers and super()._minds(letter)

    def _answered(self, line: Line, letter: Letter) -> Line:
        """Answer a test letter, or note what the answer to ours tells."""
        if line.game != self._game:
            return super()._answered(line, letter)
        seconds = time.monotonic() - self._sent_at
        ahead = (letter.t - now()) / 1000 + seconds / 2
        self._greeted = Greeted(seconds, ahead, shown(str(letter.body.get("release"))))
        return line


def _told() -> dict[str, str]:
    return {"release": release()}


def now() -> int:
    """Return the time as letters tell it."""
    return round(time.time() * 1000)
