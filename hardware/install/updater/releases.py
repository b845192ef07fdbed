"""Folders of releases, one of which runs; which one is a link, switched at once or not at all."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from .signed import Bundle
from .status import RefusedError, settle

_KEPT = 3
"""Releases that stay, as the installer keeps them."""
_UNPROVEN = "unproven"
"""Lies in a release until it has run for its time on trial."""


@dataclass(frozen=True, slots=True)
class Releases:
    """The releases below one folder."""

    home: Path

    @property
    def current(self) -> Path:
        """Return the one that runs."""
        return (self.home / "current").readlink()

    @property
    def linked(self) -> set[Path]:
        """Return those that stay whatever their names say: a Pi's clock may be years behind."""
        return {(self.home / name).resolve() for name in ("current", "updater")}

    def before(self) -> Path | None:
        """Return the last one that ran before the one that runs, if it is kept."""
        running = self.current.name
        ran = (
            release
            for release in (self.home / "releases").iterdir()
            if release.name < running and not (release / _UNPROVEN).exists()
        )
        return max(ran, default=None)

    def switch(self, name: str, release: Path) -> None:
        """Let a link show another release from now on, after a power cut too."""
        os.sync()  # the release itself comes first
        unfinished = self.home / f".{name}"
        unfinished.unlink(missing_ok=True)
        unfinished.symlink_to(release)
        unfinished.replace(self.home / name)
        settle(self.home)

    def sweep(self) -> None:
        """Take away what was never proven, but what runs."""
        for mark in self.home.glob(f"releases/*/{_UNPROVEN}"):
            if mark.parent.resolve() in self.linked:
                continue
            # The mark goes last: what is half taken away is never taken for whole.
            for part in mark.parent.iterdir():
                if part != mark:
                    remove(part)
            mark.unlink()
            mark.parent.rmdir()
        for folder in self.home.glob("releases/*"):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def forget_old(self, before: Path) -> None:
        """Keep the last ones alone, and none that was left again before the one that runs came."""
        there = sorted((self.home / "releases").iterdir())
        ran = [each for each in there if not before.name < each.name < self.current.name]
        for release in {*there} - {*ran[-_KEPT:]}:
            if release.resolve() not in self.linked:
                (release / _UNPROVEN).touch()
        self.sweep()

    def build(self, bundle: Bundle) -> Path:
        """Put a bundle in place beside the release that runs, from its own wheels alone.

        Raises:
            RefusedError: when that does not succeed; nothing of it is left.
        """
        release = self._new(bundle.version)
        try:
            release.mkdir()
            (release / _UNPROVEN).touch()
            make_environment(release, bundle.wheels)
        except (OSError, subprocess.CalledProcessError) as error:
            self.sweep()
            raise RefusedError("unbuilt", name=bundle.name) from error
        return release

    def _new(self, version: str) -> Path:
        """Return a folder that sorts behind all others, however far behind a Pi's clock is."""
        stamps = (re.match(r"\d{14}-", each.name) for each in (self.home / "releases").iterdir())
        last = max((int(stamp[0][:-1]) for stamp in stamps if stamp), default=0)
        now = int(time.strftime("%Y%m%d%H%M%S", time.gmtime()))
        return self.home / "releases" / f"{max(now, last + 1)}-{version}"

    def prove(self, release: Path) -> None:
        """Keep a release from now on; its own updater judges the next."""
        self.switch("updater", release)
        (release / _UNPROVEN).unlink(missing_ok=True)
        settle(release)


def remove(path: Path) -> None:
    """Take away a file, a link, or a folder with all that is in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def make_environment(release: Path, wheels: Path) -> None:
    """Make the environment of a release, asking no index and no network."""
    run(sys.executable, "-m", "venv", release)
    python = release / "bin" / "python"
    run(
        *(python, "-m", "pip", "--isolated", "--quiet", "--disable-pip-version-check", "install"),
        *(
            "--no-index",
            "--find-links",
            wheels,
            "--require-hashes",
            "-r",
            wheels / f"lock-{platform.machine()}",
        ),
    )
    run("tar", "-C", release, "--no-same-owner", "-xf", wheels / "share.tar")
    run(release / "bin" / "firmware-bridge", "--version")


def run(*command: str | Path, check: bool = True) -> None:
    """Have a command do its work; what fails without harm says nothing."""
    subprocess.run(command, check=check, capture_output=not check)  # noqa: S603


def version_of(release: Path) -> str:
    """Return the version that a release's folder is named after."""
    return re.sub(r"^\d{14}-", "", release.name)


def order(version: str) -> tuple[tuple[int, ...], int, int]:
    """Return what versions sort by: `1.2.0rc1` is before `1.2.0`, and so is `1.2.0rc1-abc1234`."""
    found = re.match(r"(\d+(?:\.\d+)*)(?:(a|b|rc)(\d+))?", version)
    if found is None:
        return ((), 0, 0)
    numbers = tuple(int(number) for number in found[1].split("."))
    return (numbers, {"a": 0, "b": 1, "rc": 2}.get(found[2], 3), int(found[3] or 0))
