"""MAX7219: 64 single-colour LEDs a chip, several chips in a row on one select line."""

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from boardware.edge import Pin, Spi

LEDS = 64
# Registers beside the eight digits (1 to 8).
DECODE, INTENSITY, SCAN_LIMIT, AWAKE, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F


class Max7219:
    """LED n is segment n % 8 (DP first, then A to G) of digit n // 8 of chip n // 64.

    Args:
        spi: the bus, mode 0, up to 10 MHz.
        select: the pin on all LOAD inputs.
        count: LEDs in all.
        brightness: 0 to 1; the chip has sixteen steps.
    """

    ORDER = (0, 1, 2)

    def __init__(self, spi: "Spi", select: "Pin", count: int, brightness: float) -> None:
        self._spi = spi
        self._select = select
        self._chips = (count + LEDS - 1) // LEDS
        self._count = count
        self._step = 0
        select.value(1)
        # It starts up asleep, and so it does when its supply has dipped, which it cannot tell.
        self._set_up = (
            (TEST, 0),
            (DECODE, 0),
            (SCAN_LIMIT, 7),
            (INTENSITY, max(0, min(15, round(brightness * 16) - 1))),
            (AWAKE, 1),
        )

    def show(self, frame: bytearray) -> bool:
        """Send one digit of every chip, or after the last a part of its set-up; see `lamps`."""
        if self._step < 8:
            rows = (self._row(frame, chip * LEDS + self._step * 8) for chip in range(self._chips))
            self._send(self._step + 1, bytes(rows))
        else:
            register, value = self._set_up[self._step - 8]
            self._send(register, bytes([value] * self._chips))
        self._step = (self._step + 1) % (8 + len(self._set_up))
        return self._step == 0

    def _row(self, frame: bytearray, first: int) -> int:
        row = 0
        for led in range(first, min(first + 8, self._count)):
            if frame[led * 3] or frame[led * 3 + 1] or frame[led * 3 + 2]:
                row |= 0x80 >> led - first
        return row

    def _send(self, register: int, values: bytes) -> None:
        """Give every chip its value; what is sent first travels to the last chip."""
        data = bytearray()
        for value in reversed(values):
            data.append(register)
            data.append(value)
        self._select.value(0)
        self._spi.write(data)
        self._select.value(1)
