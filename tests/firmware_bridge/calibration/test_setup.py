"""The real command, a keyboard, and a simulated board at a pty."""

import asyncio
import json
import re
import sys

import pytest
from click.testing import CliRunner

import rules
from drivers import port_search
from drivers.description import load_description
from drivers.piece_set import load_piece_set
from drivers.simulator.orders import Faults, Step
from drivers.simulator.station import Station
from firmware_bridge.cli import main
from firmware_bridge.simulation.piece_sets import simulated_pieces

BOARD = """
name = "attic"
tier = "identity"
controller = "simulated"

[grid]
files = 8
ranks = 8

[leds]
colours = "rgb"
driver = "ws2812"

[[buttons]]
name = "white"

[[buttons]]
name = "black"

[buzzer]
"""


KEYBOARD = {
    "Take everything off": "y\n",
    "shine red": "b2 y\n",
    "shine": "y\n",
    "two short tones": "y\n",
}


class Setup:
    """The command, run on a board that lies the other way round than its file says."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "attic.toml"
        self.file.write_text(BOARD, encoding="utf-8")
        self.described = load_description(self.file)
        self.lie = self.described.oriented(180)
        self.station = Station(self.described, simulated_pieces(), folder / "port")
        self.names = self.lie
        self.box = {}
        for piece in simulated_pieces().pieces:
            self.box.setdefault(piece.faces[0].look, []).append(piece.faces[0].tag)
        self.walker = self.box["wQ"].pop()
        self.said = []
        self.dead = set()

    def simulated(self, cell):
        """Return the simulator's name, which is that of the file, of a cell as players see it."""
        return self.described.cells[self.lie.numbers[cell]]

    def deed(self, line):
        """Return steps for the hands, or words for the keyboard."""
        if put := re.search(r"Put (?:a single|the) piece on (\w+)", line):
            return "s\n" if put[1] in self.dead else self.carry(self.simulated(put[1]))
        if button := re.search(r"Press the button (\w+)", line):
            return [Step(button=button[1])]
        for words, typed in KEYBOARD.items():
            if words in line:
                return typed
        if put := re.match(r"Put a (white|black) (\w+) on (\w+)\.", line):
            letter = {"knight": "N"}.get(put[2], put[2][0].upper())
            tag = self.box[put[1][0] + letter].pop(0)
            return [Step(cell=self.simulated(put[3]), reading=tag)]
        return None

    def carry(self, cell):
        walker = simulated_pieces().by_tag[self.walker][0].name
        return [Step(piece=walker, to="hand"), Step(t=0.01, piece=walker, to=cell)]

    async def start(self, *arguments):
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "firmware_bridge", "setup", "--to", str(self.folder / "mine")),
            *("-s", f"board.description={self.file}"),
            *("-s", f"board.settings.port={self.folder / 'port'}", *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def run(self, *arguments, stop_when=lambda _line: None):
        process = await self.start(*arguments)
        waiting = None  # what is asked before the board has answered
        connected = False
        while line := (await process.stdout.readline()).decode():
            self.said.append(line.strip())
            connected = (connected or "is connected" in line) and "Now the pieces" not in line
            deed = stop_when(line) or self.deed(line)
            waiting = deed or waiting
            if waiting and connected:
                await self.do(process, waiting)
                waiting = None
        return await process.wait()

    async def do(self, process, deed):
        await asyncio.sleep(0.03)
        if isinstance(deed, str):
            process.stdin.write(deed.encode())
            await process.stdin.drain()
        else:
            await self.station.play(deed)


async def test_a_board_is_walked_through_in_two_sittings_and_its_pieces_learnt(tmp_path):
    setup = Setup(tmp_path)
    setup.dead = {"c3"}
    undone, kept = [], []

    def stop(line):
        if "the piece on d4." in line:
            return "q\n"
        if "the piece on e2." in line and not undone:
            undone.append(line)
            return "u\n"
        return None

    async with setup.station:
        setup.station.set_faults(Faults(dead=frozenset({setup.simulated("c3")})))
        assert await setup.run(stop_when=stop) == 1
        assert re.fullmatch(r"Stopped after \d+ of 73 steps; start again to go on\.",
                            setup.said[-1].removeprefix("Error: "))  # fmt: skip
        assert "Undone: cell f2." in setup.said
        assert not (tmp_path / "mine" / "board.toml").exists()
        before = len(setup.said)
        setup.station.set_faults(Faults())

        def look(line):
            if "32 to go" in line:
                kept.append((tmp_path / "mine" / "pieces.json").exists())

        assert await setup.run(stop_when=look) == 0
        assert kept == [False], "before a piece is known, the set that is configured holds"
        asked = setup.said[before:]
    assert any("the piece on d4." in line for line in asked)
    assert not any("the piece on c4." in line and "step" in line for line in asked)
    for line in (
        "The board lies turned by 180 degrees.",
        "Did not answer: c3.",
        "Did not shine: b2.",
        'driver = "serial"',
        "Now the pieces of Indistinguishable Chess: 32 tags to read.",
        f'pieces = "{tmp_path / "mine" / "pieces.json"}"',
    ):
        assert line in asked
    assert setup.station.board.sounds == ["attention"]
    found = load_description(tmp_path / "mine" / "board.toml")
    assert found.cells == setup.lie.cells
    learnt = load_piece_set(tmp_path / "mine" / "pieces.json").labels
    start = rules.load("indistinguishable").start().placement
    standing = {cell: setup.station.board.top.tag_on(setup.simulated(cell)) for cell in start}
    assert {cell: learnt[tag] for cell, tag in standing.items()} == dict(start)


async def test_one_part_can_be_walked_alone(tmp_path):
    setup = Setup(tmp_path)
    async with setup.station:
        assert await setup.run("--only", "sound", "--only", "buttons") == 0
        first = next(line for line in setup.said if re.match(r"\d+/\d+ ", line))
        assert await setup.run("--only", "sound") == 0
    assert first.startswith("1/3  Press")
    assert setup.said.count("Nothing weak was found.") == 2
    assert setup.station.board.sounds == ["attention"] * 2, "it is walked anew"


async def test_exchanged_wires_are_written_down_before_pieces_can_be_learnt(tmp_path):
    setup = Setup(tmp_path)
    setup.lie = setup.described
    cells = list(setup.described.cells)
    cells[10], cells[20] = cells[20], cells[10]
    as_wired = tmp_path / "wired.toml"
    as_wired.write_text(f"{BOARD}\n[wiring]\ncells = {cells}\n", encoding="utf-8")
    wired = load_description(as_wired)

    def carry(cell):
        return Setup.carry(setup, setup.described.cells[wired.numbers[cell]])

    setup.carry = carry

    def stop(line):
        return "k\n" if "answers. If the piece" in line else None

    async with setup.station:
        assert await setup.run("--only", "cells", "--only", "pieces", stop_when=stop) == 4
        assert load_description(tmp_path / "mine" / "board.toml").cells == wired.cells
    told = "Wires lie in another order: e3 by that of c2, c2 by that of e3."
    assert told in setup.said
    assert "firmware-bridge firmware install" in "".join(setup.said)
    relearnt = Setup(tmp_path)
    relearnt.lie = relearnt.described = wired
    relearnt.station = Station(wired, simulated_pieces(), tmp_path / "port")
    async with relearnt.station:
        assert await relearnt.run("--only", "pieces") == 0
    assert len(load_piece_set(tmp_path / "mine" / "pieces.json").pieces) == 32


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


@pytest.mark.parametrize(
    ("notebook", "words"),
    [("{", "Delete it to begin anew"), (json.dumps({"fingerprint": 1}), "another board")],
)
def test_a_notebook_that_does_not_fit_is_explained(folder, notebook, words):
    (folder / "setup.json").write_text(notebook, encoding="utf-8")
    arguments = ["--to", str(folder), "-s", "board.settings.port=/dev/ttyNONE"]
    done = CliRunner().invoke(main, ["setup", *arguments])
    assert done.exit_code == 5
    assert words in done.stderr
    assert (folder / "setup.json").read_text(encoding="utf-8") == notebook


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["-s", "board.description=huge"], 4, "huge"),
        (["-s", "board.driver=nothing"], 4, "nothing"),
        (["-s", "nothing=1"], 3, "nothing"),
        (["--only", "everything"], 2, "everything"),
    ],
)
def test_what_cannot_be_set_up_is_explained(arguments, code, words, tmp_path):
    done = CliRunner().invoke(main, ["setup", "--to", str(tmp_path), *arguments])
    assert done.exit_code == code
    assert words in done.stderr


def test_without_any_board_people_are_told_what_was_heard(monkeypatch, tmp_path):
    monkeypatch.setattr(port_search, "ports", lambda: ("/dev/ttyNONE",))
    done = CliRunner().invoke(main, ["setup", "--to", str(tmp_path)])
    assert done.exit_code == 4
    assert "There is no port /dev/ttyNONE." in done.stderr
    assert "firmware-bridge boards" in done.stderr


async def test_the_board_is_found_among_the_ports(tmp_path):
    other = Station(load_description("full"), simulated_pieces(), tmp_path / "other")
    right = Station(load_description("starter"), simulated_pieces(), tmp_path / "right")
    async with other, right:
        where = [str(tmp_path / name) for name in ("none", "other", "right")]
        port, heard = await port_search.find_port(load_description("starter"), where)
    assert port == where[2]
    assert len(heard) == 2
    assert where[0] in heard[0]
    assert where[1] in heard[1]


def stage(name, at, *, board):
    measure = {"at": at, "unit": "V", "low": 3.2, "high": 3.4}
    return {"name": name, "board": board, "measures": [measure]}


STAGES = [
    stage("pico", "logic", board=False),
    stage("reeds", "open", board=True),
    stage("panel", "open", board=True),
]


async def test_a_board_is_brought_up_stage_by_stage(tmp_path):
    """The first stage is walked before there is a board to hear."""
    setup = Setup(tmp_path)
    (tmp_path / "attic.stages.json").write_text(json.dumps(STAGES), encoding="utf-8")
    process = await setup.start("--only", "bring-up")
    said = []

    async def until(words):
        while words not in (said[-1] if said else ""):
            said.append((await process.stdout.readline()).decode())
            assert said[-1], said
        return said[-1]

    asked = await until("Stage 1 of 3")
    assert "at the 3.3 V leg of the Pico or Pi: 3.2 to 3.4 V" in asked
    await setup.do(process, "y\n")
    async with setup.station:
        await until("Stage 2 of 3")
        await setup.do(process, "n\n")
        await until("Stage 3 of 3")
        await setup.do(process, "y\n")
        await until("Not right yet: The reeds.")
        assert await process.wait() == 0
    kept = json.loads((tmp_path / "mine" / "setup.json").read_text(encoding="utf-8"))
    assert [answer["ok"] for answer in kept["answers"].values()] == [True, False, True]


def test_a_board_without_stages_is_told_where_they_come_from(tmp_path):
    file = tmp_path / "attic.toml"
    file.write_text(BOARD, encoding="utf-8")
    done = CliRunner().invoke(
        main, ["setup", "-s", f"board.description={file}", "--only", "bring-up"]
    )
    assert done.exit_code != 0
    assert "hardware.tools.generate" in done.output
