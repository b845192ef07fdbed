import json
import time

import pytest

from drivers.description import load_description
from drivers.port import ButtonEvent, CellEvent, DriverError, Snapshot
from drivers.replaying_board import ReplayingBoard
from tests.patience import in_time

FULL = load_description("full")
HEADER = {
    "format": "firmware-bridge-recording",
    "version": 1,
    "game": "mockery",
    "position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -",
    "tier": "occupancy",
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


async def test_it_keeps_time_at_the_chosen_speed(tmp_path):
    begun = time.monotonic()
    _, snapshot, *events = await replayed(recording(tmp_path, HEADER, *LINES), 10, 5)
    assert time.monotonic() - begun >= 0.15
    assert [round(event.t - snapshot.t, 3) for event in events] == [0.05, 0.1, 0.15]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "is empty"),
        ([{"format": "other"}], "line 1"),
        ([HEADER | {"version": 2}], "version 1"),
        ([HEADER, {"t": 1, "cell": "z9", "reading": None}], "line 2: .*no cell 'z9'"),
        ([HEADER, {"t": 1, "cell": "e2", "reading": 5}], "line 2: .*null, true or a tag, not 5"),
        ([HEADER, {"cell": "e2", "reading": None}], "line 2"),
        ([HEADER, [1, 2]], "line 2"),
        ([{key: HEADER[key] for key in ("format", "version")}], "line 1: .*position"),
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
