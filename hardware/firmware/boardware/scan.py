"""Reading all contacts at once: a chain of 74HC165 registers, or a matrix with diodes.

Both fill a buffer with one bit a contact, contact 0 in the highest bit of byte 0. A contact that is
closed pulls its input to ground, so that a 0 bit means closed; unused bits read 1.
"""

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Callable, Sequence

    from boardware.edge import Pin, Registers, Spi

GPIO_IN = 0xD0000004
"""The register that holds the levels of all pins, the same on RP2040 and RP2350 (SIO: GPIO_IN)."""


class ShiftChain:
    """Contacts through chained 74HC165 shift registers.

    The serial input of the register farthest from the controller is tied to ground. One byte more
    than there are contacts is read: it holds that level eight times if the whole chain shifts.

    The bus must run in mode 2 (clock idles high): the register shifts on the rising edge, and the
    falling edge before it samples a level that has been still for half a clock.

    Args:
        spi: the bus; its MISO is the last register's Q7.
        load: the pin on all PL inputs: low loads the contacts, high shifts.
        contacts: how many contacts there are.
    """

    def __init__(self, spi: "Spi", load: "Pin", contacts: int) -> None:
        self.size = (contacts + 7) // 8
        self._spi = spi
        self._load = load
        self._received = bytearray(self.size + 1)

    def read_into(self, buffer: bytearray) -> bool:
        """Fill `buffer`, `size` bytes long, with one sample; return whether it can be trusted."""
        self._load.value(0)
        self._load.value(1)
        self._spi.readinto(self._received)
        buffer[:] = self._received[: self.size]
        return self._received[self.size] == 0


class DiodeMatrix:
    """Contacts in rows of eight, one diode each, directly on the chip's pins.

    Args:
        rows: one open-drain pin a row, idle high.
        first_column: number of the lowest of eight neighbouring input pins with pull-ups; the
            first contact of a row is on the highest of them.
        registers: the chip's memory, so that the eight columns are read in one go.
        settle: waits until the columns have followed a row's change (some microseconds).
    """

    def __init__(
        self,
        rows: "Sequence[Pin]",
        first_column: int,
        registers: "Registers",
        settle: "Callable[[], object]",
    ) -> None:
        self.size = len(rows)
        self._rows = rows
        self._first_column = first_column
        self._registers = registers
        self._settle = settle

    def read_into(self, buffer: bytearray) -> bool:
        """Fill `buffer`, `size` bytes long, with one sample; it has no check of its own."""
        for index, row in enumerate(self._rows):
            row.value(0)
            self._settle()
            buffer[index] = (self._registers[GPIO_IN] >> self._first_column) & 0xFF
            row.value(1)
        return True
