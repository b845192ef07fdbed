import asyncio
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest
from click.testing import CliRunner

import rules
from drivers.description import load_description
from drivers.port import ButtonEvent, CellEvent, Snapshot
from drivers.serial_board import SerialBoard
from firmware_bridge.cli import main
from firmware_bridge.simulation.page_words import simulated_wording
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.simulation.self_play import SelfPlay, UnplayableError
from tests.nightly import one_of
from tests.patience import PATIENCE
from tests.sample import SAMPLE

COMMAND = [sys.executable, "-m", "firmware_bridge", "simulate"]


@pytest.mark.parametrize("name", SAMPLE)
def test_every_game_can_be_set_up(name):
    pieces = simulated_pieces()
    stands = {cell: pieces.labels[tag] for cell, tag in pieces.arrangements[name].items()}
    assert stands == dict(rules.load(name).start().placement)


@pytest.mark.parametrize("name", SAMPLE)
def test_pieces_in_hand_lie_ready_too(name):
    pieces = simulated_pieces()
    start = rules.load(name).start()
    used = set(pieces.arrangements[name].values())
    free = [piece for piece in pieces.pieces if not {face.tag for face in piece.faces} & used]
    names = [piece.name.partition("-")[0] for piece in free]
    for hand in start.hands.values():
        for label in hand:
            assert label.partition(":")[0] in names


def test_tags_do_not_depend_on_what_was_asked_for_first():
    everything, advanced = (
        simulated_pieces(),
        simulated_pieces(rules.load("reality-check", board="advanced")),
    )
    assert everything.labels == advanced.labels
    assert set(advanced.arrangements) == {*everything.arrangements, "start"}


@pytest.mark.parametrize("name", one_of("mockery", "indistinguishable", "reversi"))
async def test_it_plays_moves_that_the_board_feels(name, tmp_path):
    turns = ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qd8", "Nf3", "Nf6", "Be2", "e6", "0-0", "Be7"]
    turns = turns[:-2] if name == "mockery" else turns
    link = tmp_path / "board"
    arguments = ["--game", name, "--link", str(link), "--moves", " ".join(turns)]
    process = _start(*arguments, "--speed", "40", "--seed", "3")
    try:
        assert str(link) in await asyncio.to_thread(process.stdout.readline)
        stands, pressed = await _watch(link, presses=len(turns))
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        process.stdout.close()
    position = rules.load(name).start()
    for turn in turns:
        position = position.play(position.understand(turn))
    labels = simulated_pieces(rules.load(name)).labels
    assert {cell: labels[tag] for cell, tag in stands.items()} == dict(position.placement)
    assert pressed == ["white", "black"] * (len(turns) // 2)


def _start(*arguments):
    return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)


async def _watch(link, presses):
    stands, pressed = {}, []
    async with SerialBoard(load_description("simulated"), str(link)) as board:
        async for event in board.events():
            match event:
                case Snapshot():
                    stands = dict(event.readings)
                case CellEvent(reading=None):
                    stands.pop(event.cell, None)
                case CellEvent():
                    stands[event.cell] = event.reading
                case ButtonEvent():
                    pressed.append(event.button)
            if len(pressed) == presses:
                return stands, pressed
    raise AssertionError


def test_moves_that_cannot_be_played_are_named():
    game, pieces = rules.load("indistinguishable"), simulated_pieces()
    with pytest.raises(UnplayableError, match="Turn 2, e7e3"):
        SelfPlay(game, ["e2e4", "e7e3"], pieces, seed=0, speed=1)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--game", "draughts"], 2, "rules list"),
        (["--game", "realm", "-o", "size=3"], 2, "size"),
        (["--moves", "e2e5"], 2, "Turn 1, e2e5"),
        (["--host", "0.0.0.0"], 2, "give --display too"),
        (["--keep", "/nowhere/x.json"], 2, "give --display too"),
        (["--board", "huge"], 4, 'no board description "huge"'),
        (["--pieces", "/nowhere/x.json"], 4, "Cannot read the piece set"),
        (["--link", "/proc/board"], 4, "/proc/board: No such file or directory. Choose"),
        (["--page-port", "BUSY"], 4, "choose another --page-port"),
    ],
)
def test_bad_input_gets_a_plain_message(arguments, code, words, tmp_path):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = str(busy.getsockname()[1])
        given = [port if argument == "BUSY" else argument for argument in arguments]
        link = [] if "--link" in given else ["--link", str(tmp_path / "board")]
        done = CliRunner().invoke(main, ["simulate", *given, *link])
    assert done.exit_code == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_its_page_is_served(tmp_path):
    process = _start("--game", "realm", "--link", str(tmp_path / "board"))
    try:
        address = re.search(r"http://\S+/", process.stdout.readline()).group()
        about = httpx.get(f"{address}about", timeout=PATIENCE).json()
        assert set(rules.games()) <= set(about["arrangements"])
        assert httpx.get(address, timeout=PATIENCE).status_code == 200
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
        process.stdout.close()


def test_nobody_sees_whose_a_piece_is_in_indistinguishable_chess():
    pieces = simulated_pieces()
    men = [pieces.by_tag[tag][0] for tag in pieces.arrangements["indistinguishable"].values()]
    assert {man.faces[0].look[0] for man in men} == {"n"}
    assert all(re.fullmatch(r"alike-1-\d+", man.name) for man in men)
    box = [piece.faces[0].label[0] for piece in pieces.pieces if piece.set == "alike-1"]
    assert "bwbw" in "".join(box) or "wbwb" in "".join(box), "the order of the pieces tells"


def test_a_single_set_shows_its_printed_colours():
    pieces = simulated_pieces()
    stands = pieces.arrangements["indistinguishable-single-set"]
    printed = rules.load("indistinguishable", single_set=True).printed
    looks = {cell: pieces.by_tag[tag][0].faces[0].look[0] for cell, tag in stands.items()}
    assert looks == {cell: side[0] for cell, side in printed.items()}
    assert {cell: pieces.labels[tag] for cell, tag in stands.items()} == dict(
        rules.load("indistinguishable").start().placement
    )


def test_the_simulated_boards_page_knows_the_games_in_every_language():
    wording = simulated_wording("http://127.0.0.1:8321/")
    told = {one.code: one.texts["arrangement-realm"] for one in wording.languages}
    assert told["en"] == "Realm Chess"
    assert told["de"] == "Reich-Schach"
    offered = [one.code for one in wording.languages if one.offered]
    assert offered[0] == "en"
    assert "de" in offered
    assert {one.direction for one in wording.languages} == {"ltr", "rtl"}
