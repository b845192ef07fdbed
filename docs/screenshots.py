"""Make the pictures in docs/images from a running demo: `.venv/bin/python docs/screenshots.py`.

Needs what `./test` installs, and Chromium.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

IMAGES = Path(__file__).parent / "images"
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SETTLE = 900
"""Milliseconds after which everything stands still."""


class Demo:
    """A running demo: its two addresses, the PIN, and hands on its board."""

    def __init__(self, output: str) -> None:
        self.board = _found(r"Board\s+(\S+)", output)
        self.display = _found(r"Display\s+(\S+)", output)
        self.pin = _found(r"PIN is (\d+)", output)

    def play(self, *deeds: str) -> None:
        """Move pieces (`e2e4`) and press buttons (`white`), one after the other."""
        for deed in deeds:
            if re.fullmatch(r"[a-h][1-9][a-h][1-9]", deed):
                self._hands(*self._carry(deed[:2], deed[2:]))
            else:
                self._hands({"button": deed})
            time.sleep(0.3)

    def _carry(self, source: str, target: str) -> list[dict[str, object]]:
        with urllib.request.urlopen(f"{self.board}state") as answer:
            standing = {piece["at"]: name for name, piece in json.load(answer)["pieces"].items()}
        carried: list[dict[str, object]] = [{"t": 0.1, "piece": standing[source], "to": target}]
        if target in standing:
            carried.insert(0, {"piece": standing[target], "to": "tray"})
        return carried

    def _hands(self, *steps: dict[str, object]) -> None:
        request = urllib.request.Request(
            f"{self.board}hands",
            json.dumps({"steps": steps}).encode(),
            {"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request).close()


@contextmanager
def demo(game: str, *settings: str) -> Iterator[Demo]:
    """Run the demo with this game."""
    command = [sys.executable, "-u", "-m", "firmware_bridge", "demo", "--no-open", "--game", game]
    command += [f"--set={setting}" for setting in settings]
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield Demo(_wait_for(output.fileno(), process))
        finally:
            process.terminate()
            process.wait()


def _wait_for(descriptor: int, process: subprocess.Popen[bytes]) -> str:
    path = Path(f"/proc/self/fd/{descriptor}")
    while "Ctrl-C ends" not in (text := path.read_text(encoding="utf-8")):
        if process.poll() is not None:
            raise SystemExit(text)
        time.sleep(0.2)
    return text


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if not found:
        raise SystemExit(text)
    return found[1]


def shoot(page: Page, name: str, *, full: bool = False) -> None:
    """Take one picture."""
    page.wait_for_timeout(SETTLE)
    page.screenshot(path=IMAGES / f"{name}.png", full_page=full)


def open_page(browser: Browser, address: str, width: int, height: int, scheme: str) -> Page:
    """Open a page in a window of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    return page


def indistinguishable(browser: Browser) -> None:
    """The display and the board in mid-game, with an illegal attempt to put right."""
    names = ("players.white=Ada", "players.black=Grace")
    with demo("indistinguishable", *names) as running:
        running.play("black", "e2e4", "white", "e7e5", "black", "g1f3", "white", "b8c6", "black")
        running.play("d2d4", "white", "f8d6", "black", "c6e5", "white")
        shoot(open_page(browser, running.display, 1280, 720, "dark"), "display")
        shoot(open_page(browser, running.board, 1100, 800, "light"), "simulated-board")
        shoot(open_page(browser, f"{running.display}setup", 1280, 800, "light"), "setup")
        referee = open_page(browser, f"{running.display}referee", 1280, 900, "light")
        referee.fill("[name=key]", running.pin)
        referee.click("button.main")
        referee.wait_for_selector(".piece")
        shoot(referee, "referee")


def reality_check(browser: Browser) -> None:
    """A board of thirty-nine squares, and a player's phone with a secret in hand."""
    with demo("reality-check") as running:
        running.play("black", "c3c4", "white")
        shoot(open_page(browser, running.display, 1280, 720, "light"), "reality-check")
        setup = open_page(browser, f"{running.display}setup", 800, 600, "light")
        seat = setup.locator(".seat a").first.get_attribute("href") or ""
        phone = open_page(browser, seat, 412, 915, "dark")
        phone.wait_for_selector(".piece")
        shoot(phone, "phone")
        learn = f"{running.display}learn/reality-check/1"
        shoot(open_page(browser, learn, 1100, 800, "light"), "learn")


def realm(browser: Browser) -> None:
    """A realm in play, glowing."""
    with demo("realm") as running:
        running.play("black", "c2c4", "d2d4", "b1c3")
        shoot(open_page(browser, running.display, 1280, 720, "dark"), "realm")


def shelf(browser: Browser) -> None:
    """All games beside each other."""
    with demo("mockery") as running:
        page = open_page(browser, f"{running.display}learn", 1200, 800, "light")
        page.wait_for_selector(".box .piece")
        page.wait_for_timeout(SETTLE)
        page.locator(".games").screenshot(path=IMAGES / "games.png")


def kiosk(browser: Browser) -> None:
    """The show while nobody plays."""
    with demo("realm", "pages.kiosk=true", "pages.attract_seconds=1") as running:
        page = open_page(browser, running.display, 1280, 720, "dark")
        page.wait_for_selector(".attract .glow", timeout=60_000)
        shoot(page, "kiosk")


def main() -> None:
    """Make all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for scene in (shelf, indistinguishable, reality_check, realm, kiosk):
            scene(browser)
        browser.close()


if __name__ == "__main__":
    main()
