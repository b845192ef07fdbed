"""What a broker refuses is named once; everything else goes on."""

import asyncio
import contextlib

import pytest

from firmware_bridge.mqtt.client import IN_A_ROW, LEFT_OUT, Client, Refusals
from tests.firmware_bridge.mqtt.broker import Ear, Mosquitto, users
from tests.patience import soon

pytestmark = pytest.mark.broker

DEVICE = "homeassistant/device/attic/config"
LISTENER = {"username": "listener", "password": "y"}
ACCESS = """\
pattern write firmware-bridge/%u/#
user listener
topic read #
"""


@pytest.fixture(autouse=True)
def _hear_all(caplog):
    caplog.set_level("INFO")


@pytest.fixture(params=["", "max_queued_messages 0"], ids=["answers", "answers and closes"])
def strict(tmp_path, request):
    """A broker that lets a board write its own topics alone."""
    folder = tmp_path / "broker"
    folder.mkdir()
    users(folder, "attic:x\nlistener:y")
    (folder / "acl").write_text(ACCESS)
    access = f"password_file {folder}/users\nacl_file {folder}/acl\n{request.param}"
    with Mosquitto(folder, f"allow_anonymous false\n{access}") as broker:
        yield broker


def named(caplog, topic):
    return [line for line in caplog.messages if "refuses" in line and topic in line]


async def play_a_turn(hands):
    await hands.begin("e2e4")


async def test_a_refused_device_is_named_once_and_all_else_goes_on(tmp_path, strict, house, caplog):
    async with house(tmp_path, strict.port, username="attic", password="x") as hands:
        async with Ear(strict.port, **LISTENER) as ear:
            await play_a_turn(hands)
            await ear.until(lambda ear: ear.json("firmware-bridge/attic/state").get("turns") == 1)
            await ear.until(lambda ear: ear.events())
        strict.kill()
        strict.start()
        async with Ear(strict.port, **LISTENER) as ear:
            await ear.until(lambda ear: ear.json("firmware-bridge/attic/state").get("turns") == 1)
    assert len(named(caplog, DEVICE)) == 1
    assert "Not authorized (135)" in named(caplog, DEVICE)[0]
    assert len([line for line in caplog.messages if "refuses" in line]) == 1


async def test_a_broker_that_closes_the_connection_over_a_topic_is_heard_at_last(
    tmp_path, mosquitto, house, caplog
):
    async with (
        closing_over(DEVICE, mosquitto.port) as port,
        Ear(mosquitto.port) as ear,
        house(tmp_path, port) as hands,
    ):
        await soon(lambda: named(caplog, DEVICE))
        await play_a_turn(hands)
        await ear.until(lambda ear: ear.events())
        await soon(lambda: hands.house.waiting == 0)
        assert ear.json("firmware-bridge/attic/state")["turns"] == 1
        assert DEVICE not in ear.latest
    assert len([line for line in caplog.messages if "connected to" in line]) == IN_A_ROW + 1


async def test_a_broker_that_speaks_only_the_older_protocol_is_spoken_to_in_it(
    tmp_path, mosquitto, house
):
    async with older(mosquitto.port) as port, Ear(mosquitto.port) as ear, house(tmp_path, port):
        await ear.until(lambda ear: DEVICE in ear.latest)


def test_one_lost_connection_refuses_nothing_and_nothing_is_left_out_for_ever(caplog):
    now = [0.0]
    refusals = Refusals("broker", lambda: now[0])
    for _ in range(3):
        refusals.no_answer("a")
        assert not refusals.leaves_out("a")
        refusals.answer("a", 0, "Success")
    for _ in range(IN_A_ROW):
        refusals.no_answer("a")
    assert refusals.leaves_out("a")
    assert not refusals.leaves_out("b")
    now[0] = LEFT_OUT
    assert not refusals.leaves_out("a")
    refusals.no_answer("a")
    assert refusals.leaves_out("a")
    assert len(named(caplog, "topic a")) == 1


def test_what_is_taken_again_is_named_again_when_it_is_refused_anew(caplog):
    refusals = Refusals("broker")
    for code in (135, 135, 16, 135):
        refusals.answer("a", code, "Not authorized")
    assert len(named(caplog, "topic a")) == 2


@contextlib.asynccontextmanager
async def between(port, meddle):
    """Stand before a broker; `meddle` sees what comes and may answer and close instead."""

    async def serve(reader, writer):
        beyond, to = await asyncio.open_connection("127.0.0.1", port)
        back = asyncio.create_task(_pass_on(beyond, writer))
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                answer = meddle(data)
                if answer is not None:
                    writer.write(answer)
                    break
                to.write(data)
        back.cancel()
        to.close()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _pass_on(reader, writer):
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
    writer.close()


def closing_over(topic, port):
    return between(port, lambda data: b"" if topic.encode() in data else None)


def older(port):
    """A broker that answers as MQTT 3.1.1 says to what it does not know."""
    return between(port, lambda data: b"\x20\x02\x00\x01" if b"MQTT\x05" in data else None)


@pytest.mark.parametrize("lost", [True, False])
async def test_what_we_end_ourselves_is_not_held_against_a_topic(caplog, monkeypatch, lost):
    async def never(*_, **__):
        await asyncio.Event().wait()

    refusals = Refusals("broker")
    for _ in range(IN_A_ROW):
        client = Client(refusals, "127.0.0.1", 1883)
        monkeypatch.setattr(client, "publish", never)
        telling = asyncio.create_task(client.tell("a", "x"))
        await asyncio.sleep(0)
        telling.cancel()
        await asyncio.wait([telling])
        if lost:
            client.lost()
    assert refusals.leaves_out("a") is lost
    assert bool(named(caplog, "topic a")) is lost
