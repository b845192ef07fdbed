"""The board and the house, over a real broker."""

import asyncio
import contextlib
import gc
import json
import ssl
from functools import partial

import pytest

from firmware_bridge.config import Config, ConfigError
from firmware_bridge.diagnostics.logs import NEWS_MOST
from firmware_bridge.journal import StorageFailed
from firmware_bridge.mqtt import connection
from firmware_bridge.mqtt.connection import Broker
from tests.firmware_bridge.mqtt.broker import Ear, Mosquitto, certificates, house_process, users
from tests.patience import soon
from tests.running import running

pytestmark = pytest.mark.broker

STATE = "firmware-bridge/attic/state"
AVAILABLE = "firmware-bridge/attic/availability"
DEVICE = "homeassistant/device/attic/config"
KEY = "a key that nobody guesses"


async def test_everything_is_there_for_who_comes_later(tmp_path, mosquitto, house):
    async with house(tmp_path, mosquitto.port) as hands:
        await hands.begin()
        async with Ear(mosquitto.port) as first:
            await first.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        async with Ear(mosquitto.port) as late:
            await late.until(lambda ear: len(ear.latest) >= 3)
            assert all(kept for _, _, kept in late.heard)
            assert late.latest[AVAILABLE] == "online"
            state = late.json(STATE)
            assert state["board"] == "The attic"
            assert state["to_act"] == "white"
            assert state["pieces"]["e2"] == "wP"
            assert state["headline"] == "White to move."


async def test_turns_change_the_state_and_are_events(tmp_path, mosquitto, house):
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port) as hands:
        await hands.begin("e2e4")
        await ear.until(lambda ear: ear.json(STATE).get("turns") == 1)
        await ear.until(lambda ear: ear.events())
        (event,) = ear.events()
        assert event["event_type"] == "turn_played"
        assert event["turn"] == "e2e4"
        assert event["seq"] == 1
        assert ear.json(STATE)["pieces"]["e4"] == "wP"
        assert ear.json(STATE)["clocks"]["black"]["running"]
        assert not any(kept for topic, _, kept in ear.heard if topic.endswith("/event"))


async def test_home_assistant_is_told_the_device_in_one_message(tmp_path, mosquitto, house):
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port):
        await ear.until(lambda ear: DEVICE in ear.latest and STATE in ear.latest)
        told, state = ear.json(DEVICE), ear.json(STATE)
        assert told["device"]["name"] == "The attic"
        assert told["device"]["configuration_url"] == "http://192.168.1.9:8321/"
        assert told["origin"]["name"] == "firmware-bridge"
        assert told["availability_topic"] == AVAILABLE
        unique = [component["unique_id"] for component in told["components"].values()]
        assert len(set(unique)) == len(unique)
        # The device comes last: it is the one topic that is not the board's own, so the one that
        # a broker may refuse. Home Assistant has the rest, which is kept, as soon as it asks.
        order = [topic for topic, _, _ in ear.heard]
        assert order.index(AVAILABLE) < order.index(STATE) < order.index(DEVICE)
        assert state["phase"] in told["components"]["phase"]["options"]


async def test_home_assistant_hears_it_again_when_it_starts(tmp_path, mosquitto, house):
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port):
        await ear.until(lambda ear: STATE in ear.latest)
        before = [topic for topic, _, _ in ear.heard].count(DEVICE)
        await ear.say("homeassistant/status", "online")
        await ear.until(lambda ear: [t for t, _, _ in ear.heard].count(DEVICE) == before + 1)


async def test_who_stops_says_goodbye(tmp_path, mosquitto, house):
    async with Ear(mosquitto.port) as ear:
        async with house(tmp_path, mosquitto.port):
            await ear.until(lambda ear: ear.latest.get(AVAILABLE) == "online")
        await ear.until(lambda ear: ear.latest.get(AVAILABLE) == "offline")


async def test_a_broker_that_starts_anew_without_memory_is_told_all(tmp_path, mosquitto, house):
    async with house(tmp_path, mosquitto.port) as hands:
        await hands.begin()
        async with Ear(mosquitto.port) as ear:
            await ear.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        mosquitto.kill()
        await asyncio.sleep(0.3)
        for number in range(3):
            side, turn = (("white", "e2e4"), ("black", "d7d5"), ("white", "b1c3"))[number]
            await hands.turn(turn, side)
        assert hands.house.waiting == 3
        mosquitto.start()
        async with Ear(mosquitto.port) as ear:
            await ear.until(lambda ear: ear.json(STATE).get("turns") == 3)
            await ear.until(lambda ear: ear.latest.get(AVAILABLE) == "online")
            await ear.until(lambda ear: DEVICE in ear.latest)
            assert ear.json(STATE)["pieces"]["c3"] == "wN"


async def test_events_of_an_outage_are_delivered_late_in_order_and_none_is_lost(tmp_path, house):
    # A listener whose session outlives the outage: the broker keeps what it cannot deliver.
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(folder, f"allow_anonymous true\npersistence true\n"
                               f"persistence_location {folder}/\nautosave_interval 1")  # fmt: skip
    with broker:
        async with house(tmp_path, broker.port) as hands:
            await hands.begin()
            login = {"identifier": "ear", "clean_session": False}
            async with Ear(broker.port, "firmware-bridge/attic/event", **login) as ear:
                await hands.turn("e2e4")
                await ear.until(lambda ear: len(ear.events()) == 1)
            broker.process.terminate()
            broker.process.wait()
            await hands.turn("d7d5", "black")
            await hands.turn("b1c3")
            broker.start()
            async with Ear(broker.port, "firmware-bridge/attic/event", **login) as ear:
                await ear.until(lambda ear: len(ear.events()) >= 2)
                numbers = [event["seq"] for event in ear.events()]
                assert sorted(set(numbers)) == [2, 3]
                assert numbers == sorted(numbers)


async def test_a_board_that_dies_is_offline(tmp_path, mosquitto):
    port = mosquitto.port
    process = house_process(tmp_path, port)
    try:
        async with Ear(port) as ear:
            await ear.until(lambda ear: ear.latest.get(AVAILABLE) == "online")
            process.kill()
            await ear.until(lambda ear: ear.latest.get(AVAILABLE) == "offline")
    finally:
        process.kill()
        process.wait()


async def test_commands_are_not_taken_unless_wanted(tmp_path, mosquitto, house):
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port) as hands:
        await hands.begin()
        await ear.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        await ear.say("firmware-bridge/attic/cmd/pause", {"key": KEY})
        await ear.say("homeassistant/status", "online")
        await ear.until(lambda ear: [t for t, _, _ in ear.heard].count(DEVICE) == 2)
        assert hands.controller.view().phase == "playing"


async def test_commands_with_the_key_are_obeyed(tmp_path, mosquitto, house):
    wanted = {"commands": True, "command_key": KEY}
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port, **wanted) as hands:
        await hands.begin()
        await ear.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        await ear.say("firmware-bridge/attic/cmd/pause", {"key": KEY})
        await ear.until(lambda ear: ear.json(STATE)["phase"] == "paused")
        await ear.say("firmware-bridge/attic/cmd/resume", {"key": KEY})
        await ear.until(lambda ear: ear.json(STATE)["phase"] == "playing")
        await ear.say("firmware-bridge/attic/cmd/new-game", {"key": KEY, "game": "realm"})
        await ear.until(lambda ear: ear.json(STATE)["game"] == "realm")
        await ear.until(
            lambda ear: [e["event_type"] for e in ear.events()].count("command_done") == 3
        )


async def test_no_command_is_said_to_be_done_while_games_cannot_be_kept(
    tmp_path, mosquitto, house, monkeypatch
):
    def full(*_):
        raise StorageFailed("full")

    wanted = {"commands": True, "command_key": KEY}
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port, **wanted) as hands:
        await hands.begin()
        await ear.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        monkeypatch.setattr(hands.controller._journal, "append", full)
        await ear.say("firmware-bridge/attic/cmd/new-game", {"key": KEY, "game": "realm"})
        await ear.until(lambda ear: "command_refused" in [e["event_type"] for e in ear.events()])
        assert "command_done" not in [e["event_type"] for e in ear.events()]


async def test_commands_without_the_key_are_refused_and_the_key_is_never_said(
    tmp_path, mosquitto, house, caplog
):
    wanted = {"commands": True, "command_key": KEY}
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port, **wanted) as hands:
        await hands.begin()
        await ear.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        await ear.say("firmware-bridge/attic/cmd/pause", {"key": "guess"})
        await ear.say("firmware-bridge/attic/cmd/pause", b"\xff not json")
        await ear.say("firmware-bridge/attic/cmd/pause", {"key": KEY, "more": 1})
        await ear.say("firmware-bridge/attic/cmd/resign", {"key": KEY})
        await ear.say("firmware-bridge/attic/cmd/new-game", {"key": KEY, "game": "reality-check"})
        await ear.until(lambda ear: len(ear.events()) == 5)
        assert {event["event_type"] for event in ear.events()} == {"command_refused"}
        assert hands.controller.view().phase == "playing"
        assert KEY not in json.dumps(ear.events())
        assert KEY not in caplog.text


async def test_the_same_refusal_is_told_once_and_then_counted(tmp_path, mosquitto, house, caplog):
    wanted = {"commands": True, "command_key": KEY}
    refused = 'bridge_refused_total{reason="command"} '
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port, **wanted) as hands:
        await hands.begin()
        await ear.until(lambda ear: ear.json(STATE).get("phase") == "playing")
        for number in range(200):
            await ear.say("firmware-bridge/attic/cmd/pause", {"key": f"guess {number}"})
        told = hands.controller.metrics.text
        await ear.until(lambda _: f"{refused}200.0" in told().decode())
        assert caplog.text.count("command refused") == 1
        # However many wrong keys came before, the right one opens.
        await ear.say("firmware-bridge/attic/cmd/pause", {"key": KEY})
        await ear.until(lambda ear: ear.json(STATE)["phase"] == "paused")
        for number in range(50):
            await ear.say(f"firmware-bridge/attic/cmd/{number}", {f"field {number}": KEY})
            await ear.say("firmware-bridge/attic/cmd/pause", {f"field {number}": KEY})
        await ear.until(lambda _: f"{refused}300.0" in told().decode())
        assert caplog.text.count("command refused") <= NEWS_MOST
        kinds = [event["event_type"] for event in ear.events()]
        assert kinds.count("command_refused") <= NEWS_MOST


async def test_to_clear_a_retained_command_is_none(tmp_path, mosquitto, house, caplog):
    wanted = {"commands": True, "command_key": KEY}
    topic = "firmware-bridge/attic/cmd/new-game"
    async with Ear(mosquitto.port) as ear, house(tmp_path, mosquitto.port, **wanted):
        await ear.until(lambda ear: STATE in ear.latest)
        await ear.say(topic, b"", True)
        await ear.say("firmware-bridge/attic/cmd/pause", {"key": "guess"})
        await ear.until(lambda ear: ear.events())
        assert [event["why"] for event in ear.events()] == ["The key is wrong."]
        assert caplog.text.count("command refused") == 1


async def test_a_retained_command_is_not_obeyed(tmp_path, mosquitto, house):
    async with Ear(mosquitto.port) as ear:
        await ear.say("firmware-bridge/attic/cmd/new-game", {"key": KEY, "game": "realm"}, True)
        wanted = {"commands": True, "command_key": KEY}
        async with house(tmp_path, mosquitto.port, **wanted) as hands:
            await ear.until(lambda ear: ear.events())
            assert ear.events()[0]["event_type"] == "command_refused"
            # Nor is one that comes while the service listens, which the broker keeps, too.
            await ear.say("firmware-bridge/attic/cmd/new-game", {"key": KEY, "game": "realm"}, True)
            refused = 'bridge_refused_total{reason="command"} 2.0'
            await soon(lambda: refused in hands.controller.metrics.text().decode())
            assert hands.controller.view().game == "reversi"


async def test_a_broker_that_wants_a_password_and_tls_gets_them(tmp_path, house):
    folder = tmp_path / "broker"
    folder.mkdir()
    certificates(folder)
    users(folder, "attic:s3cret s3cret")
    secrecy = f"cafile {folder}/ca.pem\ncertfile {folder}/cert.pem\nkeyfile {folder}/key.pem"
    extra = f"allow_anonymous false\npassword_file {folder}/users\n{secrecy}"
    broker = Mosquitto(folder, extra)
    (folder / "password").write_text("s3cret s3cret\n")
    login = {"username": "attic", "password": "s3cret s3cret"}
    secured = {"username": "attic", "password_file": folder / "password",
               "tls": True, "ca": folder / "ca.pem"}  # fmt: skip
    context = ssl.create_default_context(cafile=folder / "ca.pem")
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    with broker:
        ear = Ear(broker.port, tls_context=context, **login)
        async with ear, house(tmp_path, broker.port, **secured):
            await ear.until(lambda ear: ear.latest.get(AVAILABLE) == "online")


def secured():
    """Return the sockets with TLS that are open."""
    return [one for one in gc.get_objects() if isinstance(one, ssl.SSLSocket) and one.fileno() > 0]


@pytest.mark.parametrize("answer", [b"no TLS here\r\n", b""], ids=["answers", "closes"])
async def test_a_handshake_that_fails_leaves_no_socket_open(monkeypatch, answer):
    async def answers(_, writer):
        writer.write(answer)
        writer.close()

    monkeypatch.setattr(connection, "FIRST_PAUSE", 60.0)
    gc.collect()
    before = secured()
    gc.disable()  # so that nobody clears up
    try:
        async with await asyncio.start_server(answers, "127.0.0.1", 0) as server:
            where = {"host": "127.0.0.1", "port": server.sockets[0].getsockname()[1], "tls": True}
            broker = Broker(Config.model_validate({"mqtt": where}).mqtt, "attic")
            async with running(broker.stay_connected(None)):
                await soon(lambda: broker.trouble)
                assert secured() == before
    finally:
        gc.enable()


async def test_who_waits_no_longer_for_a_broker_is_gone_when_it_answers(monkeypatch):
    gone, late = asyncio.Event(), asyncio.Event()

    async def answers_late(reader, writer):
        await reader.readuntil(b"attic")
        await late.wait()
        writer.write(b"\x20\x02\x00\x00")
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()
        gone.set()

    failed = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
    monkeypatch.setattr(connection, "connected", partial(connection.connected, patience=2.0))
    monkeypatch.setattr(connection, "FIRST_PAUSE", 60.0)
    async with await asyncio.start_server(answers_late, "127.0.0.1", 0) as server:
        where = {"host": "127.0.0.1", "port": server.sockets[0].getsockname()[1]}
        broker = Broker(Config.model_validate({"mqtt": where}).mqtt, "attic")
        async with running(broker.stay_connected(None)):
            await soon(lambda: "no answer within" in broker.trouble)
            late.set()
            async with asyncio.timeout(connection.KEEPALIVE / 2):
                await gone.wait()
    assert not failed


async def test_a_wrong_password_is_said_once_and_tried_again(tmp_path, house, caplog, monkeypatch):
    folder = tmp_path / "broker"
    folder.mkdir()
    users(folder, "attic:right")
    tried, client = [], Broker._client
    monkeypatch.setattr(Broker, "_client", lambda self, will: tried.append(1) or client(self, will))
    with Mosquitto(folder, f"allow_anonymous false\npassword_file {folder}/users") as broker:
        async with house(tmp_path, broker.port, username="attic", password="wrong"):
            await soon(lambda: len(tried) >= 3)
        assert caplog.text.count("broker: 127.0.0.1") == 1
        assert "ot authori" in caplog.text
        assert "wrong" not in caplog.text


def test_a_certificate_that_cannot_be_read_is_named(tmp_path):
    wanted = {"host": "x", "tls": True, "ca": tmp_path / "none.pem"}
    config = Config.model_validate({"mqtt": wanted}).mqtt
    with pytest.raises(ConfigError, match=r"mqtt\.ca"):
        Broker(config, "x")
    config = Config.model_validate({"mqtt": {"host": "x", "password_file": tmp_path}}).mqtt
    with pytest.raises(ConfigError, match="password_file"):
        Broker(config, "x")


async def test_two_boards_of_one_name_are_told_so_and_not_if_they_speak_below_other_topics(
    tmp_path, mosquitto, house, caplog
):
    def told(hands):
        return [news.key for news in hands.controller.notices.shown]

    hall = {"base": "club/hall-2"}
    async with (
        house(tmp_path / "one", mosquitto.port) as one,
        house(tmp_path / "far", mosquitto.port, **hall) as far,
        house(tmp_path / "two", mosquitto.port) as two,
    ):
        await soon(lambda: "page-same-id" in told(one) and "page-same-id" in told(two))
        assert "page-same-id" not in told(far)
        async with Ear(mosquitto.port) as ear:
            in_hall = "homeassistant/device/club__hall-2/attic/config"
            await ear.until(lambda ear: DEVICE in ear.latest and in_hall in ear.latest)
            devices = [ear.json(topic)["device"] for topic in (DEVICE, in_hall)]
        assert [device["identifiers"] for device in devices] == [
            ["firmware-bridge-attic"],
            ["club__hall-2-attic"],
        ]
    assert any("publishes at firmware-bridge/attic, too" in line for line in caplog.messages)
    assert not any("hall-2" in line for line in caplog.messages)


async def test_a_broker_that_forgets_or_goes_back_to_what_it_kept_is_taken_for_no_other_board(
    tmp_path, house, caplog
):
    kept = f"persistence true\npersistence_location {tmp_path}/\nallow_anonymous true"
    with Mosquitto(tmp_path, kept) as broker:
        topic = "firmware-bridge/attic/state"
        async with house(tmp_path, broker.port), Ear(broker.port) as ear:
            await ear.until(lambda ear: topic in ear.latest)
        broker.process.terminate()  # and so it writes down what it keeps
        broker.process.wait()
        old = (tmp_path / "mosquitto.db").read_bytes()
        broker.start()
        async with house(tmp_path, broker.port) as hands:
            for forgets in (False, True):
                async with Ear(broker.port) as ear:
                    await ear.until(lambda ear: ear.latest.get(topic))
                    await soon(lambda: hands.house._published)
                broker.kill()
                (tmp_path / "mosquitto.db").write_bytes(old)
                if forgets:
                    (tmp_path / "mosquitto.db").unlink()
                broker.start()
            async with Ear(broker.port) as ear:
                await ear.until(lambda ear: ear.json(topic).get("boot") == hands.house._boot)
            assert not any("another board" in line for line in caplog.messages)
