"""The service as a process: signals, systemd, and a board that comes and goes."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main
from tests import commands
from tests.e2e.conftest import children, get, post
from tests.patience import PATIENCE, free_port, until

COMMAND = [sys.executable, "-m", "firmware_bridge"]
TRUE_HERE = re.compile("stood still|games are lost when the power goes")
"""What a service may say of the machine of the tests, which is busy, and keeps them in memory."""


def real(*arguments, output, **environment):
    """Start a command as people do, from Python's own start on."""
    everything = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
    with output.open("w") as file:
        return subprocess.Popen([*COMMAND, *arguments], stdout=file, stderr=file, env=everything)


@contextlib.contextmanager
def running(*arguments, folder, **how):
    output = folder / f"{arguments[0]}.log"
    with commands.running(*arguments, output=output, **how) as process:
        yield process, output


def said(output, pattern):
    return until(lambda: re.search(pattern, output.read_text()))[1]


def scene_when(display, wanted):
    def scene():
        found = json.loads(get(f"{display}api/v1/state"))
        return found if wanted(found) else None

    return until(scene)


@pytest.fixture
def board(tmp_path):
    link = tmp_path / "link"
    arguments = ("simulate", "--game", "reversi", "--link", str(link))
    with running(*arguments, folder=tmp_path) as (_, output):
        yield said(output, r"page at (\S+)"), link


SETTINGS = {"game.id": "reversi", "game.settings.time": "5m", "pages.referee_pin": "'471147'"}


@pytest.fixture
def service(tmp_path, board):
    """Run the service on the simulated board; give its process, its display and systemd's ear."""
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(address)
        ear.settimeout(PATIENCE)
        arguments = commands.run_on(board[1], tmp_path / "games", SETTINGS)
        watch = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000000"}
        with running(*arguments, folder=tmp_path, start=real, **watch) as (process, output):
            display = said(output, r"display is at (\S+)")
            scene_when(display, lambda scene: scene["phase"] == "ready")
            yield process, display, ear


def stand_still(process, ear):
    """Stop a process: the watchdog can tell; when it goes on, that is heard."""
    process.send_signal(signal.SIGSTOP)
    until(lambda: "T (stopped)" in Path(f"/proc/{process.pid}/status").read_text())
    ear.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while ear.recv(1000):
            pass
    ear.settimeout(1.5)
    with pytest.raises(TimeoutError):
        ear.recv(1000)
    process.send_signal(signal.SIGCONT)
    ear.settimeout(PATIENCE)
    assert ear.recv(1000)


def a_cable_that_is_out_stops_the_clocks_and_what_was_moved_is_felt_afterwards(page, display):
    post(f"{page}hands", {"steps": [{"button": "black"}]})
    scene_when(display, lambda scene: scene["clocks"]["white"]["running"])
    post(f"{page}cable", {"plugged": False})
    scene = scene_when(display, lambda scene: scene["phase"] == "paused")
    assert scene["link"]
    assert not scene["clocks"]["white"]["running"]
    post(f"{page}cable", {"plugged": True})
    scene = scene_when(display, lambda scene: scene["clocks"]["white"]["running"])
    assert scene["link"] == ""
    post(f"{page}cable", {"plugged": False})
    scene_when(display, lambda scene: scene["link"])
    pieces = json.loads(get(f"{page}state"))["pieces"]
    pawn = next(name for name, piece in pieces.items() if piece["at"] == "e2")
    post(f"{page}hands", {"steps": [{"piece": pawn, "to": "e4"}]})
    post(f"{page}cable", {"plugged": True})
    scene_when(display, lambda scene: scene["lights"].get("e4") == "press-clock")
    post(f"{page}hands", {"steps": [{"button": "white"}]})
    scene_when(display, lambda scene: scene["sides"]["black"]["to_act"])


def test_it_lives_and_is_silent_goes_on_with_its_cable_and_stops_at_once_with_a_page_open(
    service, board, tmp_path
):
    process, display, ear = service
    heard = {ear.recv(1000).decode().partition("=")[0] for _ in range(6)}
    assert {"READY", "WATCHDOG"} <= heard
    stand_still(process, ear)
    output = (tmp_path / "run.log").read_text()
    assert "471147" not in output, "a chosen PIN is known to who chose it, and logs are kept"
    complaints = [line for line in output.splitlines() if "at=" in line]
    assert all("level=info" in line or TRUE_HERE.search(line) for line in complaints)
    a_cable_that_is_out_stops_the_clocks_and_what_was_moved_is_felt_afterwards(board[0], display)
    with urllib.request.urlopen(f"{display}api/v1/events", timeout=PATIENCE) as stream:
        stream.readline()
        process.terminate()
        while ear.recv(1000) != b"STOPPING=1":
            pass
        assert process.wait(PATIENCE) == 0  # though this stream would never end by itself


def test_the_doctor_hears_a_healthy_board(tmp_path, board):
    _, link = board
    options = [f"board.settings.port={link}", "board.description=simulated", "pages.port=0"]
    asked = [*(f"--set={option}" for option in options), f"--set=data={tmp_path}"]
    done = CliRunner().invoke(main, ["doctor", *asked])
    assert done.exit_code == 0, done.stdout
    assert "ok    board" in done.stdout


NO_JOURNAL = b"this is no database, only words" * 100


def refused(tmp_path, board):
    """Run the service on a journal that is none; give its process and its output."""
    run = commands.run_on(board[1], tmp_path / "games", {"game.id": "reversi"})
    return running(*run, folder=tmp_path)


def answered(address, body):
    try:
        return post(address, body), 200
    except urllib.error.HTTPError as error:
        return json.load(error), error.code


def test_a_journal_that_is_refused_stays_as_it_was_until_it_is_set_aside_on_a_page(tmp_path, board):
    games = tmp_path / "games"
    games.mkdir()
    (games / "journal.sqlite").write_bytes(NO_JOURNAL)
    with refused(tmp_path, board) as (process, output):
        said(output, r"stands at (\S+)")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 5
        assert "is no journal" in output.read_text()
        assert (games / "journal.sqlite").read_bytes() == NO_JOURNAL
    with refused(tmp_path, board) as (process, output):
        address = said(output, r"stands at (\S+)")
        pin = said(output, r"PIN is (\d+)")
        with pytest.raises(urllib.error.HTTPError, match="503") as page:
            get(address)
        told = page.value.read().decode()
        assert "is no journal" in told
        assert "Set it aside and begin anew" in told
        asked = f"{address}api/v1/journal/set-aside"
        assert answered(asked, {"pin": "0"}) == ({"problem": "wrong"}, 403)
        assert answered(asked, {"pin": pin, "more": 1}) == ({"problem": "wrong"}, 400)
        assert answered(asked, {"pin": pin}) == ({}, 200)
        display = said(output, r"display is at (\S+)")
        assert scene_when(display, lambda scene: scene["game"] == "reversi")
        assert (games / "damaged-1" / "journal.sqlite").read_bytes() == NO_JOURNAL
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0


def test_who_is_told_to_end_on_the_way_to_the_workbench_ends(board, tmp_path):
    run = commands.run_on(board[1], tmp_path / "games", SETTINGS)
    with running(*run, folder=tmp_path) as (process, output):
        display = said(output, r"display is at (\S+)")
        scene_when(display, lambda scene: scene["phase"] == "ready")
        setup = {"key": "471147", "work": "setup"}
        assert post(f"{display}api/v1/board/work", setup) == {"done": True}
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_demo_whose_terminal_is_closed_leaves_nothing_running(tmp_path):
    ports = (f"--board-port={free_port()}", "--set=pages.port=0")  # a setting names a port, too
    arguments = ("demo", "--no-open", *ports, f"--data={tmp_path / 'games'}")
    with running(*arguments, folder=tmp_path, start=real) as (process, output):
        said(output, r"(Ctrl-C) ends")
        left = children(process.pid)
        assert len(left) == 2
        process.send_signal(signal.SIGHUP)
        assert process.wait(PATIENCE) == 0
        until(lambda: not any(Path(f"/proc/{number}").exists() for number in left))
    assert (tmp_path / "games" / "simulated-board.json").exists()  # the pieces stay, too
