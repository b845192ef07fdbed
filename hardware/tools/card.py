"""A card in an emulated machine, from its image on."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

from hardware.tools.emulated_disk import Disk, copy_disk
from hardware.tools.emulated_machine import TrialError

CARD_BYTES = 4 * 2**30
"""The smallest card that is sold, and more than the image has."""
MIB = 2**20
ROOT = 3
"""The root's place in the table of partitions; the boot partition is the first."""
CHECKED = ((1024 + 0x30, 4), (1024 + 0x178, 8), (1024 + 0x3FC, 4))
"""Where a superblock tells when, and how much was ever written, and its sum: `e2fsck` writes these
where it finds nothing to mend, too."""


class Card(Disk):
    """A card in the emulated machine; its boot partition can be read and written between starts."""

    @property
    def root(self) -> str:
        """What a Pi's firmware tells the kernel, but for the console."""
        told = (self.folder / "cmdline.txt").read_text().split()
        return " ".join(word for word in told if not word.startswith("console="))

    def insert(self, image: Path) -> None:
        """Write the image to a card, and take the kernel from it as a Pi's firmware would."""
        copy_disk(image, self.path)
        with self.path.open("r+b") as card:
            card.truncate(CARD_BYTES)
        for name, kept in (
            ("vmlinuz*", "vmlinuz"),
            ("initrd*", "initrd"),
            ("cmdline.txt", "cmdline.txt"),
        ):
            (self.folder / kept).unlink(missing_ok=True)
            run("mcopy", "-i", f"{self.path}@@1M", f"::{name}", str(self.folder / kept))

    def put(self, name: str, text: str) -> None:
        """Write a file to the boot partition."""
        (self.folder / name).write_text(text)
        run("mcopy", "-o", "-i", f"{self.path}@@1M", str(self.folder / name), "::")

    def has(self, name: str) -> bool:
        """Tell whether a file is on the boot partition."""
        listed = run("mdir", "-b", "-i", f"{self.path}@@1M", "::")
        return f"::/{name}" in listed.split()

    def root_place(self) -> tuple[int, int]:
        """Return where the root begins and how long it is, in bytes."""
        table = json.loads(run("sfdisk", "--json", str(self.path)))["partitiontable"]
        found = table["partitions"][ROOT - 1]
        return found["start"] * 512, found["size"] * 512

    def fingerprint(self) -> str:
        """Return the SHA-256 of the root, but for what `e2fsck` notes there at each start."""
        start, size = self.root_place()
        digest = hashlib.sha256()
        with self.path.open("rb") as card:
            card.seek(start)
            head = bytearray(card.read(MIB))
            for place, length in CHECKED:
                head[place : place + length] = bytes(length)
            digest.update(head)
            while (size := size - MIB) > 0 and (block := card.read(min(MIB, size))):
                digest.update(block)
        return digest.hexdigest()

    def filesystem_bytes(self) -> int:
        """Return the size of the file system on the root."""
        start, _ = self.root_place()
        said = run("dumpe2fs", "-h", f"{self.path}?offset={start}")
        numbers = dict(line.split(":", 1) for line in said.splitlines() if ":" in line)
        return int(numbers["Block count"]) * int(numbers["Block size"])


def run(*command: str | Path) -> str:
    """Return what a command says; raise `TrialError` where it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        raise TrialError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout
