"""The image for a card: what it is made of, and the image itself started on an emulated machine."""

import configparser
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hardware.install.first_start.answers import BOARDS, Answers
from hardware.install.first_start.writing import configured

CHECKOUT = Path(__file__).parents[2]
INSTALL = CHECKOUT / "hardware" / "install"
CARD = INSTALL / "card"
UNITS = CARD / "etc/systemd/system"
ASKING = "/boot/firmware/first-start.toml"


def conditions(unit):
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str
    found.read(UNITS / unit)
    return found["Unit"]["ConditionPathExists"]


def test_the_service_and_the_first_start_never_run_together():
    assert conditions("firmware-bridge-first-start.service") == ASKING
    assert conditions("firmware-bridge.service.d/first-start.conf") == f"!{ASKING}"


def test_nobody_logs_in_without_a_key_on_the_card():
    keys = "/boot/firmware/authorized_keys"
    assert conditions("ssh.service.d/keys.conf") == keys
    settings = (CARD / "etc/ssh/sshd_config.d/keys.conf").read_text()
    assert f"AuthorizedKeysFile {keys}" in settings
    assert "PasswordAuthentication no" in settings


def test_a_card_is_called_what_its_page_offers():
    assert (CARD / "etc/hostname").read_text() == f"{Answers().hostname}\n"
    assert Answers().hostname in (CARD / "etc/hosts").read_text()


def test_the_partitions_are_those_that_the_table_of_file_systems_names():
    named = re.findall("^LABEL=(\\w+)", (CARD / "etc/fstab").read_text(), re.MULTILINE)
    script = (INSTALL / "make-card").read_text()
    made = re.findall(r"mkfs\.vfat -n (\w+)|mke2fs .*-L (\w+)", script)
    assert sorted(named) == sorted("".join(each) for each in made)


def test_every_unit_of_the_card_is_switched_on():
    script = (INSTALL / "make-card").read_text()
    for unit in UNITS.glob("*.service"):
        assert unit.name in script


def test_a_card_without_a_board_simulates_one_where_its_service_and_pages_look():
    unit = (UNITS / "firmware-bridge-simulated.service").read_text()
    service = (UNITS / "firmware-bridge.service.d/first-start.conf").read_text()
    runtime = "Environment=XDG_RUNTIME_DIR=/run"
    assert runtime in unit
    assert runtime in service
    shipped = (INSTALL / "config.toml").read_text()
    for board, driver in BOARDS.items():
        text = configured(shipped, Answers(board=board), driver)
        condition = re.search("grep -q '(.+)'", unit)[1]
        assert bool(re.search(condition, text, re.MULTILINE)) == (board == "simulated")
        page = tomllib.loads(text)["pages"]["board_page"]
        assert page == (":" + re.search(r"--page-port (\d+)", unit)[1]) * (board == "simulated")


@pytest.mark.timeout(14400)
@pytest.mark.skipif(
    not os.environ.get("FIRMWARE_BRIDGE_CARD"),
    reason="makes an image and starts it as a process, as root; set FIRMWARE_BRIDGE_CARD",
)
def test_a_card_is_started_answered_and_played_on(tmp_path):
    command = [sys.executable, "-m", "hardware.tools.newcomer"]
    assert subprocess.run([*command, tmp_path], cwd=CHECKOUT, check=False).returncode == 0
