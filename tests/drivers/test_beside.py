"""What goes on beside never ends unseen; what is told to end, ends, and leaves nothing open.

At whatever instant the order comes.
"""

import asyncio
import contextlib

import pytest

from drivers.beside import begin, end, kept_up, meanwhile
from drivers.description import load_description
from drivers.piece_set import PieceSet
from drivers.serial_board import SerialBoard
from drivers.simulator.station import Station
from drivers.transport import PortSettings, Reconnecting, open_port
from tests.patience import in_time, soon
from tests.running import HOPS, after, ordered_to_end

FULL = load_description("full")


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


async def test_a_time_that_is_just_up_takes_no_order_away():
    async def tick():
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.01):
                    await asyncio.Event().wait()

    task = asyncio.create_task(tick())
    await soon(task.cancelling, pause=0)
    await in_time(end(task))
    assert task.cancelled()


async def test_what_a_task_has_died_of_is_not_lost():
    async def die():
        raise ValueError("of this")

    task = asyncio.create_task(die())
    await asyncio.sleep(0)
    with pytest.raises(ValueError, match="of this"):
        await end(task)


async def broken():
    raise KeyError("a secret")


async def test_what_ends_a_task_unforeseen_is_logged_and_told(caplog):
    told = []
    task = begin(broken(), "the clock", told.append)
    await in_time(asyncio.wait([task]))
    assert [type(error) for error in told] == [KeyError]
    assert "the clock has failed and goes on: KeyError" in caplog.messages


async def test_a_group_in_which_something_fails_is_begun_again(monkeypatch):
    begun = []

    async def work():
        begun.append(True)
        if len(begun) < 3:
            async with asyncio.TaskGroup() as group:
                group.create_task(broken())
                group.create_task(asyncio.Event().wait())

    monkeypatch.setattr("drivers.beside.FIRST_PAUSE", 0.0)
    await in_time(kept_up(work, "letters"))
    assert len(begun) == 3


async def test_what_must_go_on_is_begun_again_and_of_failures_in_a_row_the_first_is_told(
    monkeypatch, caplog
):
    pauses, told, begun = [], [], []

    async def sleep(seconds):
        pauses.append(seconds)

    async def work():
        begun.append(True)
        if len(begun) < 9:
            await broken()

    monkeypatch.setattr("drivers.beside.asyncio.sleep", sleep)
    await in_time(kept_up(work, "the clock", told.append))
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    assert len(told) == len(caplog.messages) == 1


async def test_what_fails_while_it_is_told_to_end_is_not_begun_again():
    begun = []

    async def work():
        begun.append(1)
        try:
            await asyncio.sleep(60)
        finally:
            raise ValueError("it cannot be closed")

    task = asyncio.create_task(kept_up(work, "work"))
    await soon(lambda: begun)
    task.cancel()
    await in_time(asyncio.wait([task]))
    assert task.cancelled()
    assert begun == [1]


async def test_what_fails_beside_a_block_ends_the_block():
    with pytest.raises(KeyError):
        async with meanwhile(broken()):
            await in_time(asyncio.Event().wait())
    async with meanwhile(asyncio.Event().wait()):
        pass


async def test_a_block_that_is_told_to_end_ends_what_goes_on_beside():
    ended = asyncio.Event()

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def block():
        async with meanwhile(work()):
            await asyncio.Event().wait()

    assert await ordered_to_end(block(), 3)
    assert ended.is_set()


async def test_what_fails_while_a_block_ends_by_itself_is_raised_and_orders_nobody_to_end():
    async def fail_at_the_end():
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            raise KeyError("a secret")

    async def block():
        async with meanwhile(fail_at_the_end()):
            await asyncio.sleep(0)

    with pytest.raises(KeyError):
        await in_time(asyncio.create_task(block()))


class Stuck(Reconnecting):
    """A wire that cannot be closed."""

    name = "a wire"
    is_open = False

    def write(self, data):
        """Nothing comes of it."""

    async def _connect(self):
        """It is open at once."""

    async def _listen(self):
        """It brings nothing."""

    async def _disconnect(self):
        await asyncio.sleep(0)
        raise ValueError("it cannot be closed")


@pytest.mark.parametrize("hops", HOPS)
async def test_a_wire_that_cannot_be_closed_is_not_opened_again_when_it_is_told_to_end(hops):
    wire = Stuck()
    await wire.__aenter__()
    task, told = wire._task, asyncio.Event()
    after(hops, told.set)
    await told.wait()
    with pytest.raises(ValueError, match="cannot be closed"):
        await in_time(wire.__aexit__(None, None, None))
    assert task.done()
    assert [item async for item in wire.traffic()], "and what it brought has an end"
