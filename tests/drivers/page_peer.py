"""A board and a host as somebody else would write them: from `hardware/protocol.md` alone.

Nothing of `drivers` is used here. Both are as plain as the page allows: no memory is saved, and no
time.
"""

import json
import struct
import zlib

VERSION, WINDOW, KEPT = 1, 8, 64


def crc(data):
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value ^ 0xFFFF


def pack(body):
    """COBS, byte by byte."""
    out, run = bytearray(), bytearray()
    for byte in (*body, *divmod(crc(body), 256), 0):
        if byte:
            run.append(byte)
        else:
            out += bytes([len(run) + 1]) + run
            run = bytearray()
    return bytes(out) + b"\0"


def unpack(coded):
    data, at = bytearray(), 0
    while at < len(coded):
        length = coded[at]
        if not length or at + length > len(coded):
            return None
        data += coded[at + 1 : at + length]
        at += length
        if at < len(coded):
            data.append(0)
    body = bytes(data[:-2])
    return body if body and divmod(crc(body), 256) == tuple(data[-2:]) else None


class Line:
    """Finds the frames in what comes."""

    def __init__(self):
        self._begun = b""

    def bodies(self, data):
        *whole, self._begun = (self._begun + data).split(b"\0")
        for coded in whole:
            if len(coded) < 64 and (body := unpack(coded)) is not None:
                yield body


def canonical(buttons, cells, leds, sound, tier):
    text = {"buttons": buttons, "cells": " ".join(cells), "leds": leds, "sound": sound}
    return json.dumps(text | {"tier": tier}, separators=(",", ":"))


def reading_bytes(reading):
    if reading is None or reading is True:
        return b"\1" if reading else b"\0"
    return bytes([len(reading)]) + reading


class PageBoard:
    """A board; readings are `None`, `True` or the bytes of a tag."""

    def __init__(self, text, boot):
        self.text, self.boot = text.encode(), boot
        about = json.loads(text)
        self.about = about
        self.readings = [None] * len(about["cells"].split())
        self.lights = bytearray(len(self.readings))
        self.done = []
        self._line, self._out = Line(), []
        self._kept, self._first, self._sent, self._timer = [], 0, 0, 0
        self._nonce = self._revision = self._command = None
        self._lack = False
        self._heard = self._snapshot_at = self._now = 0
        self._announce = [0, 100, 200]

    def feel(self, cell, reading):
        if self.readings[cell] != reading:
            self.readings[cell] = reading
            self._event(1, bytes([cell]) + reading_bytes(reading))

    def press(self, button):
        self._event(2, bytes([button]))

    def _event(self, kind, rest):
        if len(self._kept) >= KEPT:
            self._lack = True
        else:
            self._kept.append(struct.pack(">IB", self._now, kind) + rest)

    def receive(self, data):
        for body in self._line.bodies(data):
            fields = body[1:]
            if body[0] == 0x01 and len(fields) == 10:
                self._greet(*struct.unpack(">BHBIH", fields))
            elif body[0] not in range(2, 8):
                continue
            elif self._nonce is None:
                self._say(0x88, ">I", self.boot)
            else:
                self._obey(body[0], fields)
            self._heard = self._now

    def _say(self, number, layout, *fields, rest=b""):
        self._out.append(bytes([number]) + struct.pack(layout, *fields) + rest)

    def _greet(self, version, nonce, resume, boot, following):
        if version == VERSION and nonce != self._nonce:
            count = (following - self._first) % 65536
            if resume and boot == self.boot and count <= len(self._kept):
                self._confirm(following)
            else:
                self._first = (self._first + len(self._kept)) % 65536
                self._kept, self._lack = [], False
            self._nonce, self._sent = nonce, 0
            self._revision = self._command = None
            self._snapshot_at = self._now - 1000
        tier = ["occupancy", "identity", "face"].index(self.about["tier"])
        counts = (tier, len(self.readings), len(self.about["buttons"]), 7)
        fingerprint = zlib.crc32(self.text)
        self._say(
            0x81, ">BHIIBBBB3sIH8s", VERSION, nonce, self.boot, fingerprint, *counts, b"\0\1\0",
            self._now, self._first, b"by a pge", rest=b"page",
        )  # fmt: skip

    def _obey(self, number, fields):
        if number == 0x02:
            self._confirm(*struct.unpack(">H", fields))
        elif number == 0x03:
            self._light(fields[0], fields[1], fields[2:])
        elif number == 0x04:
            if fields[0] != self._command:
                self._command = fields[0]
                self.done.append(fields[1])
            self._say(0x85, ">B", fields[0])
        elif number == 0x05:
            self._say(0x86, ">HI", *struct.unpack(">H", fields), self._now)
        elif number == 0x06:
            self._snapshot_at = self._now - 1000
        elif number == 0x07:
            (offset,) = struct.unpack(">H", fields)
            part = self.text[offset : offset + 55]
            self._say(0x87, ">HH", offset, len(self.text), rest=part)

    def _confirm(self, following):
        count = (following - self._first) % 65536
        if 0 < count <= len(self._kept):
            del self._kept[:count]
            self._first, self._sent = following, max(0, self._sent - count)
            self._timer = self._now
            if self._lack:
                self._lack = False
                self._event(3, b"\0")
                self._snapshot_at = self._now - 1000

    def _light(self, revision, first, signals):
        older = self._revision is not None and (revision - self._revision) % 256 > 127
        if not older and first + len(signals) <= len(self.lights):
            self._revision = revision
            self.lights[first : first + len(signals)] = signals
            self._say(0x84, ">BB", revision, first)

    def transmit(self, now):
        self._now = now
        if self._nonce is not None and now - self._heard > 5000:
            self._nonce, self.lights = None, bytearray(len(self.lights))
        if self._nonce is None:
            if self._announce and now >= self._announce[0]:
                self._announce.pop(0)
                self._say(0x88, ">I", self.boot)
        else:
            self._announce = []
            self._send_events(now)
            if now - self._snapshot_at >= 1000 and not self._lack:
                self._snapshot_at = now
                self._send_snapshot(now)
        out, self._out = self._out, []
        return b"".join(pack(body) for body in out)

    def _send_events(self, now):
        if self._sent and now - self._timer >= 60:
            self._sent = 0
        if not self._sent:
            self._timer = now
        for index in range(self._sent, min(WINDOW, len(self._kept))):
            self._say(0x82, ">H", (self._first + index) % 65536, rest=self._kept[index])
            self._sent = index + 1

    def _send_snapshot(self, now):
        following = (self._first + len(self._kept)) % 65536
        for first in range(0, len(self.readings), 4):
            rest = b"".join(map(reading_bytes, self.readings[first : first + 4]))
            self._say(0x83, ">HIB", following, now, first, rest=rest)


class PageHost:
    """A host that greets, confirms and listens; `events` are (kind, number, reading)."""

    def __init__(self):
        self.events, self.state, self.sessions, self.pongs = [], None, 0, 0
        self._line, self._nonce, self._hello = Line(), 1, None
        self._known = self._expected = 0
        self._parts, self._asked, self._pinged, self._ack = {}, -1000, 0, False
        self.lights_shown = set()

    def transmit(self, now):
        out = []
        if self._hello is None and now - self._asked >= 150:
            self._asked = now
            resume = int(self.sessions > 0)
            fields = struct.pack(
                ">BHBIH", VERSION, self._nonce, resume, self._known, self._expected
            )
            out.append(b"\1" + fields)
        elif self._hello is not None:
            if self._ack:
                self._ack = False
                out.append(b"\2" + struct.pack(">H", self._expected))
            if now - self._pinged >= 1000:
                self._pinged = now
                out += [b"\5\0\1", b"\3" + bytes([self.sessions, 0, 6, 7])]
        return b"".join(map(pack, out))

    def receive(self, data):
        for body in self._line.bodies(data):
            fields = body[1:]
            if body[0] == 0x88 and self._hello is not None:
                self._nonce, self._hello, self._asked = self._nonce + 1, None, -1000
            elif body[0] == 0x81 and self._hello is None:
                self._greeted(fields)
            elif self._hello is not None:
                self._take(body[0], fields)

    def _greeted(self, fields):
        version, nonce, boot = struct.unpack(">BHI", fields[:7])
        (first,) = struct.unpack(">H", fields[22:24])
        if (version, nonce) == (VERSION, self._nonce):
            if boot != self._known or first != self._expected or not self.sessions:
                self.state, self._expected = None, first
            self._hello, self._known = fields, boot
            self._parts = {}
            self.sessions += 1

    def _take(self, number, fields):
        if number == 0x82:
            self._ack = True
            sequence, _, kind = struct.unpack(">HIB", fields[:7])
            if sequence == self._expected and self.state is not None:
                self._expected = (sequence + 1) % 65536
                self._happened(kind, fields[7], fields[8:])
        elif number == 0x83:
            following, _, first = struct.unpack(">HIB", fields[:7])
            self._part(following, first, fields[7:])
        elif number == 0x84:
            self.lights_shown.add(fields[0])
        elif number == 0x86:
            self.pongs += 1

    def _happened(self, kind, number, rest):
        reading = _readings(rest)[0] if kind == 1 else None
        self.events.append((kind, number, reading))
        if kind == 1:
            self.state[number] = reading

    def _part(self, following, first, data):
        if self.state is not None and following != self._expected:
            return
        if self._parts.get("next") != following:
            self._parts = {"next": following}
        self._parts[first] = _readings(data)
        whole, cells = [], self._hello[12]
        while len(whole) in self._parts:
            whole += self._parts[len(whole)]
        if len(whole) == cells:
            assert self.state is None or self.state == whole, "a snapshot against the events"
            self.state, self._expected = whole, following


def _readings(data):
    readings = []
    while data:
        size = data[0] if data[0] > 1 else 0
        readings.append(data[1 : 1 + size] if size else (True if data[0] else None))
        data = data[1 + size :]
    return readings
