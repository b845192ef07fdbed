"""The PN532 over SPI: frames as in NXP's user manual, bits sent lowest first."""

from boardware import ticks
from boardware.readers import Unclear

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Generator

    from boardware.chip_select import Select
    from boardware.edge import Spi

# What the first byte of a transfer asks for.
WRITE_DATA, READ_STATUS, READ_DATA = 0x01, 0x02, 0x03
HOST_TO_CHIP, CHIP_TO_HOST = 0xD4, 0xD5
GET_FIRMWARE, SAM_CONFIGURATION, RF_CONFIGURATION, LIST_TARGET = 0x02, 0x14, 0x32, 0x4A
FIELD_OFF = b"\x01\x00"
ACK = b"\x00\x00\xff\x00\xff\x00"
ACK_MS, ANSWER_MS = 20, 60
LONGEST_ANSWER = 32

# The Pico's SPI sends the highest bit first only: turn every byte round.
_REVERSED = bytes(sum((n >> bit & 1) << 7 - bit for bit in range(8)) for n in range(256))


def frame(body: bytes) -> bytes:
    """Return the frame that carries `body` (direction byte included) to the chip."""
    length = len(body)
    head = bytes((0x00, 0x00, 0xFF, length, -length & 0xFF))
    return head + body + bytes((-sum(body) & 0xFF, 0x00))


def body_of(received: bytes) -> bytes:
    """Return what a frame carries, without the direction byte; raise Unclear when damaged."""
    start = received.find(b"\x00\xff")
    if start < 0 or len(received) < start + 4:
        raise Unclear("no frame")
    length, check = received[start + 2], received[start + 3]
    body = received[start + 4 : start + 4 + length]
    trailer = received[start + 4 + length : start + 5 + length]
    if (length + check) & 0xFF or len(body) < length or not trailer or not body:
        raise Unclear("length")
    if (sum(body) + trailer[0]) & 0xFF or body[0] != CHIP_TO_HOST:
        raise Unclear("check byte")
    return body[1:]


class Pn532:
    """One reader behind one chip select.

    Args:
        spi: the bus, mode 0, 100 kHz to 1 MHz (modules are flaky above).
        select: whom to tell that this reader is meant.
        number: this reader's number there.
    """

    def __init__(self, spi: "Spi", select: "Select", number: int) -> None:
        self._spi = spi
        self._select = select
        self._number = number
        self._set_up = False  # and has answered every command since

    def set_up(self) -> "Generator[None, None, bool]":
        """Wake the chip and set it up; return whether it answered."""
        self._set_up = False
        self._select.select(self._number)
        ticks.sleep_ms(2)  # the first falling edge of its select wakes it
        self._select.release(self._number)
        try:
            yield from self._command(GET_FIRMWARE)
            yield from self._configure()
        except Unclear:
            return False
        self._set_up = True
        return True

    def renew(self) -> "Generator[None, None, bool]":
        """Tell the chip anew what it may have forgotten; it cannot be asked whether it has."""
        try:
            yield from self._configure()
        except Unclear:
            return (yield from self.set_up())
        return True

    def _configure(self) -> "Generator[None, None, None]":
        yield from self._command(SAM_CONFIGURATION, b"\x01\x14\x01")
        # Item 5: try once instead of for ever; item 1: field off until asked.
        yield from self._command(RF_CONFIGURATION, b"\x05\xff\x01\x00")
        yield from self._command(RF_CONFIGURATION, FIELD_OFF)

    def read(self) -> "Generator[None, None, bytes]":
        """Read the UID of the tag above; see `boardware.readers`."""
        if not (self._set_up or (yield from self.set_up())):
            raise Unclear("the reader does not answer")
        try:
            # Up to two tags at once: two answers are a collision, not a choice.
            answer = yield from self._command(LIST_TARGET, b"\x02\x00")
        except Unclear:  # it may have forgotten what it was told, a field that is off included
            self._set_up = False
            raise
        except GeneratorExit:  # the piece was lifted: nobody will come back to wait
            self._abandon()
            raise
        yield from self._command(RF_CONFIGURATION, FIELD_OFF)
        if not answer or answer[0] == 0:
            return b""
        if answer[0] != 1 or len(answer) < 6 or len(answer) < 6 + answer[5]:
            raise Unclear("collision or damage")
        return answer[6 : 6 + answer[5]]

    def _abandon(self) -> None:
        """End what is under way and switch the field off; a chip that is gone cannot be helped."""
        self._send(bytes((WRITE_DATA,)) + ACK)  # from the host, it ends a command
        try:
            _finish(self._command(RF_CONFIGURATION, FIELD_OFF))
        except Unclear:
            self._set_up = False

    def _command(self, command: int, data: bytes = b"") -> "Generator[None, None, bytes]":
        self._send(bytes((WRITE_DATA,)) + frame(bytes((HOST_TO_CHIP, command)) + data))
        yield from self._ready(ACK_MS)
        if self._receive(len(ACK)) != ACK:
            raise Unclear("no acknowledgement")
        yield from self._ready(ANSWER_MS)
        body = body_of(self._receive(LONGEST_ANSWER))
        if not body or body[0] != command + 1:
            raise Unclear("answer to another command")
        return body[1:]

    def _ready(self, patience_ms: int) -> "Generator[None, None, None]":
        started = ticks.ms()
        while not self._transfer(bytes((READ_STATUS, 0)))[1] & 1:
            if ticks.diff(ticks.ms(), started) > patience_ms:
                raise Unclear("the reader keeps silent")
            yield

    def _receive(self, length: int) -> bytes:
        return self._transfer(bytes((READ_DATA,)) + bytes(length))[1:]

    def _send(self, data: bytes) -> None:
        self._transfer(data)

    def _transfer(self, data: bytes) -> bytes:
        turned = bytes(_REVERSED[byte] for byte in data)
        answer = bytearray(len(data))
        self._select.select(self._number)
        self._spi.write_readinto(turned, answer)
        self._select.release(self._number)
        return bytes(_REVERSED[byte] for byte in answer)


def _finish(work: "Generator[None, None, bytes]") -> bytes:
    """Run work to its end, waiting: only to switch a field off."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: bytes = done.value
            return result
