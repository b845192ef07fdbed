from itertools import groupby, takewhile
from types import SimpleNamespace

import pytest

from firmware_bridge.config import Config
from firmware_bridge.diagnostics import checkup
from firmware_bridge.diagnostics.checkup import file_system_of

MOUNTS = """\
/dev/mmcblk0p2 / ext4 rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/sda1 /srv/games ext4 rw 0 0
overlay /srv overlay rw 0 0
"""


@pytest.mark.parametrize(
    ("place", "kind"),
    [("/var/lib", "ext4"), ("/run/x", "tmpfs"), ("/srv/games/a", "ext4"), ("/srv", "overlay")],
)
def test_the_innermost_mount_holds_a_place(tmp_path, place, kind):
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    from pathlib import Path

    assert file_system_of(Path(place), mounts) == kind


def test_without_a_mount_table_nothing_is_claimed(tmp_path):
    assert file_system_of(tmp_path, tmp_path / "none") == ""


@pytest.mark.parametrize(("behind", "lost"), [(0, False), (3600, False), (3 * 86_400, True)])
def test_a_clock_behind_what_was_written_here_is_lost(tmp_path, monkeypatch, behind, lost):
    """A machine without a battery starts in the past: before its own games, or its own system."""
    game = tmp_path / "games.sqlite"
    game.touch()
    now = max(game.stat().st_mtime, *(path.stat().st_mtime for path in checkup.SYSTEM))
    monkeypatch.setattr(checkup.time, "time", lambda: now - behind)
    looked = checkup.check_up(Config(data=tmp_path))
    first = takewhile(lambda found: found.about == "machine", looked)
    told = [found for found in first if found.text.startswith("The clock says")]
    assert bool(told) == lost


@pytest.mark.parametrize(("free", "state"), [(6 << 20, "bad"), (6 << 30, "good")])
def test_a_full_disk_is_not_told_to_be_good_as_well(tmp_path, monkeypatch, free, state):
    monkeypatch.setattr(checkup.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    looked = checkup.check_up(Config(data=tmp_path))
    about = groupby(looked, lambda found: found.about)  # what comes after it is not looked at
    storage = next(list(found) for what, found in about if what == "storage")
    assert [found.state for found in storage if " MB " in found.text] == [state]


def test_what_another_package_should_bring_is_looked_at_as_it_is_at_the_start(tmp_path):
    asked = Config(data=tmp_path, indicators={"flag": {}}, distance={"carrier": "pigeon"})
    looked = checkup.check_up(asked)
    told = takewhile(lambda found: found.about != "board", looked)  # the board would be waited for
    wrong = " ".join(found.text for found in told if found.state == "bad")
    assert 'no indicator "flag"' in wrong
    assert 'no carrier "pigeon"' in wrong
