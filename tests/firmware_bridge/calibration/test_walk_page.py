"""The walk on its page: what it shows, what it refuses, and a real browser that walks."""

import asyncio
import re
import sys

import httpx
import pytest
from playwright.async_api import async_playwright, expect

from drivers.description import load_description
from drivers.port import Snapshot
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.calibration.page import WalkPage
from firmware_bridge.calibration.procedure import Procedure
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.browser import ARGUMENTS, CHROMIUM
from tests.patience import PATIENCE

STARTER = load_description("starter")
SMALL = """
name = "small"
tier = "occupancy"
controller = "simulated"
grid = { files = 3, ranks = 2 }
leds = { colours = "single", driver = "max7219" }
"""

PIECE, OTHER = (piece.name for piece in simulated_pieces().pieces[:2])
FORGOTTEN = {PIECE: "b2", OTHER: "c1"}
"""What still stands on the board when the walk begins."""


@pytest.fixture
def walk():
    walk = Procedure(STARTER, parts=("cells",))
    walk.hear(Snapshot(0.0, {}))
    return walk


def client(page, host="localhost"):
    transport = httpx.ASGITransport(page.app())
    return httpx.AsyncClient(transport=transport, base_url=f"http://{host}")


async def test_words_from_the_page_come_in_as_if_typed(walk):
    page = WalkPage()
    said = page.attend(walk, STARTER)
    async with client(page) as browser:
        assert (await browser.post("/words", json={"text": "a1  c3 y"})).status_code == 200
    assert [said.get_nowait() for _ in range(said.qsize())] == ["a1", "c3", "y"]


@pytest.mark.parametrize(
    ("body", "status"),
    [({"text": "y" * 401}, 400), ({"word": "y"}, 400), ("y", 400), ({"text": "y" * 20000}, 413)],
)
async def test_what_is_no_answer_is_refused(walk, body, status):
    page = WalkPage()
    said = page.attend(walk, STARTER)
    async with client(page) as browser:
        assert (await browser.post("/words", json=body)).status_code == status
    assert said.empty()


async def test_a_foreign_name_gets_nothing(walk):
    page = WalkPage()
    page.attend(walk, STARTER)
    async with client(page, host="evil.example") as browser:
        assert (await browser.get("/")).status_code == 421


def test_the_page_shows_what_is_asked_and_what_was_told(walk, capsys):
    page = WalkPage()
    assert page.state()["asks"] is None
    page.attend(walk, STARTER)
    page.tell("Hello.")
    state = page.state()
    assert "Put the piece on a1." in state["asks"]
    assert state["shines"] == ("a1",)
    assert set(state["words"]) == {"s", "k", "u", "q"}
    assert state["told"] == ["Hello."]
    assert capsys.readouterr().out == "Hello.\n"


@pytest.mark.browser
async def test_a_browser_walks_over_a_board(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    small = load_description(file)
    station = Station(small, simulated_pieces(), tmp_path / "port")
    settings = (f"board.description={file}", f"board.settings.port={tmp_path / 'port'}",
                "pages.port=0")  # fmt: skip
    async with station, async_playwright() as playwright:
        await station.play([Step(piece=name, to=cell) for name, cell in FORGOTTEN.items()])
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "firmware_bridge", "setup", "--page"),
            *("--to", str(tmp_path / "mine"), "--only", "cells", "--only", "lights"),
            *(word for setting in settings for word in ("-s", setting)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        line = (await process.stdout.readline()).decode()
        address = re.search(r"http://\S+", line)[0]
        expect.set_options(timeout=1000 * PATIENCE)
        chromium = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=1000 * PATIENCE
        )
        page = await chromium.new_page()
        problems = []
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else 0)
        await page.goto(address)
        await walk_in(page, station)
        _, complaints = await process.communicate()
        assert (process.returncode, complaints) == (0, b"")
        await expect(page.locator("#asks")).to_have_text("Done. See the terminal for the files.")
        await chromium.close()
    assert not [text for text in problems if "ERR_" not in text], "the end itself is no mistake"
    assert load_description(tmp_path / "mine" / "board.toml") == small


async def nothing_is_asked_while_the_board_is_gone(page, station):
    """No cell is said not to answer because the cable is out."""
    station.set_plugged(plugged=False)
    await expect(page.locator("#asks")).to_contain_text("Is the")
    await expect(page.locator("#words button")).to_have_text(["stop, to go on later"])
    for place in ("#board", "#other"):
        await expect(page.locator(place)).to_be_hidden()
    station.set_plugged(plugged=True)


async def what_is_shown_stays(page, station):
    """Nothing is read aloud again, and no button loses the focus, because a piece is lifted."""
    await page.evaluate(
        "document.querySelectorAll('#told li, #words button').forEach((one) => { one.id = 'old' })"
    )
    await page.locator("#words button").first.focus()
    await station.play([Step(piece=PIECE, to="hand")])
    await expect(page.locator("#words button").first).to_be_focused()
    assert await page.locator("#told li:not(#old)").count() == 0
    await station.play([Step(piece=PIECE, to="b1")])
    for width, height in ((1280, 800), (800, 480), (1920, 1080)):
        await page.set_viewport_size({"width": width, "height": height})
        for seen in (page.locator("[data-cell=a1]"), page.locator("#told li").last):
            await expect(seen).to_be_in_viewport(ratio=1)


async def walk_in(page, station):
    asks, shining = page.locator("#asks"), page.locator(".cell.shines")
    for left, name in ((["b2", "c1"], PIECE), (["c1"], OTHER)):
        await expect(shining).to_have_text(left)
        await station.play([Step(piece=name, to="tray")])
    await expect(shining).to_have_text("a1")
    for cell in ("a1", "b1"):
        await station.play([Step(piece=PIECE, to="hand"), Step(t=0.02, piece=PIECE, to=cell)])
    await expect(asks).to_contain_text("Put the piece on c1.")
    await what_is_shown_stays(page, station)
    await nothing_is_asked_while_the_board_is_gone(page, station)
    await expect(asks).to_contain_text("Put the piece on c1.")
    await page.get_by_role("button", name="undo").click()
    await expect(asks).to_contain_text("Put the piece on b1.")
    for cell in ("b1", "c1", "c2", "b2", "a2"):
        await expect(asks).to_contain_text(f"Put the piece on {cell}.")
        await page.get_by_role("button", name="does not answer").click()
    await expect(asks).to_contain_text("Does every cell shine?")
    await expect(shining).to_have_count(6)
    await page.get_by_label("Or enter cells or words").fill("c1 a2")
    await page.get_by_role("button", name="Enter", exact=True).click()
    await expect(shining).to_have_count(4)
    await expect(page.locator("#told")).to_contain_text("Noted: c1, a2.")
    await page.get_by_role("button", name="yes, all but those entered").click()
