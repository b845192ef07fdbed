"""A bundle: a line, a length, a signature of `ssh-keygen`, and behind it the tar that was signed.

Nothing of the tar is looked at before the signature was found good, and that on a copy which nobody
but root can change meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .status import RefusedError

MAGIC = b"firmware-bridge update 1\n"
"""The first line; another number stands for another order of things."""
NAMESPACE = "firmware-bridge-update"
"""What signatures of ours are for, so that those for other things are none of ours."""
SIGNER = "release"
"""The name in the list of allowed signers."""
_SIGNATURE_END = b"-----END SSH SIGNATURE-----\n"
_HEAD = 8192
"""Bytes in which the signature has ended; that of the longest RSA key takes 3000."""
_ROOM = 4
"""How many times a bundle's size has to be free: itself, its tar, wheels, and those unpacked."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle that was found good holds: its manifest, and the folder of its wheels."""

    name: str
    manifest: dict[str, Any]
    payload: Path

    @property
    def version(self) -> str:
        """Return the version that it brings."""
        return str(self.manifest["version"])

    @property
    def notes(self) -> dict[str, str]:
        """Return what its makers say of it, in each language."""
        return {str(code): str(text) for code, text in self.manifest["notes"].items()}

    @property
    def wheels(self) -> Path:
        """Return the folder that its wheels are unpacked into."""
        return self.payload.with_name("wheels")


def examined(source: Path, scratch: Path, share: Path) -> Bundle:
    """Copy a bundle into an empty folder of root's, and look there whether it is to be trusted.

    Args:
        source: the bundle.
        scratch: that folder, which is made.
        share: where the lists of keys lie that are trusted, and of those that are no longer.

    Raises:
        RefusedError: when it is not to be trusted, not whole, or not for this machine.
    """
    scratch.mkdir(mode=0o700, parents=True)
    payload, signature = scratch / "payload.tar", scratch / "signature"
    _copy(source, payload, signature)
    trusted = (share / "allowed_signers", share / "withdrawn_signers")
    _verify(source.name, payload, signature, *trusted)
    with tarfile.open(payload) as tar:
        bundle = Bundle(source.name, json.load(_member(tar, "manifest.json")), payload)
    _check_machine(bundle)
    return bundle


def unpack(bundle: Bundle) -> None:
    """Unpack the wheels of a bundle that was found good.

    Raises:
        RefusedError: when they are not all there.
    """
    with tarfile.open(bundle.payload) as tar:
        _unpack(tar, bundle)
    bundle.payload.unlink()


def _copy(source: Path, payload: Path, signature: Path) -> None:
    name = source.name
    try:
        with source.open("rb") as file:
            size, signed = _head(name, file)
            check_room(name, size, payload.parent, times=1)
            with payload.open("wb") as copy:
                shutil.copyfileobj(file, copy)
    except OSError as error:
        raise RefusedError("unreadable", name=name) from error
    if payload.stat().st_size != size:
        raise RefusedError("incomplete", name=name)
    signature.write_bytes(signed)


def _head(name: str, file: IO[bytes]) -> tuple[int, bytes]:
    if file.readline(len(MAGIC)) != MAGIC:
        raise RefusedError("format", name=name)
    length = file.readline(20)
    if not length.strip().isdigit():
        raise RefusedError("incomplete", name=name)
    start = file.tell()
    head = file.read(_HEAD)
    end = head.find(_SIGNATURE_END)
    if not head.startswith(b"-----BEGIN SSH SIGNATURE-----\n") or end < 0:
        raise RefusedError("unsigned" if len(head) == _HEAD else "incomplete", name=name)
    file.seek(start + end + len(_SIGNATURE_END))
    return int(length), head[: end + len(_SIGNATURE_END)]


def check_room(name: str, size: int, folder: Path, times: int = _ROOM) -> None:
    """Look whether there is room for a bundle and for what is made of it.

    Raises:
        RefusedError: when there is not.
    """
    free = shutil.disk_usage(folder).free
    if free < size * times:
        raise RefusedError(
            "room", name=name, needed=size * times // 1_000_000 + 1, free=free // 1_000_000
        )


def _verify(name: str, payload: Path, signature: Path, signers: Path, withdrawn: Path) -> None:
    common = ("-n", NAMESPACE, "-s", signature)
    if not _ssh_keygen(payload, "check-novalidate", *common):
        raise RefusedError("altered", name=name)
    trusted = (*common, "-f", signers, "-I", SIGNER)
    if not _ssh_keygen(payload, "verify", *trusted):
        raise RefusedError("stranger", name=name)
    if not _ssh_keygen(payload, "verify", *trusted, "-r", withdrawn):
        raise RefusedError("withdrawn", name=name)


def _ssh_keygen(payload: Path, action: str, *arguments: str | Path) -> bool:
    with payload.open("rb") as signed:
        done = subprocess.run(  # noqa: S603
            ["ssh-keygen", "-Y", action, *arguments],  # noqa: S607
            stdin=signed,
            capture_output=True,
            check=False,
        )
    return done.returncode == 0


def _check_machine(bundle: Bundle) -> None:
    machines, pythons = bundle.manifest["machines"], bundle.manifest["pythons"]
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if platform.machine() not in machines or here not in pythons:
        raise RefusedError(
            "machine", name=bundle.name, machines=", ".join(machines), pythons=", ".join(pythons)
        )


def _unpack(tar: tarfile.TarFile, bundle: Bundle) -> None:
    bundle.wheels.mkdir()
    for name, digest in bundle.manifest["files"].items():
        contents = _member(tar, name).read()
        if hashlib.sha256(contents).hexdigest() != digest or "/" in name or name in ("", ".", ".."):
            raise RefusedError("format", name=bundle.name)
        (bundle.wheels / name).write_bytes(contents)
    os.sync()


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        file = tar.extractfile(name)
    except KeyError:
        file = None
    if file is None:
        raise RefusedError("format", name=Path(str(tar.name)).name)
    return file
