import pytest

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
