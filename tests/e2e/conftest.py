"""The real command, a real browser, and a hand that drags pieces."""

import contextlib
import json
import os
import re
import signal
import urllib.request
from functools import partial
from pathlib import Path

import pytest

from tests.commands import running
from tests.patience import PATIENCE, free_port, until

LOOKS_MS = 300
"""A player looks so long before he moves; what jumps sooner after the other's piece was knocked."""


def get(address):
    """Return what there is at an address, as text."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return answer.read().decode()


def post(address, body):
    """Send this as JSON; return what is answered."""
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def headline(page):
    """Where a page says what is to be done."""
    return page.locator('[data-part="headline"]')


class Demo:
    """`firmware-bridge demo`, running."""

    def __init__(self, process, board, display, pin):
        self.process = process
        self.board = board
        self.display = display
        self.pin = pin

    @property
    def service(self):
        """The process id of the service that the demo looks after; the board's began before."""
        _, service = children(self.process.pid)
        return service

    @property
    def computers(self):
        """The process ids of the seats' computers."""
        return children(self.service, b"firmware_bridge.opponents")

    @property
    def state(self):
        return json.loads(get(f"{self.display}api/v1/state"))

    @property
    def phase(self):
        return self.state["phase"]

    def begin(self, game, **settings):
        """Begin another game, whatever became of the one before; its pieces follow."""
        wanted = {"game": game, "options": {}, "settings": settings, "players": {}}
        post(f"{self.display}api/v1/game", wanted)
        until(lambda: (self.state["game"], self.state["phase"]) == (game, "ready"))

    def kill_service(self):
        killed = self.service
        os.kill(killed, signal.SIGKILL)
        return killed


def children(parent, word=b""):
    """Return the living processes that a process has started, the first one first.

    With a word those that have it in their commands.
    """
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            state, started_by, *others = (entry / "stat").read_text().rpartition(")")[2].split()
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if int(started_by) == parent and state != "Z" and word in words:
                found.append((int(others[17]), int(entry.name)))
    return [number for _, number in sorted(found)]


@contextlib.contextmanager
def started(*arguments, folder):
    """Start the command with free ports, and stop it as Ctrl-C does."""
    ports = [f"--board-port={free_port()}", f"--port={free_port()}"]
    words = ["demo", "--no-open", *ports, f"--data={folder / 'games'}", *arguments]
    folder.mkdir(exist_ok=True)
    output = folder / "output"
    with running(*words, output=output) as process:
        try:
            yield Demo(process, *wait_for_addresses(process, output))
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0
    said = output.read_text()
    # What goes on without one of its tasks, or gave up an answer, tells it there.
    assert not re.search(r"Traceback| trace=", said), said


@pytest.fixture
def demo(tmp_path):
    """Give what starts a demo of one's own."""
    return partial(started, folder=tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A demo that tests of a file share: each begins a game of its own there."""
    with started(folder=tmp_path_factory.mktemp("shared")) as running:
        yield running


def wait_for_addresses(process, output):
    def greeted():
        assert process.poll() is None, output.read_text()
        return "Ctrl-C ends" in output.read_text()

    until(greeted)
    text = output.read_text()
    board = re.search(r"Board\s+(\S+)", text)[1]
    display = re.search(r"Display\s+(\S+)", text)[1]
    pin = (re.search(r"PIN is (\d+)", text) or [None, ""])[1]  # a configured one is not told
    return board, display, pin


class Hand:
    """A hand on the simulated board's page."""

    def __init__(self, page):
        self.page = page

    def drag(self, source, target):
        self._sees_a_piece(source)
        mouse = self.page.mouse
        mouse.move(*self._centre(source))
        mouse.down()
        mouse.move(*self._centre(target), steps=4)
        mouse.up()

    def touch(self, cell):
        self._sees_a_piece(cell)
        self.page.mouse.click(*self._centre(cell))

    def turn_over(self, cell):
        self._sees_a_piece(cell)
        self.page.mouse.dblclick(*self._centre(cell))

    def drop(self, piece, target):
        """Put a piece from the tray onto a cell, by the beginning of its name, such as `wRR`."""
        lying = self.page.locator(f'[data-piece^="{piece}-"][data-at="tray"]').first
        lying.element_handle().wait_for_element_state("stable")  # it may be gliding there
        box = lying.bounding_box()
        mouse = self.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse.down()
        mouse.move(*self._centre(target), steps=4)
        mouse.up()

    def press(self, button):
        """Press a side's clock or another of the board's buttons, which lie in a drawer."""
        if not self.page.locator(f'[data-button="{button}"]').is_visible():
            self._open_drawer()
        self.page.click(f'[data-button="{button}"]')

    def give_up(self):
        """Give up beside the board, and mean it."""
        for name in ("Give up", "Really? Tap again"):
            self.page.get_by_role("button", name=name).click()

    def _open_drawer(self):
        self.page.click(".drawer > summary")

    def set_up(self, arrangement):
        if not self.page.locator("#arrangement").is_visible():
            self._open_drawer()
        self.page.select_option("#arrangement", arrangement)
        self.page.click("#arrange")

    def _sees_a_piece(self, cell):
        """Wait for what is to be gripped, as after a set-up, where the game's own board has it."""
        self.page.wait_for_selector("html[data-phase]", state="attached")
        self.page.wait_for_selector(f'[data-piece][data-at="{cell}"]', state="attached")

    def _centre(self, cell):
        box = self.page.locator(f'[data-cell="{cell}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def window(browser):
    """Open pages, each in a window of its own: a tab in the background is not drawn.

    Nothing glides or pulses where a test does not ask for it: a fifth of the processor's work.
    """
    opened, complaints = [], []
    usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}

    def open_(address, **options):
        context = browser.new_context(**(usual | options))
        context.set_default_timeout(1000 * PATIENCE)
        opened.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and complaints.append(line.text))
        page.goto(address)
        return page

    open_.complaints = complaints
    yield open_
    for context in opened:
        context.close()


@pytest.fixture
def table(window):
    """Open the board's page and the display of a game that can begin; give hand and display."""

    def open_(demo):
        until(lambda: demo.phase == "ready")
        board = window(demo.board)
        board.wait_for_selector('[data-piece][data-at="d1"]')
        return Hand(board), window(demo.display)

    return open_
