"""A board that stands at MicroPython's prompt instead of running its firmware."""

from __future__ import annotations

_SIGNS = (b">>> ", b"raw REPL; CTRL-B to exit", b"paste mode; Ctrl-C to cancel")
"""What MicroPython answers to the bytes of a greeting: 03, 01 and 05 are keys to it."""

RESTART = b"\x03\x03\x02\x03import machine; machine.reset()\r"
"""Keys that leave whatever the prompt was about to take, and a line that restarts the board."""

TRIES = 2
"""Restarts in a row after which the firmware counts as broken."""


def at_prompt(heard: bytes) -> bool:
    """Return whether what was heard is MicroPython's prompt."""
    return any(sign in heard for sign in _SIGNS)
