"""A Pico that was plugged in with BOOTSEL held: a drive onto which MicroPython's image is copied.

The drive is FAT with a file `INFO_UF2.TXT` that names the chip; a UF2 file that was copied onto it
whole is written to the flash, and the Pico restarts (the RP2040's and RP2350's data sheets, on the
boot ROM). The image is a UF2: blocks of 512 bytes, each with the family of the chip that it is for.
"""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

from drivers.pico.install import InstallError

INFO = "INFO_UF2.TXT"
MOUNTS = Path("/proc/self/mounts")
IMAGES = Path("/opt/firmware-bridge/micropython")
"""Where a card carries MicroPython's images, one `.uf2` a chip, whichever version runs."""
CHIPS = {"RP2040": 0xE48BFF56, "RP2350": 0xE48BFF59}
"""The family that a UF2 for each chip's Arm cores names."""
_BOARDS = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}  # as which their drives present themselves
_ERRATUM = 0xE48BFF57  # of a block that images for an RP2350 may begin with (erratum E10)
_BLOCK = 512  # bytes, by the format
_HEAD = struct.Struct("<8I")  # two magic numbers, flags, address, size, number, total, family
_LAST = struct.Struct("<I")
_MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)  # first, second and last word of each block
_HAS_FAMILY = 0x2000  # among the flags
_ESCAPED = re.compile(r"\\([0-7]{3})")  # how the kernel writes spaces in the table of mounts


def find(mounts: Path = MOUNTS) -> Path | None:
    """Return where a Pico's boot drive is mounted, `None` if none is."""
    for line in mounts.read_text(encoding="utf-8").splitlines():
        written, kind = line.split(" ")[1:3]
        place = Path(_ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), written))
        if kind in {"vfat", "msdos"} and (place / INFO).is_file():
            return place
    return None


def chip_of(drive: Path) -> str:
    """Return which chip's drive this is, one of `CHIPS`.

    Raises:
        InstallError: it is that of another chip.
    """
    text = (drive / INFO).read_text(encoding="ascii", errors="replace")
    found = re.search(r"^Board-ID:\s*(.*?)\s*$", text, re.MULTILINE)
    if found and found[1] in _BOARDS:
        return _BOARDS[found[1]]
    raise InstallError(f"The drive at {drive} is not a Pico's: {' '.join(text.split())!r}.")


def family_of(image: bytes) -> int:
    """Return the family that a whole UF2 image is for.

    Raises:
        InstallError: it is damaged, or no UF2 at all.
    """
    families, numbers = set(), []
    for start in range(0, len(image), _BLOCK):
        block = image[start : start + _BLOCK]
        if len(block) < _BLOCK:
            raise InstallError("The image breaks off in the middle of a block.")
        first, second, flags, _, _, number, total, family = _HEAD.unpack_from(block)
        whole = (first, second, *_LAST.unpack_from(block, _BLOCK - _LAST.size)) == _MAGIC
        if not whole or not flags & _HAS_FAMILY:
            raise InstallError(f"Block {start // _BLOCK} of the image is damaged.")
        if family != _ERRATUM:
            families.add(family)
            numbers.append((number, total))
    if len(families) != 1:
        raise InstallError("The image is empty." if not families else "The image is for two chips.")
    if numbers != [(n, len(numbers)) for n in range(len(numbers))]:
        raise InstallError(f"The image is not whole: {len(numbers)} of {numbers[0][1]} blocks.")
    return int(families.pop())


def image_for(chip: str, folder: Path = IMAGES) -> bytes | None:
    """Return MicroPython's image for a chip, `None` where none lies in the folder."""
    for path in sorted(folder.glob("*.uf2")):
        image = path.read_bytes()
        if family_of(image) == CHIPS[chip]:
            return image
    return None


def copy(image: bytes, drive: Path) -> None:
    """Copy an image onto a boot drive, which vanishes with the last block.

    Raises:
        InstallError: it is for another chip, or could not be copied.
    """
    chip = chip_of(drive)
    if family_of(image) != CHIPS[chip]:
        raise InstallError(f"This image is not for a {chip}; nothing was copied.")
    left = memoryview(image)
    try:
        place = os.open(drive / "firmware.uf2", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            while left:
                left = left[os.write(place, left[: 64 * _BLOCK]) :]
            os.fsync(place)
        finally:
            os.close(place)
    except OSError as error:
        # It restarts as soon as it has the last block, often before the host's cache is empty.
        if left or (drive / INFO).is_file():
            raise InstallError(f"The image could not be copied to {drive}: {error}.") from error
