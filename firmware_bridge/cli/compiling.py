"""Compiling the searches with mypyc: it makes C of Python whose types are told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from firmware_bridge.opponents.compiled import GROUP, MODULES, digest, sources

_SETUP = """
from mypyc.build import mypycify
from setuptools import setup

made = mypycify({options!r}, opt_level={optimize!r}, debug_level="0", group_name={group!r})
for each in made:
    each.extra_compile_args.append("-Wno-all")  # to look for them took longer than to compile
setup(name={group!r}, packages=[], ext_modules=made)
"""
_OPTIONS = ("--config-file=", "--follow-imports=silent")


class NotCompiled(Exception):  # noqa: N818 - the source runs all the same
    """What is missing or was refused, in the words of the tools."""


def build(home: Path, optimize: str = "3") -> Path:
    """Compile the source as it stands, and return the folder that holds what came of it.

    A copy is compiled: no checkout sees anything of it. What was compiled of other source goes.
    `optimize` is the C compiler's option `-O`.

    Raises:
        NotCompiled: when mypy, setuptools, a compiler or Python's headers are missing.
        OSError: when the folder cannot be written.
    """
    home.mkdir(parents=True, exist_ok=True)
    parts = list(sources())
    folder, unfinished = home / digest(parts), home / "unfinished"
    with tempfile.TemporaryDirectory() as scratch:
        for path, text in parts:
            place = Path(scratch, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
        files = [f"{name.replace('.', '/')}.py" for name in MODULES]
        setup = _SETUP.format(options=[*_OPTIONS, *files], optimize=optimize, group=GROUP)
        Path(scratch, "setup.py").write_text(setup, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "setup.py", "--quiet", "build_ext", "--build-lib=made"],
            cwd=scratch,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NotCompiled(f"{done.stdout}{done.stderr}".strip())
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(Path(scratch, "made"), unfinished)
        os.sync()  # whoever finds the folder by its name finds all of it, also after a power cut
    for other in set(home.iterdir()) - {unfinished}:
        shutil.rmtree(other)
    return unfinished.rename(folder)
