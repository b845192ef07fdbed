"""Time that wraps around as MicroPython counts it (milliseconds: 12.4 days), on any Python."""

import time

WRAP = 1 << 30

if hasattr(time, "ticks_ms"):
    # The type checker knows CPython alone.
    ms = time.ticks_ms
    us = time.ticks_us  # type: ignore[attr-defined]
    diff = time.ticks_diff  # type: ignore[attr-defined]
    add = time.ticks_add  # type: ignore[attr-defined]
    sleep_ms = time.sleep_ms  # type: ignore[attr-defined]
    sleep_us = time.sleep_us  # type: ignore[attr-defined]
else:

    def ms() -> int:
        """Return the milliseconds since some moment, modulo `WRAP`."""
        return time.monotonic_ns() // 1_000_000 % WRAP

    def us() -> int:
        """Return the microseconds since some moment, modulo `WRAP`."""
        return time.monotonic_ns() // 1000 % WRAP

    def diff(later: int, earlier: int) -> int:
        """Return the time between two moments of one of the two counts above."""
        return (later - earlier + WRAP // 2) % WRAP - WRAP // 2

    def add(moment: int, pause: int) -> int:
        """Return the moment so much later."""
        return (moment + pause) % WRAP

    def sleep_ms(pause: int) -> None:
        """Wait."""
        time.sleep(pause / 1000)

    def sleep_us(pause: int) -> None:
        """Wait."""
        time.sleep(pause / 1_000_000)
