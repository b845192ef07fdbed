"""The printed circuit of a rank: its nets, its copper under KiCad's check, and what is ordered."""

import csv
import math
import re
import shutil
import zipfile
from dataclasses import replace
from functools import reduce
from itertools import pairwise

import pytest
from click.testing import CliRunner

from drivers.description import load_description
from hardware.tools import layout
from hardware.tools.pcb.__main__ import main
from hardware.tools.pcb.circuit_check import faults
from hardware.tools.pcb.copper import Label, Point, Track, Via
from hardware.tools.pcb.fabrication import (
    FabricationError,
    fabricate,
    miswired,
    unlike,
    violations,
)
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import RankError, misfits, rank
from tests.hardware.test_netlist import changed
from tests.nightly import NIGHTLY, one_of

DATA_SHEETS = {  # the names of the pins, in the order of their numbers
    "U1": "PL CP D4 D5 D6 D7 /Q7 GND Q7 DS D0 D1 D2 D3 CE VCC",
    "D1": "VDD DOUT VSS DIN",
}


@pytest.fixture(scope="module")
def printed():
    return rank(load_description("printed"))


def parts(circuit):
    return {part.reference: part for part in circuit.parts}


def without(circuit, **kept):
    """The circuit with only those of its tracks, parts or vias that a test of them keeps."""
    return replace(
        circuit,
        **{name: tuple(filter(keep, getattr(circuit, name))) for name, keep in kept.items()},
    )


def with_nets(circuit, reference, **nets):
    def changed(part):
        if part.reference != reference:
            return part
        return replace(part, nets={k: v for k, v in (part.nets | nets).items() if v})

    return replace(circuit, parts=tuple(map(changed, circuit.parts)))


def test_the_circuit_is_electrically_right(printed):
    assert faults(printed) == ()


@pytest.mark.parametrize("reference", DATA_SHEETS)
def test_pins_are_numbered_as_in_the_data_sheet(printed, reference):
    pins = parts(printed)[reference].component.pins
    assert " ".join(pins[str(n + 1)][0] for n in range(len(pins))) == DATA_SHEETS[reference]


def test_the_register_shifts_its_cells_out_in_the_order_of_the_description(printed):
    # D7 leaves a 74HC165 first; the nearest rank's first bit is the first cell.
    made, order = parts(printed), []
    for bit in range(7, -1, -1):
        net = made["U1"].nets[f"D{bit}"]
        on_it = [part for part in printed.parts if net in part.nets.values()]
        (reed,) = (part for part in on_it if part.component.value.startswith("reed"))
        (pull,) = (part for part in on_it if part.component.value == "10k")
        assert set(reed.nets.values()) == {net, "GND"}
        assert set(pull.nets.values()) == {net, "3V3"}
        order.append(reed.at.x)
    assert order == sorted(order)
    apart = {round(after - before, 3) for before, after in pairwise(order)}
    assert apart == {load_description("printed").mechanics.cell_mm}


def test_the_lights_data_passes_every_cell_in_turn_and_leaves_for_the_next_rank(printed):
    made = parts(printed)
    net, passed = made["R10"].nets["2"], []
    assert made["R10"].nets["1"] == made["J1"].nets["LED"]
    while net != made["J2"].nets["LED"]:
        (light,) = (part for part in printed.parts if part.nets.get("DIN") == net)
        passed.append(light.at.x)
        net = light.nets["DOUT"]
    assert len(passed) == 8
    assert passed == sorted(passed)


def test_a_straight_cable_joins_a_rank_to_the_next(printed):
    near, far = parts(printed)["J1"], parts(printed)["J2"]
    assert near.component.pins == far.component.pins
    for name in ("5V", "3V3", "GND", "LOAD", "CLOCK"):
        assert near.nets[name] == far.nets[name] == name
    assert parts(printed)["U1"].nets["Q7"] == near.nets["DATA"]
    assert parts(printed)["U1"].nets["DS"] == far.nets["DATA"]


def test_nothing_of_5_volts_reaches_what_the_pico_hears_or_the_registers(printed):
    made = parts(printed)
    assert made["U1"].nets["VCC"] == "3V3"
    pulled = [part for part in printed.parts if part.component.value == "10k"]
    assert all("5V" not in part.nets.values() for part in pulled)


def test_a_light_lies_where_the_template_drills_and_no_foot_covers_it(printed):
    description = load_description("printed")
    (hole,) = layout.lamps(description)
    first = layout.places(description)["a1"]
    lights = [part for part in printed.parts if part.component.value == "WS2812B"]
    reeds = [part for part in printed.parts if part.component.value.startswith("reed")]
    for cell, (light, reed) in enumerate(zip(lights, reeds, strict=True)):
        middle = reed.at.x - description.mechanics.reed_offset_mm, reed.at.y
        assert middle[0] - (reeds[0].at.x - description.mechanics.reed_offset_mm) == 50 * cell
        assert light.at == (middle[0] + hole.x, middle[1] - hole.y)  # y points down there
        assert math.dist(light.at, middle) > description.mechanics.disc_mm / 2 + layout.LED_HOLE / 2
    assert first == (25, 25)


ELECTRICAL = [
    ("U1", {"D3": None}, r"U1\.D3 leads nowhere"),
    ("U1", {"/Q7": "SERIAL"}, r"/Q7 has to stay free"),
    ("U1", {"Q7": "LED3"}, r"LED3: two outputs drive it"),
    ("U1", {"DS": "ELSEWHERE"}, r"ELSEWHERE: only U1\.DS is on it"),
    ("U1", {"VCC": "5V"}, r"U1: no capacitor of 100n"),
    ("U1", {"D9": "GND"}, r"U1 has no pin D9"),
    ("U1", {"VCC": "GND"}, r"U1: its supply pins are on 1 net"),
    ("D4", {"VDD": "CONTACT_A"}, r"CONTACT_A: supplies .*, but comes from no plug"),
    ("D4", {"DOUT": "5V"}, r"5V: an output drives a supply"),
    ("R3", {"1": "CONTACT_C"}, r"CONTACT_C: nothing drives .*U1\.D5"),
    ("C5", {"1": "GND"}, r"D5: no capacitor of 100n"),
]


@pytest.mark.parametrize(("reference", "nets", "fault"), ELECTRICAL)
def test_every_fault_in_the_nets_is_named(printed, reference, nets, fault):
    assert re.search(fault, "\n".join(faults(with_nets(printed, reference, **nets))))


since_kicad_8 = pytest.mark.skipif(
    not shutil.which("kicad-cli"), reason="KiCad judges diagrams since version 8"
)


@since_kicad_8
def test_kicads_electrical_rules_find_nothing_but_what_is_planted(printed, tmp_path):
    assert miswired(head(load_description("printed")), tmp_path) == ()
    assert miswired(printed, tmp_path) == ()
    for reference, nets, fault in ELECTRICAL:
        if re.search("nowhere|free|output|only|plug", fault):  # it asks for no capacitor or pull-up
            assert miswired(with_nets(printed, reference, **nets), tmp_path), fault


@since_kicad_8
@pytest.mark.kicad
def test_the_board_is_its_diagram_and_two_exchanged_pins_are_none(printed, tmp_path):
    for circuit in (head(load_description("printed")), printed):
        assert violations(circuit, tmp_path) == ()
        assert miswired(circuit, tmp_path) == ()
        assert unlike(circuit, tmp_path) == ()
    nets = parts(printed)["U1"].nets
    miswired(with_nets(printed, "U1", D3=nets["D4"], D4=nets["D3"]), tmp_path)
    assert len([one for one in unlike(printed, tmp_path) if "net_conflict" in one]) == 2


@pytest.mark.parametrize(
    ("sections", "why"),
    [
        ({"reeds": {"kind": "mcp23017"}}, r"has a 74hc165"),
        ({"leds": {"driver": "max7219", "colours": "single"}}, r"one ws2812 a cell"),
        ({"leds": {"per_cell": 2}}, r"one ws2812 a cell"),
        ({"leds": {"order": "serpentine"}}, r"numbered along the ranks"),
        ({"grid": {"files": 6}}, r"for eight files"),
        ({"reserve": {"white": 3}}, r"without reserve cells"),
        ({"mechanics": {"cell_mm": 55}}, r"longer than 400 mm"),
        ({"mechanics": {"cell_mm": 40}}, r"no room for reed and register"),
        (
            {"tags": {"kind": "mfrc522", "count": 64, "multiplexing": "chip-select"}},
            r"would blind readers",
        ),
    ],
)
def test_what_cannot_be_printed_is_refused_in_words(sections, why):
    description = changed("printed", **sections)
    assert re.search(why, "\n".join(misfits(description)))
    with pytest.raises(RankError, match=why):
        rank(description)


@pytest.mark.kicad
@pytest.mark.parametrize("sizes", one_of({"reed_mm": 10}, {"cell_mm": 51}, {"reed_mm": 7}), ids=str)
def test_kicads_design_rule_check_finds_nothing(tmp_path, sizes):
    assert violations(rank(changed("printed", mechanics=sizes)), tmp_path) == ()


def opened(circuit):
    """One lane cut."""
    (lost,) = [track for track in circuit.tracks if track.net == "CONTACT_H"][:1]
    return without(circuit, tracks=lambda track: track != lost)


def plus(circuit, **more):
    return replace(circuit, **{name: (*getattr(circuit, name), *new) for name, new in more.items()})


FAULTS = {
    "an open lane": (opened, "unconnected_items"),
    "a lost via": (
        lambda made: without(made, vias=lambda via: via != made.vias[-1]),
        "unconnected_items",
    ),
    "a chip without ground": (
        lambda made: without(
            made, tracks=lambda track: track.net != "GND", vias=lambda via: via.net != "GND"
        ),
        "unconnected_items",
    ),
    "a short between two lanes": (
        lambda made: plus(
            made, tracks=[Track("CLOCK", "F", Point(30, 7), Point(30, 7.7), width=0.25)]
        ),
        "clearance|shorting_items|tracks_crossing",
    ),
    "a short through a via": (
        lambda made: plus(made, vias=[Via("5V", Point(5.5, 11.9))]),
        "clearance|shorting_items",
    ),
    "two lanes too near": (
        lambda made: plus(
            made, tracks=[Track("GND", "F", Point(112, 34), Point(130, 34), width=0.25)]
        ),
        "clearance",
    ),
    "a track too thin": (
        lambda made: replace(
            made,
            tracks=tuple(
                replace(track, width=0.15) if track.net == "CLOCK" else track
                for track in made.tracks
            ),
        ),
        "track_width",
    ),
    "copper at the edge": (
        lambda made: plus(made, tracks=[Track("GND", "F", Point(60, 0.2), Point(80, 0.2), 0.25)]),
        "copper_edge_clearance",
    ),
    "a board too short for its parts": (
        lambda made: replace(made, width=385.0),
        "copper_edge_clearance|unconnected_items",
    ),
    "two holes in one another": (
        lambda made: plus(made, holes=[Point(made.holes[0].x + 2, made.holes[0].y)]),
        "hole_near_hole|hole_clearance|courtyards_overlap",
    ),
    "two parts in one place": (
        lambda made: replace(
            made,
            parts=tuple(
                replace(part, at=parts(made)["C2"].at) if part.reference == "C3" else part
                for part in made.parts
            ),
        ),
        "courtyards_overlap",
    ),
    "print on a pad": (
        lambda made: plus(made, labels=[Label("x", parts(made)["D3"].where("VDD"))]),
        "silk_over_copper",
    ),
}


PARTS_ASTRAY = "two parts in one place"  # which our own check finds before KiCad does


@pytest.mark.kicad
@pytest.mark.parametrize("fault", FAULTS if NIGHTLY else [PARTS_ASTRAY])
def test_kicad_finds_every_planted_fault(printed, tmp_path, fault):
    plant, kind = FAULTS[fault]
    assert re.search(rf"\[({kind})\]", "\n".join(violations(plant(printed), tmp_path)))


@pytest.mark.kicad
def test_a_faulty_circuit_is_not_made(printed, tmp_path):
    together = {name: fault for name, fault in FAULTS.items() if name != PARTS_ASTRAY}
    faulty = reduce(lambda made, fault: fault[0](made), together.values(), printed)
    with pytest.raises(FabricationError) as caught:
        fabricate(faulty, tmp_path)
    for name, (_, kind) in together.items():
        assert re.search(rf"\[({kind})\]", str(caught.value)), name
    with pytest.raises(FabricationError, match=r"U1\.D3 leads nowhere"):
        fabricate(with_nets(printed, "U1", D3=None), tmp_path)
    assert not list(tmp_path.glob("*.zip"))


@pytest.mark.kicad
def test_a_fabricator_gets_every_file(printed, tmp_path):
    result = CliRunner().invoke(main, ["printed", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    names = zipfile.ZipFile(tmp_path / "gerbers.zip").namelist()
    endings = {name.rpartition(".")[2] for name in names}
    assert endings == {"gbl", "gbs", "gbo", "gm1", "gtl", "gto", "gtp", "gts", "drl"}
    listed = list(csv.DictReader((tmp_path / "parts.csv").read_text().splitlines()))
    assert sum(int(line["Quantity"]) for line in listed) == len(printed.parts)
    by_machine = {
        name for line in listed if line["By"] == "machine" for name in line["Designator"].split(",")
    }
    placed = list(csv.DictReader((tmp_path / "placement.csv").read_text().splitlines()))
    assert {line["Designator"] for line in placed} == by_machine
    drilled = (tmp_path / "gerbers" / "printed-rank-PTH.drl").read_text()
    pads = sum(pad.drill > 0 for part in printed.parts for pad in part.component.footprint.pads)
    assert len(re.findall(r"^X", drilled, flags=re.MULTILINE)) == len(printed.vias) + pads


def test_a_board_without_printed_ranks_is_refused_plainly(tmp_path):
    result = CliRunner().invoke(main, ["full", "--out", str(tmp_path / "rank")])
    assert result.exit_code == 1
    assert "would blind readers" in result.output
    assert not (tmp_path / "rank").exists()
