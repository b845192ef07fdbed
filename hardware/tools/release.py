"""Everything of one release in one folder, made from a clean clone of what is committed.

    python -m hardware.tools.release --key KEY --wheels FOLDER --german FILE FOLDER

Runs all tests first. The version is that of pyproject.toml; its notes are how its section of the
changelog begins, and in German those of the file. With `--card` the image for a card is made too,
with the list from which Raspberry Pi Imager offers it. The folder is there when all of it was made,
and the tag is set then; or neither is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CARD = ("arm64", "trixie")
"""For which machine the card is, and which Debian."""
DEVICES = ("pi4-64bit", "pi3-64bit")
"""What Raspberry Pi Imager calls those that the card is meant for."""
_MIB = 1 << 20
_NOTES = 1000
"""Characters that fit on a board's page."""


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


def notes_of(checkout: Path, german: str) -> dict[str, str]:
    """Return what a board's page tells of this version: how the changelog's section begins.

    Raises:
        SystemExit: when that is nothing, or too much to be read there.
    """
    version = version_of(checkout)
    changelog = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^##|\Z)"
    begins = re.search(heading, changelog, re.DOTALL | re.MULTILINE)
    notes = {"en": begins[1].strip() if begins else "", "de": german.strip()}
    for language, text in notes.items():
        if not 0 < len(text) <= _NOTES:
            raise SystemExit(
                f"Boards tell what is new in 1 to {_NOTES} characters, and there are {len(text)}"
                f' ({language}). In English it is what CHANGELOG.md says between "## {version}"'
                ' and the first "###" below it; commit that.'
            )
    return notes


def check_key(checkout: Path, key: Path) -> None:
    """Look whether boards will take what is signed with this key.

    Raises:
        SystemExit: when they will not.
    """
    public = _in(checkout, "ssh-keygen", "-y", "-f", key).split()[:2]
    signers = (checkout / "hardware/install/allowed_signers").read_text(encoding="utf-8")
    if " ".join(public) not in signers:
        raise SystemExit(
            "Boards would refuse what this key signs. Put this line into"
            " hardware/install/allowed_signers and commit:\n"
            f'release namespaces="firmware-bridge-update" {" ".join(public)}'
        )


def tag_of(root: Path, version: str) -> str:
    """Return the tag of a version that was not released yet.

    Raises:
        SystemExit: when it was.
    """
    tag = f"v{version}"
    if _git(root, "tag", "--list", tag):
        raise SystemExit(f"{tag} is there already: give pyproject.toml another version.")
    return tag


def make_card(checkout: Path, folder: Path, scratch: Path, address: str) -> None:
    """Make the image for a card, and the list from which Imager offers it.

    Args:
        checkout: what it is made of.
        folder: where it is put.
        scratch: an empty folder.
        address: where the release will lie, for Imager.
    """
    _in(checkout, checkout / "hardware/install/make-card", *CARD, scratch)
    name = f"firmware-bridge-{version_of(checkout)}.img.xz"
    (scratch / "card.img.xz").rename(folder / name)
    icon = folder / "icon.svg"
    icon.write_bytes((checkout / "firmware_bridge/pages/static/icon.svg").read_bytes())
    unpacked, packed = scratch / "card.img", folder / name
    entry = {
        "name": f"firmware-bridge {version_of(checkout)}",
        "description": "Referee for a physical board for unusual games of chess",
        "icon": f"{address}/{icon.name}",
        "url": f"{address}/{name}",
        "extract_size": unpacked.stat().st_size,
        "extract_sha256": digest(unpacked),
        "image_download_size": packed.stat().st_size,
        "image_download_sha256": digest(packed),
        "release_date": time.strftime("%Y-%m-%d"),
        "devices": DEVICES,
        "init_format": "cloudinit",
        "architecture": "armv8",
    }
    (folder / "imager.json").write_text(json.dumps({"os_list": [entry]}, indent=1) + "\n")


def digest(path: Path) -> str:
    """Return the SHA-256 of a file that need not fit into memory."""
    total = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_MIB):
            total.update(piece)
    return total.hexdigest()


def make(  # what main asks for
    checkout: Path,
    folder: Path,
    notes: dict[str, str],
    key: Path,
    wheels: Path,
    machines: list[str],
) -> None:
    """Make what is handed out: the bundle, what an address answers, and notes."""
    version = version_of(checkout)
    (folder / "notes").mkdir()
    for language, text in notes.items():
        (folder / f"notes/{language}.md").write_text(f"{text}\n", encoding="utf-8")
    only: list[str | Path] = [f"--machine={machine}" for machine in machines]
    bundle = folder / f"firmware-bridge-{version}.update"
    _in(
        checkout,
        *(sys.executable, "-m", "hardware.tools.bundle", "--key", key),
        *("--notes", folder / "notes", "--wheels", wheels, *only, bundle),
    )
    (folder / "latest").write_text(f"{version}\n", encoding="ascii")


def sum_up(folder: Path) -> None:
    """Write down the checksums of all that is handed out."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = [f"{digest(path)}  {path.relative_to(folder)}\n" for path in files]
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


def _in(checkout: Path, *command: str | Path) -> str:
    """Run a command that takes a checkout's own code, and no other that is installed."""
    surroundings = {**os.environ, "PYTHONPATH": str(checkout)}
    told = subprocess.PIPE if command[0] == "ssh-keygen" else None
    done = subprocess.run(  # noqa: S603
        command, cwd=checkout, env=surroundings, check=True, stdout=told, text=True
    )
    return done.stdout or ""


def main(root: Path = ROOT) -> None:
    """Make one release."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="made anew")
    parser.add_argument("--key", type=Path, required=True, help="the private key of ssh-keygen")
    parser.add_argument("--wheels", type=Path, required=True, help="a folder that keeps wheels")
    parser.add_argument("--german", type=Path, required=True, help="the notes in German")
    parser.add_argument("--machine", action="append", default=[], help="for this one alone")
    parser.add_argument("--card", metavar="URL", help="the card's image too; will lie there")
    parser.add_argument("--no-tests", action="store_true", help="where they have just run")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    if folder.exists():
        raise SystemExit(f"{folder} is there already.")
    german = asked.german.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        checkout, made = Path(scratch) / "clone", Path(scratch) / "made"
        clone(root, checkout)
        # First what hours of tests would be for nothing without.
        tag = tag_of(root, version_of(checkout))
        notes = notes_of(checkout, german)
        check_key(checkout, asked.key.resolve())
        if not asked.no_tests:
            _in(checkout, checkout / "test")
        made.mkdir()
        make(checkout, made, notes, asked.key.resolve(), asked.wheels.resolve(), asked.machine)
        if asked.card:
            (Path(scratch) / "card").mkdir()
            make_card(checkout, made, Path(scratch) / "card", asked.card.rstrip("/"))
        sum_up(made)
        released = _git(checkout, "rev-parse", "HEAD").strip()
        made.rename(folder)
        _git(root, "tag", "-a", "-m", f"Version {version_of(checkout)}", tag, released)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{failed.cmd[0]} failed; nothing was made.")
