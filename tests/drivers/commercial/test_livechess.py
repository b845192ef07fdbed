"""DGT boards at LiveChess: JSON over a real WebSocket."""

import asyncio
import json
import tomllib
from contextlib import asynccontextmanager

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from drivers.commercial.commercial_session import START
from drivers.commercial.livechess import (
    LiveChessProbe,
    LiveChessSession,
    livechess_board,
    url,
)
from drivers.description import load_description
from drivers.port import LinkChanged, Snapshot
from drivers.testing import DeviceBench
from firmware_bridge.cli import main
from tests.drivers.commercial.table_on import STARTING, play
from tests.drivers.commercial.test_commercial_conformance import CommercialSuite
from tests.drivers.emulators.livechess import LiveChess, ReticentLiveChess
from tests.drivers.emulators.squares import turned
from tests.patience import free_port, in_time, soon


def livechess(device, **settings):
    return livechess_board(load_description("livechess"), address=device.address, **settings)


class TestLiveChess(CommercialSuite):
    device, has_lights = LiveChess, False

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        device = self.device({cell: self.label(tag) for cell, tag in start.items()})
        async with device, livechess(device) as driver:
            yield DeviceBench(driver, device, self.made(hands))


class TestLiveChessThatTellsChangesAlone(TestLiveChess):
    device = ReticentLiveChess


async def test_a_game_while_livechess_is_closed_twice():
    async with LiveChess(STARTING) as device, livechess(device) as driver:
        await play(driver, device, replugs=(1, 3))


async def first(driver):
    async with driver:
        return await anext(driver.events())


async def test_a_board_that_lies_the_other_way_round_is_turned():
    across = {turned(cell): label for cell, label in STARTING.items()}
    async with LiveChess(across) as device, livechess(device) as driver:
        snapshot = await in_time(anext(e async for e in driver.events() if isinstance(e, Snapshot)))
    assert snapshot.readings == START


@pytest.mark.parametrize(
    ("changes", "settings", "text"),
    [
        ({"state": "NOTRESPONDING"}, {"serial": "12345"}, "LiveChess says of the board 12345: NOT"),
        ({"state": "DELAYED"}, {}, "No board at LiveChess is in order"),
        ({}, {"serial": "777"}, "LiveChess has no board 777; it has 12345."),
        ({"refuses": "No such feed"}, {}, "LiveChess refuses what it was asked: \"No such feed\""),
    ],
)  # fmt: skip
async def test_what_is_wrong_is_said(changes, settings, text):
    async with LiveChess(STARTING) as device:
        vars(device).update(changes)
        event = await in_time(first(livechess(device, **settings)))
    assert isinstance(event, LinkChanged)
    assert not event.up
    assert text in event.text


@pytest.mark.parametrize("address", ["127.0.0.1:{port}", "127.0.0.1:x", "no host", "\u202e", ""])
async def test_where_nothing_listens_that_is_said(address):
    driver = livechess_board(
        load_description("livechess"), address=address.format(port=free_port())
    )
    event = await in_time(first(driver))
    assert not event.up
    assert "LiveChess does not answer at ws://" in event.text or "is no address" in event.text


async def test_a_board_that_fails_in_the_middle_is_lost_and_found_again():
    async with LiveChess(STARTING) as device, livechess(device) as driver:
        seen = []
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(collect(driver, seen))
            await soon(lambda: any(isinstance(event, Snapshot) for event in seen))
            device.state = "NOTRESPONDING"
            await soon(lambda: isinstance(seen[-1], LinkChanged) and not seen[-1].up)
            device.state = "ACTIVE"
            await soon(lambda: isinstance(seen[-1], Snapshot))
            watching.cancel()


async def collect(driver, seen):
    async for event in driver.events():
        seen.append(event)


@pytest.mark.parametrize("host", ["10.0.0.7", "club-pc", "[::1]"])
def test_the_usual_port_may_be_left_out(host):
    assert url(host) == url(f"{host}:1982") == f"ws://{host}:1982/api/v1.0"


async def test_its_boards_are_found_by_serial_number(monkeypatch):
    async with LiveChess(STARTING) as device:
        probe = LiveChessProbe(device.address)
        assert await asyncio.to_thread(probe.settings) == [{"serial": "12345"}]
        monkeypatch.setitem(livechess_board.__dict__, "probe", probe)
        monkeypatch.setattr("serial.tools.list_ports.comports", list)
        result = await asyncio.to_thread(CliRunner().invoke, main, ["boards"])
        device.state = "NOTRESPONDING"
        assert await asyncio.to_thread(probe.settings) == []
    board = tomllib.loads(result.output)["board"]
    assert board == {
        "driver": "livechess",
        "description": "livechess",
        "settings": {"serial": "12345"},
    }
    assert probe.settings() == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["response", "id", "param", "board", "serialnr", "state"]), inner
        )
    ),
    max_leaves=12,
)


@given(
    st.lists(
        st.binary()
        | JSON.map(lambda value: json.dumps(value).encode())
        | st.builds(
            lambda response, number, param: json.dumps(
                {"response": response, "id": number, "param": param}
            ).encode(),
            st.sampled_from(["call", "feed", "error"]),
            st.sampled_from([1, 2]),
            JSON,
        )
    )
)
@example([b'{"response":"call","id":1,"param":[{"serialnr":1,"state":[]}]}'])
def test_nothing_that_comes_breaks_the_session(messages):
    session = LiveChessSession(load_description("livechess"))
    session.connect(0.0)
    for now, message in enumerate(messages):
        session.receive(message, float(now))
        session.poll(float(now))


async def test_what_a_session_cannot_take_costs_one_connection(monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.02)
    async with LiveChess(STARTING) as device, livechess(device) as driver:
        events = driver.events()
        await in_time(anext(e async for e in events if isinstance(e, Snapshot)))
        real = driver.session.receive

        def nested(*_):
            monkeypatch.setattr(driver.session, "receive", real)
            raise RecursionError

        monkeypatch.setattr(driver.session, "receive", nested)
        told = await in_time(anext(e async for e in events if isinstance(e, LinkChanged)))
        assert told.reason.more[0].code == "driver-failed"
        await in_time(anext(e async for e in events if isinstance(e, Snapshot)))
