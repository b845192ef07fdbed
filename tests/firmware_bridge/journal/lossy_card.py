"""A file system on a disk that holds writes back until a flush, and whose power can be cut."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from hardware.tools.emulated_disk import Disk, copy_disk
from tests.patience import until

RESTLESS = (
    "while :; do dd if=/dev/urandom of=restless bs=4k count=500 oflag=direct conv=notrunc; done"
)
"""Writes for ever, past all caches, and never asks that anything be kept."""


def lacking():
    """Return what is missing to have such a card here, or nothing."""
    if os.geteuid() != 0:
        return "root"
    places = ("/dev/fuse", "/dev/loop-control")
    tools = ("qemu-storage-daemon", "mke2fs", "losetup", "mount")
    missing = [place for place in places if not Path(place).exists()]
    return ", ".join([*missing, *(tool for tool in tools if not shutil.which(tool))])


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class LossyCard:
    """The card; plug it in, and cut its power as often as you like.

    QEMU logs what the kernel writes and when it asks for a flush.

    Attributes:
        place: where its files are, while it is plugged in.
    """

    def __init__(self, folder):
        self.disk = Disk(folder, "amd64")
        self.place = folder / "files"
        self.place.mkdir()
        self._exported = folder / "exported"
        self._exported.touch()
        self._left = folder / "left"
        run("mke2fs", "-q", "-t", "ext4", self.disk.path, "48M")

    def __enter__(self):
        copy_disk(self.disk.path, self.disk.before)
        self.disk.log.write_bytes(b"")
        command = [
            "qemu-storage-daemon",
            *("--blockdev", f"raw,node-name=raw,file.driver=file,file.filename={self.disk.path}"),
            *("--blockdev", f"file,node-name=log,filename={self.disk.log}"),
            *("--blockdev", "blklogwrites,node-name=disk,file=raw,log=log"),
            "--export",
            f"fuse,id=card,node-name=disk,mountpoint={self._exported},writable=on",
        ]
        self._daemon = subprocess.Popen(command)
        until(lambda: self._exported.stat().st_size > 0)
        self._loop = run("losetup", "--find", "--show", self._exported)
        run("mount", self._loop, self.place)
        self._restless = subprocess.Popen(
            ["sh", "-c", RESTLESS],
            cwd=self.place,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until((self.place / "restless").exists)
        return self

    def cut(self, process, dice, survival):
        """Stop the disk while it holds writes back, then the process; return how many were lost.

        What is left is on the card when it is plugged in again.
        """

        def lost():
            self._daemon.send_signal(signal.SIGSTOP)
            if not (found := self.disk.after_cut(self._left, dice, survival).lost):
                self._daemon.send_signal(signal.SIGCONT)
            return found

        losses = until(lost, "the disk never held a write back")
        os.kill(process, signal.SIGKILL)
        self._daemon.send_signal(signal.SIGCONT)
        return losses

    def __exit__(self, *_):
        os.killpg(self._restless.pid, signal.SIGKILL)
        self._restless.wait()
        until(
            lambda: not subprocess.call(("umount", "-q", self.place), stderr=subprocess.DEVNULL)
        )  # what was killed still writes
        run("losetup", "--detach", self._loop)
        self._daemon.terminate()
        self._daemon.wait()
        if self._left.exists():
            self._left.rename(self.disk.path)
