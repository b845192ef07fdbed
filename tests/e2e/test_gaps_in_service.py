"""Turns made while nobody felt the board cost nobody anything: real processes, a real cable."""

import contextlib
import json
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from firmware_bridge.journal.journal import newest
from firmware_bridge.service.blind_spots import HEARTBEAT, STOPPED
from tests.commands import run_on
from tests.e2e.test_service_process import get, post, running, said, scene_when
from tests.nightly import one_of
from tests.patience import until

FULL_MS = 45 * 60_000
AFTER_PENALTY_MS = FULL_MS - 4 * 60_000
"""More than this is left to whoever paid nothing, and less to whoever paid five minutes."""


class Hall:
    """A simulated board, and the service on it as it comes and goes.

    Args:
        folder: where all of it keeps its files.
        page: the board's own page.
        stack: ends what was started.
    """

    def __init__(self, folder, page, stack):
        self.folder, self.page, self._stack = folder, page, stack
        self.start()

    def start(self):
        """Run the service, on the games of the one before."""
        settings = {"game.id": "indistinguishable", "game.settings.time": "45m"}
        arguments = run_on(self.folder / "link", self.folder / "games", settings)
        self.process, output = self._stack.enter_context(running(*arguments, folder=self.folder))
        self.display = said(output, r"display is at (\S+)")

    def when(self, wanted):
        return scene_when(self.display, wanted)

    def press(self, side):
        post(f"{self.page}hands", {"steps": [{"button": side}]})

    def carry(self, source, target):
        pieces = json.loads(get(f"{self.page}state"))["pieces"]
        name = next(name for name, piece in pieces.items() if piece["at"] == source)
        post(f"{self.page}hands", {"steps": [{"piece": name, "to": target}]})

    def plug(self, *, plugged):
        post(f"{self.page}cable", {"plugged": plugged})

    def written_down(self):
        return Counter(record.kind for record in newest(self.folder / "games"))


@contextlib.contextmanager
def killed(hall):
    """The service is gone at once, and started again."""
    hall.process.kill()
    hall.process.wait()
    yield
    hall.start()


@contextlib.contextmanager
def unplugged(hall):
    """The board has no power."""
    hall.plug(plugged=False)
    hall.when(lambda scene: scene["link"])
    yield
    hall.plug(plugged=True)
    hall.when(lambda scene: not scene["link"])


@contextlib.contextmanager
def stopped(hall):
    """The service stands still for longer than a wait for news ever lasts."""
    hall.process.send_signal(signal.SIGSTOP)
    status = Path(f"/proc/{hall.process.pid}/status")
    until(lambda: re.search(r"State:\s+T", status.read_text()))
    yield
    time.sleep(HEARTBEAT + STOPPED + 2.0)  # that it lasts is what is tried
    hall.process.send_signal(signal.SIGCONT)


@pytest.fixture
def hall(tmp_path):
    arguments = ("simulate", "--game", "indistinguishable", "--link", str(tmp_path / "link"))
    with contextlib.ExitStack() as stack:
        _, output = stack.enter_context(running(*arguments, folder=tmp_path))
        yield Hall(tmp_path, said(output, r"page at (\S+)"), stack)


LEGAL = (("e2", "e4"), ("e7", "e5"))
NONSENSE = (("e2", "e5"), ("e7", "e4"))


@pytest.mark.parametrize(
    ("gap", "moved"), one_of((killed, LEGAL), (unplugged, LEGAL), (stopped, NONSENSE))
)
def test_what_was_moved_in_a_gap_costs_nothing(hall, gap, moved):
    hall.when(lambda scene: scene["phase"] == "ready")
    hall.press("black")
    hall.when(lambda scene: scene["clocks"]["white"]["running"])
    with gap(hall):
        for source, target in moved:
            hall.carry(source, target)
    for side in ("white", "black", "white"):
        hall.press(side)
    # A turn that was whole, and the reply to it, may be taken as without a gap. What is felt one
    # after another is shown so, too.
    scene = hall.when(
        lambda scene: len(scene["restore"]) == len(moved) or hall.written_down()["taken"] == 2
    )
    while wrong := scene["restore"]:
        hall.press("white")
        hall.carry(wrong[0]["source"], wrong[0]["target"])
        scene = hall.when(lambda scene, was=wrong: len(scene["restore"]) < len(was))
    scene = hall.when(
        lambda scene: scene["phase"] == "playing" and scene["sides"]["white"]["to_act"]
    )
    assert min(clock["left_ms"] for clock in scene["clocks"].values()) > AFTER_PENALTY_MS
    hall.carry("g1", "f3")
    hall.press("white")
    hall.when(lambda scene: scene["sides"]["black"]["to_act"])
    assert not {"attempt", "ruled"} & hall.written_down().keys()
