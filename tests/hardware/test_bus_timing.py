"""No bus of any board asks for an answer before it can be there."""

import pytest
from boardware.parts import CHAIN_HZ, I2C_HZ, READER_HZ

from drivers.description import load_description, shipped
from hardware.tools.timing import answer, fastest_i2c, fastest_spi

BOARDS = [load_description(name) for name in shipped()]


@pytest.mark.parametrize("board", [b for b in BOARDS if b.tags], ids=lambda board: board.name)
def test_a_readers_answer_is_there_when_it_is_looked_at(board):
    assert READER_HZ[board.tags.kind] <= fastest_spi(board, board.tags.kind)


@pytest.mark.parametrize(
    "board",
    [b for b in BOARDS if b.reeds and b.reeds.kind == "74hc165"],
    ids=lambda board: board.name,
)
def test_a_registers_answer_is_there_when_it_is_looked_at(board):
    assert fastest_spi(board, "74hc165") >= CHAIN_HZ


def test_four_gates_on_the_way_are_too_slow_for_four_megahertz():
    """The half clock is 125 ns then: it does typically, and not at worst."""
    found = answer(load_description("full"), "mfrc522")
    assert found.typical < 125 < found.worst


def test_the_pull_ups_of_a_light_drivers_board_lift_its_lines_in_time():
    allowed = fastest_i2c()
    assert allowed >= I2C_HZ
