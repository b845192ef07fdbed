"""A board at a port is named by asking every driver; and the command prints what to configure."""

import tomllib
from types import SimpleNamespace

import pytest
from bleak.exc import BleakError
from click.testing import CliRunner

from drivers.commercial.detect import Found, find_boards, which_board
from drivers.driver_registry import probes
from drivers.probes import SerialProbe
from drivers.testing import Device
from firmware_bridge.cli import main
from tests.drivers.emulators.certabo import CertaboBoard, SentioBoard
from tests.drivers.emulators.chesslink import ChessLinkBoard
from tests.drivers.emulators.cpp import CppBoard
from tests.drivers.emulators.dgt import DgtBoard
from tests.drivers.emulators.radio import RadioCpp

TRIES = 20
"""A board is given up on soon, as people want who wait for it; on a busy machine they ask again."""


@pytest.mark.parametrize(
    ("device", "name"),
    [
        (CertaboBoard, "certabo"),
        (SentioBoard, "sentio"),
        (ChessLinkBoard, "chesslink"),
        (DgtBoard, "dgt"),
        (CppBoard, "cpp"),
    ],
)
async def test_each_board_is_told_from_all_others(device, name, tmp_path):
    start = {"e1": "0457030000"} if device is CertaboBoard else {"e1": "wK"}
    async with device(tmp_path / "port", start):
        for _ in range(TRIES):
            if found := await which_board(str(tmp_path / "port")):
                break
    assert found.driver == name
    assert found.title


async def test_a_device_that_is_no_board_is_none(tmp_path):
    async with Device(tmp_path / "port", {}):
        assert await find_boards([str(tmp_path / "port")]) == []


async def test_a_port_that_is_not_there_is_none(tmp_path):
    assert await which_board(str(tmp_path / "nothing")) is None


async def test_a_board_described_wrongly_is_named_and_keeps_no_other_from_being_found(
    tmp_path, monkeypatch, caplog
):
    file = tmp_path / "attic.toml"
    file.write_text('name = "attic"\ntier = "occupancy"\n')  # nothing says that it is finished
    asked = {"attic": SerialProbe(1.0, "listens", str(file)), "dgt": probes()["dgt"]}
    monkeypatch.setattr("drivers.commercial.detect.probes", lambda: asked)
    async with DgtBoard(tmp_path / "port", {"e1": "wK"}):
        for _ in range(TRIES):
            if found := await which_board(str(tmp_path / "port")):
                break
    assert found.driver == "dgt"
    assert 'controller = "own"' in caplog.text


def test_the_command_prints_what_to_configure(monkeypatch):
    async def found(ports):
        return [Found("dgt", "dgt", {"port": "/dev/ttyACM0"}, "DGT e-Board")]

    monkeypatch.setattr("firmware_bridge.cli.boards.find_boards", found)
    result = CliRunner().invoke(main, ["boards"])
    assert tomllib.loads(result.output) == {
        "board": {"driver": "dgt", "description": "dgt", "settings": {"port": "/dev/ttyACM0"}}
    }


@pytest.mark.parametrize(
    ("name", "driver", "description"),
    [
        ("Chessnut Air", "chessnut-bluetooth", "chessnut"),
        ("Chessnut Move", "chessnut-move", "chessnut-move"),
        ("MILLENNIUM CHESS", "chesslink-bluetooth", "chesslink"),
        ("DGT_PEGASUS_12345", "pegasus", "pegasus"),
        ("iChessOne", "ichessone", "ichessone"),
        ("Square Off Pro", "square-off", "square-off"),
        ("OPENCHESSBOARD", "cpp-bluetooth", "cpp"),
        (RadioCpp.service, "cpp-bluetooth", "cpp"),
    ],
)
def test_boards_in_the_air_are_named(monkeypatch, name, driver, description):
    def told(address, *, name=None, services=()):
        advertised = SimpleNamespace(local_name=name, service_uuids=services)
        return SimpleNamespace(name=name, address=address), advertised

    async def discover(timeout, return_adv):  # noqa: ASYNC109 - as bleak has it
        theirs = {"services": [name]} if name == RadioCpp.service else {"name": name}
        return {"0": told("0"), "A:B": told("A:B", **theirs)}

    monkeypatch.setattr("bleak.BleakScanner.discover", discover)
    result = CliRunner().invoke(main, ["boards", "--bluetooth"])
    assert tomllib.loads(result.output) == {
        "board": {"driver": driver, "description": description, "settings": {"address": "A:B"}}
    }


def test_bluetooth_that_cannot_be_used_is_said(monkeypatch):
    async def discover(timeout, return_adv):  # noqa: ASYNC109 - as bleak has it
        raise BleakError("No Bluetooth adapters found")

    monkeypatch.setattr("bleak.BleakScanner.discover", discover)
    result = CliRunner().invoke(main, ["boards", "--bluetooth"])
    assert result.exit_code == 4
    assert "No Bluetooth adapters found. Is it switched on?" in result.output


def test_the_command_says_when_there_is_none(tmp_path):
    result = CliRunner().invoke(main, ["boards", str(tmp_path / "nothing")])
    assert result.exit_code == 4
    assert "Is it switched on" in result.output
