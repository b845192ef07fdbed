import asyncio
import os
import re
import subprocess
import sys
import time

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drivers.description import load_description
from drivers.link import codec
from drivers.piece_set import Face, Piece, PieceSet, PieceSetError, load_piece_set
from drivers.port import CellEvent, DriverError, Snapshot
from drivers.serial_board import SerialBoard
from drivers.simulator import relay
from drivers.simulator.cable import Cable
from drivers.simulator.control_page import make_app
from drivers.simulator.orders import Faults
from drivers.simulator.serving import default_link
from drivers.simulator.simulated_board import SimulatedBoard
from drivers.simulator.station import Station
from drivers.simulator.table_top import IN_HAND, TRAY, NoSuchThingError, TableTop
from drivers.simulator.wording import Wording
from tests.patience import PATIENCE, free_port

KING, KNIGHT, PAWN, PAWN_UNDERSIDE = "04574B01", "04574E01", "0457500100", "0457500101"
PIECES = PieceSet(
    pieces=(
        Piece(name="king", faces=(Face(tag=KING, label="wK", look="wK"),)),
        Piece(name="knight", faces=(Face(tag=KNIGHT, label="bN", look="bN"),)),
        Piece(
            name="disc",
            shape="disc",
            faces=(
                Face(tag=PAWN, label="wPN:N", look="wP"),
                Face(tag=PAWN_UNDERSIDE, label="wPN:P", look="wN"),
            ),
        ),
    ),
    arrangements={"start": {"e1": KING, "d5": KNIGHT, "c3": PAWN}},
)
FULL = load_description("full")
ADDRESS = "http://127.0.0.1:8000"
CELLS = ("e1", "e2", "d5", "hw1")


class HandsOnTheTable(RuleBasedStateMachine):
    """Whatever hands do, every piece is in exactly one place and cells read what stands there."""

    def __init__(self):
        super().__init__()
        self.top = TableTop(PIECES, FULL.cells)
        self.places = dict.fromkeys(("king", "knight", "disc"), TRAY)

    @rule(name=st.sampled_from(["king", "knight", "disc"]),
          place=st.sampled_from([*CELLS, IN_HAND, TRAY]))  # fmt: skip
    def move(self, name, place):
        self.top.move(name, place)
        self.places[name] = place

    @rule(name=st.sampled_from(["king", "knight", "disc"]))
    def flip(self, name):
        before = self.top.look_of(name)
        self.top.flip(name)
        assert (self.top.look_of(name) != before) == (name == "disc")

    @rule(cell=st.sampled_from(CELLS))
    def lift_all(self, cell):
        self.top.set_reading(cell, None)
        for name, place in self.places.items():
            if place == cell:
                self.places[name] = IN_HAND

    @rule(cell=st.sampled_from(CELLS), tag=st.sampled_from([KING, KNIGHT, PAWN, PAWN_UNDERSIDE]))
    def put(self, cell, tag):
        self.top.set_reading(cell, tag)
        placed = PIECES.by_tag[tag][0].name
        for name, place in self.places.items():
            if place == cell and name != placed:
                self.places[name] = TRAY
        self.places[placed] = cell
        assert self.top.tag_on(cell) == tag

    @invariant()
    def every_piece_is_where_it_was_put(self):
        assert self.top.place == self.places
        for cell in CELLS:
            there = [name for name, place in self.places.items() if place == cell]
            tag = self.top.tag_on(cell)
            assert (tag is None) == (not there)
            assert tag is None or PIECES.by_tag[tag][0].name in there


TestHandsOnTheTable = HandsOnTheTable.TestCase


@pytest.mark.parametrize(
    "deed",
    [
        lambda top: top.move("king", "z9"),
        lambda top: top.move("queen", "e1"),
        lambda top: top.flip("queen"),
        lambda top: top.set_reading("z9", None),
        lambda top: top.set_reading("e1", "FFFFFFFF"),
        lambda top: top.set_reading("e1", True),
    ],
)
def test_what_is_not_there_cannot_be_moved(deed):
    with pytest.raises(NoSuchThingError):
        deed(TableTop(PIECES, FULL.cells))


class Felt:
    """A simulated board, and what its controller has felt."""

    def __init__(self, faults=None, board="full"):
        self.board = SimulatedBoard(load_description(board), PIECES)
        self.board.top.arrange(PIECES.arrangements["start"])
        self.board.feel(0)
        self.now = 100
        if faults:
            self.board.set_faults(faults, self.now)

    def move(self, name, place):
        self.board.top.move(name, place)
        self.board.feel(self.now)
        self.now += 50
        self.board.transmit(self.now)

    def __getitem__(self, cell):
        return self.board.session.readings[self.board.description.numbers[cell]]


def test_a_board_tells_what_its_tier_can():
    felt = Felt()
    assert felt["c3"] == bytes.fromhex(PAWN)
    felt.board.top.flip("disc")
    felt.board.feel(1)
    assert felt["c3"] == bytes.fromhex(PAWN_UNDERSIDE)
    felt = Felt(board="starter")
    assert (felt["c3"], felt["c4"]) == (True, None)


def test_a_stuck_cell_keeps_its_reading_until_it_is_mended():
    felt = Felt(Faults(stuck=frozenset({"e1", "e2"})))
    felt.move("king", "e2")
    assert (felt["e1"], felt["e2"]) == (bytes.fromhex(KING), None)
    felt.board.set_faults(Faults(), felt.now)
    assert (felt["e1"], felt["e2"]) == (None, bytes.fromhex(KING))


def test_a_dead_cell_reads_empty_and_a_tagless_one_only_occupied():
    felt = Felt(Faults(dead=frozenset({"e1"}), missed=frozenset({"d5"})))
    assert (felt["e1"], felt["d5"]) == (None, True)


def test_bouncing_contacts_chatter_and_come_to_rest():
    felt = Felt(Faults(bounce=True))
    before = len(felt.board.session._kept)
    felt.move("king", "e2")
    assert len(felt.board.session._kept) - before == 6
    assert (felt["e1"], felt["e2"]) == (None, bytes.fromhex(KING))


def test_faults_name_cells_that_exist():
    with pytest.raises(NoSuchThingError, match="z9"):
        Felt(Faults(dead=frozenset({"z9"})))


def test_the_self_test_finds_what_is_broken():
    felt = Felt(Faults(dead=frozenset({"e1"})))
    felt.board.session.commands.append(codec.SELF_TEST)
    felt.board.transmit(felt.now)
    notice = codec.decode(felt.board.session._kept[-1])
    assert codec.NOTICES[notice.code] == "self-test-failed"
    assert notice.cells == (FULL.numbers["e1"],)


async def test_scripted_hands_reach_the_host(tmp_path):
    station = Station(FULL, PIECES, tmp_path / "board")
    station.arrange(PIECES.arrangements["start"])
    transport = httpx.ASGITransport(app=make_app(station))
    async with station, SerialBoard(FULL, str(tmp_path / "board")) as board:
        events = board.events()
        assert (await anext(events)).up
        assert isinstance(await anext(events), Snapshot)
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            steps = [
                {"t": 0, "cell": "e1", "reading": None},
                {"t": 0.05, "cell": "e2", "reading": KING},
                {"t": 0.1, "piece": "knight", "to": "hand"},
                {"t": 0.12, "piece": "knight", "to": "d6"},
                {"t": 0.14, "piece": "disc", "flip": True},
                {"t": 0.16, "button": "white"},
            ]
            began = time.monotonic()
            answer = await client.post("/hands", json={"steps": steps})
            assert answer.json() == {"done": 6}
            felt = [await anext(events) for _ in range(6)]
    assert [(e.cell, e.reading) if isinstance(e, CellEvent) else e.button for e in felt] == [
        ("e1", None),
        ("e2", KING),
        ("d5", None),
        ("d6", KNIGHT),
        ("c3", PAWN_UNDERSIDE),
        "white",
    ]
    assert felt[-1].t - began >= 0.12  # never early; a busy machine may be late


@pytest.fixture
async def client(tmp_path):
    station = Station(FULL, PIECES, tmp_path / "board")
    transport = httpx.ASGITransport(app=make_app(station))
    async with station, httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
        yield client


async def _in_pieces():
    yield b"{}"


async def test_the_page_comes_with_strict_headers_and_loads_only_from_itself(client):
    answer = await client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "//" not in answer.text.replace("<!doctype html>", "")
    for script in ("main.js", "view.js", "hands.js", "style.css"):
        assert (await client.get(f"/page/{script}")).status_code == 200


async def test_a_cable_is_pulled_and_put_back(client, tmp_path):
    link = tmp_path / "board"
    assert link.is_symlink()
    assert (await client.post("/cable", json={"plugged": False})).json()["plugged"] is False
    assert not link.exists()
    assert (await client.post("/cable", json={"plugged": True})).json()["plugged"] is True
    assert link.is_symlink()


async def test_arrangements_faults_and_resets(client):
    state = (await client.post("/arrange", json={"name": "start"})).json()
    assert state["pieces"]["king"] == {"at": "e1", "look": "wK"}
    faults = {"dead": ["e1"], "bounce": True}
    assert (await client.post("/faults", json=faults)).json()["faults"]["dead"] == ["e1"]
    assert (await client.post("/faults", json={})).json()["faults"]["bounce"] is False
    assert (await client.post("/reset", json={})).status_code == 200
    assert (await client.get("/about")).json()["arrangements"] == ["start"]
    assert (await client.get("/state")).json()["online"] is False


@pytest.mark.parametrize(
    ("path", "order", "status", "words"),
    [
        ("/hands", '{"steps": [{"cell": "z9"}]}', 409, 'no cell "z9"'),
        ("/hands", '{"steps": [{"piece": "x", "to": "e1"}]}', 409, 'no piece "x"'),
        ("/hands", '{"steps": [{"button": "x"}]}', 409, 'no button "x"'),
        ("/hands", '{"steps": [{"piece": "king"}]}', 422, "where to"),
        ("/hands", '{"steps": [{"t": -1, "cell": "e1"}]}', 422, "steps.0.t"),
        ("/hands", '{"steps": 5}', 422, "steps"),
        ("/hands", "not json", 422, "Invalid JSON"),
        ("/arrange", '{"name": "none"}', 404, "no arrangement"),
        ("/faults", '{"dead": ["z9"]}', 409, "z9"),
        ("/cable", '{"plugged": "perhaps"}', 422, "plugged"),
        ("/reset", '{"why": 1}', 422, "why"),
    ],
)
async def test_senseless_orders_are_refused_with_a_reason(client, path, order, status, words):
    answer = await client.post(path, content=order)
    assert answer.status_code == status
    assert words in answer.json()["error"]


async def test_only_its_own_page_gives_orders(client):
    foreign = await client.post("/reset", json={}, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    own = await client.post("/reset", json={}, headers={"origin": "http://127.0.0.1:8000"})
    assert own.status_code == 200
    hosts = {"evil.example": 421, "127.0.0.1.evil.example": 421, "192.168.1.9:8322": 200, "": 421}
    for host, status in hosts.items():
        assert (await client.get("/", headers={"host": host})).status_code == status, host
    assert (await client.post("/hands", content=b"x" * (1 << 20) + b"x")).status_code == 413
    assert (await client.post("/hands", content=_in_pieces())).status_code == 411


def test_a_port_name_that_is_taken_is_not_replaced(tmp_path):
    taken = tmp_path / "file"
    taken.write_text("mine")
    with pytest.raises(DriverError, match="not ours to replace"):
        Cable(taken, bytes).plug()
    assert taken.read_text() == "mine"


def test_the_default_port_is_stable(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert default_link() == tmp_path / "firmware-bridge" / "simulated-board"
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert str(os.getuid()) in str(default_link())


BROKEN_SETS = {
    "nonsense": "Invalid JSON",
    '{"pieces": [{"name": "k", "faces": []}]}': "pieces.0.faces",
    '{"pieces": [{"name": "k", "faces": [{"tag": "xyz", "label": "wK", "look": "wK"}]}]}': "tag",
    '{"arrangements": {"start": {"e1": "04574B01"}}}': "uses tags of no piece",
    '{"peaces": []}': "peaces",
}


@pytest.mark.parametrize("text", BROKEN_SETS)
def test_a_broken_piece_set_is_explained(text, tmp_path):
    path = tmp_path / "pieces.json"
    path.write_text(text)
    with pytest.raises(PieceSetError) as caught:
        load_piece_set(path)
    assert str(path) in str(caught.value)
    assert BROKEN_SETS[text] in str(caught.value)


def test_a_piece_set_survives_its_file(tmp_path):
    path = tmp_path / "pieces.json"
    path.write_text(PIECES.model_dump_json())
    assert load_piece_set(path) == PIECES
    assert load_piece_set(path).labels[PAWN_UNDERSIDE] == "wPN:P"
    with pytest.raises(PieceSetError, match="Cannot read"):
        load_piece_set(tmp_path / "none.json")


@given(st.sampled_from(["tag", "name"]))
def test_tags_and_names_are_used_once(what):
    piece = PIECES.pieces[0].model_dump()
    other = piece | ({"name": "other"} if what == "tag" else {"faces": PIECES.pieces[1].faces})
    with pytest.raises(ValueError, match="used twice"):
        PieceSet.model_validate({"pieces": [piece, other]})


def test_it_ends_quietly_while_a_page_is_open(tmp_path):
    command = [sys.executable, "-m", "drivers.simulator", "--link", str(tmp_path / "board")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+/", process.stdout.readline())[0]
    with httpx.stream("GET", f"{address}events", timeout=PATIENCE) as stream:
        assert next(stream.iter_lines()) == "event: state"
        process.terminate()
        _, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints) == (0, "")


async def test_nobody_is_kept_waiting_for_a_display_once_the_board_closes(tmp_path):
    station = Station(FULL, PIECES, tmp_path / "board")
    wording = Wording(display=f"http://127.0.0.1:{free_port()}/")
    transport = httpx.ASGITransport(app=make_app(station, wording))
    async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
        asked = asyncio.create_task(client.get("/display/api/v1/state"))
        done, _ = await asyncio.wait([asked], timeout=0.1)
        assert not done, "a service that is started again is waited for"
        station.close()
        async with asyncio.timeout(relay.PATIENCE / 2):
            assert (await asked).status_code == 502
