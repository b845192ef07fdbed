"""What the trial of updates on a machine holds to be a whole release, and the trial itself."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from hardware.tools.emulated_machine import TrialError
from hardware.tools.update_trial import fingerprint, moments, which

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


def test_the_power_fails_as_often_in_each_phase_however_little_that_writes():
    told = [(650, "begun"), (660, "turn e2e4"), (789, "wished"), (10540, "not to wait")]
    told += [(10757, "resumed"), (10762, "turn d7d5"), (11022, "done")]
    cuts = moments(told, 11034, 100, Random(1))
    assert Counter(phase for phase, _ in cuts) == dict.fromkeys(
        ("begun", "wished", "not to wait", "resumed", "done"), 20
    )
    begins = {said: at for at, said in told}
    ends = {"begun": 789, "wished": 10540, "not to wait": 10757, "resumed": 11022, "done": 11034}
    assert all(begins[phase] <= at <= ends[phase] for phase, at in cuts)


def test_where_a_game_is_found_the_power_fails_before_that_too():
    cuts = moments([(900, "found 20260101000000-1.0.0")], 1000, 50, Random(1))
    assert min(at for _, at in cuts) < 100
    assert max(at for _, at in cuts) > 900


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
