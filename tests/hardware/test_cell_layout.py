"""What lies where under a cell, that it fits, and that the template is printed at its true size."""

import math

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import load_description
from hardware.tools import layout, magnetics
from hardware.tools.cell_drawings import plan
from hardware.tools.template import RULE, sheets_of, template
from tests.hardware.test_netlist import BOARDS, changed

MM = 72 / 25.4
"""Points of a PDF in a millimetre."""


def sized(board, **sizes):
    return changed(board, mechanics=sizes)


def test_an_antenna_of_a_shared_reader_needs_no_room_for_a_board():
    shared = {"multiplexing": "antenna", "count": 8}
    assert layout.reader(changed("full", tags=shared)) is None


@given(st.floats(40, 80), st.floats(20, 60), st.floats(20, 60))
def test_a_reader_that_is_not_refused_lies_within_its_cell(cell, width, height):
    description = sized("full", cell_mm=cell, disc_mm=20, reader_mm=(width, height))
    if not any("reader" in said for said in layout.misfits(description)):
        board, coil = layout.reader(description)
        assert board.reach < cell / 2 - layout.WALL / 2
        assert abs(coil.x) <= layout.COIL_OFF
        assert not board.meets(layout.holder(description.mechanics))


@pytest.mark.parametrize("board", BOARDS)
def test_every_cell_has_a_place_of_its_own_on_the_plate(board):
    description = load_description(board)
    found = layout.places(description)
    width, height = layout.plate(description)
    side = description.mechanics.cell_mm
    assert set(found) == set(description.built)
    assert len(set(found.values())) == len(found)
    assert all(side / 2 <= x <= width - side / 2 for x, _ in found.values())
    assert all(side / 2 <= y <= height - side / 2 for _, y in found.values())


def test_reserve_cells_lie_at_their_owners_right_hand():
    found = layout.places(load_description("full"))
    assert found["hw1"] == (found["h1"][0] + 50, found["h1"][1])
    assert found["hb1"] == (found["a9"][0] - 50, found["a9"][1])
    assert found["hw10"] == (found["h1"][0] + 100, found["h1"][1])


def test_the_reed_is_drawn_where_the_field_was_computed():
    """Across, or in the middle, it would feel nothing of a centred piece."""
    for offset in (8, 9, 10):
        board = sized("full", reed_offset_mm=offset)
        assert magnetics.reed(board.mechanics).field(0, 0) > 10e-3
        assert f">{offset}<" in plan(board)


def sheets(board):
    document = pypdfium2.PdfDocument(template(load_description(board)).encode("ascii"))
    return list(document)


def boxes(page):
    """Width, height, and middle from the upper left corner of everything drawn, in millimetres."""
    _, tall = page.get_size()
    for thing in page.get_objects():
        if thing.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH:
            left, bottom, right, top = thing.get_bounds()
            yield (
                (right - left) / MM,
                (top - bottom) / MM,
                (left + right) / 2 / MM,
                (tall - (bottom + top) / 2) / MM,
            )


@pytest.mark.parametrize("board", BOARDS)
def test_every_sheet_of_the_template_is_a4_with_a_rule_of_its_length(board):
    across, down = sheets_of(load_description(board))
    pages = sheets(board)
    assert len(pages) == across * down
    for page in pages:
        assert page.get_size() == pytest.approx((210 * MM, 297 * MM), abs=0.1)
        assert any(abs(width - RULE) < 0.25 and height < 0.3 for width, height, _, _ in boxes(page))


def crosses(page, side):
    """The middles of the cells on a sheet."""
    return [
        (x, y)
        for width, height, x, y in boxes(page)
        if abs(width - side) < 0.2 and abs(height - side) < 0.2
    ]


def test_cells_are_drawn_at_their_true_distance():
    side = load_description("full").mechanics.cell_mm
    for page in sheets("full"):
        middles = crosses(page, side)
        nearest = [min(math.dist(a, b) for b in middles if b != a) for a in middles]
        assert nearest == pytest.approx([side] * len(nearest), abs=0.05)


def test_every_lamp_hole_is_on_a_sheet_where_it_belongs():
    description = load_description("full")
    (lamp,) = layout.lamps(description)
    for page in sheets("full"):
        holes = [
            (x, y) for width, height, x, y in boxes(page)
            if abs(width - layout.LED_HOLE) < 0.2 and abs(height - layout.LED_HOLE) < 0.2
        ]  # fmt: skip
        expected = [(x - lamp.x, y - lamp.y) for x, y in crosses(page, 50)]  # mirrored, y downwards
        assert len(holes) == len(expected)
        assert all(min(math.dist(hole, place) for place in expected) < 0.05 for hole in holes)


def test_the_names_on_the_template_are_mirrored_as_from_below():
    text = sheets("starter")[0].get_textpage().get_text_range()
    assert "h8" in text
    assert "a8" not in text


def test_on_the_border_a_piece_is_felt_where_the_page_of_pieces_says():
    """Between two files the cell whose reed lies there, between two ranks neither."""
    reed = magnetics.reed(load_description("full").mechanics, "face")
    closes = reed.closing(magnetics.CLOSES[1])
    for off in (20, 25, 30):
        assert reed.field(off, 0, reed.lifts[0]) > closes
        assert reed.field(-50 + off, 0, reed.lifts[0]) < reed.closing(magnetics.CLOSES[0])
        assert reed.field(0, off, reed.lifts[0]) < reed.closing(magnetics.CLOSES[0])
