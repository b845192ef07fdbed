"""The boards over Bluetooth, on the conformance suite; only `bleak` itself is replaced."""

from contextlib import asynccontextmanager

import pytest
from bleak.exc import BleakBluetoothNotAvailableError, BleakError

from drivers.commercial import ble, ichessone
from drivers.commercial.bluetooth import (
    chesslink_over_bluetooth,
    chessnut_over_bluetooth,
    cpp_over_bluetooth,
)
from drivers.commercial.chessnut_move import chessnut_move_board
from drivers.commercial.commercial_session import START
from drivers.commercial.ichessone import IChessOneSession, ichessone_board
from drivers.commercial.pegasus import pegasus_board
from drivers.commercial.square_off import square_off_board
from drivers.description import load_description
from drivers.port import DriverError, Snapshot
from drivers.testing import DeviceBench
from drivers.transport import Lost
from tests.drivers.commercial.test_commercial_conformance import CommercialSuite
from tests.drivers.emulators import radio
from tests.patience import in_time


@pytest.fixture
def air(monkeypatch):
    air = radio.Radio()
    monkeypatch.setattr(ble, "BleakScanner", air)
    monkeypatch.setattr(ble, "BleakClient", air.client)
    return air


class BluetoothSuite(CommercialSuite):
    @pytest.fixture(autouse=True)
    def _air(self, air):
        self.air = air

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        device = self.device(self.air, {cell: self.label(tag) for cell, tag in start.items()})
        async with device, self.driver(load_description(self.board)) as driver:
            yield DeviceBench(driver, device, self.made(hands))


class TestChessnutOverBluetooth(BluetoothSuite):
    board, device = "chessnut", radio.RadioChessnut
    driver = staticmethod(chessnut_over_bluetooth)


class TestChessnutMove(BluetoothSuite):
    board, device = "chessnut-move", radio.RadioChessnutMove
    driver = staticmethod(chessnut_move_board)


class TestChessLinkOverBluetooth(BluetoothSuite):
    board, device = "chesslink", radio.RadioChessLink
    driver = staticmethod(chesslink_over_bluetooth)


class TestCppOverBluetooth(BluetoothSuite):
    board, device, has_lights = "cpp", radio.RadioCpp, False
    driver = staticmethod(cpp_over_bluetooth)


class TestPegasus(BluetoothSuite):
    board, device = "pegasus", radio.Pegasus
    driver = staticmethod(pegasus_board)

    def reading(self, tag):
        return True


class TestIChessOne(BluetoothSuite):
    board, device = "ichessone", radio.IChessOne
    driver = staticmethod(ichessone_board)


class TestSquareOff(BluetoothSuite):
    board, device = "square-off", radio.SquareOff
    driver = staticmethod(square_off_board)

    def reading(self, tag):
        return True


async def first_loss(transport):
    async with transport:
        async for item in transport.traffic():
            if isinstance(item, Lost):
                return str(item.reason)
    return None


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (None, "not connected to a phone"),
        (BleakBluetoothNotAvailableError("no", None), "sudo systemctl start bluetooth"),
        (BleakError("le-connection-abort-by-local"), "le-connection-abort-by-local"),
        (TimeoutError(), "Cannot connect"),
    ],
)
async def test_what_is_wrong_is_said_in_plain_words(air, fault, text):
    air.fault = fault
    transport = ble.BleTransport(ble.nordic_uart("iChessOne"))
    assert text in await in_time(first_loss(transport))


async def test_a_board_of_another_kind_is_told(air):
    class Impostor(radio.IChessOne):
        notify = "something-else"

    async with Impostor(air, {}):
        transport = ble.BleTransport(ble.nordic_uart("iChessOne"))
        assert "no board of the kind" in await in_time(first_loss(transport))


async def test_one_certain_board_is_chosen_by_its_address(air):
    async with radio.IChessOne(air, {}):
        transport = ble.BleTransport(ble.nordic_uart("iChessOne"), "11:22:33:44:55:66")
        assert "11:22:33:44:55:66 does not answer" in await in_time(first_loss(transport))


async def test_a_pegasus_gets_its_key_first(air):
    async with radio.Pegasus(air, {}) as board:
        driver = pegasus_board(load_description("pegasus"), key="010203040506")
        async with driver:
            async for event in driver.events():
                if isinstance(event, Snapshot):
                    break
        assert board.key == bytes.fromhex("010203040506")


@pytest.mark.parametrize("key", ["0102", "what?"])
def test_a_wrong_key_is_refused(key):
    with pytest.raises(DriverError, match="six bytes"):
        pegasus_board(load_description("pegasus"), key=key)


def test_ichessone_vectors():
    start = bytes.fromhex("A89BC98A" + "77777777" + "00" * 16 + "11111111")
    start += bytes.fromhex("42356324")
    session = IChessOneSession(load_description("ichessone"))
    session.connect(0.0)
    *_, snapshot = session.receive(b"\0=" + b"=p" + start, 1.0)
    assert dict(snapshot.readings) == START
    frame = session._frame(frozenset({"e2", "e4"}), {})
    assert frame == bytes.fromhex("454C800F000000000010001000" + "0001FF")
    assert session._frame(frozenset(), {}) == bytes.fromhex("454C000F" + "00" * 10 + "01FF")


def test_ichessone_noise():
    parser = ichessone.Parser()
    assert parser.feed(b"=p" + b"\xff" * 100) == []
    assert len(parser.feed(b"=b\x50\x01=p" + bytes(32))) == 1
    parser.feed(bytes(100_000))
    assert len(parser._buffer) < 50


@pytest.mark.parametrize("error", [BleakError("not discovered yet"), AttributeError("services")])
async def test_a_radio_that_names_no_services_is_told_and_tried_again(air, error, monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.02)
    asked = []

    def services(client):
        asked.append(client)
        if len(asked) == 1:
            raise error
        return client

    monkeypatch.setattr(radio.Client, "services", property(services))
    async with radio.IChessOne(air, {}), ichessone_board(load_description("ichessone")) as driver:
        first = await in_time(anext(driver.events()))
        assert not first.up
        assert {told.code for told in first.reason.sentences()} & {"radio-deaf", "driver-failed"}
        await in_time(anext(e async for e in driver.events() if isinstance(e, Snapshot)))
