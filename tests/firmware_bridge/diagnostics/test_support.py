"""A bundle helps to find a fault and gives no game away."""

import asyncio
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import rules
from firmware_bridge.config import Config
from firmware_bridge.diagnostics.support_bundle import KEPT, keep_crash, told, write_bundle
from firmware_bridge.journal import Journal
from tests.commands import run_on
from tests.firmware_bridge.secrets.worlds import Pair, table
from tests.firmware_bridge.service.desk_help import desk_at
from tests.patience import PATIENCE, until

FIRST = {"d1": "RR", "c2": "NN", "e2": "NB", "d2": "BB", "d3": "BR", "b3": "PN", "c3": "PB",
         "e3": "PR", "f3": "PP"}  # fmt: skip
SECRETS = {
    "mqtt": {
        "host": "broker",
        "username": "someone",
        "password": "s3cret-pass",
        "command_key": "s3cret-key-of-commands",
    },
    "players": {"white": "Ada Lovelace", "black": "Ben"},
    "pages": {"referee_pin": "471147", "port": 0},
}


@pytest.fixture(autouse=True)
def no_board_is_waited_for(monkeypatch):
    monkeypatch.setattr("firmware_bridge.diagnostics.checkup.PATIENCE", 0.1)


def bundle(tmp_path, **config):
    wanted = Config.model_validate({"data": tmp_path, **SECRETS, **config})
    names = write_bundle(wanted, tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert sorted(texts) == sorted(names)
    return texts


async def bundled(tmp_path):
    """Make it as the command does, which asks the board in an event loop of its own."""
    return await asyncio.to_thread(bundle, tmp_path)


async def played(folder, game):
    async with desk_at(folder, game) as hands:
        await hands.begin("e2e4")


async def test_an_open_game_is_told_so_that_it_can_be_followed(tmp_path):
    await played(tmp_path, "reversi")
    head, *lines = map(json.loads, (await bundled(tmp_path))["last-game.jsonl"].splitlines())
    assert head == {"game": "reversi", "options": {}, "secret": False}
    assert [line["data"]["public"] for line in lines if line["kind"] == "taken"] == ["e2e4"]


async def test_of_a_game_with_secrets_only_kinds_and_times_are_told(tmp_path):
    await played(tmp_path, "indistinguishable")
    head, *lines = map(json.loads, (await bundled(tmp_path))["last-game.jsonl"].splitlines())
    assert head["secret"]
    assert "taken" in [line["kind"] for line in lines]
    assert all(set(line) == {"t_ms", "kind"} for line in lines)


def test_worlds_that_differ_in_secrets_make_the_same_bundle():
    game = rules.load("reality-check")
    black = {square[0] + str(10 - int(square[1])): faces for square, faces in FIRST.items()}
    other = {**black, "b7": "PB", "c7": "PN"}
    starts = [game.start(white=FIRST, black=arrangement) for arrangement in (black, other)]
    pair = Pair(*(table("reality-check", start) for start in starts))
    pair.carry("d3", "d4")
    pair.press("white")
    pair.pass_time(30.0)
    first, second = (list(told(world.table.records)) for world in pair.worlds)
    assert first == second
    assert pair.worlds[0].table.records != pair.worlds[1].table.records
    assert len(first) > 3


async def test_names_keys_and_passwords_are_nowhere(tmp_path):
    await played(tmp_path, "reversi")
    texts = await bundled(tmp_path)
    whole = "".join(texts.values())
    for secret in ("s3cret", "Lovelace", "someone", "471147"):
        assert secret not in whole
    assert json.loads(texts["configuration.json"])["mqtt"]["host"] == "broker"


async def test_it_can_be_made_while_the_service_writes(tmp_path):
    async with desk_at(tmp_path, "reversi") as hands:
        await hands.begin()
        assert "call" in (await bundled(tmp_path))["last-game.jsonl"]


def test_without_any_game_it_can_be_made_too(tmp_path):
    assert bundle(tmp_path)["last-game.jsonl"] == ""


def test_a_damaged_journal_is_said_and_stops_nothing(tmp_path):
    Journal(tmp_path).close()
    (tmp_path / "journal.sqlite").write_bytes(b"no database" * 100)
    assert "unreadable" in bundle(tmp_path)["last-game.jsonl"]


def crashes_with(text):
    raise RuntimeError(text)


def test_crashes_are_kept_without_what_was_said_and_not_for_ever(tmp_path):
    for number in range(KEPT + 3):
        with pytest.raises(RuntimeError) as crash:
            crashes_with(f"white PN on d1 {number}")
        assert str(tmp_path) in keep_crash(tmp_path, crash.value)
    texts = bundle(tmp_path)
    crashes = [text for name, text in texts.items() if name.startswith("crashes/")]
    assert len(crashes) == KEPT
    assert "RuntimeError" in crashes[0]
    assert "test_support.py" in crashes[0]
    assert "PN" not in "".join(crashes)


def test_where_nothing_can_be_written_the_crash_is_told_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    assert "ValueError" in keep_crash(tmp_path / "file", ValueError("secret"))


@pytest.fixture
def crashing(tmp_path):
    """The real command with a driver that breaks in mid-game."""
    (tmp_path / "sitecustomize.py").write_text(
        "from drivers.serial_board import SerialBoard\n"
        "async def events(self):\n"
        "    raise RuntimeError('wK on e1')\n"
        "    yield\n"
        "SerialBoard.events = events\n"
    )
    settings = {"board.description": "starter", "game.id": "reversi"}
    run = run_on(tmp_path / "none", tmp_path / "games", settings)
    return [sys.executable, "-m", "firmware_bridge", *run], tmp_path


def test_a_part_that_fails_leaves_what_the_bundle_needs_while_the_game_goes_on(crashing):
    command, folder = crashing
    env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}"}
    log = folder / "run.log"
    with log.open("w") as output:
        service = subprocess.Popen(command, env=env, stdout=output, stderr=output)
        try:
            until(lambda: "/crashes/" in log.read_text())
            assert "board: What speaks with the board has failed (RuntimeError)" in log.read_text()
            assert service.poll() is None
        finally:
            service.terminate()
        assert service.wait(PATIENCE) == 0
    assert "wK" not in log.read_text()
    made = subprocess.run(
        [*command[:3], "support", *command[4:], str(folder / "out.zip")],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "crashes/" in made.stdout
