"""What is overheard at a board is enough to find out later what went wrong."""

import asyncio
import json
import sys

from drivers.commercial.dgt import DgtSession
from drivers.description import load_description
from drivers.port import CellEvent, LinkChanged, Snapshot
from tests.drivers.emulators.dgt import DgtBoard


async def test_the_bytes_overheard_lead_to_the_same_events_again(tmp_path):
    async with DgtBoard(tmp_path / "port", {"e1": "wK"}) as board:
        overhearing = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "firmware_bridge", "overhear", "dgt",
            "--port", str(tmp_path / "port"), "--seconds", "4",
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        await asyncio.wait_for(board.asked_for_changes.wait(), 20)
        await asyncio.sleep(0.5)
        board.put("e1", None)
        board.put("e2", "wK")
        output, _ = await overhearing.communicate()
    lines = [json.loads(line) for line in output.splitlines()]
    assert {"out": "44"}.items() <= lines[1].items()
    session = DgtSession(load_description("dgt"))
    events = []
    for line in lines:
        if "opened" in line:
            session.connect(line["t"])
        elif "in" in line:
            events += session.receive(bytes.fromhex(line["in"]), line["t"])
    assert [type(event) for event in events] == [LinkChanged, Snapshot, CellEvent, CellEvent]
    told = [line for line in lines if "CellEvent" in line]
    assert [line["CellEvent"] for line in told] == [
        {"cell": "e1", "reading": None},
        {"cell": "e2", "reading": "piece:wK"},
    ]


def test_a_driver_without_a_wire_has_nothing_to_overhear():
    from click.testing import CliRunner

    from firmware_bridge.cli import main

    result = CliRunner().invoke(main, ["overhear", "nobody"])
    assert result.exit_code == 4
    assert "There is no board driver" in result.output
