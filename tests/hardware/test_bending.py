"""Two kilograms on the plate bend it by less than 0.3 mm, so that no glass below carries any."""

from itertools import pairwise

import pytest

from drivers.description import load_description
from hardware.tools.bending import ACRYLIC, HAND_N, MOST_MM, PINE, plate, rib
from hardware.tools.pcb.rank import RIB, rank

INSET = 4  # a rank ends so far before the plate


def supports(circuit):
    """Where the plate lies on something, along a rank, the board's two sides included."""
    return [-INSET, *sorted(hole.x for hole in circuit.holes), circuit.width + INSET]


def test_plate_and_rib_of_the_printed_board_together():
    board = load_description("printed")
    places = supports(rank(board))
    span = max(after - before for before, after in pairwise(places))
    assert span <= 60
    length = board.grid.files * board.mechanics.cell_mm
    bends = plate(board.mechanics.top_mm, span, square=False) + rib(*RIB, length)
    assert bends < MOST_MM


def test_without_one_of_its_screws_or_with_a_thinner_rib_it_would_not_do():
    board = load_description("printed")
    places = supports(rank(board))
    length = board.grid.files * board.mechanics.cell_mm
    wide, high = RIB
    assert plate(3, places[3] - places[1], square=False) + rib(*RIB, length) > MOST_MM
    assert plate(3, 60, square=False) + rib(wide, high * 0.7, length) > MOST_MM


@pytest.mark.parametrize("name", ["full", "kiosk"])
def test_plate_on_the_light_grid(name):
    board = load_description(name)
    walls = board.mechanics.cell_mm  # the grid's, between any two cells
    assert plate(board.mechanics.top_mm, walls, square=True) < MOST_MM


def test_against_a_strip_that_is_solved_by_hand():
    """A narrow strip is a beam: both formulas agree in what a load does to the cube of the span."""
    assert rib(10, 20, 400) == pytest.approx(HAND_N * 400**3 / (48 * 9000 * 10 * 20**3 / 12))
    assert plate(3, 100, square=True) == pytest.approx(4 * plate(3, 50, square=True))
    assert plate(6, 100, square=True) == pytest.approx(plate(3, 100, square=True) / 8)
    assert plate(3, 50, square=False) > plate(3, 50, square=True)
    assert PINE.stiffness > ACRYLIC.stiffness
