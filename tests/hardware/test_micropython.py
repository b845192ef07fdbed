"""The whole image under the real MicroPython, its bytes over a pty to the shipped driver."""

import asyncio
import json
import os
import pty
import subprocess
import tty
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.description import load_description
from drivers.pico.image import image
from drivers.pico.install import InstallError, check
from drivers.port import ButtonEvent, CellEvent, Lights, LinkChanged, Snapshot
from drivers.serial_board import SerialBoard
from tests.hardware.micropython_package import NODE, installed, needs_micropython

HERE = Path(__file__).parent
SCRIPT = HERE / "micropython" / "board.mjs"
KING = bytes.fromhex("04A1B2C3D4E5F6")

pytestmark = [pytest.mark.node, needs_micropython]


def write_image(folder, description):
    for name, contents in image(description).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)


class Pico:
    """A process that runs the image of one board; `port` is where its USB would appear."""

    def __init__(self, folder, board):
        self.description = load_description(board)
        write_image(folder, self.description)
        self._folder = folder
        self._board_end, far_end = pty.openpty()
        tty.setraw(far_end)
        self.port = os.ttyname(far_end)
        self._far_end = far_end  # kept open, so that the board's end never reads a hang-up
        os.set_blocking(self._board_end, False)
        self.process = None

    def start(self):
        assert installed()
        asking, self._ask = os.pipe()
        os.set_blocking(asking, False)
        self.process = subprocess.Popen(
            [NODE, SCRIPT, self._folder, HERE / "fakes", str(self._board_end)],
            stdin=asking,
            stdout=subprocess.PIPE,
            pass_fds=(self._board_end,),
        )
        os.close(asking)

    def bench(self, expression):
        """Evaluate an expression on the workbench, inside MicroPython."""
        os.write(self._ask, f"{expression}\n".encode())
        return json.loads(self.process.stdout.readline())

    def number(self, cell):
        return self.description.built.index(cell)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        os.close(self._ask)

    def close(self):
        self.stop()
        os.close(self._board_end)
        os.close(self._far_end)


@pytest.fixture
def starter(tmp_path):
    pico = Pico(tmp_path, "starter")
    pico.start()
    yield pico
    pico.close()


async def until(events, wanted):
    """Return the events up to the first that is wanted, which must come soon."""
    seen = []

    async def look():
        async for event in events:
            seen.append(event)
            if wanted(event):
                return

    await asyncio.wait_for(look(), 20)
    return seen


@asynccontextmanager
async def connected(folder, board):
    pico = Pico(folder, board)
    pico.start()
    try:
        async with SerialBoard(pico.description, pico.port) as driver:
            events = driver.events()
            await until(events, lambda event: isinstance(event, Snapshot))
            yield pico, driver, events
    finally:
        pico.close()


async def test_a_hand_is_felt_through_micropython_and_the_cable(tmp_path):
    async with connected(tmp_path, "full") as (pico, _, events):
        pico.bench(f"bench.put({pico.number('e2')}, {KING!r})")
        seen = await until(
            events, lambda event: isinstance(event, CellEvent) and event.reading is not True
        )
        felt = [(e.cell, e.reading) for e in seen if isinstance(e, CellEvent)]
        assert felt == [("e2", True), ("e2", KING.hex().upper())]
        pico.bench(f"bench.lift({pico.number('e2')})")
        seen = await until(events, lambda event: isinstance(event, CellEvent))
        assert (seen[-1].cell, seen[-1].reading) == ("e2", None)


async def test_buttons_lights_and_sounds_through_micropython(tmp_path):
    async with connected(tmp_path, "full") as (pico, driver, events):
        pin = pico.description.buttons[0].pin
        pico.bench(f"bench.inputs.__setitem__({pin}, 0)")
        seen = await until(events, lambda event: isinstance(event, ButtonEvent))
        assert seen[-1].button == "white"
        await driver.show(Lights({"a2": "must-go-here"}))
        await driver.sound("accepted")
        for _ in range(50):
            await asyncio.sleep(0.05)
            if tuple(pico.bench("bench.leds.colours[15]")) == (50, 0, 0):
                break
        assert tuple(pico.bench("bench.leds.colours[15]")) == (50, 0, 0)
        assert pico.bench("bench.tones") == [1760]


async def test_a_restarted_board_comes_back_with_a_snapshot(tmp_path):
    async with connected(tmp_path, "starter") as (pico, _, events):
        pico.bench("bench.put(3)")
        await until(events, lambda event: isinstance(event, CellEvent))
        pico.stop()
        pico.start()
        await until(events, lambda event: isinstance(event, LinkChanged) and not event.up)
        pico.bench("bench.put(5)")
        seen = await until(
            events, lambda event: isinstance(event, Snapshot) and "f1" in event.readings
        )
        assert set(seen[-1].readings) == {"f1"}


async def test_the_board_is_checked_by_its_own_greeting_and_self_test(starter):
    assert "starter" in await check(starter.description, starter.port)


async def test_another_board_than_the_one_described_is_named(starter):
    with pytest.raises(InstallError, match="starter"):
        await check(load_description("full"), starter.port)


@pytest.mark.parametrize("board", ["starter", "full", "kiosk"])
def test_the_firmware_is_frugal_with_a_picos_memory(tmp_path, board):
    write_image(tmp_path, load_description(board))
    done = subprocess.run(
        [NODE, HERE / "micropython" / "frugal.mjs", tmp_path, HERE / "fakes"],
        capture_output=True,
        text=True,
        check=True,
    )
    took = json.loads(done.stdout)
    assert took["code"] + took["board"] < 110_000  # of about 190 kB on a Pico
    assert took["pass"] < 100  # what the collector has to fetch back
