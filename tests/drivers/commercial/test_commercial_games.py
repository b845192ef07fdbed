"""Games on boards that people own, by themselves and against a computer: bytes in, turns out."""

from random import Random

import pytest

from drivers.commercial import ble
from drivers.commercial.bluetooth import (
    chesslink_over_bluetooth,
    chessnut_over_bluetooth,
    cpp_over_bluetooth,
)
from drivers.commercial.chesslink import chesslink_board
from drivers.commercial.chessnut_move import chessnut_move_board
from drivers.commercial.dgt import dgt_board
from drivers.commercial.ichessone import ichessone_board
from drivers.commercial.pegasus import pegasus_board
from drivers.commercial.square_off import square_off_board
from drivers.description import load_description
from tests.drivers.commercial.table_on import (
    BOARDS,
    FELT,
    HANDS,
    STARTING,
    play,
    play_the_computer,
)
from tests.drivers.emulators import radio
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.dgt import HastyDgtBoard
from tests.nightly import NIGHTLY


def hands_at(description):
    return FELT if description.tier == "occupancy" else HANDS


class DamagedChessLinkBoard(ChessLinkBoard):
    damaged = 0.3


@pytest.mark.parametrize(
    ("name", "device", "driver"),
    [
        ("dgt", HastyDgtBoard, dgt_board),
        ("chesslink", DamagedChessLinkBoard, chesslink_board),
    ],
)
async def test_turns_are_understood_however_a_board_tells_them(name, device, driver, tmp_path):
    async with (
        device(tmp_path / "port", STARTING) as board,
        driver(load_description(name), port=str(tmp_path / "port")) as opened,
    ):
        await play(opened, board)


def noisy(device, seed):
    """The board on a bad cable: one message of twenty arrives with another byte in it."""

    class Noisy(device):
        dice = Random(seed)

        def send(self, data):
            data = bytearray(data)
            if self.dice.random() < 0.05:
                data[self.dice.randrange(len(data))] = self.dice.randrange(256)
            super().send(bytes(data))

    return Noisy


@pytest.mark.parametrize(("name", "device", "driver"), BOARDS)
@pytest.mark.parametrize("seed", range(5 if NIGHTLY else 1))
async def test_a_game_on_a_bad_cable_that_comes_out_twice(name, device, driver, seed, tmp_path):
    async with (
        noisy(device, seed)(tmp_path / "port", STARTING) as board,
        driver(load_description(name), port=str(tmp_path / "port")) as opened,
    ):
        await play(opened, board, hands_at(opened.description), replugs=(1, 3))


AIR = [
    ("cpp", radio.RadioCpp, cpp_over_bluetooth),
    ("pegasus", radio.Pegasus, pegasus_board),
    ("chessnut", radio.RadioChessnut, chessnut_over_bluetooth),
    ("chessnut-move", radio.RadioChessnutMove, chessnut_move_board),
    ("chesslink", radio.RadioChessLink, chesslink_over_bluetooth),
    ("ichessone", radio.IChessOne, ichessone_board),
    ("square-off", radio.SquareOff, square_off_board),
]


@pytest.mark.parametrize(("name", "device", "driver"), AIR if NIGHTLY else AIR[:2])
async def test_a_game_in_the_air_that_is_lost_twice(name, device, driver, monkeypatch):
    air = radio.Radio()
    monkeypatch.setattr(ble, "BleakScanner", air)
    monkeypatch.setattr(ble, "BleakClient", air.client)
    async with device(air, STARTING) as board, driver(load_description(name)) as opened:
        await play(opened, board, hands_at(opened.description), replugs=(1, 3))


@pytest.mark.parametrize(("name", "device", "driver"), BOARDS if NIGHTLY else BOARDS[:3])
async def test_a_computer_is_played_without_any_light(name, device, driver, tmp_path):
    async with (
        device(tmp_path / "port", STARTING) as board,
        driver(load_description(name), port=str(tmp_path / "port")) as opened,
    ):
        await play_the_computer(opened, board)
