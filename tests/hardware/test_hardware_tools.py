"""Parts lists, power, wiring and printables follow from the description, and mistakes are named."""

import csv
import os
import re
import shutil

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.description import BOARDS, load_description
from hardware.tools import generate
from hardware.tools.bill import as_csv, bill, cost
from hardware.tools.catalogue import HARDWARE, builds, parts
from hardware.tools.checklist import checklist
from hardware.tools.electrical import problems
from hardware.tools.page import page
from hardware.tools.pins import PI, PICO, pin_uses
from hardware.tools.power import budget
from hardware.tools.printables import PRINTABLES, holes, render, volume
from hardware.tools.wiring import draw, harness
from tests.hardware.test_netlist import changed
from tests.nightly import at_night

IN_CI = bool(os.environ.get("CI"))
needs_graphviz = pytest.mark.skipif(
    not IN_CI and not shutil.which("dot"), reason="needs Graphviz, which WireViz draws with"
)


def test_a_board_straight_on_the_pi_may_share_a_bus():
    description = load_description("starter-header")
    source = yaml.safe_load(harness(description))
    assert "GP11 leds clock, reeds clock" in source["connectors"]["Pi"]["pinlabels"]
    assert "pico" not in quantities(description)
    assert "| 11 | 23 | out | reeds clock |" in page(description, None, [])


def quantities(description, build=None):
    return {line.part.id: line.quantity for line in bill(description, build)}


def test_the_starter_needs_what_a_person_counts():
    found = quantities(load_description("starter"))
    assert found == {
        "pico": 1,
        "reed": 64,
        "usb-cable": 1,
        "resistor-10k": 64 + 3,  # pull-ups, and the lines to the LED driver while the Pico starts
        "74hc165": 8,
        "capacitor-100n": 8 + 1 + 1,  # registers, LED driver, level shifter
        "led-single": 64,
        "max7219": 1,
        "resistor-27k": 1,
        "capacitor-10u": 1,
        "74ahct125": 1,
        "button": 2,
        "buzzer": 1,
        "resistor-100": 1,
        "socket-16": 8,
        "socket-14": 1,
        "socket-24": 1,
        "header": 1,  # 17 wires, two ends
        "jumper": 1,
        "stripboard": 1,
        "standoff": 4,
        "wire": 2,
    }


def test_the_full_build_has_two_tags_and_two_foils_a_disc():
    found = quantities(load_description("full"), builds()["full"])
    assert (found["magnet"], found["tag"]) == (34 + 20, 34 + 40)
    assert found["foil"] == 40
    assert "ferrite" not in found  # the tags of the parts list have their own
    assert (found["mfrc522"], found["74hc138"]) == (92, 12)
    assert found["74hc125"] == 12 + 1 + 3  # a bank each; contacts' and readers' lines, in halves


@given(st.integers(1, 8), st.integers(1, 9), st.integers(0, 20), st.integers(0, 20))
def test_parts_follow_the_geometry(files, ranks, white, black):
    grid = {"files": files, "ranks": ranks}
    description = changed(
        "starter",
        grid=grid,
        reserve={"white": white, "black": black},
        leds={"driver": "ws2812", "colours": "rgb", "pins": {"data": 22}, "reserves": False},
    )
    found = quantities(description)
    cells = files * ranks + white + black
    assert found["reed"] == cells
    assert found["ws2812"] == files * ranks
    assert 0 <= found["74hc165"] * 8 - cells < 8
    assert found["resistor-10k"] == found["74hc165"] * 8 + 1  # and the LED data line's


@pytest.mark.parametrize("build", builds().values(), ids=lambda build: build.name)
def test_the_list_adds_up(build):
    rows = list(csv.DictReader(as_csv(bill(load_description(build.name), build)).splitlines()))
    low = high = 0.0
    for row in rows[:-1]:
        part = parts()[row["part"]]
        low += int(row["quantity"]) * part.price[0]
        high += int(row["quantity"]) * part.price[1]
    assert rows[-1]["each, EUR"] == f"{low:.0f} to {high:.0f}"


def test_the_lights_of_the_full_board_stay_within_their_limit():
    (lights,) = (load for load in budget(load_description("full")) if load.rail == "LED")
    # 92 x 60 mA x 0.2 = 1104 mA is below the limit of 1200; and 92 dark LEDs draw 1 mA each.
    assert dict(lights.lines)["92 x LED WS2812B"].most == pytest.approx(1104 + 92)
    limited = changed("full", leds={"brightness": 0.5})
    (lights,) = (load for load in budget(limited) if load.rail == "LED")
    assert dict(lights.lines)["92 x LED WS2812B"].most == pytest.approx(1200 + 92)


def test_all_readers_wake_together_and_their_supply_stands_it():
    loads = {load.rail: load for load in budget(load_description("full"))}
    readers, supply = loads["readers"], loads["LED"]
    assert readers.current.start > 92 * 14  # mA; the readers alone, awake (MFRC522 data sheet)
    assert readers.peak < 0.8 * readers.limit
    # What leaves the step-down at 3.3 V enters it at 5 V, some of it lost.
    fed = supply.current.start - 92 * 1 - 10
    assert 3.3 * readers.current.start < 5 * fed < 1.3 * 3.3 * readers.current.start


def test_every_leg_is_its_own():
    for made, count in ((PICO, 26), (PI, 28)):
        assert len(set(made.legs.values())) == len(made.legs) == count
        assert not set(made.legs.values()) & set(made.power.values())
    assert (PICO.legs[15], PICO.legs[28]) == (20, 34)
    assert (PI.legs[2], PI.legs[11], PI.legs[26]) == (3, 23, 37)


@pytest.mark.parametrize("build", builds())
def test_the_harness_carries_every_pin_that_goes_somewhere(build):
    description = load_description(build)
    source = yaml.safe_load(harness(description))
    carried = [
        pin
        for connection in source["connections"]
        for end in connection
        for pin in end.get("Pico", [])
    ]
    for use in pin_uses(description):
        expected = 0 if "nothing" in use.goes_to else 1
        assert carried.count(PICO.legs[use.gpio]) == expected, use


def test_the_wood_is_as_large_as_the_cells():
    wood = page(load_description("full"), None, [])
    # Ten reserve cells a side in columns of nine: two columns either side of eight files. The plate
    # lies on sides of 12 mm, 2 mm wider apart than the cells need.
    assert "| top plate, without metal | 1 | 626 x 476 x 3 |" in wood
    assert "| top plate, without metal | 1 | 426 x 426 x 3 |" in page(
        load_description("starter"), None, []
    )


@pytest.mark.parametrize("build", builds())
def test_the_test_plan_names_every_cell_in_every_part_that_it_has(build):
    description = load_description(build)
    plan = checklist(description)
    lit, read = description.leds is not None, description.tags is not None
    parts_with_cells = 1 + lit + read  # contacts, lights, readers
    for cell in description.built:
        assert len(re.findall(rf"(?<![a-z0-9]){cell}(?![a-z0-9])", plan)) == parts_with_cells


@needs_graphviz
def test_the_harness_can_be_drawn(tmp_path):
    source = tmp_path / "harness.yml"
    source.write_text(harness(load_description("full")), encoding="utf-8")
    draw(source)
    drawing = (tmp_path / "harness.svg").read_text(encoding="utf-8")
    assert "GP22 leds data" in drawing


@pytest.mark.openscad
def test_what_is_committed_is_what_would_be_generated():
    for path, text in generate.everything().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run hardware.tools.generate"


@at_night("a slicer finds the parts of a shipped board whole by day")
@pytest.mark.openscad
@settings(max_examples=3, deadline=None)
@given(st.integers(50, 80), st.integers(7, 14), st.sampled_from((5, 10, 12)))
def test_printed_parts_are_whole_at_any_size(cell, height, magnet):
    sizes = {
        "cell_mm": cell,
        "disc_mm": 38,
        "disc_height_mm": height,
        "magnet_mm": magnet,
        "magnet_height_mm": 1.5,
    }
    description = changed("full", mechanics=sizes)
    for printable in PRINTABLES:
        facets = render(printable, description)
        assert volume(facets) > 0
        assert holes(facets) == 0


@pytest.mark.openscad
@pytest.mark.parametrize(
    ("board", "sum_mm", "fits"),
    [("starter", 4, True), ("printed", 4, True), ("full", 3, True), ("full", 4, False)],
)
def test_a_plain_sheet_on_the_top_fits_as_its_page_says(board, sum_mm, fits):
    said = problems(changed(board, mechanics={"top_mm": sum_mm}))
    assert (said == ()) == fits


def test_impossible_sizes_are_refused_with_a_reason():
    narrow = changed("full", mechanics={"disc_mm": 30})
    with pytest.raises(RuntimeError, match="too narrow for its foil"):
        render(PRINTABLES[0], narrow)


def test_a_board_of_ones_own_gets_all_its_files(tmp_path):
    out = tmp_path / "mine"
    result = CliRunner().invoke(generate.main, ["starter", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert {"README.md", "parts.csv", "harness.yml", "reeds.svg"} <= {p.name for p in out.iterdir()}


@pytest.mark.parametrize("board", ["certabo", "simulated"])
def test_a_board_that_is_not_built_is_said_plainly(board, tmp_path):
    result = CliRunner().invoke(generate.main, [board, "--out", str(tmp_path / "mine")])
    assert result.exit_code == 1
    assert "no board to build" in result.output


def test_a_board_with_faults_is_refused_in_words(tmp_path):
    mine = tmp_path / "mine.toml"
    text = (BOARDS / "full.toml").read_text(encoding="utf-8")
    mine.write_text(text.replace("enable = 28", "enabel = 28"), encoding="utf-8")
    result = CliRunner().invoke(generate.main, [str(mine), "--out", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "tags.pins.enabel" in result.output
    assert not (tmp_path / "out").exists()


def test_the_table_of_builds_tells_what_their_parts_cost():
    table = (HARDWARE / "README.md").read_text(encoding="utf-8")
    for name, build in builds().items():
        low, high = cost(bill(load_description(name), build))
        assert f"{low:.0f} to {high:.0f} EUR" in table, name


def test_an_unknown_board_is_said_plainly():
    result = CliRunner().invoke(generate.main, ["no-such-board"])
    assert result.exit_code == 1
    assert "no-such-board" in result.output
