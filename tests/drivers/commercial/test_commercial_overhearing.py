"""What is overheard at a board is enough to find out later what went wrong."""

import asyncio
import json
import signal
import sys

from click.testing import CliRunner

from drivers.commercial.dgt import DgtSession
from drivers.description import load_description
from drivers.port import CellEvent, LinkChanged, Snapshot
from firmware_bridge.cli import main
from tests.drivers.emulators.dgt import DgtBoard
from tests.patience import in_time


async def test_the_bytes_overheard_lead_to_the_same_events_again(tmp_path):
    async with DgtBoard(tmp_path / "port", {"e1": "wK"}) as board:
        overhearing = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "firmware_bridge", "overhear", "dgt",
            "--port", str(tmp_path / "port"),
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        lines = await in_time(heard(overhearing, lambda line: "Snapshot" in line))
        await in_time(board.asked_for_changes.wait())
        board.put("e1", None)
        board.put("e2", "wK")
        lines += await in_time(heard(overhearing, lambda line: told(line).get("cell") == "e2"))
        overhearing.send_signal(signal.SIGINT)
        assert await in_time(overhearing.wait()) == 0
    assert {"out": "44"}.items() <= lines[1].items()
    session = DgtSession(load_description("dgt"))
    events = []
    for line in lines:
        if "opened" in line:
            session.connect(line["t"])
        elif "in" in line:
            events += session.receive(bytes.fromhex(line["in"]), line["t"])
    assert [type(event) for event in events] == [LinkChanged, Snapshot, CellEvent, CellEvent]
    assert [told(line) for line in lines if told(line)] == [
        {"cell": "e1", "reading": None},
        {"cell": "e2", "reading": "piece:wK"},
    ]


async def heard(process, last):
    """Return the lines up to the first that is such a one."""
    lines = []
    while not lines or not last(lines[-1]):
        lines.append(json.loads(await process.stdout.readline()))
    return lines


def told(line):
    return line.get("CellEvent", {})


def test_it_ends_by_itself_after_the_time_asked_for(tmp_path):
    arguments = ["overhear", "dgt", "--port", str(tmp_path / "none"), "--seconds", "0.1"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert "There is no port" in result.output


def test_a_driver_without_a_wire_has_nothing_to_overhear():
    result = CliRunner().invoke(main, ["overhear", "nobody"])
    assert result.exit_code == 4
    assert "There is no board driver" in result.output
