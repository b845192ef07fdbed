"""A small file holds all of the old or all of the new, whenever the power goes."""

import os
from pathlib import Path

from firmware_bridge.journal.small_file import keep


def test_what_is_kept_is_on_the_disk_before_it_has_the_name(tmp_path, monkeypatch):
    place, synced, fsync = tmp_path / "friends.json", [], os.fsync

    def noted(descriptor):
        fsync(descriptor)
        file = Path(f"/proc/self/fd/{descriptor}")
        synced.append((file.read_bytes(), place.read_bytes()))

    keep(place, b"old")
    monkeypatch.setattr("os.fsync", noted)
    keep(place, b"new")
    assert synced == [(b"new", b"old")]
    assert place.read_bytes() == b"new"
