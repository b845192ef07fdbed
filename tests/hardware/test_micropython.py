"""The whole image under the real MicroPython, its bytes over a pty to the shipped driver."""

import json
import subprocess
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.board_reasons import Reason
from drivers.description import load_description
from drivers.pico.install import InstallError, check
from drivers.port import ButtonEvent, CellEvent, Lights, LinkChanged, Snapshot
from drivers.serial_board import SerialBoard
from tests.hardware.micropython_package import NODE, needs_micropython
from tests.hardware.pico import FAKES, Pico, write_image
from tests.nightly import one_of
from tests.patience import PATIENCE, in_time, soon

HERE = Path(__file__).parent
KING = bytes.fromhex("04A1B2C3D4E5F6")

pytestmark = [pytest.mark.node, needs_micropython]


@pytest.fixture
def starter(tmp_path):
    pico = Pico(tmp_path, "starter")
    pico.plug()
    yield pico
    pico.unplug()


async def until(events, wanted):
    """Return the events up to the first that is wanted, which must come soon."""
    seen = []

    async def look():
        async for event in events:
            seen.append(event)
            if wanted(event):
                return

    await in_time(look())
    return seen


@asynccontextmanager
async def connected(folder, board):
    pico = Pico(folder, board)
    pico.plug()
    try:
        async with SerialBoard(pico.description, pico.port) as driver:
            events = driver.events()
            await until(events, lambda event: isinstance(event, Snapshot))
            yield pico, driver, events
    finally:
        pico.unplug()


async def test_hands_buttons_lights_and_sounds_go_through_micropython_and_the_cable(tmp_path):
    async with connected(tmp_path, "full") as (pico, driver, events):
        pico.put("e2", KING)
        seen = await until(
            events, lambda event: isinstance(event, CellEvent) and event.reading is not True
        )
        felt = [(e.cell, e.reading) for e in seen if isinstance(e, CellEvent)]
        assert felt == [("e2", True), ("e2", KING.hex().upper())]
        pico.lift("e2")
        seen = await until(events, lambda event: isinstance(event, CellEvent))
        assert (seen[-1].cell, seen[-1].reading) == ("e2", None)
        pico.press("white")
        seen = await until(events, lambda event: isinstance(event, ButtonEvent))
        assert seen[-1].button == "white"
        await driver.show(Lights({"a2": "must-go-here"}))
        await driver.sound("accepted")
        await soon(lambda: tuple(pico.bench("bench.leds.colours[15]")) == (50, 0, 0))
        await soon(lambda: pico.bench("bench.tones") == [1760])


async def test_a_restarted_board_comes_back_with_a_snapshot(tmp_path):
    async with connected(tmp_path, "starter") as (pico, _, events):
        pico.bench("bench.put(3)")
        await until(events, lambda event: isinstance(event, CellEvent))
        pico.stop()
        pico.start()
        seen = await until(events, lambda event: isinstance(event, Snapshot))
        *missed, last = [event.up for event in seen if isinstance(event, LinkChanged)]
        assert missed  # under more than one reason, where a busy machine lets it take its time
        assert (any(missed), last) == (False, True)
        assert seen[-1].readings == {}
        pico.bench("bench.put(5)")
        seen = await until(events, lambda event: isinstance(event, CellEvent))
        assert (seen[-1].cell, seen[-1].reading) == ("f1", True)


def test_a_tool_that_loads_programs_gets_the_prompt(starter):
    starter.bench("bench.put(0)")  # it runs
    with Path(starter.port).open("wb", buffering=0) as port:
        port.write(b"\r\x03")
    starter.process.wait(PATIENCE)  # it has restarted; the bench ends there


@pytest.mark.parametrize("before", one_of(b"\x01x = (", b"", b"\x01", b"\x05x", b"while True:\r"))
async def test_a_board_at_the_prompt_is_restarted_and_plays(tmp_path, before):
    pico = Pico(tmp_path, "starter")
    pico.connect()
    bare = pico.stand_at_prompt()
    pico.type(before)  # what somebody left there
    try:
        async with SerialBoard(pico.description, pico.port) as driver:
            events = driver.events()
            (told,) = await until(events, lambda event: isinstance(event, LinkChanged))
            assert not told.up
            assert told.text.endswith(str(Reason("prompt-left")))
            bare.wait(PATIENCE)
            pico.start()
            await until(events, lambda event: isinstance(event, Snapshot))
    finally:
        bare.kill()
        bare.wait()
        pico.unplug()


async def test_the_board_is_checked_by_its_own_greeting_and_named_where_it_is_another(starter):
    assert "starter" in await check(starter.description, starter.port)
    with pytest.raises(InstallError, match="starter"):
        await check(load_description("full"), starter.port)


@pytest.mark.parametrize("board", one_of("full", "starter", "kiosk"))
def test_the_firmware_is_frugal_with_a_picos_memory(tmp_path, board):
    write_image(tmp_path, load_description(board))
    done = subprocess.run(
        [NODE, HERE / "micropython" / "frugal.mjs", tmp_path, FAKES],
        capture_output=True,
        text=True,
        check=True,
    )
    took = json.loads(done.stdout)
    assert took["code"] + took["board"] < 110_000  # of about 190 kB on a Pico
    assert took["pass"] < 2  # what the collector has to fetch back
