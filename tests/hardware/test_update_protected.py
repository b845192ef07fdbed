"""Updates of a protected card: what is done below its layer in memory is there at the next start.

A card here is a file system in memory, mounted read only, with an overlay over it as overlayroot
makes it, in mounts that this test alone sees; the updater sees its own mounts, as its unit does.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.tools import bundle as maker
from tests.hardware.test_update import OLD, ROOT, STEPS, Board, contents_of, quick
from tests.hardware.test_update import keys as keys  # noqa: PLC0414 # a fixture
from tests.hardware.test_update import wheel as wheel  # noqa: PLC0414 # a fixture
from tests.nightly import NIGHTLY

LAYERED = (
    "mount -t tmpfs t {layer} && mkdir {layer}/up {layer}/work && "
    "mount -t overlay o -o lowerdir={card},upperdir={layer}/up,workdir={layer}/work {root} && "
    "mount --bind {card} {root}/media/root-ro && mount --bind {boot} {root}/boot/firmware"
)


NO_MOUNTS = """
from hardware.install.updater import __main__
__main__.run = None  # makes nothing writable
"""
KILLS = (
    [(which, step) for which in ("preparing", "judging") for step in range(1, 60)]
    if NIGHTLY
    else [("preparing", 36), ("judging", 1)]
)
"""What is ended, and before which of its steps; by day where most is done, and where nothing is."""


def may_mount():
    if os.geteuid() or not shutil.which("unshare"):
        return False
    return (
        subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode == 0
    )


pytestmark = pytest.mark.skipif(not may_mount(), reason="needs root, to mount")


class Protected(Board):
    """A card, its layer, and what happens to it: lines of one script, whose mounts end with it."""

    def __init__(self, folder, keys):
        super().__init__(folder / "root", keys)
        for mounted in ("media/root-ro", "boot/firmware"):
            (self.root / mounted).mkdir(parents=True)
        self.folder = folder
        self.places = {name: folder / name for name in ("card", "layer", "boot", "root")}
        self.lines = ["set -e", f"export PATH={self.bin}:$PATH PYTHONPATH={ROOT}"]
        self.systemd(f'echo "$*" >> {folder}/asked')
        for name in ("card", "layer", "boot"):
            (folder / name).mkdir()
        self.lines += [
            f"mount -t tmpfs card {folder}/card",
            f"cp -a {self.root}/. {folder}/card",
            f"mount -o remount,ro {folder}/card",
            f"mount -t tmpfs boot {folder}/boot",
            LAYERED.format(**self.places),
        ]

    def then(self, line):
        self.lines.append(line)

    def restarted(self):
        """Start the machine anew: what was in memory is gone."""
        self.lines += [
            "umount {root}/media/root-ro {root}/boot/firmware {root} {layer}".format(**self.places),
            LAYERED.format(**self.places),
        ]

    def updated(self, before=""):
        self.then(f"unshare -m {sys.executable} -c {shlex.quote(self.lines_of_update(before))}")

    def noted(self, name):
        """Note what runs, on the card and in the layer, and what the layer's page would tell."""
        for place in ("card", "root"):
            current = self.places[place] / "opt/firmware-bridge/current"
            self.then(f"readlink {current} > {self.folder}/{name}-{place}")
        self.then(f"cat {self.home}/update.json > {self.folder}/{name}-told || true")
        self.then(f"touch {self.folder}/card/x 2>/dev/null && exit 7 || true")

    def play(self):
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", "\n".join(self.lines)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    def found(self, name):
        """What was noted: the version on the card, that in the layer, and what was told."""
        versions = [
            Path((self.folder / f"{name}-{place}").read_text().strip()).name[15:]
            for place in ("card", "root")
        ]
        told = (self.folder / f"{name}-told").read_text()
        return (*versions, json.loads(told)["state"] if told else "")

    def by_stick(self, bundle):
        """Bring a bundle on a stick, and wish it; until then nothing is written to the card."""
        (self.folder / "new.update").write_bytes(bundle)
        self.then(f"cp {self.folder}/new.update {self.spool}")
        self.updated(NO_MOUNTS)
        self.noted("offered")
        self.then(f"touch {self.wishes}/install")

    def by_file(self, bundle):
        """Bring a bundle on the boot drive, which is as protected as the card."""
        (self.folder / "new.update").write_bytes(bundle)
        self.then(f"cp {self.folder}/new.update {self.places['boot']}")
        self.then(f"mount -o remount,ro {self.places['boot']}")


@pytest.fixture
def board(tmp_path, keys):
    return Protected(tmp_path, keys)


@pytest.fixture
def good(wheel, keys):
    return maker.sealed(contents_of(wheel), keys / "ours")


def test_a_bundle_on_a_stick_is_tried_at_the_next_start_and_stays(board, good):
    board.by_stick(good)
    board.updated(quick(board))
    board.noted("prepared")
    board.restarted()
    board.updated(quick(board))
    board.restarted()
    board.noted("restarted")
    board.play()
    assert board.found("prepared")[0::2] == ("2.0.0", "restarting")
    assert board.found("restarted") == ("2.0.0", "2.0.0", "done")
    assert "--no-block reboot" in (board.folder / "asked").read_text().splitlines()


def test_what_does_not_start_is_gone_after_one_more_start_and_kept_for_the_report(board, good):
    board.by_stick(good)
    broken = f'case "$1-$(readlink {board.home}/current)" in restart-*2.0.0) exit 1 ;; esac'
    board.systemd(broken)
    board.updated(quick(board))
    board.restarted()
    board.updated(quick(board))
    board.restarted()
    board.noted("restarted")
    board.then(f"ls {board.home}/kept {board.home}/releases > {board.folder}/listed")
    board.updated(quick(board))
    board.noted("again")
    board.play()
    assert board.found("restarted") == board.found("again") == ("1.0.0", "1.0.0", "not-ready")
    assert (board.folder / "listed").read_text().split()[1::2] == ["new.update", OLD]


def test_a_card_with_nothing_to_do_is_not_written_to(board):
    board.updated(NO_MOUNTS)
    board.noted("looked")
    board.play()
    assert board.found("looked") == ("1.0.0", "1.0.0", "")


@pytest.mark.parametrize(("killed", "count"), KILLS)
def test_killed_at_any_step_a_file_on_the_boot_drive_updates_it_all_the_same(
    board, good, killed, count
):
    board.by_file(good)
    for phase in ("preparing", "judging"):
        cut = STEPS.format(count=count) if phase == killed else ""
        board.updated(quick(board) + cut)
        board.lines[-1] += " || [ $? = 99 ]"
        board.restarted()
        board.noted(phase)
    for _ in range(2):
        board.updated(quick(board))
        board.restarted()
    board.noted("end")
    board.then(f"[ ! -e {board.home}/trial.json ]")
    board.then(f"[ ! -e {board.places['boot']}/new.update ]")
    board.play()
    assert {board.found(phase)[0] for phase in ("preparing", "judging")} <= {"1.0.0", "2.0.0"}
    assert board.found("end")[:2] == ("2.0.0", "2.0.0")
