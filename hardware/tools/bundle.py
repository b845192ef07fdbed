"""One signed file that updates a board without a network.

    python -m hardware.tools.bundle --key KEY --notes FOLDER --wheels FOLDER FILE.update

Made twice of the same checkout and wheels it is the same, byte for byte. Wheels that are missing in
their folder are fetched as locked; those that have to be compiled on another machine are named.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from hardware.install.updater.signed import MAGIC, NAMESPACE

ROOT = Path(__file__).parents[2]
MACHINES = {"aarch64": "pi.lock", "x86_64": "boards.lock"}
"""What is locked for which machine."""
PYTHONS = ("3.11", "3.13")
"""Those of Debian 12 and 13."""
_PLATFORMS = ("manylinux_2_17", "manylinux2014", "manylinux_2_28", "manylinux_2_34")
"""What runs on Debian 12's C library, which is 2.36."""
_QUIET = ("--quiet", "--disable-pip-version-check", "--no-deps")
_DAY = "315532800"
"""The first second that a zip file knows, in 1980: what is built is the same at any time."""
_SHARED = (
    "hardware/install/show-display",
    "hardware/install/backup.py",
    "hardware/install/allowed_signers",
    "hardware/install/withdrawn_signers",
)
"""What lies beside the packages of a release."""


def fetch(machine: str, folder: Path) -> None:
    """Fill a folder with what is locked for a machine, as wheels wherever they exist."""
    lock = ROOT / "requirements" / MACHINES[machine]
    platforms = [f"--platform={name}_{machine}" for name in _PLATFORMS]
    with tempfile.TemporaryDirectory(dir=folder.parent) as unfinished:
        place = (f"--dest={unfinished}", f"--requirement={lock}")
        for python in PYTHONS:
            _pip(
                *("download", *_QUIET, "--no-build-isolation", "--prefer-binary"),
                *("--require-hashes", *platforms, f"--python-version={python}", *place),
            )
        shutil.copytree(unfinished, folder)


def wheels_of(machine: str, folder: Path) -> list[Path]:
    """Return the wheels of a machine, those made here of pure sources among them.

    Raises:
        SystemExit: when some are missing that only such a machine can make.
    """
    if not folder.is_dir():
        fetch(machine, folder)
    for source in folder.glob("*.tar.gz"):
        with contextlib.suppress(subprocess.CalledProcessError), _scratch() as made:
            _wheel(source, made)
            for wheel in made.glob(f"*{'' if machine == platform.machine() else '-none-any'}.whl"):
                shutil.copy(wheel, folder)
    wheels = sorted(folder.glob("*.whl"))
    sources = {path.name.rpartition("-")[0] for path in folder.glob("*.tar.gz")}
    lacking = {
        f"{name} for Python {python}"
        for name in sources | {wheel.name.partition("-")[0] for wheel in wheels}
        for python in PYTHONS
        if not any(wheel.name.startswith(f"{name}-") and _fits(wheel, python) for wheel in wheels)
    }
    if lacking:
        raise SystemExit(
            f"No wheel of {', '.join(sorted(lacking))}. Make it on a machine that says {machine} to"
            f" `uname -m` (pip wheel), copy it into {folder}, and run this again."
        )
    return wheels


def _fits(wheel: Path, python: str) -> bool:
    tag, binary = wheel.stem.split("-")[-3:-1]
    return "py3" in tag.split(".") or binary == "abi3" or tag == f"cp{python.replace('.', '')}"


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def own_wheel(folder: Path) -> Path:
    """Build this checkout's wheel, the Pico's firmware in it, and return it."""
    _wheel(ROOT, folder)
    (wheel,) = folder.glob("firmware_bridge-*.whl")
    return wheel


def _wheel(source: Path, folder: Path) -> None:
    _pip("wheel", *_QUIET, "--no-index", "--no-build-isolation", "-w", folder, source)


def _pip(*arguments: str | Path) -> None:
    surroundings = {**os.environ, "SOURCE_DATE_EPOCH": _DAY}
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pip", *arguments],
        check=True,
        env=surroundings,
    )


def share() -> bytes:
    """Return what lies beside the packages, as a tar that unpacks into a release."""
    inside, told = "share/firmware-bridge", "share/doc/firmware-bridge"
    files = {f"{inside}/{Path(name).name}": (ROOT / name).read_bytes() for name in _SHARED}
    for path in (ROOT / "hardware/install/updater").iterdir():
        if path.is_file():
            files[f"{inside}/updater/{path.name}"] = path.read_bytes()
    for name in ("README.md", "LICENSE", "docs/updating.md"):
        files[f"{told}/{Path(name).name}"] = (ROOT / name).read_bytes()
    return packed(files)


def packed(files: dict[str, bytes]) -> bytes:
    """Return a tar of files that tells nothing of who packed it, and when."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            member.mode = 0o755 if files[name].startswith(b"#!") else 0o644
            tar.addfile(member, io.BytesIO(files[name]))
    return written.getvalue()


def payload(wheels: dict[str, list[Path]], version: str, notes: dict[str, str]) -> bytes:
    """Return what is signed: a manifest, and the wheels of each machine with their lock."""
    files = {wheel.name: wheel.read_bytes() for each in wheels.values() for wheel in each}
    for machine, each in wheels.items():
        files[f"lock-{machine}"] = lock_of(each).encode()
    files["share.tar"] = share()
    manifest = {
        "version": version,
        "machines": sorted(wheels),
        "pythons": PYTHONS,
        "notes": notes,
        "files": {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    return packed({"manifest.json": text.encode(), **files})


def lock_of(wheels: list[Path]) -> str:
    """Return what pip is told to install: these wheels and no others."""
    hashes: dict[str, list[str]] = {}
    for wheel in sorted(wheels):
        name, version = re.split("-", wheel.name)[:2]
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        hashes.setdefault(f"{name}=={version}", []).append(f"--hash=sha256:{digest}")
    return "".join(f"{name} {' '.join(each)}\n" for name, each in hashes.items())


def sealed(contents: bytes, key: Path) -> bytes:
    """Return the bundle: contents, behind a signature by this private key."""
    signed = subprocess.run(  # noqa: S603
        ["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key],  # noqa: S607
        input=contents,
        capture_output=True,
        check=True,
    )
    return MAGIC + b"%d\n" % len(contents) + signed.stdout + contents


def main() -> None:
    """Make one bundle."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="the private key of ssh-keygen")
    parser.add_argument("--notes", type=Path, required=True, help="a folder with en.md and de.md")
    parser.add_argument("--wheels", type=Path, required=True, help="a folder that keeps wheels")
    parser.add_argument("--machine", action="append", choices=MACHINES, help="for this one alone")
    asked = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    notes = {name: (asked.notes / f"{name}.md").read_text("utf-8") for name in ("en", "de")}
    asked.wheels.mkdir(parents=True, exist_ok=True)
    with _scratch() as folder:
        own = own_wheel(folder)
        wheels = {
            name: [own, *wheels_of(name, asked.wheels / name)] for name in asked.machine or MACHINES
        }
        contents = payload(wheels, project["version"], notes)
    asked.file.write_bytes(sealed(contents, asked.key))


if __name__ == "__main__":
    main()
