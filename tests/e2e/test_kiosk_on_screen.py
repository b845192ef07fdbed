"""A real kiosk: the unit's own command in a real compositor, a real browser, and things that die.

The screen exists in memory only: Sway draws without any device, and in it runs what the unit
starts, cage with the display. A shell loop does what systemd would: it starts the unit's command
again whenever it ends, unless the kiosk was left.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from firmware_bridge.games import metadata
from tests.colours import pixel, tokens
from tests.e2e.conftest import post
from tests.patience import PATIENCE, until

INSTALL = Path(__file__).parents[2] / "hardware" / "install"
COMMAND = re.search(
    r"^ExecStart=/usr/bin/(cage .*) \S+$",
    (INSTALL / "firmware-bridge-display.service").read_text(),
    re.MULTILINE,
)[1]
PIN = "471147"
GAME = "reversi"
HUE = metadata.of(GAME).look.hue
SQUARES = [
    [pixel(*tokens(scheme)[f"square-{tone}"], HUE) for tone in ("light", "dark")]
    for scheme in (0, 1)
]

pytestmark = [pytest.mark.browser, pytest.mark.compositor, pytest.mark.timeout(600)]


def _much(colour, seen):
    """Whether a colour fills a good part, give or take what rounding makes of it."""
    near = [all(abs(a - b) <= 2 for a, b in zip(colour, one, strict=True)) for one in seen]
    return sum(near) > 0.04 * len(seen)


def eventually(wanted, what):
    """Wait for something that may be out of reach in the meantime."""

    def reached():
        with contextlib.suppress(OSError):
            return wanted()

    return until(reached, f"never came: {what}", 0.3)


class Screen:
    """A screen in memory, with the kiosk's display on it."""

    def __init__(self, folder, user, display):
        self.folder, self.user = Path(folder), user
        script = self.folder / "show-display"
        shutil.copy(INSTALL / "show-display", script)
        again = self.folder / "again"
        again.write_text(
            f"while :; do {COMMAND} {script} {display}; sleep 1; "
            f"{script} --left {display} && break; done; swaymsg exit\n"
        )
        config = self.folder / "config"
        config.write_text(
            "default_border none\nxwayland disable\n"
            f"exec env WLR_BACKENDS=wayland WLR_RENDERER=pixman sh {again}\n"
        )
        with (self.folder / "log").open("w") as log:
            self.process = self._start("sway", "-c", str(config), stdout=log, stderr=log)

    def _start(self, *command, **options):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder),
            "WLR_BACKENDS": "headless",
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman",
            "WAYLAND_DISPLAY": "wayland-1",
        }
        options |= self.user
        return subprocess.Popen(command, env=environment, start_new_session=True, **options)

    def picture(self):
        """Return what is on the screen: one pixel, three bytes, of each eighth row and column."""
        target = self.folder / "picture.ppm"
        target.unlink(missing_ok=True)
        if self._start("grim", "-t", "ppm", str(target)).wait(PATIENCE) != 0:
            return None
        _, size, _, pixels = target.read_bytes().split(b"\n", 3)
        width, height = map(int, size.split())
        places = (
            3 * (row * width + column)
            for row in range(0, height, 8)
            for column in range(0, width, 8)
        )
        return [pixels[place : place + 3] for place in places]

    def shows_a_board(self):
        """Whether a good part of the screen has the colours of a board's squares, light or dark."""
        seen = self.picture()
        return seen and any(all(_much(colour, seen) for colour in both) for both in SQUARES)

    def browser(self):
        """Return the browser's process id, 0 while there is none."""
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
                ours = str(self.folder).encode() in words and b"--kiosk" in words
                if ours and b"--type=" not in words and b"chromium\0" in words:
                    return int(entry.name)
        return 0

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def screen():
    """Give what opens a screen; as another user where this one is root, as Chromium wants."""
    user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    allowed = subprocess.run(["unshare", "--user", "true"], check=False, **user)
    if allowed.returncode:
        pytest.skip("this machine allows no user namespaces, which Chromium's sandbox needs")
    folder = tempfile.mkdtemp(prefix="kiosk-", dir="/tmp")
    if user:
        shutil.chown(folder, "nobody", "nogroup")
    opened = []

    def open_(display):
        opened.append(Screen(folder, user, display))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_kiosk_shows_its_board_whatever_dies_until_it_is_left(demo, screen):
    kiosk = ("--set=pages.kiosk=true", f'--set=pages.referee_pin="{PIN}"')
    with demo(*kiosk, "--set=pages.attract_seconds=3600", f"--game={GAME}") as running:

        def play(*steps):
            post(f"{running.board}hands", {"steps": list(steps)})

        shown = screen(running.display)
        eventually(shown.shows_a_board, "the display on the screen")
        eventually(lambda: running.phase == "ready", "the board")
        play({"button": "black"})
        eventually(lambda: running.phase == "playing", "the game")

        first = eventually(shown.browser, "a browser")
        os.kill(first, signal.SIGKILL)
        running.kill_service()
        eventually(lambda: shown.browser() not in (0, first), "another browser")
        eventually(lambda: running.phase == "paused", "the game after both died")
        eventually(shown.shows_a_board, "the display after both died")
        before = shown.picture()
        play({"button": "black"})
        eventually(lambda: running.phase == "playing", "the game goes on")
        eventually(lambda: shown.picture() != before, "news on the screen")

        assert post(f"{running.display}api/v1/kiosk/leave", {"key": PIN}) == {"done": True}
        eventually(lambda: shown.process.poll() is not None, "the end of the kiosk")
        eventually(lambda: shown.browser() == 0, "the end of the browser")
