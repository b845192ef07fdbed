import asyncio
import os
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest

from drivers.description import load_description
from drivers.piece_set import Face, Piece, PieceSet
from drivers.port import Lights, LinkChanged, Snapshot
from drivers.serial_board import SerialBoard
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from tests.drivers.test_transport import FarEnd
from tests.patience import in_time, soon

FULL = load_description("full")


@pytest.fixture
def impatient(monkeypatch):
    """Give up soon on what is no board: the tests need not wait as long as people do."""
    monkeypatch.setattr("drivers.link.host_session.GREETING_TIME", 0.4)


@pytest.fixture(autouse=True)
def _again_at_once(monkeypatch):
    monkeypatch.setattr("drivers.transport.FIRST_PAUSE", 0.05)


@asynccontextmanager
async def first_words(answer):
    """Open a board at whose port `answer(bytes) -> bytes` speaks; yield its first `LinkChanged`."""
    end = FarEnd()

    def readable():
        with suppress(BlockingIOError):
            os.write(end.ours, answer(os.read(end.ours, 4096)))

    asyncio.get_running_loop().add_reader(end.ours, readable)
    try:
        async with SerialBoard(FULL, end.port) as board:
            event = await in_time(anext(board.events()))
            assert isinstance(event, LinkChanged)
            yield event, end.port
    finally:
        asyncio.get_running_loop().remove_reader(end.ours)
        end.close()


async def test_a_wrong_port_is_named():
    async with SerialBoard(FULL, "/dev/ttyNONE") as board:
        event = await anext(board.events())
        assert (event.up, event.text) == (
            False,
            "There is no port /dev/ttyNONE. Is the board plugged in and switched on?",
        )


@pytest.mark.usefixtures("impatient")
async def test_a_silent_port_is_told_from_a_wrong_device():
    async with first_words(lambda data: b"") as (event, port):
        assert event.text.startswith(f"{port}: Nothing answers here.")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "answer",
    [
        lambda data: b":0 0 0 0 0 3 0 84 12 5 \r\n" * 8,
        lambda data: Random(5).randbytes(2000),
        lambda data: data,  # a loop-back plug
    ],
    ids=["another board", "noise", "an echo"],
)
async def test_another_device_at_the_port_is_told(answer):
    async with first_words(answer) as (event, port):
        assert event.text.startswith(f"{port}: Something answers here, but not like a board (")
        assert "Is it another device?" in event.text


async def test_a_port_in_use_is_waited_for(tmp_path):
    station = Station(FULL, PieceSet(), tmp_path / "board")
    async with station, SerialBoard(FULL, str(tmp_path / "board")) as first:
        assert (await anext(first.events())).up
        async with SerialBoard(FULL, str(tmp_path / "board")) as second:
            events = second.events()
            waiting = await anext(events)
            assert "is in use by another program" in waiting.text
            await first.__aexit__(None, None, None)
            there = await in_time(anext(events))
            assert there.up


async def test_two_boards_at_one_computer_do_not_mix(tmp_path):
    stations = [Station(FULL, PieceSet(), tmp_path / name) for name in ("one", "two")]
    async with stations[0], stations[1]:
        boards = [SerialBoard(FULL, str(tmp_path / name)) for name in ("one", "two")]
        async with boards[0], boards[1]:
            seen = [board.events() for board in boards]
            for events in seen:
                assert (await anext(events)).up
                assert isinstance(await anext(events), Snapshot)
            stations[1].board.press("white", 0)
            stations[0].board.press("black", 0)
            assert [(await in_time(anext(events))).button for events in seen] == [
                "black",
                "white",
            ]


async def test_a_board_that_lies_the_other_way_round_names_its_cells_as_players_see_them(tmp_path):
    face = Face(tag="04AABBCC", label="wP", look="wP")
    pieces = PieceSet(pieces=(Piece(name="pawn", faces=(face,)),))
    station = Station(FULL, pieces, tmp_path / "board")
    station.arrange({"e2": "04AABBCC"})
    async with station, SerialBoard(FULL.oriented(180), str(tmp_path / "board")) as board:
        events = board.events()
        assert (await anext(events)).up
        assert (await anext(events)).readings == {"d8": "04AABBCC"}
        await station.play([Step(piece="pawn", to="a1")])
        felt = [await in_time(anext(events)) for _ in range(2)]
        assert {(event.cell, event.reading) for event in felt} == {
            ("d8", None),
            ("h9", "04AABBCC"),
        }
        await board.show(Lights({"h9": "check"}))
        await soon(lambda: set(station.board.lights) == {"a1"})


async def test_a_snapshot_and_a_self_test_can_be_asked_for(tmp_path):
    station = Station(FULL, PieceSet(), tmp_path / "board")
    async with station, SerialBoard(FULL, str(tmp_path / "board")) as board:
        events = board.events()
        assert (await anext(events)).up
        assert isinstance(await anext(events), Snapshot)
        await board.ask_snapshot()
        assert isinstance(await in_time(anext(events)), Snapshot)
        await board.self_test()
        assert (await in_time(anext(events))).code == "self-test-passed"
        assert board.statistics.damaged == 0
        assert board.statistics.round_trip is not None
