"""Boards on the Pi's own header: the driver, the firmware in its thread, and emulated chips."""

import asyncio
import sys
import types
from contextlib import asynccontextmanager
from pathlib import Path

import gpiozero
import pytest

from drivers.description import DescriptionError, load_description
from drivers.driver_registry import create
from drivers.gpio_board import header
from drivers.gpio_board.driver import gpio_board
from drivers.gpio_board.leds import longest_chain
from drivers.port import BoardNotice, ButtonEvent, CellEvent, Lights, LinkChanged, Snapshot
from drivers.testing.conformance import Bench, ConformanceSuite
from tests.drivers.commercial.table_on import STARTING, play_the_computer
from tests.drivers.gpio.pi import MODELS, Pi, on_header
from tests.patience import soon

MAX7219 = {"driver": "max7219", "colours": "single",
           "pins": {"clock": 11, "data": 10, "select": 8}}  # fmt: skip
HT16K33 = {"driver": "ht16k33", "colours": "single", "pins": {"clock": 3, "data": 2},
           "address": 0x70}  # fmt: skip
WS2812 = {"driver": "ws2812", "colours": "rgb", "order": "serpentine", "pins": {"data": 10}}
EXPANDERS = {"kind": "mcp23017", "pins": {"clock": 3, "data": 2}, "scan_hz": 200,
             "addresses": (0x20, 0x21, 0x22, 0x23, 0x24)}  # fmt: skip
ROWS = dict(zip((f"row{n}" for n in range(8)), (5, 6, 13, 26, 14, 15, 16, 4), strict=True))
MATRIX = {"kind": "diode-matrix", "pins": {"column0": 18, **ROWS}, "scan_hz": 100}


class PiBench(Bench):
    def __init__(self, driver, pi, hands):
        super().__init__(driver)
        self.pi = pi
        self.hands = hands

    async def perform(self):
        for hand in self.hands:
            if hand.button:
                before = self.presses()
                self.pi.press(hand.button, down=True)
                await self.until(lambda before=before: self.presses() > before)
                self.pi.press(hand.button, down=False)
            elif hand.tag is None:
                self.pi.lift(hand.cell)
            else:
                self.pi.put(hand.cell)
            await self.scanned()

    def presses(self):
        return sum(isinstance(event, ButtonEvent) for event in self.seen)

    async def scanned(self):
        """Wait until the firmware has looked at everything often enough to believe it."""
        board = self.driver._transport._board
        before = board.scans
        await self.until(lambda: board.scans >= before + 4)

    def lit(self):
        return self.pi.lit()

    async def unplug(self):
        self.pi.plugged = False

    async def replug(self):
        self.pi.plugged = True


class TestRegistersAndLamps(ConformanceSuite):
    sections = {"leds": MAX7219}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def _patching(self, monkeypatch):
        self.monkeypatch = monkeypatch

    def reading(self, tag):
        return True

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        pi = Pi(self.monkeypatch, on_header(**self.sections))
        for cell in start:
            pi.put(cell)
        async with gpio_board(pi.description) as driver:
            yield PiBench(driver, pi, hands)
        assert pi.opened == [], "all buses are given back"


class TestRegistersAndStrip(TestRegistersAndLamps):
    sections = {"leds": WS2812}  # noqa: RUF012


class TestExpanders(TestRegistersAndLamps):
    sections = {"leds": HT16K33, "reeds": EXPANDERS}  # noqa: RUF012


class TestMatrix(TestRegistersAndLamps):
    sections = {"leds": MAX7219, "reeds": MATRIX}  # noqa: RUF012
    can_be_unplugged = False  # its contacts hang on no bus that could be gone


@asynccontextmanager
async def running(pi):
    """Open the board of a Pi and collect what it says."""
    seen = []

    async def watch(driver):
        async for event in driver.events():
            seen.append(event)  # noqa: PERF401 - looked at while it grows

    async with create("gpio", pi.description, {}) as driver:
        watching = asyncio.create_task(watch(driver))
        yield driver, seen
    await watching


def one(seen, kind):
    return next((event for event in seen if isinstance(event, kind)), None)


@pytest.mark.parametrize("model", MODELS)
async def test_every_model_plays(monkeypatch, model):
    pi = Pi(monkeypatch, on_header(leds=MAX7219), model)
    async with running(pi) as (driver, seen):
        await soon(lambda: one(seen, Snapshot))
        pi.put("c3")
        await soon(lambda: one(seen, CellEvent))
        await driver.sound("attention")
        await soon(lambda: len(pi.tones) >= 2)
    assert one(seen, CellEvent).cell == "c3"
    assert 1175 in pi.tones


@pytest.mark.parametrize("kind", [WS2812, MAX7219])
async def test_every_cell_and_its_light_are_where_the_description_says(monkeypatch, kind):
    pi = Pi(monkeypatch, on_header(leds=kind, orientation={"turned": 180}))
    async with running(pi) as (driver, seen):
        await soon(lambda: one(seen, Snapshot))
        for cell in pi.description.cells[::7]:
            pi.put(cell)
            await driver.show(Lights({cell: "must-go-here"}))
            await soon(lambda cell=cell: pi.lit() == {cell})
    felt = [event.cell for event in seen if isinstance(event, CellEvent)]
    assert felt == list(pi.description.cells[::7])


async def test_lights_that_are_gone_are_told_and_the_game_goes_on(monkeypatch):
    pi = Pi(monkeypatch, on_header(leds=MAX7219, reeds=MATRIX))
    async with running(pi) as (driver, seen):
        await soon(lambda: one(seen, Snapshot))
        pi.plugged = False
        await driver.show(Lights({"e4": "check"}))
        await soon(lambda: one(seen, BoardNotice))
        pi.put("c3")
        await soon(lambda: one(seen, CellEvent))
        pi.plugged = True
        await soon(lambda: pi.lit() == {"e4"})
    assert one(seen, BoardNotice).code == "light-fault"


async def test_a_broken_chain_is_told(monkeypatch):
    pi = Pi(monkeypatch, on_header(leds=MAX7219))
    async with running(pi) as (_, seen):
        await soon(lambda: one(seen, Snapshot))
        pi.contacts.unplugged = True
        await soon(lambda: one(seen, BoardNotice))
    assert one(seen, BoardNotice).code == "contacts-broken"
    assert one(seen, CellEvent) is None


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "No such file or directory", "/dev/spidev0.0"), "raspi-config"),
        (PermissionError(13, "Permission denied", "/dev/spidev0.0"), "usermod -aG gpio,spi,i2c"),
        (OSError(5, "Input/output error"), "wires and its supply"),
        (header.NoHeaderError("This machine has no Raspberry Pi header."), "another board.driver"),
        (ImportError("No module named 'spidev'"), "Install firmware-bridge"),
    ],
)
async def test_what_is_wrong_with_the_header_is_explained(monkeypatch, error, words):
    pi = Pi(monkeypatch, on_header(leds=MAX7219))

    class Broken:
        def open(self, bus, device):
            raise error

        def close(self):
            pass

    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=Broken))
    async with running(pi) as (_, seen):
        await soon(lambda: one(seen, LinkChanged))
    assert not one(seen, LinkChanged).up
    assert words in one(seen, LinkChanged).text


@pytest.mark.parametrize(
    ("description", "words"),
    [
        (load_description("starter"), 'controller = "pi-header"'),
        (on_header(reeds={"kind": "74hc165", "pins": {"clock": 6, "data": 4, "load": 5}}), "11 or"),
        (on_header(leds=WS2812 | {"pins": {"data": 18}}), "GPIO 10 or 20, not 18"),
        (on_header(leds=WS2812 | {"per_cell": 8}), f"can send to {longest_chain()} at once"),
        (on_header(leds=MAX7219 | {"pins": {"clock": 3, "data": 10, "select": 8}}), "leds.pins"),
        (on_header(buttons=[{"name": "white"}]), "buttons without a pin: white"),
    ],
)
def test_a_board_that_cannot_be_on_the_header_is_refused(description, words):
    with pytest.raises(DescriptionError, match=words):
        gpio_board(description)


class Chips:
    """The chips of a machine by number, as lgpio shows them."""

    error = type("error", (Exception,), {})

    def __init__(self, labels):
        self.labels = labels

    def gpiochip_open(self, number):
        if self.labels[number] is None:
            raise self.error("no permission")
        return number + 100

    def gpio_get_chip_info(self, handle):
        return (0, 54, f"gpiochip{handle - 100}", self.labels[handle - 100])

    def gpiochip_close(self, handle):
        assert handle >= 100


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d517c00"}, 4),
        ({0: "pinctrl-rp1", 4: "gpio-brcmstb@107d508500"}, 0),
        ({0: None, 11: "pinctrl-rp1"}, 11),
    ],
)
def test_the_headers_chip_is_found_by_its_label(monkeypatch, labels, number):
    monkeypatch.setitem(sys.modules, "lgpio", Chips(labels))
    devices = [Path(f"/dev/gpiochip{each}") for each in labels]
    assert header.header_chip(devices) == number


def test_a_machine_without_a_header_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", Chips({0: "gpio_ich"}))
    with pytest.raises(header.NoHeaderError, match="no Raspberry Pi header"):
        header.header_chip([Path("/dev/gpiochip0")])


def test_a_chip_that_this_user_may_not_open_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", Chips({0: None, 1: "raspberrypi-exp-gpio"}))
    with pytest.raises(PermissionError, match="gpiochip0"):
        header.header_chip([Path("/dev/gpiochip0"), Path("/dev/gpiochip1")])


def test_a_factory_chosen_by_the_user_is_kept(monkeypatch):
    chosen = object()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", chosen)
    header.use_pin_factory()
    assert gpiozero.Device.pin_factory is chosen


class Contacts:
    """The contacts below the pieces, which feel that something stands there."""

    def __init__(self, pi, driver):
        self.pi, self.bench = pi, PiBench(driver, pi, ())

    def put(self, cell, label):
        (self.pi.lift if label is None else self.pi.put)(cell)

    async def noticed(self):
        await self.bench.scanned()


async def test_a_computer_is_played_on_the_header(monkeypatch):
    pi = Pi(monkeypatch, on_header(leds=MAX7219))
    for cell in STARTING:
        pi.put(cell)
    async with gpio_board(pi.description) as driver:
        await play_the_computer(driver, Contacts(pi, driver))
        assert not pi.lit()
