"""What the firmware expects of the chip it runs on: the part of MicroPython's `machine` it uses.

Only the type checker reads this file; it is not copied to the board.
"""

from typing import Protocol


class Pin(Protocol):
    """One output or input pin."""

    def value(self, level: int = ..., /) -> int:
        """Set the level, or read it when none is given."""
        ...


class Spi(Protocol):
    """One SPI bus, mode and speed already set."""

    def readinto(self, buffer: bytearray, write: int = ..., /) -> None:
        """Fill the buffer, sending `write` all the while."""
        ...

    def write(self, data: bytes | bytearray, /) -> None:
        """Send the bytes, ignoring what comes back."""
        ...

    def write_readinto(self, data: bytes | bytearray, buffer: bytearray, /) -> None:
        """Send and receive at once; both have the same length."""
        ...


class I2c(Protocol):
    """One I2C bus."""

    def writeto(self, address: int, data: bytes | bytearray, /) -> int:
        """Send the bytes to a device; raise OSError when none answers."""
        ...


class Registers(Protocol):
    """Memory-mapped registers, as `machine.mem32`."""

    def __getitem__(self, address: int) -> int:
        """Read one 32-bit register."""
        ...


class Scanner(Protocol):
    """Reads all contacts at once; see `boardware.scan`."""

    size: int

    def read_into(self, buffer: bytearray, /) -> bool:
        """Fill `buffer`, `size` bytes long, with one sample; return whether it can be trusted."""
        ...


class Tone(Protocol):
    """A buzzer driven by pulse-width modulation, as `machine.PWM`."""

    def freq(self, hertz: int, /) -> None:
        """Set the pitch."""
        ...

    def duty_u16(self, duty: int, /) -> None:
        """Set the share of time the output is high, of 65535; 0 is silence."""
        ...


class Wire(Protocol):
    """The serial link to the service."""

    def read(self) -> bytes:
        """Return what has arrived, empty when nothing has; never wait."""
        ...

    def write(self, data: bytes, /) -> int:
        """Send what fits without waiting and return how many bytes that was."""
        ...


class Watchdog(Protocol):
    """The timer that restarts the board unless fed, as `machine.WDT`."""

    def feed(self) -> None:
        """Say that all is well."""
        ...
