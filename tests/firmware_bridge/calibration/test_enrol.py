import asyncio
import re
import sys

import pytest
from click.testing import CliRunner

import rules
from drivers.description import load_description
from drivers.piece_set import PieceSet, load_piece_set
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.calibration.enrolment import Enrolment
from firmware_bridge.cli import main
from firmware_bridge.simulation.piece_sets import pieces_of, simulated_pieces

DISCS = pieces_of(rules.load("reality-check"), spares=False)[:2]
PLACES = {piece.name: cell for piece, cell in zip(DISCS, ("b3", "c3"), strict=True)}
A, B, C, D = "AA000001", "AA000002", "AA000003", "AA000004"


def enrolment(known=None):
    return Enrolment(DISCS, PLACES, known or PieceSet())


def test_each_face_of_each_piece_is_asked_for_in_turn():
    e = enrolment()
    first, second = DISCS[0].name.partition("-")[0], DISCS[1].name.partition("-")[0]
    asked = []
    for tag in (A, B, C, D):
        asked.append(e.asks)
        assert dict(e.lights.cells) == {e.task.cell: "setup"}
        assert e.take(e.task.cell, tag) == f"Read: {tag}."
    assert asked[0].startswith(f"Put a white disc {first[1:]}, ")
    assert asked[1].startswith(f"Turn it over on b3: white disc {first[1:]}, ")
    assert asked[2].startswith(f"Put a white disc {second[1:]}, ")
    assert e.task is None
    assert dict(e.lights.cells) == {}
    learnt = e.result()
    assert [piece.name for piece in learnt.pieces] == [piece.name for piece in DISCS]
    assert learnt.labels == {
        tag: face.label
        for tag, face in zip(
            (A, B, C, D), (face for piece in DISCS for face in piece.faces), strict=True
        )
    }


@pytest.mark.parametrize(
    ("cell", "reading", "words"),
    [
        ("b3", None, ""),
        ("b3", True, "no tag is read"),
        ("b4", B, "felt on b4; it belongs on b3"),
        ("b3", A, "enrolled already"),
        ("b3", "piece:wP", "needs no piece set"),
    ],
)
def test_what_does_not_count_is_told_and_changes_nothing(cell, reading, words):
    e = enrolment()
    e.take("b3", A)
    before = e.task
    assert words in e.take(cell, reading)
    assert e.task == before


def test_undo_forgets_the_last_piece_with_both_its_faces():
    e = enrolment()
    for tag in (A, B, C):
        e.take(e.task.cell, tag)
    e.undo()
    assert e.remaining == 2
    e.undo()
    assert e.remaining == 4
    e.undo()
    assert e.remaining == 4
    assert e.take("b3", A) == f"Read: {A}."


def test_a_piece_counts_when_all_its_faces_are_read_and_is_not_asked_for_again():
    e = enrolment()
    for tag in (A, B, C):
        e.take(e.task.cell, tag)
    known = e.result()
    assert [piece.name for piece in known.pieces] == [DISCS[0].name]
    later = enrolment(known)
    assert later.task.piece.name == DISCS[1].name
    assert "enrolled already" in later.take("c3", A)
    later.take("c3", C)
    later.take("c3", D)
    assert len(later.result().pieces) == 2


async def run_command(folder, hands, *more):
    """Run the real command on a simulated board; `hands(line)` gives steps, or words to type."""
    pieces = simulated_pieces()
    station = Station(load_description("simulated"), pieces, folder / "board")
    async with station:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "firmware_bridge", "enrol", str(folder / "set.json")),
            *("-s", "board.description=simulated"),
            *("-s", f"board.settings.port={folder / 'board'}", *more),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        said = []
        while line := (await process.stdout.readline()).decode():
            said.append(line.strip())
            answer = hands(line)
            if isinstance(answer, str):
                process.stdin.write(answer.encode())
                await process.stdin.drain()
            elif answer:
                await station.until_online()
                await asyncio.sleep(0.02)
                await station.play(answer)
        assert await process.wait() == 0
        return said, station


class Enroller:
    """Hands that do what they are asked, with pieces of the simulated set, until they stop."""

    def __init__(self, stop_at=0):
        self.box = {}
        for piece in simulated_pieces().pieces:
            self.box.setdefault(piece.faces[0].look, []).append(piece.faces[0].tag)
        self.stop_at = stop_at
        self.ready = False
        self.asked = None

    def __call__(self, line):
        if asked := re.match(r"Put a (white|black) (\w)(\w+) on (\w+)\.  \((\d+) to go", line):
            colour, first, rest, cell, left = asked.groups()
            if int(left) == self.stop_at:
                return "q\n"
            letter = {"knight": "N"}.get(first + rest, first.upper())
            self.asked = [Step(cell=cell, reading=self.box[colour[0] + letter].pop(0))]
        if "is connected" in line:
            self.ready = True
        if self.ready and self.asked:
            steps, self.asked = self.asked, None
            return steps
        return None


async def test_a_whole_set_is_enrolled_in_two_sittings_and_then_stands_ready(tmp_path):
    said, _ = await run_command(tmp_path, Enroller(stop_at=20))
    assert said[-1].startswith("20 to go; start again with")
    assert len(load_piece_set(tmp_path / "set.json").pieces) == 12
    hands = Enroller()
    for tag in load_piece_set(tmp_path / "set.json").labels:
        for tags in hands.box.values():
            if tag in tags:
                tags.remove(tag)
    said, station = await run_command(tmp_path, hands)
    assert said[-1].startswith("All enrolled.")
    learnt = load_piece_set(tmp_path / "set.json")
    assert len(learnt.pieces) == 32
    second_half = {
        cell: learnt.labels[station.board.top.tag_on(cell)]
        for cell in rules.load("indistinguishable").start().placement
        if station.board.top.tag_on(cell)
    }
    start = rules.load("indistinguishable").start().placement
    assert len(second_half) == 20
    assert all(start[cell] == label for cell, label in second_half.items())


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["-s", "board.description=starter"], 4, "no tag readers"),
        (["--game", "ludo"], 2, "ludo"),
        (["-s", "nothing=1"], 3, "nothing"),
    ],
)
def test_what_cannot_be_enrolled_is_explained(arguments, code, words, tmp_path):
    port = ["-s", "board.settings.port=/dev/ttyNONE"]
    done = CliRunner().invoke(main, ["enrol", str(tmp_path / "set.json"), *port, *arguments])
    assert done.exit_code == code
    assert words in done.stderr
