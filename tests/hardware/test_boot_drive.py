"""A new Pico: MicroPython onto its boot drive, then the firmware; no shell anywhere."""

import asyncio
import json
import os
import struct
from functools import partial

import pytest

from drivers.description import load_description
from drivers.pico import boot_drive, install
from firmware_bridge.calibration.firmware_loading import AGAIN, Loading
from tests.hardware.micropython_package import needs_micropython
from tests.hardware.pico import Pico
from tests.hardware.test_firmware_install import prompt_at
from tests.patience import soon

RP2040, RP2350 = boot_drive.CHIPS.values()
ABSOLUTE = 0xE48BFF57  # of the block with which images for a Pico 2 begin
INFO = {
    "RP2040": "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n",
    "RP2350": "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n",
}


def uf2(family, blocks=3, first=0, total=None):
    """An image as the makers' tools write it."""
    parts = []
    for number in range(first, blocks):
        head = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number)
        block = struct.pack("<8I", *head, blocks if total is None else total, family)
        parts.append(block + bytes([number]) * 476 + struct.pack("<I", 0x0AB16F30))
    return b"".join(parts)


def drive_of(folder, chip="RP2040"):
    drive = folder / "RPI RP2"
    drive.mkdir()
    (drive / "INFO_UF2.TXT").write_text(INFO[chip])
    return drive


def mounts(folder, drive, kind="vfat"):
    table = folder / "mounts"
    escaped = str(drive).replace(" ", "\\040")
    table.write_text(f"proc /proc proc rw 0 0\n/dev/sda1 {escaped} {kind} rw,nosuid 0 0\n")
    return table


def test_a_drive_is_found_where_it_is_mounted_and_nowhere_else(tmp_path):
    drive = drive_of(tmp_path)
    assert boot_drive.find(mounts(tmp_path, drive)) == drive
    assert boot_drive.find(mounts(tmp_path, drive, "ext4")) is None
    (drive / "INFO_UF2.TXT").unlink()
    assert boot_drive.find(mounts(tmp_path, drive)) is None, "a stick is no Pico"
    boot_drive.find()  # this machine's own table can be read


@pytest.mark.parametrize("chip", INFO)
def test_the_image_that_fits_is_copied_byte_for_byte(tmp_path, chip):
    drive = drive_of(tmp_path, chip)
    images = tmp_path / "images"
    images.mkdir()
    (images / "a.uf2").write_bytes(uf2(RP2040))
    (images / "b.uf2").write_bytes(uf2(ABSOLUTE, 1, total=2) + uf2(RP2350))
    assert boot_drive.chip_of(drive) == chip
    image = boot_drive.image_for(chip, images)
    boot_drive.copy(image, drive)
    assert (drive / "firmware.uf2").read_bytes() == image


def test_an_image_for_the_other_chip_is_refused_before_anything_is_written(tmp_path):
    drive = drive_of(tmp_path, "RP2350")
    with pytest.raises(install.InstallError, match="not for a RP2350"):
        boot_drive.copy(uf2(RP2040), drive)
    assert [path.name for path in drive.iterdir()] == ["INFO_UF2.TXT"]


def test_a_drive_of_another_maker_is_refused_by_name(tmp_path):
    drive = drive_of(tmp_path)
    (drive / "INFO_UF2.TXT").write_text("Board-ID: SAMD21G18A-Feather-v0\n")
    with pytest.raises(install.InstallError, match="SAMD21G18A-Feather"):
        boot_drive.chip_of(drive)


WHOLE = uf2(RP2040, 4)


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (b"", "empty"),
        (WHOLE[:-100], "breaks off"),
        (WHOLE[:-512], "3 of 4"),
        (uf2(RP2040, 4, first=1), "3 of 4"),
        (WHOLE[:512] + bytes(512) + WHOLE[1024:], "Block 1"),
        (WHOLE + uf2(RP2350), "two chips"),
        (b"<html>not found</html>".ljust(512), "Block 0"),
    ],
)
def test_an_image_that_is_not_whole_is_refused(image, why):
    with pytest.raises(install.InstallError, match=why):
        boot_drive.family_of(image)


def test_a_drive_that_goes_with_the_last_block_was_written(tmp_path, monkeypatch):
    drive = drive_of(tmp_path)

    def gone(place):
        (drive / "INFO_UF2.TXT").unlink()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", gone)
    boot_drive.copy(WHOLE, drive)


def test_a_drive_that_is_pulled_before_is_told(tmp_path, monkeypatch):
    drive = drive_of(tmp_path)

    def broken(place, data):
        (drive / "INFO_UF2.TXT").unlink(missing_ok=True)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "write", broken)
    with pytest.raises(install.InstallError, match="could not be copied"):
        boot_drive.copy(WHOLE, drive)


class Bench:
    """A Pico that people plug in: as a drive first, then as a port; what is done with it."""

    def __init__(self, monkeypatch, folder):
        self.drive = None
        self.port = folder / "port"
        self.did = []
        self.said = asyncio.Queue()
        self.told = []
        self.asked = []
        self.wrong = ""
        images = folder / "images"
        images.mkdir()
        (images / "pico.uf2").write_bytes(uf2(RP2040))
        monkeypatch.setattr(boot_drive, "IMAGES", images)
        monkeypatch.setattr(boot_drive, "image_for", lambda chip: uf2(boot_drive.CHIPS[chip]))
        monkeypatch.setattr(boot_drive, "find", lambda: self.drive)
        monkeypatch.setattr(boot_drive, "copy", self._copy)
        monkeypatch.setattr(install, "install", self._install)
        monkeypatch.setattr(install, "check", self._check)
        monkeypatch.setattr("firmware_bridge.calibration.firmware_loading.LOOK_S", 0.01)
        monkeypatch.setattr("firmware_bridge.calibration.firmware_loading.SETTLE_S", 0)
        self.loading = Loading(
            load_description("starter"), "en", self.told.append, self._changed, str(self.port)
        )

    def _changed(self):
        self.asked.append(self.loading.asks)

    def _copy(self, image, drive):
        self.did.append("micropython")
        self.drive = None
        self.port.touch()

    def _install(self, port, files, say):
        if self.wrong:
            wrong, self.wrong = self.wrong, ""
            raise install.InstallError(wrong)
        say("Copying ...")
        self.did.append("firmware")

    async def _check(self, description, port):
        raise install.FaultyError("The board is connected. It cannot read its contacts.")


async def test_a_new_pico_gets_micropython_and_firmware_and_is_checked(monkeypatch, tmp_path):
    bench = Bench(monkeypatch, tmp_path)
    running = asyncio.create_task(bench.loading.run(bench.said))
    await soon(lambda: bench.asked)
    assert "BOOTSEL" in bench.asked[0]
    assert not bench.did
    bench.drive = drive_of(tmp_path)
    assert await running
    assert bench.did == ["micropython", "firmware"]
    assert bench.told == ["Copying ...", "The board is connected. It cannot read its contacts."]
    for word, ask in zip(("BOOTSEL", "RP2040", "loaded", "tests itself"), bench.asked, strict=True):
        assert word in ask


async def test_a_pico_that_runs_something_already_needs_no_button(monkeypatch, tmp_path):
    bench = Bench(monkeypatch, tmp_path)
    bench.port.touch()
    assert await bench.loading.run(bench.said)
    assert bench.did == ["firmware"]


async def test_what_went_wrong_is_told_and_can_be_tried_again(monkeypatch, tmp_path):
    bench = Bench(monkeypatch, tmp_path)
    bench.port.touch()
    bench.wrong = "The Pico refused."
    for word in ("nonsense", AGAIN):
        bench.said.put_nowait(word)
    assert await bench.loading.run(bench.said)
    assert bench.told[0] == "The Pico refused."
    assert "nonsense" in bench.told[1]
    assert bench.did == ["firmware"]


@pytest.mark.parametrize("plugged", [False, True])
async def test_who_stops_is_let_go(monkeypatch, tmp_path, plugged):
    bench = Bench(monkeypatch, tmp_path)
    if plugged:
        bench.port.touch()
        bench.wrong = "No."
    bench.said.put_nowait("q")
    assert not await bench.loading.run(bench.said)
    assert not bench.did


@pytest.mark.node
@needs_micropython
async def test_from_the_button_to_the_boards_greeting_with_the_real_tools(monkeypatch, tmp_path):
    """A drive, MicroPython's prompt behind real `mpremote`, and the real firmware's greeting."""
    monkeypatch.setattr("firmware_bridge.calibration.firmware_loading.LOOK_S", 0.05)
    drive, port = drive_of(tmp_path), tmp_path / "port"
    images, table = tmp_path / "images", mounts(tmp_path, drive)
    images.mkdir()
    (images / "pico.uf2").write_bytes(uf2(RP2040))
    monkeypatch.setattr(boot_drive, "image_for", partial(boot_drive.image_for, folder=images))
    monkeypatch.setattr(boot_drive, "find", partial(boot_drive.find, table))
    told = []
    loading = Loading(load_description("starter"), "de", told.append, lambda: None, str(port))
    running = asyncio.create_task(loading.run(asyncio.Queue()))
    await soon((drive / "firmware.uf2").is_file)
    for file in drive.iterdir():  # the chip restarts with what it was given
        file.unlink()
    with prompt_at(tmp_path) as (line, loaded, prompt):
        port.symlink_to(line)
        # It was told to reset: what it has now is what the board runs.
        await asyncio.to_thread(prompt.wait)
        assert json.loads((loaded / "version.json").read_text())["board"] == "starter"
        (tmp_path / "board").mkdir()
        pico = Pico(tmp_path / "board", "starter")
        await asyncio.to_thread(pico.plug)
        try:
            port.unlink()
            port.symlink_to(pico.port)
            assert await running
            assert "connected" in told[-1]
        finally:
            pico.unplug()
