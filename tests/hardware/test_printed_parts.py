"""Printed parts and the case: they fit as badly as they may be made, and print without supports."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import BoardDescription, load_description
from hardware.tools import case as sizes
from hardware.tools import layout
from hardware.tools.case import Case, case
from hardware.tools.fits import TOLERANCES, Fit, fits
from hardware.tools.page import page
from hardware.tools.printables import (
    PRINTABLES,
    SOURCES,
    amounts,
    command,
    openscad,
    said,
    surface,
    volume,
)
from hardware.tools.slicing import BED, sliced
from tests.nightly import NIGHTLY, at_night

FULL = load_description("full")
NAMES = {each.name: each for each in PRINTABLES}
FITS = 10
"""What the sources say must fit; one that says it no more would pass unseen."""


def resized(**mechanics):
    return BoardDescription.model_validate(FULL.model_dump() | {"mechanics": mechanics})


def in_words(source):
    """The sizes that an OpenSCAD source begins with."""
    text = (SOURCES / source).read_text()
    return {
        name: float(value)
        for name, value in re.findall(r"^(\w+) = ([\d.]+);", text, flags=re.MULTILINE)
    }


def drawn(out, source, *values):
    """Have OpenSCAD draw one source with these values, or say what it has to say."""
    openscad(["openscad", *(f"-D{each}" for each in values), "-o", str(out), source], out)
    return out


def drawn_case(out, columns, rows, *values):
    return drawn(out, "case.scad", f"files={columns}", f"ranks={rows}", *values)


@pytest.mark.openscad
def test_everything_fits_as_badly_as_it_may_be_made(tmp_path):
    words = "".join(said(printable, FULL) for printable in PRINTABLES)
    words += drawn_case(tmp_path / "case.echo", 8, 8).read_text()
    found = {fit.name: fit for fit in fits(words)}
    assert len(found) == FITS
    assert [fit.fault for fit in found.values() if fit.fault] == []


@pytest.mark.openscad
@pytest.mark.parametrize(("free", "fault"), [(0, "0.30 mm too tight"), (3, "3.30 mm loose")])
def test_a_part_that_is_too_tight_or_too_loose_is_named(tmp_path, free, fault):
    words = drawn(tmp_path / "pillar.echo", "pillar.scad", f"free={free}").read_text()
    assert fault in fits(words)[0].fault


@given(
    st.floats(0.1, 50), st.floats(0.1, 50), st.sampled_from([*TOLERANCES]), st.floats(0, 5),
    st.floats(-1, 1), st.floats(-1, 1),
)  # fmt: skip
def test_what_is_said_to_fit_fits_however_it_is_made(hole, part, made, loose, one, other):
    fit = Fit("it", hole, made, part, "printed", loose)
    free = hole + one * TOLERANCES[made] - part - other * TOLERANCES["printed"]
    assert fit.fault or -1e-5 <= free <= loose + 1e-5


@pytest.mark.openscad
@pytest.mark.slicer
@pytest.mark.parametrize("name", NAMES if NIGHTLY else ["disc-core"])
def test_a_slicer_prints_it_without_supports(name, tmp_path):
    part = tmp_path / "part.stl"
    openscad(command(NAMES[name], FULL, str(part)), part)
    found = sliced(part)
    assert found.whole
    assert found.supports == 0
    assert max(found.size) <= BED
    assert 0 < found.plastic < 30  # cubic centimetres


@pytest.mark.openscad
@pytest.mark.slicer
def test_a_slicer_finds_what_hangs_in_the_air(tmp_path):
    source, part = tmp_path / "part.scad", tmp_path / "part.stl"
    source.write_text("cube([5, 20, 30]); translate([0, 0, 25]) cube([30, 20, 5]);")
    drawn(part, str(source))
    assert sliced(part).supports > 0


@pytest.mark.slicer
def test_what_is_no_part_is_refused(tmp_path):
    part = tmp_path / "part.stl"
    part.write_text("nothing")
    with pytest.raises(RuntimeError):
        sliced(part)


@at_night("OpenSCAD takes its time")
@pytest.mark.openscad
def test_no_two_parts_of_the_case_are_in_one_place(tmp_path):
    found = drawn_case(tmp_path / "case.stl", 3, 2, 'show="clash"')
    assert abs(volume(surface(found))) < 1  # parts that touch share a surface


@at_night("OpenSCAD takes its time")
@pytest.mark.openscad
def test_parts_of_the_case_in_one_place_are_found(tmp_path):
    found = drawn_case(tmp_path / "case.stl", 1, 1, 'show="clash"', "air=-1")
    assert abs(volume(surface(found))) > 50  # cubic millimetres of the grid within the plate


def test_the_numbers_of_the_case_are_those_of_its_sources():
    made = in_words("case.scad")
    assert (made["board"], made["bottom"], made["depth"], made["room"]) == (
        sizes.SIDE, sizes.BOTTOM, sizes.DEPTH, sizes.ROOM,
    )  # fmt: skip
    for source in ("case.scad", "pillar.scad"):
        found = in_words(source)
        assert (found["grid"], found["air"], found["slot"]) == (
            layout.GRID_DEPTH,
            sizes.AIR,
            sizes.SLOT,
        )
        assert found["depth"] == sizes.DEPTH
    assert (
        in_words("light_grid.scad")["depth"]
        == in_words("case_corner.scad")["grid"]
        == layout.GRID_DEPTH
    )


@given(st.integers(1, 12), st.integers(1, 9))
def test_tiles_cover_every_cell_once_each_on_a_pillar(columns, rows):
    made = Case(columns, rows, 50, 3)
    shapes = [(wide, high) for wide in (1, 2) for high in (1, 2)]
    assert sum(wide * high * made.tiles(wide, high) for wide, high in shapes) == columns * rows
    assert sum(made.tiles(wide, high) for wide, high in shapes) == made.pillars


@given(st.floats(40, 60), st.floats(2, 6))
def test_the_case_goes_around_its_cells(cell, top):
    made = case(resized(cell_mm=cell, top_mm=top))
    (width, length), (wide, long) = made.inside, made.outside
    assert width == pytest.approx(12 * cell + sizes.ROOM)
    assert length == pytest.approx(9 * cell + sizes.ROOM)
    assert (wide - width, long - length) == pytest.approx((2 * sizes.SIDE, 2 * sizes.SIDE))


def test_the_page_counts_the_parts_to_print():
    text = page(FULL, None, [])
    assert "| disc-shell | 40 |" in text
    assert "| light-grid | 24 |" in text  # twelve columns in twos, eight of nine rows in twos
    assert "| light-grid-short | 6 |" in text
    assert "| pillar | 30 |" in text
    assert "light-grid-narrow" not in text
    starter = amounts(load_description("starter"), None)
    assert NAMES["disc-core"] not in starter
    assert starter[NAMES["reed-holder"]] == 64
