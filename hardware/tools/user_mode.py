"""A machine whose kernel is a process of this one: a card is started in a tenth of what QEMU takes.

It is Linux for User Mode (Debian's `user-mode-linux`; with `uml-utilities`, since the machine asks
for a watchdog without end), with the card's own initial file system, layer and systemd. QEMU's
storage daemon keeps the card, so that writes are logged and can be lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path

from hardware.tools.emulated_disk import Disk
from hardware.tools.emulated_machine import Running, within

INITRD = "first-file-system"
"""What the kernel starts from: the card's own tools with this kernel's modules."""
_BLOCK_DEVICE = 2
"""The number that virtio has for one."""


class UserModeMachine(Running):
    """A card that was put into a machine and switched on.

    Args:
        disk: the card; its folder holds its first file system, `INITRD`, too.
        stick: a second drive, which is only read.
        kernel: the program `linux.uml`.
        network: a tap of this computer's, which its card `vec0` is joined to.
    """

    def __init__(
        self, disk: Disk, stick: Path | None = None, *, kernel: Path, network: str | None = None
    ) -> None:
        drives = ("card", "stick") if stick else ("card",)
        wires = [disk.folder / drive for drive in drives]
        for wire in wires:
            wire.unlink(missing_ok=True)
        disk.log.write_bytes(b"")
        self._storage = subprocess.Popen(  # noqa: S603
            ["qemu-storage-daemon", *_storage(disk, stick), *map(_export, drives)],  # noqa: S607
            cwd=disk.folder,
            start_new_session=True,
        )
        within(60, "the storage", lambda: all(wire.exists() for wire in wires))
        told = [
            "mem=640M",
            *(f"virtio_uml.device={at}:{_BLOCK_DEVICE}:{n}" for n, at in enumerate(wires)),
            *(f"initrd={disk.folder / INITRD}", *disk.root.split()),
            *([f"vec0:transport=tap,ifname={network},depth=64"] if network else []),
            *("con=null", "con0=null,fd:1", "printk.devkmsg=on"),
            *("systemd.default_timeout_start_sec=900", "systemd.default_device_timeout_sec=900"),
        ]
        self.console = disk.folder / "console"
        with self.console.open("wb") as console:
            self._process = subprocess.Popen(  # noqa: S603
                [kernel, *told],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                env={**os.environ, "TMPDIR": "/dev/shm"},  # noqa: S108 - its memory
                start_new_session=True,
            )

    def cut(self) -> None:
        """Take the power away."""
        for process in (self._process, self._storage):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _storage(disk: Disk, stick: Path | None) -> list[str]:
    """Return how the daemon is to keep the drives: each write to the card is logged behind it."""
    files = {"kept": disk.path, "log": disk.log, **({"stick": stick} if stick else {})}
    blocks = [
        {"driver": "file", "filename": str(path), "node-name": name, "read-only": path == stick}
        for name, path in files.items()
    ]
    logs = {"driver": "blklogwrites", "file": "kept", "log": "log", "node-name": "card"}
    return [f"--blockdev={json.dumps(block)}" for block in (*blocks, logs)]


def _export(drive: str) -> str:
    """Return how a drive is given to the machine, by a socket of its name."""
    given = f"type=vhost-user-blk,id={drive},node-name={drive},addr.type=unix,addr.path={drive}"
    return f"--export={given},writable={'on' if drive == 'card' else 'off'}"
