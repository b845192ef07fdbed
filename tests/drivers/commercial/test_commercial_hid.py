"""Finding and opening USB HID devices."""

import pytest

from drivers.commercial.hid import HidTransport, find
from drivers.description import load_description
from drivers.driver_registry import create
from tests.drivers.commercial.test_commercial_bluetooth import first_loss
from tests.patience import in_time


def device(root, name, vendor, descriptor):
    place = root / name / "device"
    place.mkdir(parents=True)
    uevent = f"DRIVER=hid-generic\nHID_ID=0003:0000{vendor:04X}:00008001\nHID_NAME=Board\n"
    (place / "uevent").write_text(uevent)
    (place / "report_descriptor").write_bytes(descriptor)


def test_the_interface_for_programs_is_found(tmp_path):
    device(tmp_path, "hidraw0", 0x046D, b"\x05\x01\x09\x06")
    device(tmp_path, "hidraw1", 0x2D80, b"\x05\x01\x09\x06")
    device(tmp_path, "hidraw2", 0x2D80, b"\x06\x00\xff\x09\x01")
    assert find(0x2D80, tmp_path) == "/dev/hidraw2"
    assert find(0x1234, tmp_path) is None


async def test_a_missing_board_is_said(tmp_path):
    text = await in_time(first_loss(HidTransport(0x2D80, devices=tmp_path)))
    assert text == "No such board on USB. Is it plugged in and switched on?"


async def test_a_wrong_device_is_said(tmp_path):
    text = await in_time(first_loss(HidTransport(0x2D80, str(tmp_path / "none"))))
    assert "There is no port" in text


async def test_a_missing_permission_is_said(tmp_path, monkeypatch):
    def refused(*_args):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refused)
    text = await in_time(first_loss(HidTransport(0x2D80, "/dev/hidraw9")))
    assert "udev rule" in text


SERIAL = ["certabo", "chesslink", "chessnut", "cpp", "dgt", "sentio"]
BLUETOOTH = ["chesslink", "chessnut", "cpp"]
BLUETOOTH_ONLY = ["ichessone", "pegasus", "square-off"]


@pytest.mark.parametrize(
    ("name", "board", "settings"),
    [
        *((name, name, {"port": "/dev/null"}) for name in SERIAL),
        *((f"{name}-bluetooth", name, {}) for name in BLUETOOTH),
        *((name, name, {"address": "AA:BB:CC:DD:EE:FF"}) for name in BLUETOOTH_ONLY),
        ("livechess", "livechess", {"address": "10.0.0.7", "serial": "12345"}),
    ],
)
def test_the_drivers_are_installed_by_name(name, board, settings):
    driver = create(name, load_description(board), settings)
    assert driver.description.name == board
