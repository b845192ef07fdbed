"""The simulated board's pieces stay where they are while it is switched off."""

import asyncio

import pytest

from drivers.beside import begin, end
from drivers.description import load_description
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.simulation.keeping import keep_pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.patience import soon

STEPS = (
    Step(piece="wP-5", to="e4"),
    Step(piece="bP-4", to="e4"),  # crowded, until the other one is taken off
    Step(piece="wQ-1", flip=True),
    Step(piece="wN-1", to="hand"),
)


def switched_on(folder):
    pieces = simulated_pieces()
    station = Station(load_description("simulated"), pieces, folder / "board")
    station.arrange(pieces.arrangements["chess"])
    return station


async def kept(station, file):
    keeping = begin(keep_pieces(station, file), "keeping")
    await asyncio.sleep(0)
    return keeping


async def test_pieces_stay_where_they_are_while_the_board_is_off(tmp_path):
    first, second, file = switched_on(tmp_path), switched_on(tmp_path), tmp_path / "pieces.json"
    keeping = await kept(first, file)
    await soon(file.exists)
    before = file.read_bytes()
    await first.play(STEPS)
    await soon(lambda: file.read_bytes() != before and b'"hand"' in file.read_bytes())
    await end(keeping)
    await end(await kept(second, file))
    assert list(second.board.top.spots()) == list(first.board.top.spots())
    assert second.board.top.tag_on("e4") == first.board.top.tag_of("wP-5")
    assert second.board.top.lifted == {"wN-1": "b1"}


@pytest.mark.parametrize("told", [b"\xff", b"[]]", b'[["wX-9", "e4", 0, "e4"]]'])
async def test_a_file_that_tells_nothing_leaves_the_pieces_as_they_were_set_up(tmp_path, told):
    file, station = tmp_path / "pieces.json", switched_on(tmp_path)
    file.write_bytes(told)
    await end(await kept(station, file))
    assert station.board.top.tag_on("e2") == simulated_pieces().arrangements["chess"]["e2"]
