"""One signed file that updates a board without a network.

    python -m hardware.tools.bundle --key KEY --notes FOLDER --wheels FOLDER FILE.update

Made twice of the same checkout and wheels it is the same, byte for byte. Wheels that are missing in
their folder are fetched as locked; where there is source alone `mmdebstrap` makes a Debian with a
compiler for that machine, and they are made there.
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
DEBIANS = {"3.11": "bookworm", "3.13": "trixie"}
"""Debian 12 and 13, by their Python."""
PYTHONS = tuple(DEBIANS)
_ARCHITECTURES = {"aarch64": "arm64", "x86_64": "amd64"}
"""What Debian calls these machines."""
_COMPILER = "python3-pip,python3-setuptools,python3-wheel,python3-dev,swig"
"""Debian's packages with which wheels are made, but for what a machine's processor needs."""
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
    """Return the wheels of a machine, those made of sources among them.

    Raises:
        SystemExit: when some are missing that cannot be made.
    """
    if not folder.is_dir():
        fetch(machine, folder)
    for python in PYTHONS:
        for source in _sources(folder, python):
            with contextlib.suppress(subprocess.CalledProcessError), _scratch() as made:
                _wheel(source, made)
                for wheel in made.glob("*-none-any.whl"):
                    shutil.copy(wheel, folder)
        if sources := _sources(folder, python):
            compile_sources(machine, python, folder, sources)
        if lacking := _lacking(folder, python):
            raise SystemExit(
                f"{folder} has no wheel of {', '.join(lacking)} for Python {python} on {machine},"
                " and none could be made: what is said above tells why."
            )
    return sorted(folder.glob("*.whl"))


def _lacking(folder: Path, python: str) -> list[str]:
    """Return the names of which there is a wheel or a source, but no wheel for a Python."""
    wheels = list(folder.glob("*.whl"))
    names = {wheel.name.partition("-")[0] for wheel in wheels}
    names |= {source.name.rpartition("-")[0] for source in folder.glob("*.tar.gz")}
    there = {wheel.name.partition("-")[0] for wheel in wheels if _fits(wheel, python)}
    return sorted(names - there)


def _sources(folder: Path, python: str) -> list[Path]:
    return [
        source for name in _lacking(folder, python) for source in folder.glob(f"{name}-*.tar.gz")
    ]


def compile_sources(machine: str, python: str, folder: Path, sources: list[Path]) -> None:
    """Compile sources for a machine, in the Debian of a Python but on this processor.

    Raises:
        SystemExit: when the program that makes one is not there.
    """
    if not shutil.which("mmdebstrap"):
        names = ", ".join(source.name for source in sources)
        raise SystemExit(f"{names} are to be compiled: sudo apt-get install mmdebstrap")
    here, there = _ARCHITECTURES[platform.machine()], _ARCHITECTURES[machine]
    triplet = f"{machine}-linux-gnu"
    build = (
        f'chroot "$1" env PYPI=1 SOURCE_DATE_EPOCH={_DAY} _PYTHON_HOST_PLATFORM=linux-{machine}'
        f" _PYTHON_SYSCONFIGDATA_NAME=_sysconfigdata__{triplet}"
        " python3 -m pip wheel --quiet --no-deps --no-index --no-build-isolation"
        f" --wheel-dir=/srv/made {' '.join(f'/srv/{source.name}' for source in sources)}"
    )
    hooks = (*(f"upload '{source}' /srv/{source.name}" for source in sources), build)
    subprocess.run(  # noqa: S603
        [
            *("mmdebstrap", "--quiet", "--variant=minbase", "--format=null"),
            f"--architectures={','.join(dict.fromkeys((here, there)))}",
            f"--include={_COMPILER},libpython3-dev:{there},gcc-{triplet.replace('_', '-')}",
            *(f"--customize-hook={hook}" for hook in hooks),
            f"--customize-hook=sync-out /srv/made '{folder}'",
            *(DEBIANS[python], "/dev/null"),
        ],
        check=True,
    )


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
