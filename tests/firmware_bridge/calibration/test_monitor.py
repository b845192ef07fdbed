import asyncio
import signal
import sys

import pytest
from click.testing import CliRunner

from drivers.board_reasons import Reason
from drivers.description import load_description
from drivers.link.host_session import LinkStatistics
from drivers.port import BoardNotice, ButtonEvent, CellEvent, LinkChanged, Snapshot
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.calibration.cell_monitor import Monitor
from firmware_bridge.cli import main
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.patience import in_time

FULL, STARTER = load_description("full"), load_description("starter")


def watched(description, *events):
    monitor = Monitor(description)
    lines = [monitor.take(event) for event in events]
    return monitor, lines


def test_every_event_is_a_line():
    _, lines = watched(
        FULL,
        LinkChanged(10.0, up=True, reason=Reason("told", {"text": "Here."})),
        Snapshot(10.1, {"e2": "04AABBCC"}),
        CellEvent(10.5, "e2", None),
        CellEvent(11.0, "e4", "04AABBCC"),
        CellEvent(11.5, "hw1", True),
        ButtonEvent(12.0, "white"),
        BoardNotice(12.5, "overflow", "Too much."),
    )
    assert [line.split(maxsplit=1) for line in lines] == [
        ["0.000", "Here."],
        ["0.100", "snapshot: 1 cells hold something"],
        ["0.500", "e2   empty"],
        ["1.000", "e4   tag 04AABBCC"],
        ["1.500", "hw1  occupied"],
        ["2.000", "button white"],
        ["2.500", "Too much."],
    ]


def test_the_picture_shows_what_stands_and_what_just_changed():
    monitor, _ = watched(
        FULL,
        LinkChanged(0.0, up=True, reason=Reason("told", {"text": "Here."})),
        Snapshot(0.0, {"a1": True, "h9": "04AA12CD"}),
        CellEvent(5.0, "b1", True),
    )
    picture = monitor.picture(5.5, LinkStatistics(99, 1, 2, 3, 0.0042))
    rows = {line.split()[0]: line.split()[1:] for line in picture if line.strip()}
    assert rows["1"][:3] == ["#", "[#]", "."]
    assert rows["9"][-1] == "AA12"
    assert len(rows["hw"]) == 10
    assert picture[-1] == (
        "Link: 99 frames, 1.0 % damaged, 2 events repeated, 3 out of turn, round trip 4.2 ms."
    )


def test_a_flickering_contact_is_named():
    times = [1.0, 1.004, 1.009, 1.013, 5.0]
    events = [CellEvent(t, "e2", True if n % 2 else None) for n, t in enumerate(times)]
    monitor, _ = watched(STARTER, *events)
    assert monitor.findings()[0] == (
        "Contacts that flicker, perhaps a bad joint or a weak magnet: e2 (3 times)."
    )


def test_a_reader_that_misses_tags_is_named_but_not_one_that_is_late():
    missed = [CellEvent(1.0, "e2", True), CellEvent(2.0, "e2", None), CellEvent(3.0, "e2", "AA")]
    late = [CellEvent(4.0, "d4", True), CellEvent(4.1, "d4", "BB")]
    monitor, _ = watched(FULL, *missed, *late)
    assert monitor.findings()[0] == "Pieces felt whose tag was not read: e2 (1 of 2)."
    monitor, _ = watched(STARTER, *missed[:2])
    assert not any("tag" in finding for finding in monitor.findings())


@pytest.mark.parametrize(
    ("touched", "finding"),
    [
        (0, "64 of 64 cells never changed: move a piece over each."),
        (62, "Cells that never changed: g8, h8."),
    ],
)
def test_cells_that_never_changed_are_named(touched, finding):
    events = [CellEvent(1.0 + n, cell, True) for n, cell in enumerate(STARTER.cells[:touched])]
    monitor, _ = watched(STARTER, *events)
    assert monitor.findings() == [finding]


def test_a_whole_board_has_no_findings():
    events = [CellEvent(1.0 + n, cell, True) for n, cell in enumerate(STARTER.cells)]
    monitor, _ = watched(STARTER, *events)
    assert monitor.findings() == []


async def test_the_command_shows_what_hands_do(tmp_path):
    pieces = simulated_pieces()
    station = Station(load_description("simulated"), pieces, tmp_path / "board")
    station.arrange(pieces.arrangements["realm"])
    port = f"board.settings.port={tmp_path / 'board'}"
    command = [sys.executable, "-m", "firmware_bridge", "monitor", "--lines"]
    async with station:
        watching = await asyncio.create_subprocess_exec(
            *(*command, "-s", "board.description=simulated", "-s", port),
            stdout=asyncio.subprocess.PIPE,
        )
        await in_time(line_with("snapshot", watching))
        await station.play([Step(cell="e2", reading=None), Step(t=0.1, button="black")])
        assert "e2   empty" in await in_time(line_with("e2", watching))
        await in_time(line_with("button black", watching))
        watching.send_signal(signal.SIGINT)
        told, _ = await in_time(watching.communicate())
    assert watching.returncode == 0
    assert "91 of 92 cells never changed" in told.decode()


def test_it_ends_by_itself_after_the_time_asked_for(tmp_path):
    port = f"board.settings.port={tmp_path / 'none'}"
    result = CliRunner().invoke(main, ["monitor", "-s", port, "--seconds", "0.1"])
    assert result.exit_code == 0
    assert "never changed" in result.stdout


async def line_with(word, process):
    while word not in (line := (await process.stdout.readline()).decode()):
        assert line, "it has ended"
    return line


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ("board.description=huge", 4, 'no board description "huge"'),
        ("board.driver=nothing", 4, 'no board driver "nothing"'),
        ("bored.driver=serial", 3, "bored"),
    ],
)
def test_what_cannot_be_watched_is_explained(change, code, words):
    result = CliRunner().invoke(main, ["monitor", "-s", change, "--seconds", "1"])
    assert result.exit_code == code
    assert words in result.stderr


def test_a_tag_that_follows_its_contact_is_no_flicker():
    events = []
    for second in range(5):
        events += [
            CellEvent(second, "e4", True),
            CellEvent(second + 0.02, "e4", "04AABBCC"),
            CellEvent(second + 0.5, "e4", None),
        ]
    monitor, _ = watched(FULL, *events)
    assert not any("flicker" in finding for finding in monitor.findings())
