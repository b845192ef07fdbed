"""A stick's bundles come into the spool whole or not at all, and the page tells what went wrong."""

import json
import os
import shutil

import pytest

from hardware.install.updater import stick
from hardware.install.updater.__main__ import Updater


class Machine(Updater):
    """A root on which 1.0.0 runs, and what is plugged into it."""

    def __init__(self, root):
        super().__init__(root)
        release = self.releases.home / "releases/20260101000000-1.0.0"
        release.mkdir(parents=True)
        (self.releases.home / "current").symlink_to(release)
        self.stick.mkdir()

    @property
    def stick(self):
        return self.root / "stick"

    def takes(self):
        return stick.take("/dev/sdz1", self.stick, self)

    @property
    def got(self):
        return {path.name: path.read_bytes() for path in self.spool.iterdir()}

    @property
    def says(self):
        return json.loads(self.status.read_text())["state"] if self.status.exists() else None


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine whose `mount` notes whether anything is mounted."""
    programs = tmp_path / "bin"
    programs.mkdir()
    mounted = tmp_path / "mounted"
    for name, noted in {"mount": f"touch {mounted}", "umount": f"rm {mounted}"}.items():
        (programs / name).write_text(f"#!/bin/sh\n{noted}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    plugged = Machine(tmp_path)
    (plugged.stick / "new.update").write_bytes(b"whole")
    yield plugged
    assert not mounted.exists()


def test_a_stick_is_copied_whole_and_links_on_it_are_not(machine):
    (machine.stick / "link.update").symlink_to("/etc/passwd")
    (machine.stick / "holiday.jpg").write_bytes(b"beach")
    assert machine.takes()
    assert (machine.got, machine.says) == ({"new.update": b"whole"}, None)


def test_a_stick_taken_out_in_mid_copy_is_told_and_leaves_nothing(machine, monkeypatch):
    def half(source, copy):
        copy.write(source.read(2))
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(shutil, "copyfileobj", half)
    assert not machine.takes()
    assert (machine.got, machine.says) == ({}, "unreadable")


def test_a_card_without_room_is_told_before_anything_is_copied(machine, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 0))
    assert not machine.takes()
    assert (machine.got, machine.says) == ({}, "room")


def test_what_a_power_cut_left_half_is_thrown_away_at_the_next_stick(machine):
    machine.spool.mkdir(parents=True)
    (machine.spool / "new.update.part").write_bytes(b"wh")
    assert machine.takes()
    assert machine.got == {"new.update": b"whole"}
