"""What is told to end, ends, and leaves nothing open: at whatever instant the order comes."""

import asyncio
import json

import pytest

from drivers.description import load_description
from drivers.ending import end
from drivers.piece_set import PieceSet
from drivers.replaying_board import ReplayingBoard
from drivers.serial_board import SerialBoard
from drivers.simulator.station import Station
from drivers.transport import PortSettings, open_port
from tests.patience import in_time, soon

FULL = load_description("full")
HOPS = range(1, 10)
"""Rounds of the event loop until the order comes; after the first what is ended has begun."""


def after(hops, call):
    loop = asyncio.get_running_loop()
    loop.call_soon(after, hops - 1, call) if hops else call()


async def ordered_to_end(coroutine, hops):
    """Start this, and order it to end; return whether it was still going on."""
    task = asyncio.create_task(coroutine)
    under_way = []

    def order():
        under_way.append(task.cancel())

    after(hops, order)
    await in_time(asyncio.wait([task]))
    await soon(lambda: under_way)
    assert task.cancelled() == under_way[0], "the order was lost"
    return under_way[0]


@pytest.mark.parametrize("farewell", [0, 0.05])
@pytest.mark.parametrize("hops", HOPS)
async def test_a_port_is_free_when_closing_it_is_called_off(hops, farewell, tmp_path):
    port = str(tmp_path / "board")
    async with Station(FULL, PieceSet(), tmp_path / "board"):
        board = SerialBoard(FULL, port)
        board._farewell = farewell
        await board.__aenter__()
        await soon(lambda: board.session.up)
        await ordered_to_end(board.__aexit__(None, None, None), hops)
        open_port(PortSettings(port)).close()
        assert [event async for event in board.events()], "and what was felt has an end"


@pytest.mark.parametrize("hops", HOPS)
async def test_a_recording_that_ends_swallows_no_order(hops, tmp_path):
    lines = [
        {
            "format": "firmware-bridge-recording",
            "version": 1,
            "game": "mockery",
            "position": "8/8/8/8/8/8/8/8 w - - 0 1 -",
            "tier": "occupancy",
            "on": {},
        },
        {"t": 1000, "cell": "e2", "reading": True},
    ]
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    board = ReplayingBoard(FULL, str(path), 1.0)
    await board.__aenter__()

    async def listen():
        async for _ in board.events():
            after(3, board._closed.set)

    await ordered_to_end(listen(), hops)


async def test_whoever_waits_for_an_end_can_be_cancelled_himself():
    slow, may_end = asyncio.Event(), asyncio.Event()

    async def end_slowly():
        try:
            await asyncio.Event().wait()
        finally:
            slow.set()
            await may_end.wait()

    task = asyncio.create_task(end_slowly())
    await asyncio.sleep(0)
    waiting = asyncio.create_task(end(task))
    await slow.wait()
    waiting.cancel()
    await in_time(asyncio.wait([waiting]))
    assert waiting.cancelled()
    assert not task.done()
    may_end.set()
    await in_time(asyncio.wait([task]))


async def test_what_a_task_has_died_of_is_not_lost():
    async def die():
        raise ValueError("of this")

    task = asyncio.create_task(die())
    await asyncio.sleep(0)
    with pytest.raises(ValueError, match="of this"):
        await end(task)
