"""The bring-up of every board: stages with figures that follow from what is wired, and words."""

import pytest

from drivers.description import load_description
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.calibration.stages import load_stages
from firmware_bridge.words import LANGUAGES
from hardware.tools.power import HEADROOM, budget
from hardware.tools.stages import as_page, stages
from tests.hardware.test_netlist import BOARDS, EXPANDERS, MATRIX, changed

VARIANTS = {
    "matrix": lambda: changed("starter", reeds=MATRIX),
    "expanders": lambda: changed("starter-header", reeds=EXPANDERS),
    "no lights": lambda: changed("starter", leds=None),
    "i2c lights": lambda: changed(
        "starter", leds={"driver": "ht16k33", "address": 0x70, "pins": {"clock": 3, "data": 2}}
    ),
    "one row": lambda: load_description("evening"),
    **{board: lambda board=board: load_description(board) for board in BOARDS},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_stage_is_told_in_words(variant, language):
    words = words_of(language)
    found = stages(VARIANTS[variant]())
    assert len(found) >= 4
    assert len({stage.name for stage in found}) == len(found)
    for stage in found:
        assert words.texts[stage.title] != stage.title
        assert words.texts[stage.deed]
        assert words.texts[stage.sign]
        assert stage.measures, stage.name
        for measure in stage.measures:
            assert "setup-" not in measure.line.told(words)


@pytest.mark.parametrize("board", BOARDS)
def test_currents_grow_with_what_is_wired_and_end_where_the_budget_does(board):
    description = load_description(board)
    loads = {load.rail: load for load in budget(description)}
    rails = {"usbcurrent": "5V", "fusedcurrent": "LED", "readerscurrent": "readers"}
    for at, rail in rails.items():
        flowing = [m for s in stages(description) for m in s.measures if m.at == at]
        assert [m.high for m in flowing] == sorted(m.high for m in flowing)
        for last in flowing[-1:]:
            assert last.high == round(loads[rail].peak)
            assert last.high < HEADROOM * loads[rail].limit


def test_one_bank_of_readers_is_measured_before_all():
    found = {stage.name: stage for stage in stages(load_description("full"))}
    (one,) = (m for m in found["bank"].measures if m.unit == "mA")
    (every, _) = (m for m in found["readers"].measures if m.unit == "mA")
    assert 8 * 14 < one.high < every.high / 10


def test_the_page_ticks_off_every_measurement():
    description = load_description("full")
    page = as_page(description)
    boxes = sum(len(stage.measures) + 1 for stage in stages(description))
    assert page.count("- [ ] ") == boxes


@pytest.mark.parametrize("board", BOARDS)
def test_the_command_finds_them_beside_the_description(board):
    assert load_stages(board) == stages(load_description(board))
