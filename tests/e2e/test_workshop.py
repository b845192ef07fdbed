"""From the page of the running service a board is set up in a browser, and then played on."""

import asyncio
import contextlib
import itertools
import re
import socket

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import async_playwright, expect

from drivers.description import load_description
from drivers.simulator.station import Station
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.browser import ARGUMENTS, CHROMIUM
from tests.commands import Command, run_on
from tests.nightly import one_of
from tests.patience import PATIENCE, free_port, soon

pytestmark = pytest.mark.browser
BOARD = """
name = "attic"
tier = "occupancy"
controller = "simulated"
grid = { files = 8, ranks = 8 }
leds = { colours = "single", driver = "max7219" }
buttons = [{ name = "white" }, { name = "black" }]
"""
PIN = "471147"
BACK = "back to the games"


def run_in(folder, file, port):
    pages = {"pages.port": port, "pages.referee_pin": PIN}
    settings = {"board.description": file, "game.id": "reversi", **pages}
    return run_on(folder / "port", folder / "data", settings)


async def begin(browser, address, work, pin):
    await browser.goto(f"{address}setup")
    await browser.locator("a[href='/board']").click()
    await browser.locator(f"input[value='{work}']").check()
    await browser.get_by_label("PIN").fill(pin)
    await browser.get_by_role("button", name="Begin").click()


async def say(page, words):
    await page.get_by_label("Or enter cells or words").fill(words)
    await page.get_by_role("button", name="Enter", exact=True).click()


async def test_a_board_is_set_up_from_the_service_and_played_on_afterwards(tmp_path):
    file = tmp_path / "attic.toml"
    file.write_text(BOARD, encoding="utf-8")
    lying = load_description(file).oriented(180)
    station = Station(lying, simulated_pieces(), tmp_path / "port")
    address = f"http://127.0.0.1:{free_port()}/"
    run = run_in(tmp_path, file, address.split(":")[2][:-1])
    expect.set_options(timeout=1000 * PATIENCE)
    async with station, async_playwright() as playwright:
        log = tmp_path / "log"
        service = Command(*run, output=log)
        await soon(lambda: "display is at" in log.read_text())
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        maker = await (await chromium.new_context()).new_page()
        display = await (await chromium.new_context()).new_page()
        await display.goto(address)
        await begin(maker, address, "setup", "000000")
        await is_accessible(maker)
        await expect(maker.locator("[data-part=refused]")).to_be_visible()
        await begin(maker, address, "setup", PIN)
        await expect(maker.locator("#asks")).to_contain_text("Put a single piece on a1")
        await is_accessible(maker)
        lost = display.locator('[data-part="lost"]')
        await expect(lost).to_have_text(
            "Somebody is setting this board up. The games are back afterwards."
        )
        await somebody_else_only_watches(chromium, address)
        await say(maker, "s s")  # corners
        await say(maker, "s " * 64)  # every cell
        await say(maker, "y s s")  # lights, two buttons
        await expect(maker.locator("#asks")).to_contain_text("Done")
        await maker.get_by_role("button", name=BACK).click()
        await expect(maker.locator("main")).to_contain_text("Reversi")
        await expect(lost).to_be_hidden()
        assert (tmp_path / "data" / "boards" / "attic" / "board.toml").is_file()
        async with httpx.AsyncClient(base_url=address) as program:
            assert (await program.get("/readyz")).text == "ok\n"
            refused = await program.post("/words", json={"text": "y"})
            assert refused.status_code == 404, "the games know no such words"
        service.terminate()
        assert await asyncio.to_thread(service.wait) == 0
        await chromium.close()


async def is_accessible(page):
    found = await Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


async def somebody_else_only_watches(chromium, address):
    watcher = await (await chromium.new_context()).new_page()
    await watcher.goto(address)
    await expect(watcher.locator("#asks")).to_contain_text("Put a single piece on a1")
    await expect(watcher.locator("#words button")).to_have_count(0)
    await is_accessible(watcher)
    answer = await watcher.request.post(f"{address}words", data={"text": "y"})
    assert answer.status == 403
    await watcher.get_by_label("PIN").fill("111111")
    await watcher.get_by_role("button", name="Answer here").click()
    await expect(watcher.locator("#refused")).to_have_text(re.compile("not the referee's PIN"))
    await watcher.get_by_label("PIN").fill(PIN)
    await watcher.get_by_role("button", name="Answer here").click()
    await expect(watcher.locator("#words button")).not_to_have_count(0)
    await watcher.close()


@pytest.mark.parametrize("kill", one_of(True, False))
async def test_systemd_hears_of_life_and_a_power_cut_in_the_walk_loses_no_answer(tmp_path, kill):
    file = tmp_path / "attic.toml"
    file.write_text(BOARD, encoding="utf-8")
    station = Station(load_description(file), simulated_pieces(), tmp_path / "port")
    port = free_port()
    run = run_in(tmp_path, file, port)
    watched = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000000"}

    def started():
        return Command(*run, output=tmp_path / "log", **watched)

    async def answers(path):
        with contextlib.suppress(httpx.TransportError):
            return (await program.get(path)).status_code < 400
        return False

    async def until(done):
        async with asyncio.timeout(PATIENCE):
            for pause in itertools.repeat(0.1):
                if await done():
                    return
                await asyncio.sleep(pause)

    async def there(path):
        await until(lambda: answers(path))

    async def heard_in_the_walk():
        return (await program.post("/words", json={"text": "s s s"})).status_code == 200

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(watched["NOTIFY_SOCKET"])
        ear.setblocking(False)
        async with station, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as program:
            service = started()
            await there("/readyz")
            await program.post("/api/v1/board/work", json={"key": PIN, "work": "setup"})
            await there("/walk")
            notebook = tmp_path / "data" / "boards" / "attic" / "setup.json"
            await until(heard_in_the_walk)
            await soon(lambda: notebook.is_file() and '"cell a1"' in notebook.read_text())
            heard = await all_said(ear, b"WATCHDOG=1")
            assert b"STOPPING=1" not in heard, "it goes on, as something else"
            if kill:
                service.kill()
                await asyncio.to_thread(service.wait)
                service = started()
            else:
                await program.post("/words", json={"text": "q"})
            await there("/readyz")
            assert '"cell a1"' in notebook.read_text()
            service.terminate()
            await asyncio.to_thread(service.wait)
            assert b"STOPPING=1" in await all_said(ear, b"STOPPING=1")


async def all_said(ear, until):
    """Everything that systemd heard, up to this."""
    heard = []
    async with asyncio.timeout(PATIENCE):
        while until not in heard:
            try:
                heard.append(ear.recv(4096))
            except BlockingIOError:
                await asyncio.sleep(0.05)
    return heard
