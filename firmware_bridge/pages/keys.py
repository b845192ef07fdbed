"""Who is who: keys for the two seats, the referee's PIN, and how often one may try.

A seat's keys follow from one secret of this installation, so that phones stay seated when the
service restarts; they belong to one game and are worth nothing in the next. The referee enters
anew.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping

from firmware_bridge.messages.records import PhoneSeat
from firmware_bridge.pages.clients import KNOWN
from firmware_bridge.pages.middleware import Allowance
from rules.interface import Side

PIN_DIGITS = 6
"""As many as people know from their phones; with `TRIES` nobody guesses one."""
CODES_KNOWN = 16
"""Used codes of a seat with which one may still ask for it."""
REFEREE_SECONDS = 8 * 3600
"""How long the PIN opens the referee's page; a browser that is closed forgets it earlier."""
TRIES, TRIES_PER_SECOND = 5, 1 / 30
"""What one visitor may try: with six digits that is some 170 days for an even chance."""
ALL_TRIES, ALL_TRIES_PER_SECOND = 30, 1 / 10
"""The same for all strangers together; this machine and the seats have tries of their own."""


class Keys:
    """Makes and checks keys.

    `secret` is at least 32 random bytes of this installation; without a PIN one is made from it.
    """

    def __init__(self, secret: bytes, pin: str | None, clock: Callable[[], float]) -> None:
        self._secret = secret
        self.pin = pin or f"{int(self._token('pin')[:12], 16) % 10**PIN_DIGITS:0{PIN_DIGITS}d}"
        self._each = Allowance(TRIES, TRIES_PER_SECOND, clock)
        self._all = Allowance(ALL_TRIES, ALL_TRIES_PER_SECOND, clock)
        self._clock = clock
        self._referees: dict[str, float] = {}

    def seat(self, game: str, side: Side, claims: int = 0) -> str:
        """Return the code that takes a side's seat in a game, once: after so many claims of it."""
        return self._token("seat", game, side, str(claims))

    def was_seat(self, given: str, game: str, side: Side, claims: int) -> bool:
        """Whether this is a code that has been good for this seat."""
        used = range(max(0, claims - CODES_KNOWN), claims)
        return any(same(given, self.seat(game, side, number)) for number in used)

    def phone(self, game: str, side: Side, claims: int) -> str:
        """Return what the phone keeps that has taken the seat with this claim, counted from 1."""
        return self._token("phone", game, side, str(claims))

    def referee(self) -> str:
        """Return a key for whoever has shown the PIN: good for `REFEREE_SECONDS`."""
        now = self._clock()
        self._referees = {key: end for key, end in self._referees.items() if end > now}
        key = self._token("referee", self.pin, repr(now), str(len(self._referees)))
        self._referees[key] = now + REFEREE_SECONDS
        return key

    def forget_referee(self, cookies: Mapping[str, str]) -> None:
        """Let these cookies open the referee's page no longer."""
        self._referees.pop(cookies.get("referee", ""), None)

    def judge_pin(self, visitor: str, given: str) -> int:
        """Return the HTTP status for who tries to enter with a PIN: 200, 403 or, too often, 429."""
        if not self.may_try(visitor):
            return 429
        return 200 if same(given, self.pin) else 403

    def may_try(self, visitor: str) -> bool:
        """Whether this visitor may try a key or PIN now; every call is one try."""
        return self._each.spend(visitor) and (visitor in KNOWN or self._all.spend(""))

    def holds_seat(
        self, cookies: Mapping[str, str], game: str, side: Side, seat: PhoneSeat
    ) -> bool:
        """Whether these cookies belong to this side's player."""
        given = cookies.get(f"seat-{side}", "")
        return seat.taken and same(given, self.phone(game, side, seat.claims))

    def is_referee(self, cookies: Mapping[str, str]) -> bool:
        """Whether these cookies belong to the referee."""
        return self._referees.get(cookies.get("referee", ""), 0.0) > self._clock()

    def _token(self, *parts: str) -> str:
        message = "\n".join(parts).encode()
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[:32]


def same(given: str, right: str) -> bool:
    """Compare in a time that tells nothing about where they differ."""
    return hmac.compare_digest(given.encode(), right.encode())
