"""A root shell in an emulated machine, at a console that `make-disk` opens there."""

from __future__ import annotations

import itertools
import re
import socket
import time
from pathlib import Path


class ConsoleError(AssertionError):
    """A command failed, or never ended; the text says which and what it said."""


class Console:
    """One shell, at a socket of QEMU's.

    Args:
        path: the socket.
        patience: seconds until the machine must answer at all.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._link = socket.socket(socket.AF_UNIX)
        self._link.connect(str(path))
        self._numbers = itertools.count()
        self._log_in(patience)

    def run(self, command: str, patience: float = 60.0) -> str:
        """Run a command and return what it said.

        Raises:
            ConsoleError: it failed, or did not end in time.
        """
        end = f"end {next(self._numbers)} "
        self._link.sendall(f'( {command} ) 2>&1; echo "e""{end[1:]}$?."\n'.encode())
        said = self._until(re.compile(re.escape(end) + r"(\d+)\."), patience, command)
        text, code = said
        if code != "0":
            raise ConsoleError(f"{command}: {code}\n{text}")
        return text.strip()

    def close(self) -> None:
        """Leave the shell to whoever comes next."""
        self._link.close()

    def _log_in(self, patience: float) -> None:
        """Wait for the shell, which may come up only after what is typed here first."""
        begun = time.monotonic()
        while True:
            try:
                self._link.sendall(b"stty -echo; PS1=; PS2=\n")
                self.run("true", 5)
            except ConsoleError:
                if time.monotonic() > begun + patience:
                    raise
            else:
                return

    def _until(self, end: re.Pattern[str], patience: float, command: str) -> tuple[str, str]:
        said = ""
        until = time.monotonic() + patience
        while True:
            self._link.settimeout(max(0.01, until - time.monotonic()))
            try:
                more = self._link.recv(4096)
            except TimeoutError:
                more = b""
            if not more:
                raise ConsoleError(f"{command}: no end within {patience:.0f} s\n{said}")
            said += more.decode(errors="replace").replace("\r", "")
            if found := end.search(said):
                return said[: found.start()], found[1]
