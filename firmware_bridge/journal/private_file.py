"""Small files beside the journal that are for this service's user alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def keep(path: Path, content: bytes) -> None:
    """Write a file anew, so that it is whole or as before whenever the power fails."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        os.fsync(file.fileno())
    fresh.replace(path)
