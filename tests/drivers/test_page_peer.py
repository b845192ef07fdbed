"""Who has read `hardware/protocol.md` and nothing else can build either end."""

import ast
from pathlib import Path
from random import Random

import pytest

from drivers.link.board_session import BoardSession
from drivers.link.host_session import HostSession
from drivers.port import BoardNotice, ButtonEvent, CellEvent, Lights, LinkChanged, Snapshot
from tests.drivers import page_peer
from tests.drivers.bad_cable import BOARD, Direction, Fault, identity

CABLES = {
    "good": Fault(),
    "bad": Fault(loss=0.1, doubled=0.1, flipped=0.1, noise=0.1, jitter=0.01),
}
TEXT = page_peer.canonical(
    list(BOARD.button_names), BOARD.built, BOARD.leds.colours, bool(BOARD.buzzer), BOARD.tier
)


class Joined:
    """One end of each make, in virtual time."""

    def __init__(self, seed, fault, host, board):
        self.random, self.now = Random(seed), 5.0
        self.host, self.board = host, board
        self.wires = [Direction(self.random, fault) for _ in range(2)]

    def run(self, seconds):
        end = self.now + seconds
        while self.now < end:
            self.now += 0.004
            for wire, speaker, hearer in zip(
                self.wires, (self.host, self.board), (self.board, self.host), strict=True
            ):
                wire.put(speaker.transmit(self.now), self.now)
                for chunk in wire.get(self.now):
                    hearer.receive(chunk, self.now)


class OwnHost:
    def __init__(self):
        self.session, self.values, self.problems = HostSession(BOARD, nonce=5), [], []
        self.session.connect(5.0)

    def transmit(self, now):
        data = self.session.poll(now)
        if self.session.problem:
            self.problems.append(str(self.session.problem))
            self.session.connect(now)
        return data

    def receive(self, data, now):
        self.values += self.session.receive(data, now)


class OwnBoard:
    def __init__(self, boot=1):
        self.session = BoardSession(identity(BOARD), boot, 5000)

    def transmit(self, now):
        return self.session.transmit(int(now * 1000))

    def receive(self, data, now):
        self.session.receive(data, int(now * 1000))


class Theirs:
    def __init__(self, peer):
        self.peer = peer

    def transmit(self, now):
        return self.peer.transmit(int(now * 1000))

    def receive(self, data, now):
        self.peer.receive(data)


def hands(random, number):
    return random.randrange(92), random.choice([None, True, number.to_bytes(7, "big")])


def test_the_peer_uses_nothing_of_ours():
    tree = ast.parse(Path(page_peer.__file__).read_text())
    names = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert sorted(names) == ["import json", "import struct", "import zlib"]
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


@pytest.mark.parametrize("cable", CABLES)
def test_a_board_built_from_the_page_plays(cable):
    theirs, host = page_peer.PageBoard(TEXT, 1), OwnHost()
    pair = Joined(3, CABLES[cable], host, Theirs(theirs))
    pair.run(3)
    assert [type(value) for value in host.values] == [LinkChanged, Snapshot]
    expected = []
    for number in range(200):
        cell, reading = hands(pair.random, number)
        if theirs.readings[cell] != reading:
            named = reading.hex().upper() if isinstance(reading, bytes) else reading
            expected.append((BOARD.cells[cell], named))
        theirs.feel(cell, reading)
        if number % 10 == 0:
            theirs.press(number % 4)
            expected.append(BOARD.button_names[number % 4])
        pair.run(0.05)
    host.session.show(Lights({BOARD.cells[0]: "check", BOARD.cells[80]: "fault"}))
    host.session.sound("illegal", pair.now)
    pair.run(3)
    felt = [
        (v.cell, v.reading) if isinstance(v, CellEvent) else v.button
        for v in host.values
        if isinstance(v, CellEvent | ButtonEvent)
    ]
    assert (felt, host.problems) == (expected, [])
    assert (theirs.lights[0], theirs.lights[80], theirs.done) == (7, 12, [1])


def test_a_board_built_from_the_page_restarts_and_overflows():
    theirs, host = page_peer.PageBoard(TEXT, 1), OwnHost()
    pair = Joined(4, CABLES["good"], host, Theirs(theirs))
    pair.run(1)
    again = page_peer.PageBoard(TEXT, 2)
    again.transmit(int(pair.now * 1000))
    again.feel(3, True)
    pair.board.peer = again
    pair.run(0.4)
    assert [v.code for v in host.values if isinstance(v, BoardNotice)] == ["board-reset"]
    assert host.values[-1].readings == {BOARD.cells[3]: True}
    for number in range(100):
        again.feel(5, number.to_bytes(4, "big"))
    pair.run(1)
    assert [v.code for v in host.values if isinstance(v, BoardNotice)][1:] == ["overflow"]
    assert host.values[-1].readings[BOARD.cells[5]] == "00000063"
    assert host.problems == []


@pytest.mark.parametrize("cable", CABLES)
def test_a_host_built_from_the_page_hears_everything(cable):
    theirs, board = page_peer.PageHost(), OwnBoard()
    pair = Joined(6, CABLES[cable], Theirs(theirs), board)
    pair.run(3)
    expected = []
    for number in range(200):
        cell, reading = hands(pair.random, number)
        if board.session.readings[cell] != reading:
            expected.append((1, cell, reading))
        board.session.feel(cell, reading, int(pair.now * 1000))
        pair.run(0.05)
    pair.run(3)
    assert theirs.events == expected
    assert theirs.state == board.session.readings
    assert theirs.pongs >= 8
    assert board.session.lights[:2] == bytes([6, 7])
    pair.board = OwnBoard(2)
    pair.board.session.feel(7, True, int(pair.now * 1000))
    pair.run(2.5)
    assert theirs.sessions == 2
    assert theirs.state == pair.board.session.readings
