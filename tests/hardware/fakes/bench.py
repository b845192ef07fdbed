"""A workbench: the chip's pins, and the chips that a configuration wires to them."""

from chips import (
    Ht16k33Chip,
    Max7219Chain,
    Mfrc522Chip,
    Pn532Chip,
    ShiftRegisters,
    Ws2812Chain,
)


def _numbered(pins, name):
    return [pins[name + str(n)] for n in range(16) if name + str(n) in pins]


class Bench:
    """Everything outside the microcontroller. There is one at a time: `bench.now`."""

    def __init__(self, config):
        self.levels = {}
        self.inputs = {}
        self.watchers = []
        self.clocks = {}  # clock pin -> function that answers a byte
        self.buses = {}  # clock pin -> polarity, phase, and the fastest clock that is allowed
        self.i2c = {}
        self.tone = None
        self.tones = []
        self.fed = 0
        self.resets = 0
        self.pulls = set()
        self.modes = {}
        cells = config["cells"]
        self.contacts = None
        self.matrix = None
        self._wire_reeds(config["reeds"], cells)
        self.readers = []
        if config["tags"]:
            self._wire_readers(config["tags"], cells)
        self.leds = None
        if config["leds"]:
            self._wire_leds(config["leds"])

    def put(self, cell, *uids):
        """Stand something on a cell: its reed closes, its tags come into the field."""
        from chips import Tag

        self.closed.add(cell)
        if self.readers:
            self.readers[cell].tags = [Tag(uid) for uid in uids]

    def lift(self, cell):
        self.closed.discard(cell)
        if self.readers:
            self.readers[cell].tags = []

    @property
    def closed(self):
        return self.contacts.closed if self.contacts else self.matrix

    def set_pin(self, number, level):
        if self.levels.get(number) != level:
            self.levels[number] = level
            for watcher in self.watchers:
                watcher(number, level)

    def get_pin(self, number):
        if number in self.inputs:
            return self.inputs[number]
        return self.levels.get(number, 1)

    def gpio_in(self):
        """What the eight columns of the matrix read now."""
        word = 0
        for column in range(8):
            level = 1
            for row, pin in enumerate(self.rows):
                if self.levels.get(pin) == 0 and row * 8 + 7 - column in self.matrix:
                    level = 0
            word |= level << (self.column0 + column)
        return word

    def _wire_reeds(self, reeds, cells):
        pins = reeds["pins"]
        if reeds["kind"] == "74hc165":
            self.contacts = ShiftRegisters(cells, pins["load"])
            self.watchers.append(self.contacts.on_pin)
            self._wire_bus(pins["clock"], ShiftRegisters, self.contacts.exchange)
        else:
            self.matrix = set()
            self.rows = _numbered(pins, "row")
            self.column0 = pins["column0"]

    def _wire_readers(self, tags, cells):
        pins = tags["pins"]
        chip = Pn532Chip if tags["kind"] == "pn532" else Mfrc522Chip
        self.readers = [chip() for _ in range(cells)]
        self.chosen = None
        if "enable" in pins:
            address = _numbered(pins, "address")

            def decode(number, level):
                if number == pins["enable"]:
                    chosen = sum(self.levels.get(pin, 0) << bit for bit, pin in enumerate(address))
                    self._choose(None if level else chosen)
                elif number in address:
                    assert self.levels.get(pins["enable"], 1), "address changed while enabled"

            self.watchers.append(decode)
        else:
            selects = _numbered(pins, "select")
            antennas = _numbered(pins, "antenna")
            share = (cells + tags["count"] - 1) // tags["count"] if antennas else 1

            def decode(number, level):
                if number in selects:
                    antenna = sum(
                        self.levels.get(pin, 0) << bit for bit, pin in enumerate(antennas)
                    )
                    self._choose(None if level else selects.index(number) * share + antenna)

            self.watchers.append(decode)
        self._wire_bus(pins["clock"], chip, self._to_reader)

    def _wire_bus(self, clock, chip, answer):
        self.clocks[clock] = answer
        self.buses[clock] = chip.bus

    def _choose(self, number):
        self.chosen = number
        if number is not None:
            self.readers[number].selected()

    def _to_reader(self, byte):
        return 0xFF if self.chosen is None else self.readers[self.chosen].exchange(byte)

    def _wire_leds(self, leds):
        pins, count = leds["pins"], leds["count"]
        if leds["driver"] == "ws2812":
            self.leds = Ws2812Chain(count)
        elif leds["driver"] == "max7219":
            self.leds = Max7219Chain((count + 63) // 64, pins["select"])
            self.watchers.append(self.leds.on_pin)
            self._wire_bus(pins["clock"], Max7219Chain, self.leds.exchange)
        else:
            self.leds = Ht16k33Chip()
            self.i2c[leds["address"]] = self.leds


now = None


def build(config):
    """Set up a bench for this configuration and make it the current one."""
    global now  # noqa: PLW0603 - as there is one workbench
    now = Bench(config)
    return now
