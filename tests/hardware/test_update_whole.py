"""Whole updates, of one version of this service by the next, with a Pico and games.

The updater runs as its unit starts it; what stands in for systemd starts the release that is
current and waits until it says that it is ready.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers.description import load_description
from drivers.pico.image import image, stamped
from drivers.pico.precompiled import precompiled
from tests.firmware_bridge.service.desk_help import desk_at
from tests.hardware.micropython_package import needs_micropython
from tests.hardware.test_firmware_install import flash, prompt_at
from tests.hardware.test_update import OLD, Board, good, keys, wheel
from tests.nightly import at_night, one_of
from tests.patience import PATIENCE, free_port

__all__ = ["good", "keys", "wheel"]  # fixtures

SYSTEMCTL = """#!{python}
import os, signal, socket, subprocess, sys
from pathlib import Path

folder, order = Path({root!r}), sys.argv[1]
if order == "show":
    print(0)
if order not in ("stop", "restart"):
    sys.exit()
running = folder / "running"
if running.exists():
    os.kill(int(running.read_text()), signal.SIGKILL)
    running.unlink()
if order == "stop":
    sys.exit()
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
(folder / "told").unlink(missing_ok=True)
told.bind(str(folder / "told"))
told.settimeout(0.2)
command = (folder / "opt/firmware-bridge/current/bin/firmware-bridge", "run", "--config")
with (folder / "log").open("a") as log:
    service = subprocess.Popen(
        [*command, folder / "etc/firmware-bridge/config.toml"],
        env={{**os.environ, "NOTIFY_SOCKET": str(folder / "told")}},
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
while service.poll() is None:
    try:
        if b"READY=1" in told.recv(4096):
            running.write_text(str(service.pid))
            sys.exit()
    except TimeoutError:
        pass
sys.exit(1)
"""
"""Starts, stops, and tells as systemd does whether the service said that it is ready."""

LOADER = """for word; do case "$word" in --*) shift ;; *) break ;; esac; done
exec "$1" firmware update -c {root}/etc/firmware-bridge/config.toml"""
"""Runs what systemd-run would, without its confinement."""

PLACED = """
import shutil
from hardware.install.updater import releases
def made(release, wheels):
    (release / "bin").mkdir()
    shutil.copy({next!r}, release / "bin/firmware-bridge")
    (release / "share").symlink_to({share!r})
releases.make_environment = made
"""
"""Puts a release in place without the seconds that pip takes."""

SERVICE = """#!{python}
import sys
from drivers.pico import image, install
from tests.hardware.test_update_whole import firmware, returns, usb
sys.argv[0] = "firmware-bridge"
install.comports = lambda: usb({port!r})
install.RETURNS_S = returns({port!r})
install._STEP_ASIDE_S = install.RETURNS_S or install._STEP_ASIDE_S
image.image = lambda _: firmware({more!r})
{harm}
from firmware_bridge.cli import main
main()
"""
"""A release: this checkout with few of its firmware's files and some more, perhaps with harm."""


def firmware(more):
    """A few of the files of a board's, which go as all of them do, and some more."""
    whole = image(load_description("starter"))
    kept = ("main.py", "config.json", "version.json", "boardware/ticks.py")
    return stamped({name: whole[name] for name in kept} | more)


def usb(port):
    """What is plugged in: a Pico, where there is one."""
    return [SimpleNamespace(device=port, vid=0x2E8A, pid=5)] if Path(port).exists() else []


def returns(port):
    """Where one was plugged in it comes back, as soon as this machine has the time for that."""
    return PATIENCE if Path(port).is_symlink() else 0


OLDER_JOURNAL = "from firmware_bridge.journal import file\nfile.VERSION = 0"
OTHER_WORDS = """from firmware_bridge.config.agreement import Agreement
Agreement.from_data = classmethod(lambda *_: {}["renamed"])"""
NEVER_STARTS = "if 'run' in sys.argv: sys.exit(1)"
TEA = {"boardware/tea.py": b"HOT = True\n"}


class Whole(Board):
    """A board whose releases are this service."""

    def __init__(self, root, keys):
        super().__init__(root, keys)
        self.port = str(root / "pico")
        self.program("systemd-run", LOADER.format(root=root))
        systemctl = self.bin / "systemctl"
        systemctl.write_text(SYSTEMCTL.format(python=sys.executable, root=str(root)))
        self.release(self.home / "current/bin/firmware-bridge", {})
        self.address = f"http://127.0.0.1:{(port := free_port())}/"
        etc = root / "etc/firmware-bridge"
        etc.mkdir(parents=True)
        (root / "games").mkdir()
        (etc / "config.toml").write_text(
            f'data = "{root / "games"}"\n[board]\ndriver = "serial"\ndescription = "starter"\n'
            f'settings = {{ port = "{self.port}" }}\n[pages]\nport = {port}\n'
            f'[updates]\nstatus = "{self.home / "update.json"}"\n[sound]\nspeech = false\n'
        )

    def release(self, command, more, harm=""):
        text = SERVICE.format(python=sys.executable, port=self.port, more=more, harm=harm)
        command.write_text(text)
        command.chmod(0o755)

    def update_to(self, bundle, more, harm=""):
        """Put a release in place that has more files for the Pico, and perhaps does harm."""
        self.release(self.root / "next", more, harm)
        self.bring(bundle)
        self.wish("now")
        share = self.home / "releases" / OLD / "share"
        done = self.update(PLACED.format(next=str(self.root / "next"), share=str(share)))
        assert done.returncode == 0, done.said

    def go_back(self):
        """Wish the version before, as the page does."""
        self.wish("back")
        self.wish("now")
        done = self.update()
        assert done.returncode == 0, done.said

    def shows(self, page):
        with urllib.request.urlopen(f"{self.address}{page}", timeout=PATIENCE) as answer:
            return answer.read().decode()

    @property
    def game(self):
        return json.loads(self.shows("api/v1/state"))["id"]

    def stop(self):
        """Have the service that runs end."""
        with contextlib.suppress(FileNotFoundError):
            os.kill(int((self.root / "running").read_text()), signal.SIGKILL)
            (self.root / "running").unlink()

    @property
    def log(self):
        return (self.root / "log").read_text()

    @property
    def current(self):
        return (self.home / "current").readlink().name[15:]


@pytest.fixture
def board(tmp_path, keys):
    whole = Whole(tmp_path / "root", keys)
    yield whole
    whole.stop()


def begin_a_game(board):
    """Have the old version run with a game that is being played; return which."""

    async def play():
        async with desk_at(board.root / "games") as hands:
            await hands.begin("e2e4")

    asyncio.run(play())
    subprocess.run([board.bin / "systemctl", "restart"], check=True)
    assert json.loads(board.shows("api/v1/state"))["phase"] == "paused"
    return board.game


@pytest.mark.parametrize("harm", one_of(OLDER_JOURNAL, OTHER_WORDS))
def test_a_version_that_cannot_read_the_games_goes_and_one_that_can_goes_on_with_them(
    board, good, harm
):
    """It refuses the journal, or cannot go on with the game that is being played."""
    game = begin_a_game(board)
    board.update_to(good, {}, harm)
    assert (board.says, board.current) == ("journal", "1.0.0"), board.log
    assert "Version 2.0.0 cannot read the games on this card" in board.shows("update")
    assert (board.home / "kept/new.update").read_bytes() == good
    assert board.game == game
    board.update_to(good, {})
    assert (board.says, board.current) == ("done", "2.0.0"), board.log
    assert board.game == game


@contextlib.contextmanager
def plugged(board):
    """Keep a Pico at the board's port: MicroPython's prompt, which starts anew when it is reset."""
    pulled = threading.Event()

    def stay():
        while not pulled.is_set():
            with prompt_at(board.root) as (port, _, process):
                link = Path(f"{board.port}-new")
                link.symlink_to(port)
                link.replace(board.port)
                while process.poll() is None and not pulled.wait(0.02):
                    pass

    staying = threading.Thread(target=stay)
    staying.start()
    try:
        yield
    finally:
        pulled.set()
        staying.join()


@at_night("a Pico is written six times")
@pytest.mark.node
@needs_micropython
def test_the_picos_firmware_comes_and_goes_with_its_version(board, good):
    def loaded(more):
        """What lies on the Pico is a version's firmware, and no file of another."""
        return flash(board.root / "flash") == precompiled(firmware(more), 6)

    with plugged(board):
        board.update_to(good, TEA)
        assert (board.says, board.current, loaded(TEA)) == ("done", "2.0.0", True), board.log
        board.go_back()
        assert (board.says, board.current, loaded({})) == ("done", "1.0.0", True), board.log
        board.update_to(good, TEA, NEVER_STARTS)
        assert (board.says, board.current, loaded({})) == ("not-ready", "1.0.0", True), board.log
