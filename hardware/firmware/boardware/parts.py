"""What a board is made of, put together from its configuration.

`machine` and `rp2` are MicroPython's modules of these names; tests hand in ones whose pins lead to
emulated chips. The configuration is what `firmware-bridge firmware build` makes of a description.
"""

from boardware import ticks
from boardware.board import Buttons
from boardware.chip_select import AntennaSwitch, DecodedSelect, DirectSelect
from boardware.debounce import Debouncer
from boardware.lights import Lights
from boardware.scan import DiodeMatrix, ShiftChain
from boardware.sounds import Sounds
from boardware.tags import TagScheduler
from drivers.link.board_session import Identity

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Generator
    from typing import Any

    from boardware.chip_select import Select
    from boardware.edge import Scanner
    from boardware.lamps.ht16k33 import Ht16k33
    from boardware.lamps.max7219 import Max7219
    from boardware.lamps.ws2812 import Ws2812
    from boardware.readers.mfrc522 import Mfrc522
    from boardware.readers.pn532 import Pn532

    Config = dict[str, Any]
    Module = Any

RESET_MS = 50
"""How long readers are given after their reset line rises."""


def identity(config: "Config", board_id: bytes) -> Identity:
    """Return what a board of this configuration says of itself in its greeting.

    Args:
        config: the configuration.
        board_id: eight bytes that tell this board from others of its kind.
    """
    return Identity(
        config["name"],
        config["fingerprint"],
        config["tier"],
        config["cells"],
        len(config["buttons"]),
        config["capabilities"],
        tuple(config["firmware"]),
        board_id,
        config["description"].encode(),
    )


class Parts:
    """The parts of one board; see the module.

    Args:
        config: the configuration.
        machine: MicroPython's `machine`, or the like.
        make_line: makes, from a pin's number, a line for WS2812 LEDs (`boardware.pico`).
    """

    def __init__(self, config: "Config", machine: "Module", make_line: "Any") -> None:
        self._machine = machine
        self._make_line = make_line
        self._hz: dict[str, int] = config["hz"]
        self.scan_hz: int = config["reeds"]["scan_hz"]
        self.scanner = self._scanner(config["reeds"], config["cells"])
        self.debouncer = Debouncer(self.scanner.size)
        self.buttons = Buttons([self._input(pin) for pin in config["buttons"]])
        self.sounds = None if config["buzzer"] is None else Sounds(self._tone(config["buzzer"]))
        self.lamps: Ws2812 | Max7219 | Ht16k33 | None = None
        self.lights: Lights | None = None
        if config["leds"]:
            self._light(config["leds"], config["signals"])
        self.readers: list[Mfrc522 | Pn532] = []
        self.tags: TagScheduler | None = None
        if config["tags"]:
            self.readers = self._make_readers(config["tags"], config["cells"])
            self.tags = TagScheduler(self.readers)

    def self_test(self) -> "Generator[None, None, list[int]]":
        """Set up every reader anew; return the cells whose reader did not answer."""
        failed = []
        for cell, reader in enumerate(self.readers):
            if not (yield from reader.set_up()):
                failed.append(cell)
        return failed

    def _output(self, number: int, level: int) -> "Any":
        pin = self._machine.Pin
        return pin(number, pin.OUT, value=level)

    def _input(self, number: int) -> "Any":
        pin = self._machine.Pin
        return pin(number, pin.IN, pin.PULL_UP)

    def _tone(self, number: int) -> "Any":
        return self._machine.PWM(self._machine.Pin(number))

    def _spi(self, pins: "dict[str, int]", baudrate: int, polarity: int = 0) -> "Any":
        """Open the SPI block that the clock pin belongs to.

        All three pins are given: MicroPython would take a missing one from its defaults, where
        something else may be wired. On the RP2040, pins 0 to 7 and 16 to 23 belong to block 0, 8
        to 15 and 24 to 29 to block 1.
        """
        pin = self._machine.Pin
        return self._machine.SPI(
            pins["clock"] >> 3 & 1,
            baudrate=baudrate,
            polarity=polarity,
            phase=0,
            sck=pin(pins["clock"]),
            mosi=pin(pins["mosi"]),
            miso=pin(pins["miso"]),
        )

    def _scanner(self, reeds: "Config", contacts: int) -> "Scanner":
        pins = reeds["pins"]
        if reeds["kind"] == "74hc165":
            bus = {"clock": pins["clock"], "miso": pins["data"], "mosi": pins["idle"]}
            spi = self._spi(bus, self._hz["74hc165"], polarity=1)
            return ShiftChain(spi, self._output(pins["load"], 1), contacts)
        pin = self._machine.Pin
        rows = [
            pin(pins["row%d" % row], pin.OPEN_DRAIN, value=1) for row in range((contacts + 7) // 8)
        ]
        for column in range(8):
            self._input(pins["column0"] + column)
        return DiodeMatrix(rows, pins["column0"], self._machine.mem32, lambda: ticks.sleep_us(5))

    def _light(self, leds: "Config", signals: "Config") -> None:
        pins, count, driver = leds["pins"], leds["count"], leds["driver"]
        if driver == "ws2812":
            from boardware.lamps.ws2812 import Ws2812

            self.lamps = Ws2812(self._make_line(pins["data"]), count)
        elif driver == "max7219":
            from boardware.lamps.max7219 import Max7219

            bus = {"clock": pins["clock"], "mosi": pins["data"], "miso": pins["idle"]}
            spi = self._spi(bus, self._hz["max7219"])
            select = self._output(pins["select"], 1)
            self.lamps = Max7219(spi, select, count, leds["brightness"])
        else:
            from boardware.lamps.ht16k33 import Ht16k33

            pin = self._machine.Pin
            # Pins 2, 3, 6, 7, ... belong to block 1, the others to block 0.
            i2c = self._machine.I2C(
                pins["clock"] >> 1 & 1,
                scl=pin(pins["clock"]),
                sda=pin(pins["data"]),
                freq=self._hz["ht16k33"],
            )
            self.lamps = Ht16k33(i2c, leds["address"], count, leds["brightness"])
        self.lights = Lights(
            positions=leds["positions"],
            per_cell=leds["per_cell"],
            count=count,
            looks={int(number): (look[:3], look[3]) for number, look in signals.items()},
            colours=leds["colours"],
            order=self.lamps.ORDER,
            # The chips that drive single colours dim by themselves.
            brightness=leds["brightness"] if leds["colours"] else 1,
            limit_ma=leds["limit_ma"],
        )

    def _make_readers(self, tags: "Config", cells: int) -> "list[Mfrc522 | Pn532]":
        pins = tags["pins"]
        if "reset" in pins:
            reset = self._output(pins["reset"], 0)
            ticks.sleep_ms(2)
            reset.value(1)
            ticks.sleep_ms(RESET_MS)
        spi = self._spi(pins, self._hz[tags["kind"]])
        if tags["kind"] == "mfrc522":
            from boardware.readers.mfrc522 import Mfrc522 as Reader
        else:
            from boardware.readers.pn532 import Pn532 as Reader  # type: ignore[assignment]
        select = self._select(tags, cells)
        return [Reader(spi, select, cell) for cell in range(cells)]

    def _select(self, tags: "Config", cells: int) -> "Select":
        pins = tags["pins"]
        if "enable" in pins:
            address = [self._output(pin, 0) for pin in _numbered(pins, "address")]
            return DecodedSelect(address, self._output(pins["enable"], 1))
        direct = DirectSelect([self._output(pin, 1) for pin in _numbered(pins, "select")])
        if tags["multiplexing"] != "antenna":
            return direct
        antennas = [self._output(pin, 0) for pin in _numbered(pins, "antenna")]
        return AntennaSwitch(direct, antennas, (cells + tags["count"] - 1) // tags["count"])


def _numbered(pins: "dict[str, int]", name: str) -> list[int]:
    """Return the pins called name0, name1, ... in this order."""
    found: list[int] = []
    while "%s%d" % (name, len(found)) in pins:
        found.append(pins["%s%d" % (name, len(found))])
    return found
