"""What machines and people go by on the printed circuits: fiducials, names, places to measure."""

import csv
import io
import math

import pytest

from drivers.description import load_description
from hardware.tools.pcb.copper import EDGE
from hardware.tools.pcb.head import head
from hardware.tools.pcb.marks import BARE, fiducials, names
from hardware.tools.pcb.orders import assembly_file, parts_file, placement_file
from hardware.tools.pcb.rank import rank

NO_NUMBER = {"74AHCT125D"}
"""What we know no number of a board house's store for: it is asked for by its maker's."""


@pytest.fixture(params=[rank, head], ids=["rank", "head"], scope="module")
def circuit(request):
    return request.param(load_description("printed"))


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_three_fiducials_lie_free_far_apart_and_not_in_a_line(circuit):
    places = fiducials(circuit)
    assert len(places) == 3
    one, two, three = places
    area = abs((two.x - one.x) * (three.y - one.y) - (three.x - one.x) * (two.y - one.y)) / 2
    assert area > 0.1 * circuit.width * circuit.height
    for place in places:
        assert EDGE + BARE < place.x < circuit.width - EDGE - BARE
        pads = [part.place(pad.x, pad.y) for part in circuit.parts
                for pad in part.component.footprint.pads]  # fmt: skip
        assert min(math.dist(place, pad) for pad in pads) > BARE


def test_every_part_has_its_name_beside_it(circuit):
    printed = {label.text: label for label in names(circuit)}
    assert set(printed) == {part.reference for part in circuit.parts}
    for part in circuit.parts:
        others = [other for other in circuit.parts
                  if other.component.footprint.below == part.component.footprint.below]  # fmt: skip
        label = printed[part.reference]
        assert label.below == part.component.footprint.below
        if part.component.assembled:
            nearest = min(others, key=lambda other: math.dist(other.at, label.at))
            assert math.dist(part.at, label.at) < math.dist(nearest.at, label.at) + 9


def test_every_net_can_be_touched_with_a_probe(circuit):
    """At a leg through the board, or at a pad of a part on the surface that a probe meets."""
    reached = set()
    for part in circuit.parts:
        for pad in part.component.footprint.pads:
            name, _ = part.component.pins[pad.number]
            if net := part.nets.get(name):
                reached |= {net} if pad.drill or pad.width * pad.height > 0.9 else set()
    assert reached == set(circuit.nets)


def test_what_a_machine_places_has_a_number_in_the_board_houses_store(circuit):
    listed = rows(parts_file(circuit))
    for row in listed:
        placed = row["By"] == "machine"
        known = row["LCSC"].startswith("C") and row["LCSC"][1:].isdigit()
        assert known == (placed and row["Comment"] not in NO_NUMBER), row
        assert row["Part number"] or not placed
    machines = {ref for row in listed if row["By"] == "machine"
                for ref in row["Designator"].split(",")}  # fmt: skip
    house = rows(assembly_file(circuit))
    assert {ref for row in house for ref in row["Designator"].split(",")} == machines
    assert {row["LCSC Part #"] for row in house} == {
        row["LCSC"] for row in listed if row["By"] == "machine"
    }
    assert {line["Designator"] for line in rows(placement_file(circuit))} == machines
