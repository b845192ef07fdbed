"""Telling systemd how the service is: ready, alive, stopping, and a sentence for people.

The protocol is one datagram a message (`man sd_notify`). Without systemd nothing is sent.
"""

from __future__ import annotations

import asyncio
import os
import socket

_WANTED = 10.0
"""Seconds from one sign of life to the next at most, where systemd says nothing of it."""


class Notifier:
    """Sends to the socket that systemd names in `NOTIFY_SOCKET`, if it does."""

    def __init__(self, address: str | None = None) -> None:
        address = address if address is not None else os.environ.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the null byte of Linux's abstract socket names.
        self._address = "\0" + address[1:] if address.startswith("@") else address

    @property
    def watchdog_seconds(self) -> float:
        """How many seconds may pass from one sign of life of this process to the next."""
        microseconds = os.environ.get("WATCHDOG_USEC", "")
        ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        return int(microseconds) / 1e6 if microseconds.isdigit() and ours else _WANTED

    def ready(self) -> None:
        """The board is heard and the game restored."""
        self._send("READY=1")

    def alive(self) -> None:
        """Every part made progress since the last time."""
        self._send("WATCHDOG=1")

    async def stay_alive(self) -> None:
        """Say that the service is ready, and then, twice as often as it must, that it lives."""
        self.ready()
        while True:
            self.alive()
            await asyncio.sleep(self.watchdog_seconds / 2)

    def status(self, sentence: str) -> None:
        """Say how things are, in words."""
        self._send(f"STATUS={sentence.splitlines()[0] if sentence else ''}")

    def stopping(self) -> None:
        """A clean stop has begun."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as link:
            link.setblocking(False)  # a manager that does not listen must not stop a game
            try:
                link.connect(self._address)
                link.send(message.encode())
            except OSError:
                return  # nor one that went away
