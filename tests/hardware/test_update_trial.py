"""What the trial of updates on a machine holds to be a whole release, and the trial itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.tools.emulated_machine import TrialError
from hardware.tools.update_trial import fingerprint, which

CHECKOUT = Path(__file__).parents[2]
RELEASE = "20260101000000-1.0.0"


@pytest.fixture
def root(tmp_path):
    home = tmp_path / "opt/firmware-bridge"
    release = home / "releases" / RELEASE
    (release / "bin").mkdir(parents=True)
    (release / "bin/python").symlink_to("/usr/bin/python3")
    (release / "code.py").write_text("x = 1\n")
    (home / "current").symlink_to(f"/opt/firmware-bridge/releases/{RELEASE}")
    return tmp_path


def test_a_release_is_whole_however_often_it_has_run(root):
    release = root / "opt/firmware-bridge/releases" / RELEASE
    whole = {fingerprint(release): RELEASE}
    (release / "__pycache__").mkdir()
    (release / "__pycache__/code.pyc").write_bytes(b"compiled")
    (release / "unproven").touch()
    assert which(root, whole) == "1.0.0"


@pytest.mark.parametrize(
    "harm",
    [
        lambda release: (release / "code.py").write_text(""),
        lambda release: (release / "code.py").unlink(),
        lambda release: (release / "more.py").touch(),
        lambda release: (release / "code.py").rename(release / "coda.py"),
        lambda release: (release / "bin/python").unlink(),
    ],
)
def test_a_release_that_lacks_anything_is_not_whole(root, harm):
    release = root / "opt/firmware-bridge/releases" / RELEASE
    whole = {fingerprint(release): RELEASE}
    harm(release)
    with pytest.raises(TrialError, match="is not whole"):
        which(root, whole)


@pytest.mark.timeout(14400)
@pytest.mark.skipif(
    not os.environ.get("FIRMWARE_BRIDGE_UPDATES"),
    reason="cuts the power of a machine, as root; set FIRMWARE_BRIDGE_UPDATES=FOLDER,BUNDLE",
)
@pytest.mark.parametrize("kind", [(), ("--protected",)])
def test_an_update_survives_the_power_cut_at_any_moment(kind):
    folder, bundle = os.environ["FIRMWARE_BRIDGE_UPDATES"].split(",")
    command = [sys.executable, "-m", "hardware.tools.update_trial", folder, "--bundle", bundle]
    assert subprocess.run([*command, *kind], cwd=CHECKOUT, check=False).returncode == 0
