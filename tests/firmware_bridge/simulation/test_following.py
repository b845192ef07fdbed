"""The simulated board's pieces follow a display that may die at any time."""

import asyncio
import json

import pytest

from drivers.beside import begin, end
from drivers.description import load_description
from drivers.simulator.station import Station
from firmware_bridge.simulation.following import follow
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.patience import PATIENCE, soon

BROKEN_OFF = b"HTTP/1.1 200 OK\r\nContent-Length: 2316\r\n\r\n{"


async def test_a_display_that_dies_in_the_middle_of_a_word_is_asked_again():
    asked = asyncio.Queue()

    async def die(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(BROKEN_OFF)
        writer.close()
        asked.put_nowait(True)

    async with await asyncio.start_server(die, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        following = begin(follow(None, f"http://127.0.0.1:{port}/"), "follow")
        async with asyncio.timeout(PATIENCE):
            for _ in range(2):
                await asked.get()
        following.cancel()


@pytest.mark.parametrize("phase", ["ready", "executing", "playing"])
async def test_men_that_look_alike_are_exchanged_where_a_computer_has_begun_at_once(
    tmp_path, phase
):
    scene = {"id": 2, "phase": phase, "game": "mockery", "variant": {}, "puzzle": None}
    body = json.dumps({**scene, "restore": []}).encode()

    async def tell(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        writer.close()

    pieces = simulated_pieces()
    station = Station(load_description("simulated"), pieces, tmp_path / "board")
    station.arrange(pieces.arrangements["indistinguishable"])
    due = pieces.arrangements["mockery"]
    async with await asyncio.start_server(tell, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        following = begin(follow(station, f"http://127.0.0.1:{port}/"), "follow")
        await soon(lambda: all(station.board.top.tag_on(cell) == due[cell] for cell in due))
        await end(following)
