"""`python -m updater.stick DEVICE MOUNTED-AT`: copies a stick's bundles into the spool.

Started for each drive that is plugged in. Each bundle is there whole or not at all, and what goes
wrong is told; whether to trust it is for the updater, which the spool's filling starts.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from .__main__ import Updater
from .releases import run
from .signed import check_room
from .status import RefusedError, settle


def take(device: str, stick: Path, updater: Updater) -> bool:
    """Copy what a stick holds for this board; return whether nothing went wrong."""
    # For reading alone, where nothing else sees it.
    run("mount", "-o", "ro,nosuid,nodev,noexec", device, stick)
    try:
        updater.spool.mkdir(parents=True, exist_ok=True)
        for half in updater.spool.glob("*.part"):
            half.unlink()
        for bundle in sorted(stick.glob("*.update")):
            if bundle.is_file() and not bundle.is_symlink():  # a link may show this machine's files
                _copy(bundle, updater.spool)
    except RefusedError as refused:
        updater.tell(refused.why, **refused.gaps)
        return False
    finally:
        run("umount", "--lazy", stick)
    return True


def _copy(bundle: Path, spool: Path) -> None:
    part = spool / f"{bundle.name}.part"
    try:
        check_room(bundle.name, bundle.stat().st_size, spool)
        with bundle.open("rb") as source, part.open("wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RefusedError("unreadable", name=bundle.name) from error
    part.replace(spool / bundle.name)
    settle(spool)


if __name__ == "__main__":
    sys.exit(not take(sys.argv[1], Path(sys.argv[2]), Updater(Path("/"))))
