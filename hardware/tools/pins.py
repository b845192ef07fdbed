"""Which pin does what: on the Pico's forty legs, or on the Pi's header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from drivers.description import BoardDescription
from hardware.tools.netlist import pinouts


@dataclass(frozen=True, slots=True)
class Controller:
    """What the board's wires lead to.

    Attributes:
        name: what it is called in drawings.
        kind: what it is.
        legs: GPIO number -> leg; other GPIOs reach no leg.
        power: supply -> leg.
    """

    name: str
    kind: str
    legs: dict[int, int]
    power: dict[str, int]


def _legs(part: str) -> dict[int, int]:
    pins = pinouts()[part].pins
    return {int(pin.name[2:]): pin.number for pin in pins if pin.name.startswith("GP")}


PICO = Controller("Pico", "Raspberry Pi Pico", _legs("pico"), {"VBUS 5V": 40, "3V3": 36, "GND": 38})
PI = Controller(
    "Pi", "Raspberry Pi, 40-pin header", _legs("pi"), {"VBUS 5V": 2, "3V3": 1, "GND": 6}
)


def controller(description: BoardDescription) -> Controller:
    """Return what scans the board: the Pi itself, or a Pico."""
    return PI if description.controller == "pi-header" else PICO


Direction = Literal["in", "out"]

PURPOSES: dict[tuple[str, str], tuple[Direction, str, str]] = {
    ("reeds", "clock"): ("out", "CP of all 74HC165", "SPI"),
    ("reeds", "data"): ("in", "Q7 of the nearest 74HC165", "SPI"),
    ("reeds", "load"): ("out", "PL of all 74HC165", ""),
    ("reeds", "idle"): ("out", "nothing: taken by the SPI block", "SPI"),
    ("tags", "clock"): ("out", "SCK of all readers, by way of the banks' 74HC125", "SPI"),
    ("tags", "mosi"): ("out", "MOSI of all readers, by way of the banks' 74HC125", "SPI"),
    ("tags", "miso"): ("in", "MISO of all readers, by way of the banks' 74HC125", "SPI"),
    ("tags", "reset"): ("out", "NRSTPD of all readers", ""),
    ("tags", "enable"): ("out", "E0 of the 74HC154: low while a reader is chosen", ""),
    ("leds", "select"): ("out", "LOAD of the LED drivers", ""),
}


@dataclass(frozen=True, slots=True)
class PinUse:
    """One GPIO and what it does."""

    gpio: int
    section: str
    name: str
    direction: Direction
    goes_to: str
    peripheral: str = ""


def pin_uses(description: BoardDescription) -> tuple[PinUse, ...]:
    """Return every pin the description names, by GPIO number; pins named twice stand twice."""
    return tuple(sorted(_uses(description), key=lambda use: (use.gpio, use.section, use.name)))


def _uses(description: BoardDescription) -> Iterator[PinUse]:
    for button in description.buttons:
        if button.pin is not None:
            yield PinUse(button.pin, "button", button.name, "in", "button, other leg to ground")
    if description.buzzer and description.buzzer.pin is not None:
        yield PinUse(description.buzzer.pin, "buzzer", "tone", "out", "buzzer, 100 Ohm, ground")
    if description.leds:
        for name, gpio in description.leds.pins.items():
            yield _led(description.leds.driver, name, gpio)
    if description.reeds:
        pins = description.reeds.pins
        for name, gpio in pins.items():
            yield from _reed(name, gpio, sum(pin.startswith("row") for pin in pins))
    if description.tags:
        for name, gpio in description.tags.pins.items():
            yield _tag(name, gpio)


def _led(driver: str, name: str, gpio: int) -> PinUse:
    if driver == "ws2812":
        return PinUse(gpio, "leds", name, "out", "74AHCT125, then DIN of the first LED", "PIO")
    if driver == "ht16k33":
        return PinUse(gpio, "leds", name, "out", "SCL" if name == "clock" else "SDA", "I2C")
    if name == "idle":
        return PinUse(gpio, "leds", name, "in", "nothing: taken by the SPI block", "SPI")
    where = {"clock": "CLK", "data": "DIN", "select": "LOAD"}.get(name, name)
    return PinUse(
        gpio,
        "leds",
        name,
        "out",
        f"{where} of the MAX7219, by way of the 74AHCT125",
        "" if name == "select" else "SPI",
    )


def _reed(name: str, gpio: int, rows: int) -> Iterator[PinUse]:
    if name == "column0":
        for column in range(8):
            yield PinUse(gpio + column, "reeds", f"column{column}", "in", f"column {7 - column}")
    elif name.startswith("row"):
        diodes = ", diodes towards the Pico" if rows > 1 else ": one leg of every reed"
        yield PinUse(gpio, "reeds", name, "out", f"row {name[3:]}{diodes}")
    else:
        direction, goes_to, peripheral = PURPOSES.get(("reeds", name), ("out", name, ""))
        yield PinUse(gpio, "reeds", name, direction, goes_to, peripheral)


def _tag(name: str, gpio: int) -> PinUse:
    if name.startswith("address"):
        bit = int(name[7:])
        goes_to = f"A{bit} of every 74HC138" if bit < 3 else f"A{bit - 3} of the 74HC154"
        return PinUse(gpio, "tags", name, "out", goes_to)
    if name.startswith(("select", "antenna")):
        return PinUse(gpio, "tags", name, "out", f"{name} of the readers")
    direction, goes_to, peripheral = PURPOSES.get(("tags", name), ("out", name, ""))
    return PinUse(gpio, "tags", name, direction, goes_to, peripheral)
