"""Two hosts become friends by the words of an invitation: SPAKE2, then keys, nothing on trust."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Literal, Protocol

from firmware_bridge.distance.canonical import Refused, read, written
from firmware_bridge.distance.invitation import Invitation
from firmware_bridge.distance.letters import VERSION
from firmware_bridge.distance.sealing import KEY, Bond, Envelope, Keys, PublicKeys, derived
from firmware_bridge.distance.sentences import Sentence

NAME = 40
"""Characters of a name or release at most, which the friend chooses."""
INVITER, JOINER = b"inviter", b"joiner"
_HELLO = "agreement", "name", "release", "signing", "v"
_FIELDS = {"knock": ("spake",), "answer": ("sealed", "spake"), "hello": ("sealed",), "done": ()}
_LONGEST = 4096
"""Characters of what is read at most; a hello with a name in emoji has some 700."""


class Spent(Sentence):
    """These words lead to no friendship any more."""


@dataclass(frozen=True, slots=True)
class Friend:
    """Somebody to play with at a distance.

    Attributes:
        name: as that host calls itself.
        own: our keys for this friendship.
        theirs: the friend's.
        release: which release of what program the friend's host ran when this began.
    """

    name: str
    own: Keys
    theirs: PublicKeys
    release: str


class _Exchange(Protocol):
    """What we need of the package `spake2`, which has no types."""

    def start(self) -> bytes: ...

    def finish(self, message: bytes, /) -> bytes: ...


class _Side:
    """What both sides of a pairing have.

    Attributes:
        friend: who the other side is, once that is known.
        telling: what to tell the other side, again and again, if anything.
        done: whether both know each other.
    """

    def __init__(self, name: str) -> None:
        self.friend: Friend | None = None
        self.telling = b""
        self.done = False
        self._keys = Keys.made()
        self._name = name[:NAME]

    def _hello(self, key: bytes, way: bytes) -> str:
        """Return who we are, sealed for the other end."""
        public = self._keys.public
        told = written(
            {
                "v": VERSION,
                "name": self._name,
                "release": release(),
                "signing": public.signing.hex(),
                "agreement": public.agreement.hex(),
            }
        )
        return Envelope(derived(key, b"hello", way)).seal(told).hex()

    def _met(self, key: bytes, way: bytes, sealed: bytes) -> Friend:
        """Return the friend who sealed this.

        Raises:
            Refused: whoever sealed it does not know the words.
        """
        told = read(Envelope(derived(key, b"hello", way)).open(sealed), _HELLO)
        keys = PublicKeys(_key(told["signing"]), _key(told["agreement"]))
        try:
            Bond(self._keys, keys)
        except ValueError:
            raise Refused("these are no keys") from None
        name, friends_release = told["name"], told["release"]
        if not isinstance(name, str) or not isinstance(friends_release, str):
            raise Refused("a name is no text")
        return Friend(shown(name), self._keys, keys, shown(friends_release))


class Inviter(_Side):
    """The side that shows the words; it answers one knock and no second one."""

    def __init__(self, invitation: Invitation, name: str) -> None:
        super().__init__(name)
        self._password = invitation.password
        self._knock: bytes | None = None
        self._key = b""

    def hear(self, message: bytes) -> None:
        """Take a message of the side that joins.

        Raises:
            Spent: somebody who does not know the words has tried them.
            Refused: it is none of ours.
        """
        step, told = _heard(message)
        if step == "knock":
            self._answer(told["spake"])
        elif step == "hello" and self._key and not self.done:
            try:
                self.friend = self._met(self._key, JOINER, told["sealed"])
            except Refused:
                raise Spent("pairing-wrong-there") from None
            self.telling, self.done = message_of("done"), True

    def _answer(self, knock: bytes) -> None:
        """Answer the first knock; the same one may come again."""
        if knock == self._knock:
            return
        if self._knock is not None:
            raise Spent("pairing-two")
        from spake2 import SPAKE2_A

        exchange: _Exchange = SPAKE2_A(self._password, idA=INVITER, idB=JOINER)
        own = exchange.start()
        self._knock, self._key = knock, _finished(exchange, knock)
        sealed = self._hello(self._key, INVITER)
        self.telling = message_of("answer", spake=own.hex(), sealed=sealed)


class Joiner(_Side):
    """The side that has entered the words."""

    def __init__(self, invitation: Invitation, name: str) -> None:
        from spake2 import SPAKE2_B

        super().__init__(name)
        self._exchange: _Exchange = SPAKE2_B(invitation.password, idA=INVITER, idB=JOINER)
        self.telling = message_of("knock", spake=self._exchange.start().hex())
        self._answered = False

    def hear(self, message: bytes) -> None:
        """Take a message of the side that invites.

        Raises:
            Spent: the other side has other words.
            Refused: it is none of ours.
        """
        step, told = _heard(message)
        if step == "answer" and not self._answered:
            self._answered = True
            key = _finished(self._exchange, told["spake"])
            # Sealed with other words it tells the other side that somebody tried wrong ones.
            self.telling = message_of("hello", sealed=self._hello(key, JOINER))
            try:
                self.friend = self._met(key, INVITER, told["sealed"])
            except Refused:
                raise Spent("pairing-wrong-here") from None
        elif step == "done" and self.friend is not None:
            self.done = True


def shown(text: str, most: int = NAME) -> str:
    """Return what somebody else wrote, short and without what could mislead a screen."""
    return "".join(each for each in text if each.isprintable()).strip()[:most] or "?"


@cache
def release() -> str:
    """Return what this host runs, whatever is installed beside it meanwhile."""
    return f"firmware-bridge {version('firmware-bridge')}"


def message_of(step: Literal["knock", "answer", "hello", "done"], **told: str) -> bytes:
    """Return a message of the pairing."""
    return written({"v": VERSION, "step": step, **told})


def _heard(message: bytes) -> tuple[str, dict[str, bytes]]:
    """Return a message's step, and its bytes by name.

    Raises:
        Refused: it is none of ours.
        Spent: it is of another version.
    """
    if len(message) > _LONGEST:
        raise Refused("the message is too long")
    other = re.search(rb'"v":(\d+)\}$', message)  # of what is canonical `v` is the last field
    if other and int(other[1]) != VERSION:
        raise Spent("pairing-version", theirs=str(int(other[1])), ours=str(VERSION))
    found = next((step for step in _FIELDS if b'"step":"%b"' % step.encode() in message), "")
    told = read(message, ("step", "v", *_FIELDS.get(found, ())))
    if told["step"] != found:
        raise Refused("it is no step of a pairing")
    try:
        return found, {name: bytes.fromhex(str(told[name])) for name in _FIELDS[found]}
    except ValueError:
        raise Refused("what should be hexadecimal is not") from None


def _key(value: object) -> bytes:
    if not isinstance(value, str) or not re.fullmatch(rf"[0-9a-f]{{{2 * KEY}}}", value):
        raise Refused("a key is not hexadecimal of its length")
    return bytes.fromhex(value)


def _finished(exchange: _Exchange, message: bytes) -> bytes:
    """Return the key of an exchange."""
    try:
        return exchange.finish(message)
    except Exception:  # noqa: BLE001 - the library fails in many ways over what is no message
        raise Spent("pairing-no-exchange") from None
