import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import BoardDescription
from drivers.link import codec
from drivers.link.codec import FrameReader, decode, encode, frame, snapshot_part, unframe

UID = bytes.fromhex("04A1B2C3D4E5F6")
GOLDEN = {
    "05 01 01 12 34 01 01 01 01 01 01 03 40 d4 00": codec.AskHello(1, 0x1234, 0, 0, 0),
    "06 02 01 02 4e 70 00": codec.Ack(258),
    "03 03 01 01 05 05 06 0a 6d 00": codec.SetLights(1, 0, bytes([0, 5, 6])),
    "04 04 05 01 02 77 00": codec.Command(5, 1),
    "02 05 04 01 c8 b2 00": codec.Ping(1),
    "04 06 7e c9 00": codec.AskSnapshot(),
    "02 07 04 37 f0 47 00": codec.AskDescription(55),
    "05 81 01 12 34 01 01 0b 07 31 56 a1 98 02 5c 04 1f 01 01 01 04 01 e2 40 10 03"
    " 31 32 33 34 35 36 37 38 66 75 6c 6c a2 fe 00": codec.Hello(
        1, 0x1234, 7, 0x3156A198, 2, 92, 4, 31, (1, 0, 0), 123456, 3, b"12345678", "full"
    ),
    "02 82 02 03 01 05 03 e8 01 0c 03 71 ab 00": codec.Cell(3, 1000, 12, None),
    "02 82 02 04 01 08 05 78 01 1c 01 ae fb 00": codec.Cell(4, 1400, 28, True),
    "02 82 02 05 01 0f 05 78 01 1c 07 04 a1 b2 c3 d4 e5 f6 7b de 00": codec.Cell(5, 1400, 28, UID),
    "02 82 02 06 01 04 07 d0 02 03 6d a6 00": codec.Button(6, 2000, 0),
    "02 82 02 07 01 08 07 d0 03 04 0c 78 af 00": codec.Notice(7, 2000, 4, (12,)),
    "02 83 02 08 01 03 0b b8 02 01 0b 07 04 a1 b2 c3 d4 e5 f6 36 a6 00": codec.Part(
        8, 3000, 0, (True, None, UID)
    ),
    "03 84 01 03 e7 c8 00": codec.LightsAck(1, 0),
    "05 85 05 56 38 00": codec.CommandAck(5),
    "02 86 02 01 06 01 e2 40 a7 98 00": codec.Pong(1, 123456),
    "02 88 01 01 04 07 be e9 00": codec.NoSession(7),
    "02 87 01 01 07 03 61 62 63 f2 52 00": codec.Description(0, 3, b"abc"),
}
PROTOCOL = Path(__file__).parents[2] / "hardware" / "protocol.md"

readings = st.one_of(st.none(), st.just(True), st.binary(min_size=4, max_size=10))
bodies = st.binary(min_size=1, max_size=codec.MAX_BODY)


@pytest.mark.parametrize("wire", GOLDEN)
def test_golden_frames(wire):
    message = GOLDEN[wire]
    assert frame(encode(message)).hex(" ") == wire
    assert decode(unframe(bytes.fromhex(wire)[:-1])) == message


def test_the_protocol_page_shows_exactly_these_bytes():
    page = PROTOCOL.read_text(encoding="utf-8")
    shown = set(re.findall(r"`((?:[0-9a-f]{2} )+00)`", page))
    assert shown == set(GOLDEN)


TINY = """
name = "tiny"
tier = "occupancy"
controller = "own"
grid = { files = 2, ranks = 2 }
reserve = { white = 1 }
buttons = [{ name = "white" }, { name = "black" }]
"""


def test_the_protocol_page_shows_a_canonical_text_and_its_fingerprint():
    board = BoardDescription.model_validate(tomllib.loads(TINY))
    page = PROTOCOL.read_text(encoding="utf-8")
    assert f"fingerprint {board.fingerprint:08X}:\n\n```json\n{board.canonical}\n```" in page


def test_crc_has_the_published_check_value():
    assert codec.crc16(b"123456789") == 0xD64E


@given(bodies)
def test_every_body_survives_the_wire_in_one_packet(body):
    wire = frame(body)
    assert len(wire) <= codec.MAX_WIRE
    assert wire.count(0) == 1
    assert wire[-1] == 0
    assert unframe(wire[:-1]) == body


@given(st.lists(bodies, max_size=5), st.lists(st.integers(1, 20), min_size=1))
def test_frames_are_found_however_the_wire_cuts_them(sent, cuts):
    stream = b"".join(frame(body) for body in sent)
    reader, found, at = FrameReader(), [], 0
    while at < len(stream):
        size = cuts[at % len(cuts)]
        found += reader.feed(stream[at : at + size])
        at += size
    assert found == sent
    assert (reader.good, reader.damaged) == (len(sent), 0)


@given(bodies, st.integers(0, 63 * 8 - 1))
def test_a_single_flipped_bit_never_passes(body, bit):
    wire = bytearray(frame(body)[:-1])
    bit %= len(wire) * 8
    wire[bit // 8] ^= 1 << bit % 8
    assert all(unframe(piece) is None for piece in bytes(wire).split(b"\0"))


@given(st.binary(max_size=400))
def test_nothing_that_comes_over_the_wire_can_break_the_reader(noise):
    reader = FrameReader()
    for body in reader.feed(noise):
        decode(body)
    assert reader.feed(b"\0" + frame(b"hello"))[-1] == b"hello"


@given(st.binary(max_size=codec.MAX_BODY))
def test_bodies_decode_to_themselves_or_not_at_all(body):
    message = decode(body)
    if message is not None and getattr(message, "version", 1) == 1:
        assert encode(message) == body


@given(bodies, st.integers(1, 5))
def test_zeros_after_a_frame_make_it_invalid(body, zeros):
    """What a damaged zero byte at a frame's end does: the next frame's end is taken for its own."""
    coded = frame(body)[:-1] + b"\x01" * zeros
    assert unframe(coded) is None


def test_an_endless_frame_is_dropped_in_bounded_memory():
    reader = FrameReader()
    for _ in range(1000):
        assert reader.feed(b"\x07" * 100) == []
        assert len(reader.begun) < codec.MAX_WIRE
    assert reader.feed(b"\0" + frame(b"ok")) == [b"ok"]
    assert reader.damaged == 1


@given(st.lists(readings, min_size=1, max_size=112))
def test_a_snapshot_comes_apart_and_together(whole):
    parts = [snapshot_part(7, 1000, 0, whole)]
    while (first := parts[-1].first + len(parts[-1].readings)) < len(whole):
        parts.append(snapshot_part(7, 1000, first, whole))
    assert all(len(frame(encode(part))) <= codec.MAX_WIRE for part in parts)
    again = [decode(encode(part)) for part in parts]
    assert [reading for part in again for reading in part.readings] == whole


@pytest.mark.parametrize("size", [0, codec.MAX_BODY + 1])
def test_bodies_that_do_not_fit_are_refused(size):
    with pytest.raises(ValueError, match="1 to 60 bytes"):
        frame(bytes(size))


def test_a_greeting_of_a_later_version_tells_at_least_its_version():
    assert decode(bytes([0x81, 9])).version == 9
    assert decode(bytes([0x81, 1])) is None
