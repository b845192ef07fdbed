"""The Pico's USB port: what it does not tell is how much room there is."""

from random import Random

import pytest
from boardware.usb import UsbWire

from drivers.link import codec
from tests.hardware.board_on_bench import OnBench
from tests.hardware.usb_port import Usb


@pytest.fixture
def usb(monkeypatch):
    return Usb(monkeypatch)


def test_the_usb_port_is_read_as_far_as_something_came(usb):
    wire = UsbWire()
    assert wire.read() == b""
    usb.inward = bytes(range(20))
    assert [wire.read(), wire.read(), wire.read()] == [bytes(range(16)), bytes(range(16, 20)), b""]


def test_a_host_that_stops_reading_stops_no_scan_and_damages_no_frame(clock, usb):
    board = OnBench(clock, "starter")
    board.board._wire = UsbWire()
    usb.inward = codec.frame(codec.encode(codec.AskHello(codec.VERSION, 7, 0, 0, 0)))
    random, scans, heard = Random(5), board.board.scans, []
    host = codec.FrameReader()
    for number in range(400):
        usb.room = 0 if 100 < number < 200 else random.randrange(70)
        board.bench.put(number % 64) if number % 128 < 64 else board.bench.lift(number % 64)
        board.run(10)
        heard += host.feed(usb.outward)
        usb.outward = b""
    assert board.board.scans - scans == pytest.approx(2400, abs=5)
    assert host.damaged == 0
    assert {type(codec.decode(body)) for body in heard} == {codec.Hello, codec.Cell, codec.Part}


def test_the_usb_port_takes_what_fits_and_keeps_the_rest(usb):
    wire = UsbWire()
    assert wire.write(b"abc") == 0, "nobody reads: no room, no waiting"
    usb.room = 2
    assert wire.write(b"\x00\x03abc") == 2
    usb.room = 100
    sent = wire.write(bytes(range(60)))
    assert 0 < sent < 60, "a long frame takes several passes"
    assert usb.outward == b"\x00\x03" + bytes(range(sent))
