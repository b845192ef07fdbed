"""A change counts when two samples in a row agree on it."""

MYPY = False  # true for the type checker alone: the board has no `typing`
if MYPY:
    from collections.abc import Sequence

OPEN = 0xFF


class Debouncer:
    """Turns samples of all contacts into changes, each contact judged by itself.

    Args:
        size: bytes in a sample; the bits mean what `boardware.scan` says.
    """

    def __init__(self, size: int) -> None:
        self._stable = bytearray([OPEN] * size)
        self._previous = bytearray([OPEN] * size)

    def feed(self, sample: bytearray) -> "Sequence[tuple[int, bool]]":
        """Take one sample; return what changed as (contact, closed), lowest contact first."""
        # The usual case by far, told by two comparisons in C and without taking memory.
        if sample == self._stable and sample == self._previous:
            return ()
        changes: list[tuple[int, bool]] = []
        for index, value in enumerate(sample):
            settled = (value ^ self._stable[index]) & ~(value ^ self._previous[index])
            self._previous[index] = value
            if settled:
                self._stable[index] ^= settled
                for bit in range(8):
                    mask = 0x80 >> bit
                    if settled & mask:
                        changes.append((index * 8 + bit, not value & mask))
        return changes

    def closed(self, contact: int) -> bool:
        """Whether the contact was closed when two samples last agreed on it."""
        return not self._stable[contact >> 3] & (0x80 >> (contact & 7))
