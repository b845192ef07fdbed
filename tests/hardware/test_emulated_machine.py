"""The installed service on an emulated machine, and the disk that forgets what was not flushed."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.journal import Journal
from firmware_bridge.messages.records import Record
from hardware.tools.emulated_disk import Disk, DiskError, Unflushed, turns_on
from hardware.tools.emulated_machine import Machine, TrialError, within

CHECKOUT = Path(__file__).parents[2]
SECTOR = 512
FLUSH, DISCARD = 1, 4
needs_e2fsprogs = pytest.mark.skipif(not shutil.which("mke2fs"), reason="mke2fs is not in the path")


def write_log(path, entries):
    """Write a log in the form of the kernel's dm-log-writes: sector, data or a count, flags."""
    blocks = [struct.pack("<QQQI", 0x6A736677736872, 1, len(entries), SECTOR)]
    for sector, data, flags in entries:
        count = data if isinstance(data, int) else len(data) // SECTOR
        blocks.append(struct.pack("<QQQQ", sector, count, flags, 0))
        if not isinstance(data, int):
            blocks.append(data)
    path.write_bytes(b"".join(block + bytes(-len(block) % SECTOR) for block in blocks))


def filled(byte):
    return bytes([byte]) * SECTOR


@pytest.fixture
def disk(tmp_path):
    (tmp_path / "before").write_bytes(filled(9) * 4)
    (tmp_path / "disk").write_bytes(b"what the machine left")
    return Disk(tmp_path, "amd64")


@pytest.mark.parametrize(
    ("entries", "kept", "lost"),
    [
        ([], [9, 9, 9, 9], 0),
        ([(0, filled(1), 0)], [9, 9, 9, 9], 1),
        ([(0, filled(1), 0), (0, 0, FLUSH), (1, filled(2), 0)], [1, 9, 9, 9], 1),
        ([(0, filled(1) + filled(2), 0), (2, filled(3), FLUSH)], [1, 2, 3, 9], 0),
        ([(0, 2, DISCARD), (3, filled(4), 0), (0, 0, FLUSH)], [0, 0, 9, 4], 0),
    ],
)
def test_only_what_was_flushed_is_on_the_disk_after_a_cut(disk, tmp_path, entries, kept, lost):
    write_log(disk.log, entries)
    found = disk.after_cut(disk.path, Random(1), survival=0)
    assert found == Unflushed(writes=lost, lost=lost)
    assert disk.path.read_bytes() == b"".join(map(filled, kept))


def test_writes_that_were_not_flushed_get_through_or_not_each_by_itself(disk, tmp_path):
    certain, later = [(0, filled(1), 0), (0, 0, FLUSH)], [(at, filled(2), 0) for at in (1, 2, 3)]
    write_log(disk.log, certain + later)
    left = set()
    for seed in range(40):
        found = disk.after_cut(disk.path, Random(seed), survival=0.5)
        kept = disk.path.read_bytes()[::SECTOR]
        assert kept[0] == 1
        assert found == Unflushed(writes=3, lost=kept.count(9))
        left.add(kept[1:])
    assert len(left) == 8


def test_the_power_may_fail_in_the_middle_of_the_log(disk, tmp_path):
    entries = [(0, filled(1), 0), (0, 0, FLUSH), (1, filled(2), 0), (2, filled(3), FLUSH)]
    write_log(disk.log, entries)
    for writes, kept in enumerate(([9] * 4, [9] * 4, [1, 9, 9, 9], [1, 9, 9, 9], [1, 2, 3, 9])):
        disk.after_cut(tmp_path / "left", Random(1), 0, writes=writes)
        assert (tmp_path / "left").read_bytes() == b"".join(map(filled, kept))
    assert disk.writes == 4


def test_a_log_that_nothing_was_flushed_to_is_empty(disk):
    for begun in (b"", bytes(SECTOR)):
        disk.log.write_bytes(begun)
        assert disk.writes == 0


def test_a_file_that_is_no_log_is_said_to_be_none(disk, tmp_path):
    disk.log.write_bytes(b"?" * SECTOR)
    with pytest.raises(DiskError, match="is no log of writes"):
        disk.after_cut(disk.path, Random(1), survival=0)


@pytest.fixture
def card(tmp_path):
    """A disk with a file system and a game of two turns on it."""
    games = tmp_path / "files" / "var" / "lib" / "firmware-bridge"
    games.mkdir(parents=True)
    journal = Journal(games)
    records = [Record(0, "begun", {"game": "reversi"})]
    journal.append("today", [*records, *(Record(1, "taken", {"turn": t}) for t in ("d3", "c3"))])
    journal.close()
    command = ["mke2fs", "-q", "-t", "ext4", "-d", tmp_path / "files", tmp_path / "card", "16M"]
    subprocess.run(command, check=True)
    return tmp_path / "card"


@needs_e2fsprogs
def test_the_turns_of_the_game_are_read_from_the_disk(card, tmp_path):
    assert turns_on(card, tmp_path / "games") == ["d3", "c3"]
    assert turns_on(card, tmp_path / "games") == ["d3", "c3"], "also after another look"


@needs_e2fsprogs
def test_a_disk_that_cannot_be_mended_or_holds_no_game_is_named(card, tmp_path):
    empty = tmp_path / "empty"
    empty.write_bytes(bytes(1 << 20))
    with pytest.raises(DiskError, match=r"e2fsck cannot mend .*empty"):
        turns_on(empty, tmp_path / "games")
    command = ["debugfs", "-w", "-R", "rm /var/lib/firmware-bridge/journal.sqlite", card]
    subprocess.run(command, check=True)
    with pytest.raises(DiskError, match="No game is on"):
        turns_on(card, tmp_path / "games")


@pytest.mark.skipif(os.geteuid() != 0, reason="changes its root, which needs root")
@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="needs Debian's dpkg-deb")
def test_an_unpacker_that_was_lent_runs_in_the_other_root_and_leaves_nothing(tmp_path):
    def files():
        return {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}

    (tmp_path / "usr" / "bin").mkdir(parents=True)
    (tmp_path / "usr" / "lib").mkdir()
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "usr" / "bin" / "dpkg-deb").write_bytes(b"of another processor")
    before = files()
    unpacker = CHECKOUT / "hardware" / "install" / "own-unpacker"
    subprocess.run([unpacker, "lend", tmp_path], check=True)
    subprocess.run(["chroot", tmp_path, "/usr/bin/dpkg-deb", "--version"], check=True)
    # Debian's systemd asks for a merged /usr.
    assert all(path.is_symlink() for path in tmp_path.iterdir() if path.name != "usr")
    subprocess.run([unpacker, "return", tmp_path], check=True)
    assert files() == before


def test_what_never_comes_is_named():
    with pytest.raises(TrialError, match="a board: not within 0 s"):
        within(0.01, "a board", lambda: False)


@pytest.mark.timeout(7200)
@pytest.mark.skipif(
    not os.environ.get("FIRMWARE_BRIDGE_EMULATED"),
    reason="emulates a machine for half an hour, as root; set FIRMWARE_BRIDGE_EMULATED=arm64",
)
def test_the_installed_service_plays_on_an_emulated_machine(tmp_path):
    architecture = os.environ["FIRMWARE_BRIDGE_EMULATED"]
    command = [sys.executable, "-m", "hardware.tools.trial", f"--architecture={architecture}"]
    done = subprocess.run([*command, tmp_path], cwd=CHECKOUT, check=False)
    assert done.returncode == 0


def test_a_machine_that_was_just_switched_on_has_said_nothing_yet(disk, monkeypatch):
    programs = disk.folder / "bin"
    programs.mkdir()
    (programs / "qemu-system-x86_64").write_text("#!/bin/sh\nexec sleep 60\n")
    (programs / "qemu-system-x86_64").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    (disk.folder / "console").write_text("hands: what another one said\n")
    machine = Machine(disk)
    try:
        assert (machine.said("hands: "), machine.restarts) == ([], False)
    finally:
        machine.cut()
