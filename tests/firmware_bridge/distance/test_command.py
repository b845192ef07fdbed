import asyncio
import contextlib
import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main
from firmware_bridge.cli.distance import _report
from firmware_bridge.config import DistanceConfig
from firmware_bridge.distance import sealing
from firmware_bridge.distance.friends import befriend, friends_in
from firmware_bridge.distance.greeting import Greeted, Greeting
from firmware_bridge.distance.mqtt_carrier import MqttCarrier
from firmware_bridge.mqtt import connection
from tests.firmware_bridge.distance.between import BASES, between
from tests.firmware_bridge.distance.test_friends import friend
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.mqtt.broker import Mosquitto, users
from tests.patience import PATIENCE, in_time
from tests.running import running

COMMAND = [sys.executable, "-m", "firmware_bridge"]
WITHOUT_BOARD = ("--set=board.settings.port=/dev/none", "--set=pages.port=0")


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
        f"distance.base={name}",
        f"data={tmp_path / name}",
    )
    return [f"--set={change}" for change in changes]


@contextlib.asynccontextmanager
async def begun(*arguments):
    process = await asyncio.create_subprocess_exec(*COMMAND, *arguments, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line_with(process, words):
    """The next line that says so."""
    async with asyncio.timeout(PATIENCE):
        async for line in process.stdout:
            if words in line.decode():
                return line.decode()
    raise AssertionError(f"it never said {words!r}")


async def ended(process):
    said, _ = await in_time(process.communicate())
    return process.returncode, said.decode()


@pytest.mark.broker
async def test_two_hosts_become_friends_and_letters_go_there_and_back(tmp_path, mosquitto):
    """On a line that loses, doubles and holds back."""
    ada, grace = (host(tmp_path, mosquitto.port, name) for name in BASES)
    async with between(mosquitto.port, seed=2, loses=0.15) as told:
        async with begun("distance", "invite", *ada) as inviting:
            words = (await line_with(inviting, "distance join")).split("join ")[1]
            async with begun("distance", "join", *words.split(), *grace) as joining:
                assert (await ended(joining))[0] == 0
                await line_with(inviting, "You and grace are friends now")
        assert [friend.name for friend in friends_in(tmp_path / "grace")] == ["ada"]

        doctor = ("distance", "doctor", "--seconds", str(PATIENCE), *ada)
        async with begun("run", *WITHOUT_BOARD, *grace), begun(*doctor) as examining:
            code, said = await ended(examining)
        assert code == 0, said
        assert "ok    grace: there and back in " in said
        assert "grace: runs firmware-bridge" in said
    assert told[1] > 10


@pytest.mark.broker
async def test_letters_go_on_when_the_broker_was_killed(mosquitto, monkeypatch):
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.05)
    config = DistanceConfig(host="127.0.0.1", port=mosquitto.port)
    carriers = [MqttCarrier(config), MqttCarrier(config)]
    greetings = [Greeting(each, carrier) for each, carrier in zip(friends(), carriers, strict=True)]
    async with running(carriers[0].run()), running(carriers[1].run()):
        for carrier in carriers:
            assert await carrier.reached(PATIENCE)
        mosquitto.kill()
        mosquitto.start()
        came = await asyncio.gather(*(greeting.greeted(PATIENCE) for greeting in greetings))
    assert None not in came


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
    assert "“oboe”" in said


def test_a_broker_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware_bridge.service.friends_desk.CONNECTS", 0.2)
    code, said = call("doctor", *host(tmp_path, 1, "Ada"))
    assert code == 6
    assert "WRONG 127.0.0.1:1 is not reached" in said
    code, said = call("invite", *host(tmp_path, 1, "Ada"))
    assert code == 6
    assert "127.0.0.1:1 is not reached" in said


@pytest.mark.broker
@pytest.mark.parametrize("right", ["read", "write"])
def test_a_broker_that_lets_us_only_read_or_only_write_is_named(tmp_path, monkeypatch, right):
    monkeypatch.setattr("firmware_bridge.service.friends_desk.CARRIES", 0.5)
    (tmp_path / "acl").write_text(f"topic {right} ada/#\n")
    extra = f"allow_anonymous true\nacl_file {tmp_path}/acl"
    with Mosquitto(tmp_path, extra) as broker:
        options = host(tmp_path, broker.port, "ada")
        code, said = call("doctor", *options)
    assert code == 6
    assert "WRONG it does not carry ada/# for us" in said


@pytest.mark.broker
def test_a_broker_that_refuses_us_is_named_with_what_it_says(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware_bridge.service.friends_desk.CONNECTS", 2)
    users(tmp_path, "ada:right")
    with Mosquitto(tmp_path, f"allow_anonymous false\npassword_file {tmp_path}/users") as broker:
        options = host(tmp_path, broker.port, "ada")
        wrong = ["--set=distance.username=ada", "--set=distance.password=wrong"]
        code, said = call("doctor", *options, *wrong)
        assert code == 6
        assert "is not reached: " in said
        assert "authori" in said.lower()
        right = ["--set=distance.username=ada", "--set=distance.password=right"]
        assert call("doctor", *options, *right)[0] == 0


def test_a_friend_who_runs_another_version_is_told_of(tmp_path, capsys):
    greeted = Greeted(0.5, -3.0, "firmware-bridge 9.9")
    _report(friend("Grace"), None, greeted)
    said = capsys.readouterr().out
    assert "Grace: there and back in 500 ms" in said
    assert "runs firmware-bridge 9.9; its clock is -3.0 s" in said
    assert "to play, both must run the same" in said


@pytest.mark.broker
def test_a_friend_whose_host_does_not_answer_is_named(tmp_path, mosquitto):
    options = host(tmp_path, mosquitto.port, "ada")
    assert call("doctor", *options)[0] == 0  # nobody to write to
    befriend(tmp_path / "ada", friend("Grace"))
    code, said = call("doctor", "--seconds", "1", *options)
    assert code == 6
    assert "WRONG Grace: no letter came back; that board must run" in said


def test_friends_that_cannot_be_kept_are_told_of(tmp_path):
    (tmp_path / "friends.json").mkdir()
    code, said = call("friends", f"--set=data={tmp_path}")
    assert code == 5
    assert "friends.json cannot be read" in said


def test_a_friend_who_is_not_there_cannot_be_forgotten(tmp_path):
    code, said = call("forget", "Ada", f"--set=data={tmp_path}")
    assert code == 2
    assert "no friend 'Ada'" in said
    befriend(tmp_path, friend("Ada"))
    assert call("friends", f"--set=data={tmp_path}") == (0, "Ada (firmware-bridge 0.1.0)\n")
    assert call("forget", "Ada", f"--set=data={tmp_path}") == (0, "Ada is forgotten.\n")
    code, said = call("friends", f"--set=data={tmp_path}")
    assert (code, "None yet" in said) == (0, True)
