"""The simulated board's page in a real browser, against the real process."""

import json
import re
import subprocess
import sys
from itertools import pairwise

import httpx
import pytest

from tests.browser import violations
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.browser
TAGS = {"king": "04574B01", "rook": "04575201", "knight": "04624E01"}
DISC = {"tag": "0457500100", "label": "wPN:N", "look": "wP"}
UNDERSIDE = {"tag": "0457500101", "label": "wPN:P", "look": "wN"}
LOOKS = {"king": "wK", "rook": "wR", "knight": "bN"}
PIECES = {
    "pieces": [
        {"name": name, "faces": [{"tag": tag, "label": LOOKS[name], "look": LOOKS[name]}]}
        for name, tag in TAGS.items()
    ]
    + [{"name": "disc", "shape": "disc", "faces": [DISC, UNDERSIDE]}],
    "arrangements": {
        "start": {"e1": TAGS["king"], "a1": TAGS["rook"], "a5": TAGS["knight"], "c3": DISC["tag"]}
    },
}
LATE = """
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, heard) {
    return listen.call(this, kind, (event) => setTimeout(heard, 300, event));
};
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("simulator")
    (folder / "pieces.json").write_text(json.dumps(PIECES))
    files = ["--pieces", str(folder / "pieces.json"), "--link", str(folder / "board")]
    process = subprocess.Popen(
        [sys.executable, "-m", "drivers.simulator", "--board", "full", *files],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield re.search(r"http://\S+/", process.stdout.readline()).group().rstrip("/")
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
        process.stdout.close()
        assert not (folder / "board").exists()


class Table:
    """The page, and what its hands can do."""

    def __init__(self, page, address):
        self.page = page
        self.address = address
        self.complaints = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note)
        httpx.post(f"{address}/arrange", json={"name": "start"}, timeout=PATIENCE)
        httpx.post(f"{address}/faults", json={}, timeout=PATIENCE)
        page.goto(address)
        page.wait_for_selector('[data-piece="king"][data-at="e1"]')

    def _note(self, request):
        if not request.url.startswith(self.address):
            self.complaints.append(f"asked for {request.url}")

    def centre(self, cell):
        box = self.page.locator(f'[data-cell="{cell}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, source, *stops):
        self.page.mouse.move(*self.centre(source))
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*(stop if isinstance(stop, tuple) else self.centre(stop)), steps=4)
        self.page.mouse.up()

    def state(self):
        return httpx.get(f"{self.address}/state", timeout=PATIENCE).json()

    def until(self, **places):
        until(lambda: places.items() <= self.places().items(), f"it never came to {places}")

    def places(self):
        return {name: piece["at"] for name, piece in self.state()["pieces"].items()}


@pytest.fixture
def table(browser, address):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    table = Table(page, address)
    yield table
    page.close()
    assert table.complaints == []


def test_a_piece_is_dragged_knocks_another_off_and_is_put_up_again(table):
    table.drag("e1", "e4")
    table.until(king="e4")
    table.page.wait_for_selector('[data-piece="king"][data-at="e4"]')
    table.drag("a1", "a5")
    table.until(rook="a5", knight="tray")
    box = table.page.locator(".tray").bounding_box()
    table.drag("e4", (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    table.until(king="tray")
    table.page.locator("summary").click()
    table.page.get_by_role("button", name="Put up").click()
    table.until(king="e1", knight="a5", rook="a1")


def test_a_sliding_piece_is_felt_on_every_cell_it_passes(table):
    table.page.locator("summary").click()
    table.page.get_by_role("radio", name="Slide").check()
    table.page.mouse.move(*table.centre("a1"))
    table.page.mouse.down()
    for cell in ("a2", "a3"):
        table.page.mouse.move(*table.centre(cell), steps=3)
        table.until(rook=cell)
    table.page.mouse.up()
    table.until(rook="a3")


def test_a_tap_touches_and_a_double_tap_turns_over(table):
    back = '"piece":"disc","to":"c3"}'
    with table.page.expect_request(lambda told: back in (told.post_data or "")) as put:
        table.page.mouse.click(*table.centre("c3"))
    assert put.value.post_data_json["steps"][0]["t"] > 0  # what comes down at once is a knock
    table.until(disc="c3")
    assert table.state()["pieces"]["disc"]["look"] == "wP"
    lifts = []
    table.page.on("request", lambda told: lifts.append((told.post_data or "").count('"to":"hand"')))
    table.page.mouse.dblclick(*table.centre("c3"))
    until(lambda: table.state()["pieces"]["disc"]["look"] == "wN")
    table.until(disc="c3")
    table.page.evaluate("0")  # hears what was requested meanwhile
    assert sum(lifts) <= 2  # a touch, unless the tap was just before, and the turn


def test_what_a_hand_holds_is_seen_on_every_page_above_where_it_was_lifted(table):
    """A second page, or one that was loaded anew, tells no other story of it."""
    table.page.mouse.move(*table.centre("e1"))
    table.page.mouse.down()
    table.until(king="hand")
    other = table.page.context.browser.new_page(viewport={"width": 1280, "height": 900})
    other.goto(table.address)
    king = other.locator('[data-piece="king"].held[data-at="hand"]')
    king.wait_for()
    cell = other.locator('[data-cell="e1"]')
    box = cell.bounding_box()
    # It glides up: until it has, it stands as if nobody had lifted it.
    until(lambda: king.bounding_box()["y"] < box["y"] + box["height"] / 6)
    piece = king.bounding_box()
    assert abs(piece["x"] + piece["width"] / 2 - box["x"] - box["width"] / 2) < box["width"] / 2
    assert piece["y"] < box["y"] + box["height"] / 6
    assert cell.get_attribute("aria-label") == "e1, white king in the air"
    other.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    other.mouse.down()
    target = other.locator('[data-cell="e4"]').bounding_box()
    other.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=4)
    other.mouse.up()
    table.until(king="e4")
    other.close()


def test_what_the_board_told_before_undoes_nothing_that_hands_did_since(browser, address):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(LATE)
    table = Table(page, address)
    for source, target in pairwise(("c3", "c4", "d4", "d5")):
        before = table.state()["pieces"]["disc"]["look"]
        table.drag(source, target)
        page.mouse.dblclick(*table.centre(target))
        turned = {"wP": "wN", "wN": "wP"}[before]
        until(lambda turned=turned: table.state()["pieces"]["disc"]["look"] == turned)
        table.until(disc=target)
    table.drag("e1", "d5")
    table.until(king="d5", disc="tray")
    page.close()
    assert table.complaints == []


def test_the_keyboard_moves_turns_and_takes_off_what_cells_say_stands_on_them(table):
    label = table.page.locator('[data-cell="a5"]').get_attribute("aria-label")
    assert label == "a5, black knight"
    table.page.locator('[data-cell="e1"]').focus()
    table.page.keyboard.press("Enter")
    for _ in range(3):
        table.page.keyboard.press("ArrowUp")
    table.page.keyboard.press("Enter")
    table.until(king="e4")
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft"):
        table.page.keyboard.press(key)
    assert table.page.evaluate("document.activeElement.dataset.cell") == "c3"
    table.page.keyboard.press("Delete")
    table.until(disc="tray")


def test_two_fingers_move_two_pieces_at_once(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    table = Table(page, address)
    touch = context.new_cdp_session(page)

    def fingers(kind, *cells):
        points = [
            {"x": x, "y": y, "id": number}
            for number, (x, y) in enumerate(table.centre(cell) for cell in cells)
        ]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", "e1", "a1")
    fingers("touchMove", "f2", "c2")
    table.until(king="hand", rook="hand")
    fingers("touchMove", "g1", "f1")
    fingers("touchEnd")
    table.until(king="g1", rook="f1")
    context.close()
    assert table.complaints == []


def test_buttons_faults_and_the_cable(table):
    assert table.page.locator("[data-button]").count() == 4
    table.page.locator('[data-button="white"]').click()
    table.page.locator("summary").click()
    table.page.get_by_role("radio", name="dead").check()
    table.page.mouse.click(*table.centre("e1"))
    table.page.wait_for_selector(".broken.dead")
    assert table.state()["faults"]["dead"] == ["e1"]
    table.page.get_by_text("Mend everything").click()
    table.page.wait_for_selector(".broken.dead", state="detached")
    table.page.get_by_text("Pull the cable").click()
    table.page.wait_for_selector("text=cable is out")
    table.page.get_by_text("Put the cable back").click()
    table.page.wait_for_selector("text=nobody listens")
    table.page.get_by_text("Pull the cable").click()
    table.page.wait_for_selector("text=cable is out")
    table.page.get_by_text("Mend everything").click()
    table.page.wait_for_selector("text=nobody listens")


def test_nothing_on_the_page_shuts_anyone_out(table):
    table.page.locator("summary").click()
    for scheme in ("light", "dark"):
        table.page.emulate_media(color_scheme=scheme)
        assert violations(table.page, tags=None) == [], scheme
