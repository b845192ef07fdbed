"""A serial cable without a wire: a pty whose other end has a stable name."""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from drivers.port import DriverError


class Cable:
    """One end of a pty; a symbolic link leads to the other, as `/dev/serial/by-id` does.

    While unplugged there is neither pty nor link, as with a real USB cable.
    """

    def __init__(self, link: Path, on_bytes: Callable[[bytes], None]) -> None:
        self.link = link
        self._on_bytes = on_bytes
        self._ends: tuple[int, int] | None = None

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._ends is not None

    def plug(self) -> None:
        """Plug the cable in; raise `DriverError` when its name is taken."""
        if self._ends is not None:
            return
        if self.link.exists() and not self.link.is_symlink():
            raise DriverError(
                f"{self.link} exists and is not ours to replace: choose another name."
            )
        ours, theirs = pty.openpty()
        try:
            tty.setraw(theirs)  # no echo before anyone has opened it
            os.set_blocking(ours, False)
            self._publish(os.ttyname(theirs))
        except OSError as error:
            os.close(ours)
            os.close(theirs)
            why = error.strerror or error
            raise DriverError(
                f"Cannot make the port {self.link}: {why}. Choose another place for it."
            ) from error
        # Our copy of the far end stays open: so the pty outlives a host that comes and goes.
        self._ends = ours, theirs
        asyncio.get_running_loop().add_reader(ours, self._readable)

    def unplug(self) -> None:
        """Pull the cable out: the host's end fails at once. Idempotent."""
        if self._ends is None:
            return
        asyncio.get_running_loop().remove_reader(self._ends[0])
        self.link.unlink(missing_ok=True)  # first: others may be given the number of what is closed
        for end in self._ends:
            os.close(end)
        self._ends = None

    def send(self, data: bytes) -> None:
        """Send bytes to the host; what does not fit is lost, as on a wire nobody reads."""
        if self._ends is not None and data:
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)

    def _publish(self, target: str) -> None:
        self.link.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(self.link)

    def _readable(self) -> None:
        if self._ends is None:
            return
        with suppress(BlockingIOError):
            self._on_bytes(os.read(self._ends[0], 4096))
