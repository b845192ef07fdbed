"""Choosing one reader among many on a shared bus."""

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Sequence
    from typing import Protocol

    from boardware.edge import Pin

    class Select(Protocol):
        """Chooses one of several chips that share a bus."""

        def select(self, number: int) -> None:
            """Choose one."""
            ...

        def release(self, number: int) -> None:
            """Choose none again."""
            ...


class DirectSelect:
    """One pin a reader, low when chosen."""

    def __init__(self, pins: "Sequence[Pin]") -> None:
        self._pins = pins
        for pin in pins:
            pin.value(1)

    def select(self, number: int) -> None:
        """Choose one reader."""
        self._pins[number].value(0)

    def release(self, number: int) -> None:
        """Choose none."""
        self._pins[number].value(1)


class DecodedSelect:
    """The reader's number in binary on address pins, decoded by 74HC138 and 74HC154.

    The address changes only while the enable pin is high: no reader sees a passing selection.
    """

    def __init__(self, address: "Sequence[Pin]", enable: "Pin") -> None:
        self._address = address
        self._enable = enable
        self._addressed = -1
        enable.value(1)

    def select(self, number: int) -> None:
        """Choose one reader."""
        if number != self._addressed:  # a reader is spoken to many times in a row
            self._addressed = number
            for bit, pin in enumerate(self._address):
                pin.value(number >> bit & 1)
        self._enable.value(0)

    def release(self, number: int) -> None:  # noqa: ARG002 - same shape as DirectSelect
        """Choose none."""
        self._enable.value(1)


class AntennaSwitch:
    """Several antennas behind every reader, switched all together by address pins.

    Args:
        readers: chooses the reader itself.
        address: which antenna, in binary.
        antennas: how many antennas each reader has; cell n is antenna n % antennas of reader
            n // antennas.
    """

    def __init__(self, readers: DirectSelect, address: "Sequence[Pin]", antennas: int) -> None:
        self._readers = readers
        self._address = address
        self._antennas = antennas

    def select(self, number: int) -> None:
        """Choose the reader of a cell, and its antenna there."""
        for bit, pin in enumerate(self._address):
            pin.value(number % self._antennas >> bit & 1)
        self._readers.select(number // self._antennas)

    def release(self, number: int) -> None:
        """Choose none."""
        self._readers.release(number // self._antennas)
