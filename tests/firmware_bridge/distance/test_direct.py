"""Letters from board to board over real sockets, with no broker."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from drivers.errors import DriverError
from firmware_bridge.config import DistanceConfig
from firmware_bridge.distance import direct
from firmware_bridge.distance.carrier import LARGEST, carrier_of
from firmware_bridge.distance.direct import DirectCarrier
from firmware_bridge.distance.greeting import Greeting
from tests.firmware_bridge.distance.test_command import begun, ended, line_with
from tests.firmware_bridge.distance.test_greeting import friends
from tests.nightly import at_night
from tests.patience import PATIENCE, free_port
from tests.running import running

SPOKEN = ["firmware-bridge-letters"]


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(direct, "_PAUSE", 0.05)


@pytest.fixture
def pair():
    """Two boards, of which the second calls the first; and where that listens."""
    port = free_port()
    return DirectCarrier(port=port), DirectCarrier(f"127.0.0.1:{port}", free_port()), port


async def test_letters_go_both_ways_though_one_alone_calls(pair):
    *carriers, _ = pair
    greetings = [Greeting(each, carrier) for each, carrier in zip(friends(), carriers, strict=True)]
    async with running(carriers[0].run()), running(carriers[1].run()):
        for carrier in carriers:
            assert await carrier.reached(PATIENCE)
            assert await carrier.carries(PATIENCE)
        assert None not in await asyncio.gather(*(each.greeted(PATIENCE) for each in greetings))


async def test_letters_go_on_when_the_board_that_is_called_comes_back(pair):
    called, calling, port = pair
    grace, ada = friends()
    async with running(calling.run()):
        async with running(called.run()):
            assert await calling.reached(PATIENCE)
        again = DirectCarrier(port=port)
        greetings = Greeting(grace, calling), Greeting(ada, again)
        async with running(again.run()):
            came = await asyncio.gather(*(each.greeted(PATIENCE) for each in greetings))
    assert None not in came


@asynccontextmanager
async def hearing(called):
    """Run what others call; give what comes to its address `here`."""
    heard = asyncio.Queue()
    called.listen("here", heard.put_nowait)
    async with running(called.run()):
        assert await called.reached(PATIENCE)
        yield heard


async def test_whatever_somebody_in_the_network_says_letters_go_on(pair):
    called, _, port = pair
    async with hearing(called) as heard:
        async with connect(f"ws://127.0.0.1:{port}", subprotocols=SPOKEN) as stranger:
            for frame in ("text", b"", b"\n", b"\xff\xfe\nx", b"nobody\nx", b"here"):
                await stranger.send(frame)
            await stranger.send(b"here\n" + bytes(2 * LARGEST))
            with pytest.raises(ConnectionClosed):
                await stranger.recv()
        async with connect(f"ws://127.0.0.1:{port}", subprotocols=SPOKEN) as friend:
            await friend.send(b"here\na letter")
            async with asyncio.timeout(PATIENCE):
                while (said := await heard.get()) == b"":
                    pass
    assert said == b"a letter"


async def test_no_browser_and_nobody_who_speaks_otherwise_is_heard(pair):
    called, _, port = pair
    async with running(called.run()):
        assert await called.reached(PATIENCE)
        for how in ({"subprotocols": SPOKEN, "origin": "http://elsewhere.example"}, {}):
            with pytest.raises(InvalidStatus):
                await connect(f"ws://127.0.0.1:{port}", **how)


async def test_no_more_boards_are_connected_than_friends_have(pair):
    called, _, port = pair
    async with running(called.run()):
        assert await called.reached(PATIENCE)
        address = f"ws://127.0.0.1:{port}"
        callers = [await connect(address, subprotocols=SPOKEN) for _ in range(9)]
        with pytest.raises(ConnectionClosed):
            await callers[0].recv()
        await asyncio.gather(*(each.close() for each in callers))


async def test_strangers_who_take_all_places_and_keep_silent_keep_no_friend_out(pair):
    called, calling, port = pair
    async with hearing(called) as heard:
        address = f"ws://127.0.0.1:{port}"
        strangers = [await connect(address, subprotocols=SPOKEN) for _ in range(8)]
        async with running(calling.run()):
            assert await calling.reached(PATIENCE)
            calling.send("here", b"one")
            async with asyncio.timeout(PATIENCE):
                assert await heard.get() == b"one"
            strangers += [await connect(address, subprotocols=SPOKEN) for _ in range(16)]
            calling.send("here", b"two")
            async with asyncio.timeout(PATIENCE):
                assert await heard.get() == b"two"
        await asyncio.gather(*(each.close() for each in strangers))


async def test_a_port_that_is_taken_is_said_and_listened_at_once_it_is_free():
    port = free_port()
    carrier = DirectCarrier(port=port)
    server = await asyncio.start_server(lambda *_: None, "0.0.0.0", port)
    async with running(carrier.run()):
        assert not await carrier.reached(0.5)
        assert carrier.trouble == f": Address already in use (distance.settings.port = {port})"
        server.close()
        assert await carrier.reached(PATIENCE)
        assert carrier.trouble == ""


async def test_who_makes_a_friend_hears_of_the_others_meanwhile(pair):
    """A pairing has letters carried beside the lines, over the same connections."""
    called, calling, port = pair
    pairing, (grace, ada) = DirectCarrier(port=port), friends()
    here, there = Greeting(grace, called), Greeting(ada, calling)
    heard = asyncio.Queue()
    pairing.listen("words", heard.put_nowait)
    async with running(called.run()), running(calling.run()):
        async with running(pairing.run()):
            assert await calling.reached(PATIENCE)
            calling.send("words", b"acorn")
            async with asyncio.timeout(PATIENCE):
                assert await heard.get() == b"acorn"
        came = await asyncio.gather(here.greeted(PATIENCE), there.greeted(PATIENCE))
    assert None not in came


@pytest.mark.parametrize("boards", ["http://ada", "ada:99999", "a_b", "ada.local:x"])
def test_what_is_no_board_is_named(boards):
    with pytest.raises(DriverError, match="is no board"):
        carrier_of(DistanceConfig(carrier="direct", settings={"boards": boards}))


def test_several_boards_can_be_named():
    config = DistanceConfig(carrier="direct", settings={"boards": "ada.local, [::1]:99 10.0.0.2"})
    assert carrier_of(config).name == "ada.local:8767, [::1]:99, 10.0.0.2:8767"


@at_night("the same two hosts with a broker, and the carrier without one in this process")
async def test_two_hosts_become_friends_with_no_broker(tmp_path):
    port = free_port()

    def host(name, *settings):
        changes = ("carrier=direct", f"name={name}", *(f"settings.{each}" for each in settings))
        distance = [f"--set=distance.{change}" for change in changes]
        return [*distance, f"--set=data={tmp_path / name}"]

    ada = host("ada", f"port={port}")
    grace = host("grace", f"port={free_port()}", f"boards=127.0.0.1:{port}")
    async with begun("distance", "invite", *ada) as inviting:
        words = (await line_with(inviting, "distance join")).split("join ")[1]
        async with begun("distance", "join", *words.split(), *grace) as joining:
            assert (await ended(joining))[0] == 0
        await line_with(inviting, "You and grace are friends now")
    doctor = ("distance", "doctor", "--seconds", str(PATIENCE))
    async with begun(*doctor, *ada) as one, begun(*doctor, *grace) as other:
        for code, said in (await ended(one), await ended(other)):
            assert code == 0, said
            assert "there and back in" in said
