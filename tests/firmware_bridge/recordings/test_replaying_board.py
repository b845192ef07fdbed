import json
import time

import pytest

from drivers.description import load_description
from drivers.port import ButtonEvent, CellEvent, DriverError, Snapshot
from firmware_bridge.recordings.replaying_board import ReplayingBoard
from tests.patience import in_time

FULL = load_description("full")
HEADER = {
    "format": "firmware-bridge-recording",
    "version": 1,
    "game": "mockery",
    "position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -",
    "tier": "occupancy",
    "clock": True,
}
LINES = [
    {"t": 0.5, "cell": "e2", "reading": None},
    {"t": 1.0, "cell": "e4", "reading": True},
    {"t": 1.1, "answer": "e2e4"},
    {"t": 1.5, "button": "white"},
    {"t": 2.0, "end": True},
]


def recording(tmp_path, *lines):
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


async def replayed(path, speed, count):
    async with ReplayingBoard(FULL, path, speed) as board:
        events = board.events()
        return [await in_time(anext(events)) for _ in range(count)]


async def test_an_occupancy_recording_starts_from_its_position(tmp_path):
    link, snapshot, *events = await replayed(recording(tmp_path, HEADER, *LINES), 0, 5)
    assert link.up
    assert isinstance(snapshot, Snapshot)
    assert set(snapshot.readings) == {
        f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)
    }
    assert [type(event) for event in events] == [CellEvent, CellEvent, ButtonEvent]
    assert (events[0].cell, events[1].reading, events[2].button) == ("e2", True, "white")


@pytest.mark.parametrize("on", [{}, {"on": {"hw1": True}}])
async def test_a_recording_may_begin_in_the_set_up(on, tmp_path):
    header = {key: HEADER[key] for key in HEADER if key != "position"} | {"phase": "set-up"} | on
    _, snapshot = await replayed(recording(tmp_path, header), 0, 2)
    assert snapshot.readings == on.get("on", {})


async def test_what_stands_beside_the_board_stands_there_beside_the_position(tmp_path):
    _, snapshot = await replayed(recording(tmp_path, HEADER | {"on": {"hw1": True}}), 0, 2)
    assert len(snapshot.readings) == 33


async def test_it_keeps_time_at_the_chosen_speed(tmp_path):
    begun = time.monotonic()
    _, snapshot, *events = await replayed(recording(tmp_path, HEADER, *LINES), 10, 5)
    assert time.monotonic() - begun >= 0.15
    assert [round(event.t - snapshot.t, 3) for event in events] == [0.05, 0.1, 0.15]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "it is empty"),
        ([HEADER, {"t": 1, "cell": "e2", "reading": 5}], "line 2: .*reading.*, not 5"),
        ([HEADER, {"t": 1, "cell": "hw20", "reading": None}], "has no cell 'hw20'"),
        ([HEADER | {"on": {"hw20": True}}], "has no cell 'hw20'"),
        ([HEADER, {"t": 1, "snapshot": {"hw20": True}}], "has no cell 'hw20'"),
    ],
)
async def test_a_broken_recording_is_explained(lines, words, tmp_path):
    with pytest.raises(DriverError, match=words):
        async with ReplayingBoard(FULL, recording(tmp_path, *lines)):
            pass


async def test_a_missing_recording_is_explained(tmp_path):
    with pytest.raises(DriverError, match="Cannot read the recording"):
        async with ReplayingBoard(FULL, str(tmp_path / "none")):
            pass
