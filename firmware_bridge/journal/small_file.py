"""Small files that are whole at every moment: as they are now, or as they were before."""

from __future__ import annotations

import os
from pathlib import Path

SECRET_FILE = "secret"  # noqa: S105 - its name, not what is in it
"""This installation's secret, beside the journal."""


def keep(path: Path, content: bytes, *, private: bool = True) -> None:
    """Replace a file: after a power failure it holds either all of the old or all of the new.

    Its folder is made if need be. What is private is for this service's user alone.
    """
    path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    fresh, mode = path.with_suffix(".new"), 0o600 if private else 0o666
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
