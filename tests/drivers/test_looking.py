import pytest
from serial.tools.list_ports_common import ListPortInfo

from drivers.looking import PICO, port_of
from drivers.serial_board import SerialBoard
from drivers.transport import PortUnusableError
from tests.drivers.test_serial_board import FULL, FarEnd
from tests.patience import in_time


def plugged(device, ids=(None, None)):
    port = ListPortInfo(device)
    port.vid, port.pid = ids
    return port


ADAPTER = (0x1A86, 0x7523)
UART = plugged("/dev/ttyS0")
PICO_0, PICO_1 = plugged("/dev/ttyACM0", PICO), plugged("/dev/ttyACM1", PICO)
USB_0, USB_1 = plugged("/dev/ttyUSB0", ADAPTER), plugged("/dev/ttyUSB1", ADAPTER)


@pytest.mark.parametrize(
    ("there", "found"),
    [
        ([UART, PICO_0], "/dev/ttyACM0"),
        ([UART, USB_0], "/dev/ttyUSB0"),
        ([USB_1, PICO_1, USB_0], "/dev/ttyACM1"),
    ],
)
def test_the_one_board_there_is_found(there, found):
    assert port_of(there) == found


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ([], "No board is plugged in"),
        ([UART], "No board is plugged in"),
        ([USB_1, USB_0], "/dev/ttyUSB0, /dev/ttyUSB1. Say which: board.settings.port"),
        ([PICO_1, USB_0, PICO_0], "/dev/ttyACM0, /dev/ttyACM1. Say which"),
    ],
)
def test_no_board_and_several_are_told(there, told):
    with pytest.raises(PortUnusableError, match=told):
        port_of(there)


async def test_a_board_that_is_plugged_in_later_is_found_by_itself(monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.05)
    there = []
    monkeypatch.setattr("drivers.looking.comports", lambda: there)
    async with SerialBoard(FULL) as board:
        events = board.events()
        first = await in_time(anext(events))
        assert (first.up, first.text[:22]) == (False, "No board is plugged in")
        end = FarEnd()
        there.append(plugged(end.port, PICO))
        try:
            second = await in_time(anext(events))
            assert second.text.startswith(f"{end.port}: Nothing answers here.")
        finally:
            end.close()
