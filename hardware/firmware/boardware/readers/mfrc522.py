"""The MFRC522: ISO 14443 A tags over SPI, registers as in NXP's data sheet."""

from boardware import ticks
from boardware.readers import Unclear

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Generator

    from boardware.chip_select import Select
    from boardware.edge import Spi

# Registers.
COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
CONTROL, BIT_FRAMING, MODE, TX_CONTROL, TX_ASK = 0x0C, 0x0D, 0x11, 0x14, 0x15
T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37
# Commands of the chip. Bit 4 of the command register is the soft power-down.
IDLE, TRANSCEIVE, SOFT_RESET, POWER_DOWN = 0x00, 0x0C, 0x0F, 0x10
# Bits of COM_IRQ and ERROR.
RECEIVED, IDLED, TIMED_OUT = 0x20, 0x10, 0x01
ANY_ERROR = 0x1B  # buffer overflow, collision, parity, protocol
# Commands of the tag. WUPA also wakes tags that were halted; REQA would not.
WAKE_UP, CASCADE_TAG = 0x52, 0x88
CASCADE_LEVELS = (0x93, 0x95, 0x97)
SET_UP = (
    (T_MODE, 0x80),  # the timer starts with every transmission
    (T_PRESCALER, 0xA9),  # one tick = 25 us
    (T_RELOAD_HIGH, 0),
    (T_RELOAD_LOW, 60),  # 1.5 ms: a tag answers within 0.1 ms
    (TX_ASK, 0x40),
    (MODE, 0x3D),  # CRC preset 6363
)
KNOWN_VERSIONS = (0x90, 0x91, 0x92, 0x88, 0x12)
"""NXP's three, the FM17522, and a common copy that works."""

RESET_MS = 2  # its oscillator starts, and a reset takes 1024 of its clocks, 38 us
FIELD_GUARD_MS = 5  # a tag needs the field this long before it answers (ISO 14443-3)
GIVE_UP_MS = 8  # the chip's own timer fires after 1.5 ms; longer means the chip is stuck


def crc_a(data: "bytes | bytearray | list[int]") -> tuple[int, int]:
    """Return the two bytes of CRC_A (ISO 14443-3), low byte first."""
    crc = 0x6363
    for byte in data:
        mixed = byte ^ crc & 0xFF
        mixed ^= mixed << 4 & 0xFF
        crc = (crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)
    return crc & 0xFF, crc >> 8 & 0xFF


class Mfrc522:
    """One reader behind one chip select.

    Args:
        spi: the bus, mode 0, 1 to 4 MHz.
        select: whom to tell that this reader is meant.
        number: this reader's number there.
    """

    def __init__(self, spi: "Spi", select: "Select", number: int) -> None:
        self._spi = spi
        self._choose, self._leave = select.select, select.release
        self._number = number
        self._two = bytearray(2)
        self._answer = bytearray(2)

    def set_up(self) -> "Generator[None, None, bool]":
        """Reset the chip, and leave it asleep; return whether a known one answered."""
        known = yield from self._reset()
        self._write(COMMAND, POWER_DOWN)
        return known

    def renew(self) -> "Generator[None, None, bool]":
        """Reset the chip unless it sleeps, as it was left; return whether it is well.

        After a reset it would be awake, and without a supply all bits are alike.
        """
        return self._read(COMMAND) == POWER_DOWN or (yield from self.set_up())

    def _reset(self) -> "Generator[None, None, bool]":
        """Let the chip forget all, and wake; return whether a known one answers."""
        self._write(COMMAND, SOFT_RESET)
        started = ticks.ms()
        while ticks.diff(ticks.ms(), started) < RESET_MS:
            yield
        return self._read(VERSION) in KNOWN_VERSIONS

    def read(self) -> "Generator[None, None, bytes]":
        """Read the UID of the tag above; see `boardware.readers`.

        The chip does not tell what of its set-up it has lost: each read brings all of it along.
        """
        try:
            if not (yield from self._reset()):
                raise Unclear("the reader does not answer")
            for register, value in SET_UP:
                self._write(register, value)
            yield  # all this has taken its time
            self._write(TX_CONTROL, 0x83)
            started = ticks.ms()
            while ticks.diff(ticks.ms(), started) < FIELD_GUARD_MS:
                yield
            return (yield from self._identify())
        finally:
            self._write(TX_CONTROL, 0x80)  # one field at a time: neighbours would couple
            self._write(COMMAND, POWER_DOWN)

    def _identify(self) -> "Generator[None, None, bytes]":
        if not (yield from self._exchange([WAKE_UP], bits=7)):
            return b""
        uid = b""
        for level in CASCADE_LEVELS:
            part = yield from self._exchange([level, 0x20])
            if len(part) != 5 or part[0] ^ part[1] ^ part[2] ^ part[3] ^ part[4]:
                raise Unclear("check byte")
            request = [level, 0x70] + list(part)
            request.extend(crc_a(request))
            answer = yield from self._exchange(request)
            if len(answer) != 3 or crc_a(answer[:1]) != (answer[1], answer[2]):
                raise Unclear("select")
            more = part[0] == CASCADE_TAG
            uid += part[1:4] if more else part[:4]
            if not more:
                return uid
        raise Unclear("endless UID")

    def _exchange(self, data: list[int], bits: int = 0) -> "Generator[None, None, bytes]":
        """Send to the tag and return its answer, empty when it kept silent."""
        yield  # the answer before took its time
        self._write(COMMAND, IDLE)
        self._write(COM_IRQ, 0x7F)
        self._write(FIFO_LEVEL, 0x80)
        self._transfer(bytes([FIFO_DATA << 1] + data))
        self._write(COMMAND, TRANSCEIVE)
        self._write(BIT_FRAMING, 0x80 | bits)
        yield  # no tag answers that soon, and all this has taken its time
        started = ticks.ms()
        while not (raised := self._read(COM_IRQ)) & (RECEIVED | IDLED | TIMED_OUT):
            if ticks.diff(ticks.ms(), started) > GIVE_UP_MS:
                raise Unclear("the reader is stuck")
            yield
        self._write(BIT_FRAMING, bits)
        if not raised & RECEIVED:
            return b""
        if self._read(ERROR) & ANY_ERROR:
            raise Unclear("collision or damage")
        # Every byte names the register that the next one comes from; the last names none.
        count = self._read(FIFO_LEVEL)
        return self._transfer(bytes([0x80 | FIFO_DATA << 1] * count + [0]))[1:]

    def _write(self, register: int, value: int) -> None:
        self._two[0] = register << 1
        self._two[1] = value
        self._choose(self._number)
        self._spi.write(self._two)
        self._leave(self._number)

    def _read(self, register: int) -> int:
        self._two[0] = 0x80 | register << 1
        self._two[1] = 0
        self._choose(self._number)
        self._spi.write_readinto(self._two, self._answer)
        self._leave(self._number)
        return self._answer[1]

    def _transfer(self, data: bytes) -> bytes:
        answer = bytearray(len(data))
        self._choose(self._number)
        self._spi.write_readinto(data, answer)
        self._leave(self._number)
        return bytes(answer)
