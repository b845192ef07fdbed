"""HT16K33: 128 single-colour LEDs on I2C."""

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from boardware.edge import I2c

LEDS = 128
OSCILLATOR_ON, DISPLAY_ON, DIMMING = 0x21, 0x81, 0xE0


class Ht16k33:
    """LED n is output n % 8 of byte n // 8: two bytes (16 outputs) a common line.

    Args:
        i2c: the bus, up to 400 kHz.
        address: 0x70 to 0x77.
        count: LEDs in all.
        brightness: 0 to 1; the chip has sixteen steps.
    """

    ORDER = (0, 1, 2)

    def __init__(self, i2c: "I2c", address: int, count: int, brightness: float) -> None:
        self._i2c = i2c
        self._address = address
        self._count = min(count, LEDS)
        self._data = bytearray(1 + LEDS // 8)  # the first byte is the address of the first row
        self._row = 0
        self._steps = max(0, min(15, round(brightness * 16) - 1))

    def show(self, frame: bytearray) -> bool:
        """Prepare eight LEDs, and send all when the last are done; see `boardware.lamps`.

        Raises:
            OSError: the chip does not answer.
        """
        first = self._row * 8
        row = 0
        for led in range(first, min(first + 8, self._count)):
            if frame[led * 3] or frame[led * 3 + 1] or frame[led * 3 + 2]:
                row |= 1 << led - first
        self._data[1 + self._row] = row
        self._row = (self._row + 1) % (LEDS // 8)
        if self._row:
            return False
        # The chip does not tell whether its supply has dipped: each frame brings its set-up along.
        for command in (OSCILLATOR_ON, DISPLAY_ON, DIMMING | self._steps):
            self._i2c.writeto(self._address, bytes((command,)))
        self._i2c.writeto(self._address, self._data)
        return True
