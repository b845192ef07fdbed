"""A service that runs answers its friends' test letters."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge.config import Config, load_config
from firmware_bridge.distance.friends import FILE, befriend, friends_in, part_from
from firmware_bridge.distance.greeting import Greeting
from firmware_bridge.distance.line import Line
from firmware_bridge.distance.mqtt_carrier import MqttCarrier
from firmware_bridge.journal import Journal
from firmware_bridge.journal.file import in_use
from firmware_bridge.mqtt.topics import machine, name_of
from firmware_bridge.service import friends_desk
from firmware_bridge.service.friends_desk import FriendsDesk
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.mqtt.broker import Mosquitto
from tests.patience import PATIENCE, soon
from tests.running import running


def no_games():
    """Stand in for the games where only test letters go."""
    told = []
    return SimpleNamespace(lines={}, stir=lambda: None, announce=told.append, told=told)


def configured(tmp_path, port):
    where = {"host": "127.0.0.1", "port": port}
    return Config.model_validate({"distance": where, "data": str(tmp_path)})


async def greeted(config, friend, patience=PATIENCE):
    """What comes of a test letter from a host that answers nothing itself."""
    carrier = MqttCarrier(config.distance)
    greeting = Greeting(friend, carrier, answers=False)
    async with running(carrier.run()):
        return await greeting.greeted(patience)


@pytest.mark.broker
async def test_friends_are_answered_also_new_ones_and_forgotten_ones_not(tmp_path, monkeypatch):
    monkeypatch.setattr(friends_desk, "LOOKS", 0.05)
    (grace, us), games = friends(), no_games()
    with Mosquitto(tmp_path) as broker:
        config = configured(tmp_path, broker.port)
        async with running(FriendsDesk(config, games).run()):
            befriend(tmp_path, grace)
            assert await greeted(config, us)
            for number, meddle in enumerate((Path.unlink, lambda path: path.write_text("?"))):
                meddle(tmp_path / FILE)
                await soon(lambda number=number: len(games.told) == number + 1)
                assert friends_in(tmp_path) == (grace,)
            assert await greeted(config, us)
            before = games.lines[grace.name]
            before.games["lost"] = Line("lost")  # its letters were deleted from the disk
            befriend(tmp_path, us)
            await soon(lambda: games.lines[grace.name] is not before)
            assert games.lines[grace.name].games == before.games
            part_from(tmp_path, grace.name)
            assert await greeted(config, us, 1.5) is None


async def test_a_damaged_list_of_friends_is_told_once_and_harms_nothing(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(friends_desk, "LOOKS", 0.01)
    (tmp_path / FILE).write_text("?")
    async with running(FriendsDesk(configured(tmp_path, 1), no_games()).run()) as desk:
        await soon(lambda: caplog.messages)
        (tmp_path / FILE).unlink()
        assert not desk.done()
    assert len([line for line in caplog.messages if FILE in line]) == 1


async def test_an_invitation_that_nothing_carries_any_more_is_told_to_have_come_to_nothing(
    tmp_path,
):
    where = {"host": "127.0.0.1", "password_file": str(tmp_path / "gone")}
    config = Config.model_validate({"distance": where, "data": str(tmp_path)})
    desk = FriendsDesk(config, no_games())
    for ask in (desk.invite, partial(desk.join, "acorn zebra tulip oboe")):
        ask()
        await soon(lambda: desk.pairing == "failed")
        assert not desk.words
        assert "password_file" in desk.told


async def test_without_the_extra_the_service_says_what_to_install(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("firmware_bridge.distance.sealing.find_spec", lambda name: None)
    await FriendsDesk(configured(tmp_path, 1), no_games()).run()
    assert "pip install" in caplog.text


def test_it_is_known_whether_a_service_uses_a_folder(tmp_path):
    assert not in_use(tmp_path)
    journal = Journal(tmp_path)
    assert in_use(tmp_path)
    journal.close()
    assert not in_use(tmp_path)


@pytest.mark.parametrize("called", [name_of, friends_desk.name_of])
def test_boards_beside_each_other_on_one_machine_have_different_names(called):
    first, second = (load_config(changes=[f"pages.port={port}"]) for port in (8321, 8322))
    assert called(first) == machine()
    assert called(second) == f"{machine()} 8322"


def test_whoever_has_named_a_board_is_obeyed():
    named = load_config(changes=["pages.port=8322", "mqtt.id=attic", "distance.name=Ada's board"])
    assert (name_of(named), friends_desk.name_of(named)) == ("attic", "Ada's board")
