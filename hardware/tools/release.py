"""Everything of one release in one folder, made from a clean clone of what is committed.

    python -m hardware.tools.release --key KEY --wheels FOLDER --german FILE FOLDER

Runs all tests first. The version is that of pyproject.toml; its notes are its section of the
changelog, and in German those of the file. The folder is there when all of it was made, or not.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def clone(root: Path, place: Path) -> None:
    """Clone what is committed.

    Raises:
        SystemExit: when something lies there that is not.
    """
    if changed := _git(root, "status", "--porcelain"):
        raise SystemExit(f"Commit these first, or take them away:\n{changed}")
    _git(root, "clone", "--quiet", "--no-local", ".", str(place))


def version_of(checkout: Path) -> str:
    """Return the version that a checkout says it is."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def notes_of(checkout: Path, version: str) -> str:
    """Return what the changelog says of a version.

    Raises:
        SystemExit: when it says nothing.
    """
    changelog = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)"
    section = re.search(heading, changelog, re.DOTALL | re.MULTILINE)
    if section is None or not section[1].strip():
        raise SystemExit(
            f"CHANGELOG.md says nothing of {version}: give its section the heading"
            f' "## {version}", as pyproject.toml has it, and commit.'
        )
    return f"{section[1].strip()}\n"


def make(  # what main asks for
    checkout: Path,
    folder: Path,
    german: str,
    key: Path,
    wheels: Path,
    machines: list[str],
) -> None:
    """Make what is handed out: the bundle, what an address answers, notes and checksums."""
    version = version_of(checkout)
    notes = folder / "notes"
    notes.mkdir()
    (notes / "en.md").write_text(notes_of(checkout, version), encoding="utf-8")
    (notes / "de.md").write_text(german, encoding="utf-8")
    only: list[str | Path] = [f"--machine={machine}" for machine in machines]
    bundle = folder / f"firmware-bridge-{version}.update"
    _in(
        checkout,
        *(sys.executable, "-m", "hardware.tools.bundle", "--key", key, "--notes", notes),
        *("--wheels", wheels, *only, bundle),
    )
    (folder / "latest").write_text(f"{version}\n", encoding="ascii")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in files
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="ascii")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def _in(checkout: Path, *command: str | Path) -> None:
    """Run a command that takes a checkout's own code, and no other that is installed."""
    surroundings = {**os.environ, "PYTHONPATH": str(checkout)}
    subprocess.run(command, cwd=checkout, env=surroundings, check=True)  # noqa: S603


def main(root: Path = ROOT) -> None:
    """Make one release."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="made anew")
    parser.add_argument("--key", type=Path, required=True, help="the private key of ssh-keygen")
    parser.add_argument("--wheels", type=Path, required=True, help="a folder that keeps wheels")
    parser.add_argument("--german", type=Path, required=True, help="the notes in German")
    parser.add_argument("--machine", action="append", default=[], help="for this one alone")
    parser.add_argument("--no-tests", action="store_true", help="where they have just run")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    if folder.exists():
        raise SystemExit(f"{folder} is there already.")
    german = asked.german.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        checkout, made = Path(scratch) / "clone", Path(scratch) / "made"
        clone(root, checkout)
        notes_of(checkout, version_of(checkout))  # so that hours of tests do not end in its lack
        if not asked.no_tests:
            _in(checkout, checkout / "test")
        made.mkdir()
        make(checkout, made, german, asked.key.resolve(), asked.wheels.resolve(), asked.machine)
        made.rename(folder)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{failed.cmd[0]} failed; nothing was made.")
