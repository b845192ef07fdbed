"""An evening's board as its maker meets it: loaded, every cell tried, and the puzzle played."""

import re
import subprocess
import sys
from contextlib import contextmanager

import pytest

from drivers.description import load_description
from firmware_bridge.calibration.knights import BEGIN
from hardware.tools.bill import bill, cost
from hardware.tools.catalogue import builds
from hardware.tools.circuits import netlist
from hardware.tools.wiring import harness
from tests.firmware_bridge.calibration.test_knights import shortest
from tests.hardware.micropython_package import needs_micropython
from tests.hardware.pico import Pico
from tests.nightly import NIGHTLY
from tests.patience import PATIENCE, until

EVENING = load_description("evening")


def test_it_costs_less_than_25_euros():
    low, high = cost(bill(EVENING, builds()["evening"]))
    assert 0 < low < high < 25


def test_eight_reeds_lead_from_one_leg_of_the_pico_to_eight():
    wired = netlist(EVENING)
    reeds = [component for component in wired.components if component.part == "reed"]
    assert len(reeds) == 8
    assert {component.part for component in wired.components} == {"pico", "reed", "usb-cable"}
    common = set.intersection(*(set(reed.nets) for reed in reeds))
    assert common == {f"GP{EVENING.reeds.pins['row0']}"}
    assert len({net for reed in reeds for net in reed.nets} - common) == 8
    assert "3V3" not in harness(EVENING).partition("cables:")[2]


@contextmanager
def running(tmp_path, pico, *arguments):
    """A command at the board, what it says in a file."""
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "firmware_bridge", *arguments,
             "-s", "board.description=evening", "-s", f"board.settings.port={pico.port}"],
            stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    try:
        yield process, log.read_text
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stdin.close()


@pytest.fixture
def pico(tmp_path):
    made = Pico(tmp_path, "evening")
    made.plug()
    yield made
    made.unplug()


@pytest.mark.node
@needs_micropython
def test_the_walk_over_the_cells_finds_all_of_them(tmp_path, pico):
    with running(tmp_path, pico, "setup", "--only", "cells", "--to", str(tmp_path)) as (walk, said):
        asked = []
        for number in range(2, 10):
            (cell,) = until(
                lambda n=number: re.findall(rf"{n}/9  Put the piece on (\w+)\.", said())
            )
            pico.put(cell)
            until(lambda n=number: f"{n + 1}/9" in said() or walk.poll() is not None)
            pico.lift(cell)
            asked.append(cell)
        assert sorted(asked) == sorted(EVENING.cells)
        assert walk.wait(PATIENCE) == 0, said()


@pytest.mark.node
@needs_micropython
def test_the_puzzle_is_played(tmp_path, pico):
    with running(tmp_path, pico, "puzzle") as (puzzle, said):
        until(lambda: "Still to be set: a1, a3, c1, c3." in said())
        for cell in BEGIN:
            pico.put(cell)
        until(lambda: "Four knights stand in the corners." in said())
        pico.lift("a1")
        pico.put("b1")
        until(lambda: "No knight goes from a1 to b1." in said())
        pico.lift("b1")
        pico.put("a1")
        until(lambda: "As it was." in said())
        # To its end it is played in this process by day, with what says the same to each move.
        moves = shortest() if NIGHTLY else shortest()[:2]
        for number, (start, end) in enumerate(moves, 1):
            pico.lift(start)
            pico.put(end)
            until(lambda n=number: f"Move {n}:" in said() or f"Solved in {n}" in said())
        if NIGHTLY:
            assert puzzle.wait(PATIENCE) == 0
            assert "Solved in 16 moves" in said()
