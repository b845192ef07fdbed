"""Readings of a clock, which both hosts tell each second: by them time told short is found out.

A host that holds a letter back cannot have held back what it says each second meanwhile, nor can
its carrier know which is which. What is concluded holds however late, doubled or in whatever order
anything arrives.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass

from firmware_bridge.distance.canonical import Refused, read, written

SIGNED = b"firmware-bridge/reading/1\n"
"""Comes before a reading's bytes where it is signed."""
SLACK_MS, SLACK_OF = 2000, 100
"""What a clock may lag behind another one: milliseconds, and one part in so many of what it ran."""
GAP_MS = 2000
"""After so long without a reading it is not known whether the other host ran: it may have slept."""
KEPT = 64
"""Readings that are kept until what they are about has come: one for each turn, a few at most."""
_BOOT = re.compile(r"[0-9a-f]{16}")
_FIELDS = "boot", "fact", "game", "heard", "run", "said", "used", "v"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a host's clock stands.

    Attributes:
        game: the correspondence.
        boot: drawn by the host whenever it takes the game up from disk, 16 hexadecimal digits.
        run: another number whenever the clock may have stood meanwhile.
        fact: number of the next fact.
        used: milliseconds used of the turn under way; `None` while the clock stands.
        said: milliseconds of its writer's time.
        heard: `boot` and the latest `said` that came of the other host.
    """

    game: str
    boot: str
    run: int
    fact: int
    used: int | None
    said: int
    heard: tuple[str, int]

    def bytes(self) -> bytes:
        """Return its canonical bytes, which are signed."""
        return written({"v": 1, **asdict(self), "heard": list(self.heard)})


@dataclass(frozen=True, slots=True)
class SignedReading:
    """A reading as its writer signed it."""

    reading: Reading
    data: bytes
    signature: bytes


def signed(reading: Reading, sign: Callable[[bytes], bytes]) -> SignedReading:
    """Return a reading signed by its writer."""
    data = reading.bytes()
    return SignedReading(reading, data, sign(SIGNED + data))


def came(data: bytes, signature: bytes) -> SignedReading:
    """Return a reading that has come.

    Raises:
        Refused: it is none of this version.
    """
    match read(data, _FIELDS):
        case {
            "v": 1,
            "game": str(game),
            "boot": str(boot),
            "run": int(run),
            "fact": int(fact),
            "used": int() | None as used,
            "said": int(said),
            "heard": [str(of), int(latest)],
        } if _BOOT.fullmatch(boot):
            reading = Reading(game, boot, run, fact, used, said, (of, latest))
            return SignedReading(reading, data, signature)
    raise Refused("it is no reading of a clock")


@dataclass(frozen=True, slots=True)
class Own:
    """How our own clock stands.

    Attributes:
        life: another value whenever the game was taken up from disk: it may have lost time by it.
        run: another number whenever the clock may have stood.
        fact: number of the next fact.
        used: milliseconds surely used of our player's turn; `None` while his clock stands.
    """

    life: object
    run: int
    fact: int
    used: int | None


class Watch:
    """Tells how our clock stands, and finds out whether the other host tells its time short.

    Args:
        game: names the correspondence.
        own: returns how our own clock stands.
        used_in: returns what a fact's writer, the other host, told to be used; `None` where there
            is no such fact of his.
        now: returns the host's monotonic seconds.

    Attributes:
        lie: the reading that shows that time was told short, once there is one.
    """

    def __init__(
        self,
        game: str,
        own: Callable[[], Own],
        used_in: Callable[[int], int | None],
        now: Callable[[], float],
    ) -> None:
        self.game = game
        self.lie: SignedReading | None = None
        self._own, self._used_in, self._now = own, used_in, now
        self._life: object = None
        self._boot = ""
        self._since = now()
        self._theirs = "", 0  # `boot` and the latest `said`
        self._came_at = 0
        self._ahead: tuple[tuple[str, int, int], int] | None = None
        self._most: dict[tuple[str, int], SignedReading] = {}

    @property
    def _ms(self) -> int:
        return round((self._now() - self._since) * 1000)

    def say(self) -> Reading:
        """Return how our clock stands now."""
        own = self._own()
        if own.life != self._life:
            self._life, self._boot = own.life, secrets.token_hex(8)
        return Reading(self.game, self._boot, own.run, own.fact, own.used, self._ms, self._theirs)

    def hear(self, sealed: SignedReading) -> None:
        """Hold a reading of the other host against those before, and against what it has told."""
        reading, now = sealed.reading, self._ms
        if reading.game != self.game or self.lie is not None:
            return
        if self._is_short(sealed):
            self.lie = sealed
        if reading.boot == self._theirs[0] and reading.said <= self._theirs[1]:
            return  # doubled, or overtaken
        if now - self._came_at > GAP_MS:
            self._ahead = None
        self._theirs, self._came_at = (reading.boot, reading.said), now
        if reading.used is not None:
            key = reading.boot, reading.fact
            before = self._most.get(key, sealed).reading.used or 0
            self._most[key] = sealed if reading.used >= before else self._most[key]
            if self._is_slow(reading, reading.used, now):
                self.lie = sealed
        if len(self._most) > KEPT:
            self._most.clear()

    def _is_short(self, sealed: SignedReading) -> bool:
        """Return whether less was told of a turn than its host, running on since, had read before.

        Another boot proves nothing: who was killed goes on with what was on his disk.
        """
        boot, following = sealed.reading.boot, sealed.reading.fact
        for key, most in tuple(self._most.items()):
            of, number = key
            told = self._used_in(number) if of == boot and number < following else None
            if told is not None:
                del self._most[key]
                if told < (most.reading.used or 0):
                    return True
        return False

    def _is_slow(self, reading: Reading, used: int, now: int) -> bool:
        """Return whether a clock has run slower than time since a reading before.

        That one had come here before we said what this one's writer had heard.
        """
        run = reading.boot, reading.run, reading.fact
        before = self._ahead[1] if self._ahead and self._ahead[0] == run else used - now
        self._ahead = run, max(before, used - now)
        boot, heard = reading.heard
        return boot == self._boot and used + SLACK_MS + used // SLACK_OF < min(heard, now) + before
