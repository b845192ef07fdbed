"""Contacts on MCP23017 port expanders: fourteen inputs a chip on the I2C bus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

INPUTS = 14
"""GPA7 and GPB7 can only be outputs (data sheet of 2022)."""
IODIR, GPPU, GPIO, OLAT = 0x00, 0x0C, 0x12, 0x14
"""The first of each pair of registers, A and B, as they lie after power-on (BANK = 0)."""
_ALL_BUT_ONE = 0x7F  # bits 0 to 6: the inputs
_SET_UP = [_ALL_BUT_ONE] * 2  # of both ports


class Smbus(Protocol):
    """The part of `smbus2.SMBus` that is used."""

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """Write registers one after the other; raise OSError when the chip does not answer."""

    def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
        """Read registers one after the other; raise OSError when the chip does not answer."""


class Expanders:
    """Scans the chips in the order of their addresses, 0x20 to 0x27.

    Of each come its inputs GPA0 to GPA6, then GPB0 to GPB6.
    """

    def __init__(self, bus: Smbus, addresses: Sequence[int], contacts: int) -> None:
        self.size = (contacts + 7) // 8
        self._bus = bus
        self._addresses = addresses
        self._spare = self.size * 8 - len(addresses) * INPUTS
        for address in addresses:
            self._prepare(address)

    def _prepare(self, address: int) -> None:
        self._bus.write_i2c_block_data(address, OLAT, [0, 0])
        self._bus.write_i2c_block_data(address, IODIR, _SET_UP)
        self._bus.write_i2c_block_data(address, GPPU, _SET_UP)

    def read_into(self, buffer: bytearray) -> bool:
        """Fill `buffer` as `boardware.scan` says; a chip that is gone raises OSError.

        A chip that has lost its pull-ups was reset: it is set up anew, and the sample is none.
        """
        bits = 0
        for address in self._addresses:
            registers = self._bus.read_i2c_block_data(address, GPPU, GPIO + 2 - GPPU)
            if registers[:2] != _SET_UP:
                self._prepare(address)
                return False
            for port in registers[GPIO - GPPU :]:
                for pin in range(INPUTS // 2):
                    bits = bits << 1 | (port >> pin & 1)
        if self._spare >= 0:
            bits = (bits + 1 << self._spare) - 1  # contacts that are not there read 1
        else:
            bits >>= -self._spare
        buffer[:] = bits.to_bytes(self.size, "big")
        return True
