"""Readers forget any part of what they were told, at any time: every tag is read all the same."""

from random import Random

import pytest

from drivers.link import codec
from tests.hardware.board_on_bench import OnBench
from tests.hardware.test_netlist import changed
from tests.nightly import NIGHTLY

SET_UP = 0x11, 0x15, 0x2A
"""Registers of an MFRC522 without which it reads nothing."""
LOOKED_AT = 12_000
"""Milliseconds in which each piece is looked at again."""
BOARDS = {"mfrc522": "full", "pn532": changed("full", tags={"kind": "pn532"})}


def spoil(dice, chip):
    """Let a chip forget something, or not make itself understood for a while."""
    dice.choice([forget_in_part, lambda _, chip: chip.reset(), stop_for_a_while])(dice, chip)


def forget_in_part(dice, chip):
    if hasattr(chip, "registers"):
        chip.registers[dice.choice(SET_UP)] = 0
    else:
        setattr(chip, dice.choice(["configured", "patient"]), False)


def stop_for_a_while(dice, chip):
    chip.garble = dice.randrange(1, 6)
    chip.busy = dice.randrange(20)
    chip.stuck = True


def wait(board, ms):
    """Let time pass in which the host asks whether the board is there."""
    for _ in range(0, ms, 1000):
        board.host.say(codec.Ping(1))
        board.run(min(ms, 1000))


class Table:
    """Pieces that somebody moves about on a board."""

    def __init__(self, dice, board):
        self.dice, self.board, self.standing = dice, board, {}
        self.cells = board.description.built[:12]

    def put(self, uid):
        cell = self.dice.choice([cell for cell in self.cells if cell not in self.standing])
        self.standing[cell] = uid
        self.board.put(cell, uid)

    def move(self):
        cell = self.dice.choice(list(self.standing))
        self.board.lift(cell)
        wait(self.board, self.dice.randrange(20, 800))
        self.put(self.standing.pop(cell))

    def reader(self):
        """A reader that a piece stands on, or any one."""
        cells = self.standing if self.dice.random() < 0.7 else self.cells
        return self.board.bench.readers[self.board.number(self.dice.choice(list(cells)))]

    def told(self):
        """What the board has told of the cells on which something stands."""
        return {cell: said for cell, said in dict(self.board.felt()).items() if said is not None}


@pytest.mark.parametrize("seed", range(200 if NIGHTLY else 6))
@pytest.mark.parametrize("kind", BOARDS)
def test_whatever_a_reader_forgets_each_piece_is_known_again_soon(clock, kind, seed):
    dice = Random(f"{kind} {seed}")
    table = Table(dice, board := OnBench.greeted(clock, BOARDS[kind]))
    for _ in range(8):
        table.put(b"\x04" + bytes(dice.choices(range(0x80), k=6)))  # 88 in it says that more comes
        wait(board, 100)
    for _ in range(20):
        if dice.random() < 0.6:
            spoil(dice, table.reader())
        else:
            table.move()
        wait(board, dice.randrange(1, 700))
    for chip in board.bench.readers:
        chip.stuck = False
    wait(board, LOOKED_AT)
    assert table.told() == table.standing
    for _ in range(8):
        table.move()
        wait(board, 1000)
    wait(board, LOOKED_AT)
    assert table.told() == table.standing
