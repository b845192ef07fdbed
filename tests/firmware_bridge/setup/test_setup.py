import asyncio
import sys
import tomllib

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import BOARDS, BoardDescription, load_description
from drivers.piece_set import Face, Piece, PieceSet
from drivers.port import ButtonEvent, CellEvent, Snapshot
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from firmware_bridge.checkup import Checkup, with_orientation
from firmware_bridge.cli import main

FULL, STARTER = load_description("full"), load_description("starter")
TURNS = st.sampled_from([0, 90, 180, 270])


def seen(lie, cell):
    """Return the cell, named as built, that players call `cell` on a board that lies like this."""
    return lie.oriented(0).cells[lie.numbers[cell]]


def put(checkup, cell):
    return checkup.hear(CellEvent(1.0, cell, True))


@given(turned=TURNS, mirrored=st.booleans())
def test_two_corners_tell_how_a_square_board_lies(turned, mirrored):
    lie = STARTER.oriented(turned, mirrored=mirrored)
    checkup = Checkup(STARTER)
    assert "Put one piece on a1" in checkup.asks
    put(checkup, seen(lie, "a1"))
    assert "Put one piece on h1" in checkup.asks
    put(checkup, seen(lie, "h1"))
    assert checkup.description.orientation == lie.orientation


@given(turned=st.sampled_from([0, 180]), mirrored=st.booleans())
def test_and_how_the_full_board_lies(turned, mirrored):
    lie = FULL.oriented(turned, mirrored=mirrored)
    checkup = Checkup(FULL)
    put(checkup, seen(lie, "a1"))
    assert put(checkup, seen(lie, "h1")) == checkup.findings()[0]
    assert checkup.description.cells == lie.cells


def test_what_the_file_says_of_the_orientation_is_not_trusted():
    checkup = Checkup(FULL.oriented(180))
    put(checkup, "a1")
    put(checkup, "h1")
    assert checkup.description.cells == FULL.cells


def test_pieces_that_are_not_on_two_corners_are_asked_for_again():
    checkup = Checkup(FULL)
    put(checkup, "a1")
    assert put(checkup, "a1") == ""
    assert "not two corners beside each other" in put(checkup, "d4")
    assert "Put one piece on a1" in checkup.asks


def after_corners(lie):
    checkup = Checkup(lie.oriented(0))
    put(checkup, seen(lie, "a1"))
    put(checkup, seen(lie, "h1"))
    return checkup


def test_every_cell_shines_where_it_is_until_it_is_felt():
    lie = FULL.oriented(180)
    checkup = after_corners(lie)
    assert set(checkup.lights.cells) == set(FULL.cells)
    for number, cell in enumerate(FULL.cells):
        checkup.hear(CellEvent(2.0, cell, None))
        assert cell in checkup.lights.cells
        put(checkup, cell)
        assert len(checkup.lights.cells) == len(FULL.cells) - number - 1
    for button in FULL.button_names:
        assert checkup.asks.startswith(f"Press the button {button}.")
        checkup.hear(ButtonEvent(3.0, button))
    assert checkup.asks is None
    assert checkup.findings() == [
        "The board lies turned by 180 degrees.",
        "Every cell and every button works.",
    ]


def test_what_does_not_work_is_skipped_and_named():
    checkup = after_corners(FULL)
    checkup.order("nonsense")
    for cell in set(FULL.cells) - {"e4", "hw2"}:
        put(checkup, cell)
    checkup.order("s")
    assert checkup.hear(ButtonEvent(3.0, "draw")) == "That was the button draw."
    checkup.hear(ButtonEvent(3.0, "white"))
    checkup.order("s")
    checkup.hear(ButtonEvent(3.0, "adjust"))
    checkup.hear(ButtonEvent(3.0, "draw"))
    assert checkup.findings()[1:] == [
        "Cells that were not felt: e4, hw2.",
        "Buttons that were not felt: black.",
    ]


def test_other_events_say_nothing():
    checkup = Checkup(FULL)
    assert checkup.hear(Snapshot(0.0, {})) == ""
    assert checkup.hear(ButtonEvent(0.0, "white")) == ""
    checkup.order("s")
    assert "a1" in checkup.asks


@pytest.mark.parametrize("name", ["full", "starter", "kiosk"])
@pytest.mark.parametrize("before", ["", "\n[orientation] # on the table\nturned = 0\n"])
def test_the_board_file_keeps_everything_else(name, before):
    text = (BOARDS / f"{name}.toml").read_text() + before
    changed = with_orientation(text, 180, mirrored=True)
    board = BoardDescription.model_validate(tomllib.loads(changed))
    assert board == load_description(name).oriented(180, mirrored=True)
    assert changed.splitlines()[0] == text.splitlines()[0]
    assert with_orientation(changed, 180, mirrored=True) == changed


async def test_the_command_tries_a_board_and_writes_its_file(tmp_path):
    face = Face(tag="04AABBCC", label="wP", look="wP")
    station = Station(
        FULL, PieceSet(pieces=(Piece(name="pawn", faces=(face,)),)), tmp_path / "board"
    )
    lie = FULL.oriented(180)
    hands = {
        "on a1": [Step(piece="pawn", to=seen(lie, "a1"))],
        "on h1": [Step(piece="pawn", to=seen(lie, "h1"))],
        "Touch every": [
            Step(t=number * 0.01, piece="pawn", to=cell)
            for number, cell in enumerate([*FULL.cells[5:], *FULL.cells[:5]])
        ],
        **{f"button {name}.": [Step(button=name)] for name in FULL.button_names},
    }
    file = tmp_path / "mine.toml"
    async with station:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "firmware_bridge", "setup", "--to", str(file)),
            *("-s", "board.description=full"),
            *("-s", f"board.settings.port={tmp_path / 'board'}"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        said = ""
        while line := (await process.stdout.readline()).decode():
            said += line
            await station.until_online()
            for words in [words for words in hands if words in line]:
                await asyncio.sleep(0.1)
                await station.play(hands.pop(words))
        assert await process.wait() == 0
    assert "The board lies turned by 180 degrees." in said
    assert "Every cell and every button works." in said
    assert load_description(file).cells == lie.cells


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["-s", "board.description=huge"], 4, "huge"),
        (["-s", "board.driver=nothing"], 4, "nothing"),
        (["-s", "nothing=1"], 3, "nothing"),
    ],
)
def test_what_cannot_be_set_up_is_explained(arguments, code, words):
    done = CliRunner().invoke(main, ["setup", *arguments])
    assert done.exit_code == code
    assert words in done.stderr
