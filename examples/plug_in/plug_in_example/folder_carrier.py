"""Letters to friends far away as files in a folder that both boards see, shared or synchronised."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from pathlib import Path

from firmware_bridge.distance.carrier import Carrier

_LOOKS, _MOST = 0.2, 64
"""Seconds between looks, and letters that wait for one board; what is more comes again later."""


class FolderCarrier(Carrier):
    """Carries each letter as a file, which whoever takes it deletes.

    Args:
        path: the folder.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self._folder = Path(path)
        self.name = path

    def send(self, address: str, data: bytes) -> None:
        """Lay a letter down; without the folder it is lost, and its writer sends it again."""
        if len(self._waiting(address)) < _MOST:
            with suppress(OSError):
                part = self._folder / f"part.{secrets.token_hex(8)}"
                part.write_bytes(data)
                part.rename(self._folder / f"{_named(address)}.{secrets.token_hex(8)}")

    async def reached(self, patience: float) -> bool:
        """Return whether the folder is there."""
        del patience
        return self._folder.is_dir()

    async def run(self) -> None:
        """Take what lies there for us until cancelled."""
        while True:
            for address in self.addresses:
                for file in self._waiting(address):
                    with suppress(OSError):
                        data = file.read_bytes()
                        file.unlink()
                        self.bring(address, data)
            await asyncio.sleep(_LOOKS)

    def _waiting(self, address: str) -> list[Path]:
        return list(self._folder.glob(f"{_named(address)}.*"))


def _named(address: str) -> str:
    return address.replace("/", "-")
