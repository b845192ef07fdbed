"""The Pi's header as the firmware sees a chip: MicroPython's `machine` over gpiozero and Linux.

Pins go through gpiozero, so that every Pi model works that its pin factories know, and tests run on
its mock pins; SPI goes through spidev and I2C through smbus2.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from drivers.gpio_board.leds import HZ, SpiLine

if TYPE_CHECKING:
    from gpiozero import GPIODevice, PWMOutputDevice


class NoHeaderError(OSError):
    """There is no Raspberry Pi header here."""


class Closable(Protocol):
    """A pin or a bus that must be given back."""

    def close(self) -> None:
        """Give it back."""


CHIP_SELECTS = {11: (0, (8, 7)), 21: (1, (18, 17, 16))}
"""Clock pin -> number of the SPI bus, and the chip selects that Linux moves by itself."""
DATA_OUT = {10: 11, 20: 21}
"""Data output of a bus -> its clock pin."""
_LABEL = "pinctrl-"
"""So begins the name of the chip behind the header: `pinctrl-bcm2711`, `pinctrl-rp1`, ..."""


def header_chip(devices: Iterable[Path] | None = None) -> int:
    """Return the number of the chip behind the header.

    Kernels number it differently, 4 on some of a Pi 5, 0 on others; its label is always the same.

    Raises:
        PermissionError: this user may not look at one of the chips, and the others are not it.
        NoHeaderError: none of the chips is one of a Pi's header.
    """
    import lgpio

    closed = None
    for device in sorted(Path("/dev").glob("gpiochip*") if devices is None else devices):
        number = int(device.name.removeprefix("gpiochip"))
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            closed = device
            continue
        label = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
        if label.startswith(_LABEL):
            return number
    if closed:
        raise PermissionError(errno.EACCES, "Permission denied", str(closed))
    raise NoHeaderError("This machine has no Raspberry Pi header.")


def use_pin_factory() -> None:
    """Have gpiozero use the factory it was told to use, or else the one for this Pi's header."""
    from gpiozero import Device

    if Device.pin_factory is None and "GPIOZERO_PIN_FACTORY" not in os.environ:
        from gpiozero.pins.lgpio import LGPIOFactory

        Device.pin_factory = LGPIOFactory(chip=header_chip())


class Pin:
    """One pin that was claimed as an input or an output, or only named."""

    def __init__(self, number: int, device: GPIODevice | None = None) -> None:
        self.number = number
        self._device = device

    def value(self, level: int | None = None) -> int:
        """Set the level, or read it when none is given; a pin that was only named reads 1."""
        if self._device is None:
            return 1
        if level is None:
            return int(self._device.pin.state)
        self._device.pin.state = level
        return level


class Pins:
    """Makes pins; called as MicroPython's class `Pin` is."""

    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1

    def __init__(self, header: Header) -> None:
        self._header = header

    def __call__(self, number: int, mode: int = -1, _pull: int = PULL_UP, value: int = 1) -> Pin:
        """Return the pin with this GPIO number, claimed if a direction is given.

        Inputs always have a pull-up: the firmware asks for no others.
        """
        from gpiozero import InputDevice, OutputDevice

        if mode == -1 or number == self._header.moved_by_kernel:
            return Pin(number)
        if mode == self.IN:
            device = InputDevice(number, pull_up=True)
            self._header.inputs[number] = device
        else:
            # A diode in every row of a matrix keeps a high level from the others: rows need not
            # be open drains.
            device = OutputDevice(number, initial_value=bool(value))
        self._header.keep(device)
        return Pin(number, device)


class Spi:
    """One SPI bus with its mode and speed."""

    def __init__(self, device: Any) -> None:  # noqa: ANN401 - spidev has no types
        self._device = device

    def readinto(self, buffer: bytearray, write: int = 0) -> None:
        """Fill the buffer, sending `write` all the while."""
        buffer[:] = bytes(self._device.xfer2([write] * len(buffer)))

    def write(self, data: bytes | bytearray) -> None:
        """Send the bytes, ignoring what comes back."""
        self._device.writebytes2(data)

    def write_readinto(self, data: bytes | bytearray, buffer: bytearray) -> None:
        """Send and receive at once."""
        buffer[:] = bytes(self._device.xfer2(list(data)))


class I2c:
    """The header's I2C bus."""

    def __init__(self, bus: Any) -> None:  # noqa: ANN401 - smbus2 has no types
        self._bus = bus

    def writeto(self, address: int, data: bytes | bytearray) -> int:
        """Send the bytes to a device; raise OSError when none answers."""
        import smbus2

        self._bus.i2c_rdwr(smbus2.i2c_msg.write(address, list(data)))
        return len(data)


class Tone:
    """A buzzer, driven by pulse-width modulation."""

    def __init__(self, output: PWMOutputDevice) -> None:
        self._output = output

    def freq(self, hertz: int) -> None:
        """Set the pitch."""
        self._output.frequency = hertz

    def duty_u16(self, duty: int) -> None:
        """Set the share of time the output is high, of 65535; 0 is silence."""
        self._output.value = duty / 65535


class Levels:
    """The register of all pins' levels, as a Pico has it; here only inputs are in it."""

    def __init__(self, inputs: Mapping[int, GPIODevice]) -> None:
        self._inputs = inputs

    def __getitem__(self, address: int) -> int:
        """Return one bit a pin, whichever register is asked for."""
        return sum(int(device.pin.state) << number for number, device in self._inputs.items())


class Header:
    """What the firmware calls `machine`, while it is open.

    Args:
        lamp_select: the pin that selects the LED driver, if there is one.

    Attributes:
        inputs: input pins by number.
        moved_by_kernel: the same pin where it is a chip select, which Linux moves by itself.
    """

    def __init__(self, lamp_select: int | None = None) -> None:
        use_pin_factory()
        self._open = ExitStack()
        self._lamp_select = lamp_select
        selects = {select for _, of_bus in CHIP_SELECTS.values() for select in of_bus}
        self.moved_by_kernel = lamp_select if lamp_select in selects else None
        self.inputs: dict[int, GPIODevice] = {}
        self.Pin = Pins(self)
        self.mem32 = Levels(self.inputs)

    def keep(self, device: Closable) -> None:
        """Close this device when the header is closed."""
        self._open.callback(device.close)

    def close(self) -> None:
        """Give all pins and buses back."""
        self._open.close()

    def SPI(  # noqa: N802 - so MicroPython calls it
        self, _block: int, *, baudrate: int, polarity: int, phase: int, sck: Pin, **_others: Pin
    ) -> Spi:
        """Open the bus that a clock pin belongs to.

        Linux moves a chip select with every transfer: that of the LED driver for the LED driver,
        for all others one that it does not listen to.
        """
        bus, selects = CHIP_SELECTS[sck.number]
        for_lamps = polarity == 0 and self._lamp_select in selects
        others = [n for n, select in enumerate(selects) if select != self._lamp_select]
        place = selects.index(self._lamp_select) if for_lamps else others[0]
        return Spi(self._spi(bus, place, baudrate, polarity << 1 | phase))

    def I2C(self, *_pins: object, **_named: object) -> I2c:  # noqa: N802 - so MicroPython calls it
        """Open the header's I2C bus."""
        return I2c(self.smbus())

    def PWM(self, pin: Pin) -> Tone:  # noqa: N802 - so MicroPython calls it
        """Claim a pin for a buzzer."""
        from gpiozero import PWMOutputDevice

        output = PWMOutputDevice(pin.number, frequency=440)
        self.keep(output)
        return Tone(output)

    def line(self, data_pin: int) -> SpiLine:
        """Return a line for WS2812 LEDs on a bus's data output."""
        bus, _ = CHIP_SELECTS[DATA_OUT[data_pin]]
        return SpiLine(self._spi(bus, 0, HZ, 0).writebytes2)

    def smbus(self) -> Any:  # noqa: ANN401 - smbus2 has no types
        """Open the header's I2C bus, number 1 on all models."""
        import smbus2

        bus = smbus2.SMBus(1)
        self.keep(bus)
        return bus

    def _spi(self, bus: int, device: int, hz: int, mode: int) -> Any:  # noqa: ANN401 - no types
        import spidev

        opened = spidev.SpiDev()
        opened.open(bus, device)
        self.keep(opened)
        opened.max_speed_hz, opened.mode = hz, mode
        return opened
