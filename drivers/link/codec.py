"""Protocol 1.1: frames and messages, as bytes and as values.

This one file runs unchanged on the host (CPython 3.11 and later) and on the board (MicroPython):
hence plain named tuples, no dataclasses, no `match`. The protocol itself is described, with golden
byte strings, in `hardware/protocol.md`.

A frame on the wire is `COBS(body + CRC-16) 00`. It is never longer than 64 bytes, so that it fits
one USB packet. Whatever does not decode to the last byte is dropped; a zero byte starts afresh.
"""

# ruff: noqa: PYI024 - MicroPython has collections.namedtuple and no typing

import struct
from collections import namedtuple

TYPE_CHECKING = False  # the module typing does not exist on the board
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Reading = bytes | bool | None

VERSION = 1  # grows when an older host or board could misread a newer frame
MAX_WIRE = 64
"""Bytes of the longest frame, its zero byte included."""
MAX_BODY = MAX_WIRE - 4  # without the zero byte, the COBS byte and two bytes of CRC

CLOCK_WRAP = 1 << 30
"""Board stamps count milliseconds modulo this (12.4 days)."""

TIERS = ("occupancy", "identity", "face")
SOUNDS = ("accepted", "illegal", "attention")
"""Sounds by number; commands 0 to 15 are reserved for them."""
SELF_TEST = 16  # the first number after the sounds

HAS_LIGHTS, HAS_COLOUR, HAS_SOUND, HAS_TAGS, HAS_SELF_TEST = 1, 2, 4, 8, 16
"""Bits of the greeting's capabilities."""

NOTICES = (
    "overflow",
    "self-test-passed",
    "self-test-failed",
    "tag-reader-fault",
    "sensor-stuck",
    "light-fault",
    "low-power",
    "contacts-broken",
    "mended",
)
"""What a board may report about itself, by number."""

_ASK_HELLO, _ACK, _LIGHTS, _COMMAND, _PING, _ASK_SNAPSHOT, _ASK_DESCRIPTION = range(1, 8)
_HELLO, _EVENT, _SNAPSHOT, _LIGHTS_ACK, _COMMAND_ACK, _PONG, _DESCRIPTION = range(0x81, 0x88)
_NO_SESSION = 0x88
_CELL, _BUTTON, _NOTICE = 1, 2, 3
"""Kinds of frames, and of events in them; a board's have the high bit."""

# From host to board.
AskHello = namedtuple("AskHello", ("version", "nonce", "resume", "boot", "next"))
Ack = namedtuple("Ack", ("next",))
SetLights = namedtuple("SetLights", ("revision", "first", "signals"))
Command = namedtuple("Command", ("number", "what"))
Ping = namedtuple("Ping", ("nonce",))
AskSnapshot = namedtuple("AskSnapshot", ())
AskDescription = namedtuple("AskDescription", ("offset",))

# From board to host. A reading is None (empty), True (occupied) or the bytes of a tag's UID.
Hello = namedtuple(
    "Hello",
    (
        "version",
        "nonce",
        "boot",
        "fingerprint",
        "tier",
        "cells",
        "buttons",
        "capabilities",
        "firmware",
        "t",
        "first",
        "id",
        "name",
    ),
)
Cell = namedtuple("Cell", ("seq", "t", "cell", "reading"))
Button = namedtuple("Button", ("seq", "t", "button"))
Notice = namedtuple("Notice", ("seq", "t", "code", "cells"))
Part = namedtuple("Part", ("next", "t", "first", "readings"))
LightsAck = namedtuple("LightsAck", ("revision", "first"))
CommandAck = namedtuple("CommandAck", ("number",))
Pong = namedtuple("Pong", ("nonce", "t"))
Description = namedtuple("Description", ("offset", "total", "data"))
NoSession = namedtuple("NoSession", ("boot",))

if TYPE_CHECKING:
    Event = Cell | Button | Notice
    FromHost = AskHello | Ack | SetLights | Command | Ping | AskSnapshot | AskDescription
    FromBoard = Hello | Event | Part | LightsAck | CommandAck | Pong | Description | NoSession
    Message = FromHost | FromBoard


def _crc_of_one(byte: int) -> int:
    """Return what the highest byte of a CRC does to the rest: x^16 + x^12 + x^5 + 1."""
    crc = byte << 8
    for _ in range(8):
        crc = crc << 1 ^ (0x11021 if crc & 0x8000 else 0)
    return crc


_CRC_TABLE = tuple(_crc_of_one(byte) for byte in range(256))


def crc16(data: bytes) -> int:
    """Return the CRC-16/GENIBUS of `data`; of `b"123456789"` it is 0xD64E.

    Its final inversion matters: without it, zeros after a frame would leave its CRC right.
    """
    table = _CRC_TABLE
    crc = 0xFFFF
    for byte in data:
        crc = (crc << 8 & 0xFFFF) ^ table[crc >> 8 ^ byte]
    return crc ^ 0xFFFF


def frame(body: bytes) -> bytes:
    """Return the bytes that carry one message over the wire; raise ValueError if too long."""
    if not 1 <= len(body) <= MAX_BODY:
        raise ValueError(f"a message body has 1 to {MAX_BODY} bytes")
    runs = (body + struct.pack(">H", crc16(body))).split(b"\x00")
    return b"".join(bytes((len(run) + 1,)) + run for run in runs) + b"\x00"


def unframe(coded: bytes) -> bytes | None:
    """Return the body of one frame, given without its zero byte; None if it is damaged."""
    runs = []
    at = 0
    while at < len(coded):
        end = at + coded[at]
        if end == at or end > len(coded):
            return None
        runs.append(coded[at + 1 : end])
        at = end
    data = b"\x00".join(runs)
    if len(data) < 3 or crc16(data[:-2]) != struct.unpack(">H", data[-2:])[0]:
        return None
    return data[:-2]


class FrameReader:
    """Finds the messages in whatever chunks the wire delivers, in bounded memory.

    Attributes:
        good: frames that were sound.
        damaged: frames that were not.
        begun: what has come of a frame that is not complete.
    """

    def __init__(self) -> None:
        self.good = 0
        self.damaged = 0
        self.begun = b""
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes; return the bodies of all frames that they complete."""
        bodies: list[bytes] = []
        pieces = bytes(data).split(b"\x00")
        for number, piece in enumerate(pieces):
            self._extend(piece)
            if number < len(pieces) - 1:
                self._finish(bodies)
        return bodies

    def _extend(self, piece: bytes) -> None:
        if len(self.begun) + len(piece) < MAX_WIRE:
            self.begun += piece
        else:
            self.begun = b""
            self._too_long = True

    def _finish(self, bodies: list[bytes]) -> None:
        coded, too_long = self.begun, self._too_long
        self.begun, self._too_long = b"", False
        body = None if too_long else unframe(coded)
        if body is not None:
            self.good += 1
            bodies.append(body)
        elif coded or too_long:  # two zero bytes in a row are no damage
            self.damaged += 1


def encode_reading(reading: "Reading") -> bytes:
    """Return a reading as 00 (empty), 01 (occupied), or the UID's length and bytes."""
    if reading is None:
        return b"\x00"
    if reading is True:
        return b"\x01"
    if reading is False or not 4 <= len(reading) <= 10:
        raise ValueError("a tag's UID has 4 to 10 bytes")
    return bytes((len(reading),)) + reading


def _decode_readings(data: bytes) -> "list[Reading] | None":
    readings: list[Reading] = []
    at = 0
    while at < len(data):
        size = data[at]
        at += 1
        if size <= 1:
            readings.append(True if size else None)
            continue
        if not 4 <= size <= 10 or at + size > len(data):
            return None
        readings.append(data[at : at + size])
        at += size
    return readings


def encode(message: "Message") -> bytes:
    """Return the body of any message of this file."""
    return _ENCODERS[type(message)](message)


def decode(body: bytes) -> "Message | None":
    """Return the message that a body holds, or None if it is unknown or malformed."""
    decoder = _DECODERS.get(body[0]) if body else None
    return decoder(body[1:]) if decoder else None


def _fixed(number: int, layout: str, make: "type[Message]") -> None:
    """Register a message that has this number and always the same layout."""
    size = struct.calcsize(layout)

    def encoder(message: "Message") -> bytes:
        return bytes((number,)) + struct.pack(layout, *message)

    def decoder(data: bytes) -> "Message | None":
        return make(*struct.unpack(layout, data)) if len(data) == size else None

    _ENCODERS[make] = encoder
    _DECODERS[number] = decoder


def _encode_lights(message: SetLights) -> bytes:
    return bytes((_LIGHTS, message.revision, message.first)) + bytes(message.signals)


def _decode_lights(data: bytes) -> SetLights | None:
    return SetLights(data[0], data[1], data[2:]) if len(data) > 2 else None


_HELLO_LAYOUT = ">BHIIBBBB3sIH8s"


def _encode_hello(message: Hello) -> bytes:
    numbers = message[:8] + (bytes(message.firmware),) + message[9:12]  # noqa: RUF005 - see top
    name: bytes = message.name.encode()
    return bytes((_HELLO,)) + struct.pack(_HELLO_LAYOUT, *numbers) + name


def _decode_hello(data: bytes) -> Hello | None:
    size = struct.calcsize(_HELLO_LAYOUT)
    if len(data) < size:
        # A later version may greet differently, but its version byte comes first.
        return Hello(data[0], *((0,) * 12)) if data and data[0] != VERSION else None
    fields = struct.unpack(_HELLO_LAYOUT, data[:size])
    if fields[0] == VERSION and fields[4] >= len(TIERS):
        return None
    try:
        name = data[size:].decode()
    except ValueError:
        return None
    return Hello(*(fields[:8] + (tuple(fields[8]),) + fields[9:] + (name,)))  # noqa: RUF005


def _encode_event(message: "Event") -> bytes:
    seq, t, number = message[:3]
    if isinstance(message, Cell):
        kind, rest = _CELL, encode_reading(message.reading)
    elif isinstance(message, Button):
        kind, rest = _BUTTON, b""
    else:
        kind, rest = _NOTICE, bytes(message.cells)
    return struct.pack(">BHIBB", _EVENT, seq, t, kind, number) + rest


def _decode_event(data: bytes) -> Cell | Button | Notice | None:
    if len(data) < 8:
        return None
    seq, t, kind = struct.unpack(">HIB", data[:7])
    number, rest = data[7], data[8:]
    if kind == _CELL:
        readings = _decode_readings(rest)
        return Cell(seq, t, number, readings[0]) if readings and len(readings) == 1 else None
    if kind == _BUTTON:
        return None if rest else Button(seq, t, number)
    if kind == _NOTICE:
        return Notice(seq, t, number, tuple(rest))
    return None


def _encode_part(message: Part) -> bytes:
    head = struct.pack(">BHIB", _SNAPSHOT, message.next, message.t, message.first)
    return head + b"".join(map(encode_reading, message.readings))


def _decode_part(data: bytes) -> Part | None:
    if len(data) < 8:
        return None
    following, t, first = struct.unpack(">HIB", data[:7])
    readings = _decode_readings(data[7:])
    return Part(following, t, first, tuple(readings)) if readings else None


def _encode_description(message: Description) -> bytes:
    data: bytes = message.data
    return struct.pack(">BHH", _DESCRIPTION, message.offset, message.total) + data


def _decode_description(data: bytes) -> Description | None:
    if len(data) < 5:
        return None
    offset, total = struct.unpack(">HH", data[:4])
    return Description(offset, total, data[4:])


_ENCODERS: "dict[type[Message], Callable[[Any], bytes]]" = {
    SetLights: _encode_lights,
    Hello: _encode_hello,
    Cell: _encode_event,
    Button: _encode_event,
    Notice: _encode_event,
    Part: _encode_part,
    Description: _encode_description,
}
_DECODERS: "dict[int, Callable[[bytes], Message | None]]" = {
    _LIGHTS: _decode_lights,
    _HELLO: _decode_hello,
    _EVENT: _decode_event,
    _SNAPSHOT: _decode_part,
    _DESCRIPTION: _decode_description,
}
_fixed(_ASK_HELLO, ">BHBIH", AskHello)
_fixed(_ASK_SNAPSHOT, ">", AskSnapshot)
_fixed(_ACK, ">H", Ack)
_fixed(_COMMAND, ">BB", Command)
_fixed(_PING, ">H", Ping)
_fixed(_ASK_DESCRIPTION, ">H", AskDescription)
_fixed(_LIGHTS_ACK, ">BB", LightsAck)
_fixed(_COMMAND_ACK, ">B", CommandAck)
_fixed(_PONG, ">HI", Pong)
_fixed(_NO_SESSION, ">I", NoSession)


PART_CELLS, PART_BODY = 10, 32
"""Readings and bytes in a part of a snapshot: a longer one would keep the board from its scans."""


def snapshot_part(following: int, t: int, first: int, readings: "list[Reading]") -> Part:
    """Return as many readings at one instant as one part may have.

    Args:
        following: the sequence number of the first event that they do not include.
        t: board time of the instant.
        first: the cell to begin with.
        readings: cell number -> reading, of all cells.
    """
    size = 8
    last = first
    for reading in readings[first : first + PART_CELLS]:
        size += len(encode_reading(reading))
        if size > PART_BODY:
            break
        last += 1
    return Part(following, t, first, tuple(readings[first:last]))
