"""Letters, receipts and readings, and the packets of few lengths in which they travel."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from firmware_bridge.distance import readings
from firmware_bridge.distance.canonical import LARGEST, Refused, read, written
from firmware_bridge.distance.readings import SignedReading

VERSION = 1
"""Of letters, receipts and pairing together; another one is refused by its number."""
Kind = Literal[
    "proposal",
    "commitment",
    "turn",
    "reveal",
    "ruling",
    "claim",
    "answer",
    "pause",
    "end",
    "audit",
    "test",
    "back",
]
"""What our letters are about. One of another kind has its place in the chain, and tells nothing.

Were it refused, no letter after it could be taken, and the game would stand still without a word.
"""
NOTHING = "0" * 64
"""The hash of the letter before the first."""
LENGTHS = 512, 2048, 8192
"""Bytes of a packet before it is sealed: its length tells no more than which of these it needs."""
SIGNED = b"firmware-bridge/letter/1\n"
"""Comes before a letter's bytes where it is signed: no signature fits anything else."""
_SIGNATURE = 64  # bytes of Ed25519
_PREFIX = 4  # bytes of a packet that tell how long what follows is
LONGEST = LENGTHS[-1] - _PREFIX - 1 - _SIGNATURE
"""Bytes of a letter at most."""
_FIELDS = "before", "body", "game", "heard", "kind", "n", "t", "v"
_GAME, _HASH = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9a-f]{64}")
_WORD = re.compile(r"[a-z-]{1,20}")


@dataclass(frozen=True, slots=True)
class Heard:
    """Which of the other side's letters were taken: how many, and the last one's hash."""

    number: int = 0
    hash: str = NOTHING


@dataclass(frozen=True, slots=True)
class Letter:
    """What one host tells the other.

    Attributes:
        game: which correspondence it belongs to, 32 hexadecimal digits.
        number: 1 for the first letter of its writer in this game, then 2, 3, ...
        before: hash of its writer's letter before.
        heard: the other side's letters that its writer had taken.
        kind: what it is about, a `Kind` or a word that only its writer knows.
        body: what it tells.
        t: milliseconds since 1970 on its writer's clock, which may be wrong.
    """

    game: str
    number: int
    before: str
    heard: Heard
    kind: str
    body: Mapping[str, object]
    t: int

    def bytes(self) -> bytes:
        """Return its canonical bytes, which are signed and hashed.

        Raises:
            Refused: it is too long, or its body is not one that every language can write.
        """
        heard = [self.heard.number, self.heard.hash]
        try:
            data = written(
                {
                    "v": VERSION,
                    "game": self.game,
                    "n": self.number,
                    "before": self.before,
                    "heard": heard,
                    "kind": self.kind,
                    "body": self.body,
                    "t": self.t,
                }
            )
        except ValueError as error:
            raise Refused(f"the letter cannot be written: {error}") from None
        if len(data) > LONGEST:
            raise Refused(f"the letter is longer than {LONGEST} bytes")
        return data


@dataclass(frozen=True, slots=True)
class Signed:
    """A letter as its writer signed it: the proof that he wrote it.

    Attributes:
        letter: what it says.
        data: its bytes.
        signature: Ed25519, over `SIGNED` and the bytes.
        hash: SHA-256 of the bytes.
    """

    letter: Letter = field(compare=False)
    data: bytes
    signature: bytes
    hash: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", hashlib.sha256(self.data).hexdigest())


@dataclass(frozen=True, slots=True)
class Receipt:
    """Tells that letters have arrived, all up to a number."""

    game: str
    heard: Heard


Content = Signed | Receipt | SignedReading
"""What a packet holds."""


def signed(letter: Letter, sign: Callable[[bytes], bytes]) -> Signed:
    """Return a letter signed by its writer."""
    data = letter.bytes()
    return Signed(letter, data, sign(SIGNED + data))


def packed(content: Content) -> bytes:
    """Return the packet for what is sent, padded to one of few lengths."""
    if isinstance(content, Signed):
        inside = b"L" + content.signature + content.data
    elif isinstance(content, SignedReading):
        inside = b"C" + content.signature + content.data
    else:
        heard = [content.heard.number, content.heard.hash]
        inside = b"R" + written({"v": VERSION, "game": content.game, "heard": heard})
    packet = len(inside).to_bytes(_PREFIX, "big") + inside
    return packet.ljust(next(size for size in LENGTHS if len(packet) <= size), b"\0")


def kept(data: bytes, signature: bytes) -> Signed:
    """Return a letter that was taken or written before, and kept.

    Raises:
        Refused: these are not its bytes.
    """
    return Signed(_letter(data), data, signature)


def unpacked(packet: bytes, verify: Callable[[bytes, bytes], bool]) -> Content:
    """Return what is in a packet.

    `verify` tells whether a signature (first) of what is signed (second) is the sender's.

    Raises:
        Refused: it is none of ours, of another version, too large, or not signed by its sender.
    """
    size = int.from_bytes(packet[:_PREFIX], "big")
    inside, padding = packet[_PREFIX : _PREFIX + size], packet[_PREFIX + size :]
    if len(packet) not in LENGTHS or len(inside) != size or padding.strip(b"\0"):
        raise Refused("the packet has not one of the lengths agreed on")
    what, rest = inside[:1], inside[1:]
    if what == b"R":
        found = read(rest, ("game", "heard", "v"))
        _hold_version(found)
        return Receipt(_text(found["game"], _GAME), _heard(found["heard"]))
    signature, data = rest[:_SIGNATURE], rest[_SIGNATURE:]
    of = {b"L": SIGNED, b"C": readings.SIGNED}.get(what)
    if of is None:
        raise Refused("the packet holds nothing that this version knows")
    if not verify(signature, of + data):
        raise Refused("it is not signed by its sender")
    return kept(data, signature) if what == b"L" else readings.came(data, signature)


def _letter(data: bytes) -> Letter:
    found = read(data, _FIELDS)
    _hold_version(found)
    body, kind = found["body"], found["kind"]
    if not isinstance(body, dict):
        raise Refused("a letter's body is no object")
    if not isinstance(kind, str) or not _WORD.fullmatch(kind):
        raise Refused("a letter's kind is no word")
    return Letter(
        _text(found["game"], _GAME),
        _number(found["n"], 1),
        _text(found["before"], _HASH),
        _heard(found["heard"]),
        kind,
        body,
        _number(found["t"], -LARGEST),
    )


def _hold_version(found: Mapping[str, object]) -> None:
    if type(found["v"]) is not int or found["v"] != VERSION:
        raise Refused(f"it is of version {found['v']!r}, and ours is {VERSION}")


def _heard(value: object) -> Heard:
    if not isinstance(value, list) or len(value) != 2:
        raise Refused("what was heard is not a number and a hash")
    heard = Heard(_number(value[0], 0), _text(value[1], _HASH))
    if (heard.number == 0) != (heard.hash == NOTHING):
        raise Refused("what was heard is not a number and its hash")
    return heard


def _number(value: object, least: int) -> int:
    if type(value) is not int or value < least:
        raise Refused("a number is none, or too small")
    return value


def _text(value: object, form: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise Refused("an identifier or hash is not hexadecimal of its length")
    return value
