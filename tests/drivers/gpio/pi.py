"""A Raspberry Pi on the workbench: gpiozero's mock pins, and emulated chips on SPI and I2C."""

import errno
import sys
import types
from functools import partial

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from drivers.description import BoardDescription, load_description
from tests.hardware.fakes.chips import Ht16k33Chip, Max7219Chain, ShiftRegisters

MODELS = {"Zero 2 W": "902120", "3 B": "a02082", "4 B": "c03111", "5": "d04170"}
CHIP_SELECTS = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}


def on_header(**sections):
    """The shipped board on the Pi's header, with other parts if need be."""
    changed = load_description("starter-header").model_dump() | sections
    return BoardDescription.model_validate(changed)


class Strip:
    """WS2812 LEDs on MOSI: they see the bus's bits in threes, high for one or for two."""

    def __init__(self, count):
        self.colours = [(0, 0, 0)] * count

    def hear(self, data):
        bits = "".join(f"{byte:08b}" for byte in data).lstrip("0")
        values = []
        while (symbol := bits[:3]) in {"100", "110"}:
            values.append(int(symbol[1]))
            bits = bits[3:]
        assert not bits.strip("0"), "something that is no WS2812 bit"
        for led in range(len(values) // 24):
            green, red, blue = (
                int("".join(map(str, values[led * 24 + at : led * 24 + at + 8])), 2)
                for at in (0, 8, 16)
            )
            self.colours[led] = (red, green, blue)

    def lit(self):
        return {number for number, colour in enumerate(self.colours) if any(colour)}


class Mcp23017Chip:
    """Sixteen pins with pull-ups; a closed contact pulls one low. GPA7 and GPB7 are no inputs."""

    def __init__(self):
        self.closed = set()
        self.registers = bytearray(22)
        self.registers[0:2] = b"\xff\xff"

    def write(self, register, data):
        self.registers[register : register + len(data)] = bytes(data)

    def read(self, register, length):
        for port in (0, 1):
            level = self.registers[0x0C + port]  # only pulled-up inputs read high
            for pin in range(7):
                if port * 7 + pin in self.closed:
                    level &= ~(1 << pin)
            self.registers[0x12 + port] = level & self.registers[port]
        return list(self.registers[register : register + length])


class Pi:
    """Everything a driver can reach on one Pi; `closed` holds the sensors that feel something."""

    def __init__(self, monkeypatch, description, model="4 B"):
        self.description = description
        self.plugged = True
        self.tones = []
        self.opened = []
        self.on_bus = []
        self.lamps = None
        self.strip = None
        self.i2c = {}
        self.matrix = {}
        self._wire(description)
        pi = self

        class Pin(MockPWMPin):
            def _change_state(self, value):
                changed = super()._change_state(value)
                if changed:
                    pi.pin_changed(self.info.name, value)
                return changed

            def _get_state(self):
                return pi.column(self.info.name, super()._get_state())

            def _set_frequency(self, value):
                super()._set_frequency(value)
                if value:
                    pi.tones.append(value)

        self.factory = MockFactory(revision=MODELS[model], pin_class=Pin)
        monkeypatch.setattr(gpiozero.Device, "pin_factory", self.factory)
        spidev = types.SimpleNamespace(SpiDev=partial(SpiDev, self))
        message = types.SimpleNamespace(write=lambda address, data: (address, data))
        smbus2 = types.SimpleNamespace(SMBus=partial(SMBus, self), i2c_msg=message)
        monkeypatch.setitem(sys.modules, "spidev", spidev)
        monkeypatch.setitem(sys.modules, "smbus2", smbus2)

    def _wire(self, description):
        reeds, leds = description.reeds, description.leds
        cells = len(description.built)
        self.contacts = None
        if reeds.kind == "74hc165":
            self.contacts = ShiftRegisters(cells, reeds.pins["load"])
            self.on_bus.append(self.contacts)
        elif reeds.kind == "mcp23017":
            self.i2c |= {address: Mcp23017Chip() for address in reeds.addresses}
        if leds.driver == "max7219":
            self.lamps = Max7219Chain((cells + 63) // 64, leds.pins["select"])
            self.on_bus.append(self.lamps)
        elif leds.driver == "ht16k33":
            self.lamps = self.i2c[leds.address] = Ht16k33Chip()
        else:
            self.lamps = self.strip = Strip(cells * leds.per_cell)
        self.levels = {}
        self._closed = set()

    def put(self, cell):
        self._touch(self.description.numbers[cell], closed=True)

    def lift(self, cell):
        self._touch(self.description.numbers[cell], closed=False)

    def press(self, name, *, down):
        (pin,) = (b.pin for b in self.description.buttons if b.name == name)
        mock = self.factory.pin(f"GPIO{pin}")
        (mock.drive_low if down else mock.drive_high)()

    def lit(self):
        positions = self.description.led_positions
        lit = self.lamps.lit()
        return {
            cell
            for cell, at in zip(self.description.cells, positions, strict=True)
            if at is not None and at in lit
        }

    def _touch(self, sensor, *, closed):
        reeds = self.description.reeds
        if self.contacts:
            where, what = self.contacts.closed, sensor
        elif reeds.kind == "mcp23017":
            where, what = self.i2c[reeds.addresses[sensor // 14]].closed, sensor % 14
        else:
            where, what = self._closed, sensor
        (where.add if closed else where.discard)(what)

    def pin_changed(self, name, value):
        number = int(name.removeprefix("GPIO"))
        self.levels[number] = int(value)
        for chip in self.on_bus:
            chip.on_pin(number, int(value))

    def column(self, name, level):
        """What an input of a diode matrix reads: low where a low row meets a closed contact."""
        reeds, number = self.description.reeds, int(name.removeprefix("GPIO"))
        first = reeds.pins.get("column0")
        if first is None or not first <= number < first + 8:
            return level
        column = 7 - (number - first)
        rows = range((len(self.description.built) + 7) // 8)
        low = (row for row in rows if self.levels.get(reeds.pins[f"row{row}"]) == 0)
        return 0 if any(row * 8 + column in self._closed for row in low) else 1

    def transfer(self, select, data, mode):
        """Send bytes over SPI: every chip on the bus sees them, those that it is not for too."""
        self._check()
        for chip in self.on_bus:
            chip.on_pin(select, 0)
        answers = [[chip.exchange(byte) for chip in self.on_bus] for byte in data]
        for chip in self.on_bus:
            chip.on_pin(select, 1)
        if self.strip:
            self.strip.hear(data)
        if self.contacts is None:
            return [0] * len(data)
        assert mode in {0b00, 0b10}
        return [answer[0] for answer in answers]

    def chip(self, address):
        """Return the I2C chip that answers at an address."""
        self._check()
        return self.i2c[address]

    def _check(self):
        if not self.plugged:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")


class SpiDev:
    """One opened device of `spidev`."""

    def __init__(self, pi):
        self._pi = pi

    def open(self, bus, device):
        if not self._pi.plugged:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        self._select = CHIP_SELECTS[bus, device]
        self._pi.opened.append(self)

    def close(self):
        self._pi.opened.remove(self)

    def xfer2(self, data):
        assert len(data) <= 4096
        return self._pi.transfer(self._select, data, self.mode)

    def writebytes2(self, data):
        self.xfer2(data)


class SMBus:
    """The bus of `smbus2`."""

    def __init__(self, pi, bus):
        assert bus == 1
        self._pi = pi
        pi.opened.append(self)

    def close(self):
        self._pi.opened.remove(self)

    def write_i2c_block_data(self, address, register, data):
        self._pi.chip(address).write(register, data)

    def read_i2c_block_data(self, address, register, length):
        return self._pi.chip(address).read(register, length)

    def i2c_rdwr(self, message):
        address, data = message
        self._pi.chip(address).writeto(data)
