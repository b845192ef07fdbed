import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main
from firmware_bridge.distance import sealing
from firmware_bridge.distance.friends import friends_in
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.patience import PATIENCE

COMMAND = [sys.executable, "-m", "firmware_bridge", "distance"]


@pytest.fixture
def mosquitto(tmp_path):
    with Mosquitto(tmp_path) as broker:
        yield broker


def host(tmp_path, port, name):
    """The options of one of two hosts, each with a folder of its own."""
    changes = (
        "distance.host=127.0.0.1",
        f"distance.port={port}",
        f"distance.name={name}",
        f"data={tmp_path / name}",
    )
    return [f"--set={change}" for change in changes]


def begin(*arguments):
    return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)


def ended(process):
    said, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, said


@pytest.mark.broker
def test_two_hosts_become_friends_over_a_broker_and_letters_go_there_and_back(tmp_path, mosquitto):
    ada, grace = (host(tmp_path, mosquitto.port, name) for name in ("Ada", "Grace"))
    inviting = begin("invite", *ada)
    words = next(line for line in inviting.stdout if "distance join" in line).split("join ")[1]
    assert ended(begin("join", *words.split(), *grace))[0] == 0
    assert "You and Grace are friends now" in ended(inviting)[1]
    assert [friend.name for friend in friends_in(tmp_path / "Grace")] == ["Ada"]

    doctors = [begin("doctor", *options) for options in (ada, grace)]
    for doctor, name in zip(doctors, ("Grace", "Ada"), strict=True):
        code, said = ended(doctor)
        assert code == 0, said
        assert f"ok    {name}: there and back in " in said
        assert f"{name}: runs firmware-bridge" in said


def call(*arguments, env=None):
    done = CliRunner().invoke(main, ["distance", *arguments], env=env)
    return done.exit_code, done.output


def test_without_a_broker_it_is_said_what_is_needed(tmp_path):
    code, said = call("invite", f"--set=data={tmp_path}")
    assert code == 3
    assert "distance.host" in said


def test_without_the_extra_it_is_said_how_it_is_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(sealing, "find_spec", lambda name: None)
    code, said = call("doctor", *host(tmp_path, 1, "Ada"))
    assert code == 3
    assert "pip install 'firmware-bridge[distance]'" in said


def test_wrong_words_are_named_before_anybody_is_asked(tmp_path):
    code, said = call("join", "acorn", "zebra", "tulip", "obo", *host(tmp_path, 1, "Ada"))
    assert code == 2
    assert "'oboe'" in said


def test_a_broker_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware_bridge.cli.distance._CONNECTS", 0.2)
    code, said = call("doctor", *host(tmp_path, 1, "Ada"))
    assert code == 6
    assert "WRONG the broker 127.0.0.1:1 is not reached" in said
    code, said = call("invite", *host(tmp_path, 1, "Ada"))
    assert code == 6
    assert "127.0.0.1:1 is not reached" in said


def test_a_friend_who_is_not_there_cannot_be_forgotten(tmp_path):
    code, said = call("forget", "Ada", f"--set=data={tmp_path}")
    assert code == 2
    assert "no friend 'Ada'" in said
    assert call("friends", f"--set=data={tmp_path}") == (0, "")
