"""The head circuit: its nets against the firmware's pins, its copper under KiCad's check."""

import csv
from dataclasses import replace

import pytest
from click.testing import CliRunner

from drivers.description import load_description
from hardware.tools.catalogue import parts
from hardware.tools.circuits import netlist
from hardware.tools.pcb.__main__ import main
from hardware.tools.pcb.circuit_check import faults
from hardware.tools.pcb.fabrication import violations
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import RankError, rank
from hardware.tools.pcb.whole import BESIDE, whole_board
from hardware.tools.pins import PICO
from tests.hardware.test_netlist import changed

BOARD = load_description("printed")


@pytest.fixture(scope="module")
def printed():
    return head(BOARD)


def placed(circuit):
    return {part.reference: part for part in circuit.parts}


def leads_to(circuit, net):
    """Every plug's pin that a net reaches, through resistors and the level shifter too."""
    reached, nets = set(), [net]
    for each in nets:
        for part in circuit.parts:
            if each not in part.nets.values():
                continue
            if part.reference.startswith("J"):
                reached |= {f"{part.reference}.{pin}" for pin, n in part.nets.items() if n == each}
            elif part.reference in {"R2", "U2"}:
                through = {"1": "2", "1A": "1Y"}
                nets += [part.nets[b] for a, b in through.items() if part.nets.get(a) == each]
    return reached


def test_every_pin_of_the_firmware_leads_where_its_cable_expects_it(printed):
    pico = placed(printed)["U1"]
    pins = {str(leg): name for leg, (name, _) in pico.component.pins.items()}
    data = BOARD.model_dump()
    wanted = {
        BOARD.leds.pins["data"]: "J1.LED",
        BOARD.reeds.pins["clock"]: "J1.CLOCK",
        BOARD.reeds.pins["data"]: "J1.DATA",
        BOARD.reeds.pins["load"]: "J1.LOAD",
        data["buttons"][1]["pin"]: "J2.1",
        data["buttons"][0]["pin"]: "J2.2",
        BOARD.buzzer.pin: "J3.1",
    }
    for gpio, end in wanted.items():
        assert leads_to(printed, pico.nets[pins[str(PICO.legs[gpio])]]) == {end}


def test_the_legs_that_are_joined_are_those_of_the_wiring(printed):
    pico = placed(printed)["U1"]
    joined = {int(leg) for leg, (name, _) in pico.component.pins.items() if name in pico.nets}
    (wired,) = (c for c in netlist(BOARD).components if c.part == "pico")
    by_hand = {pin.number for pin, net in wired.pins if net}
    assert joined == by_hand - {PICO.power["VBUS 5V"]}  # its own cable feeds it


def test_the_head_is_electrically_right(printed):
    assert faults(printed) == ()


def test_a_supply_that_is_turned_round_blows_the_fuse(printed):
    made = placed(printed)
    assert made["F1"].nets == {"1": "5V", "2": "SUPPLY"}
    assert made["D1"].nets == {"1": "5V", "2": "GND"}  # its cathode at 1
    assert [p.reference for p in printed.parts if "SUPPLY" in p.nets.values()] == ["F1", "J4"]


def test_its_plug_and_the_ranks_have_the_same_pins(printed):
    near = placed(rank(BOARD))["J1"]
    assert placed(printed)["J1"].component == near.component


SUPPLIES = {"5V", "3V3", "SUPPLY"}


def turned(part):
    """What meets what where a plug sits in its socket the other way round."""
    names = [name for name, _ in part.component.pins.values()]
    far = [part.nets.get(name, "") for name in names]
    return {(net, there) for net, there in zip(far, far[::-1], strict=True) if net and there != net}


def kills(part):
    return {(net, there) for net, there in turned(part) if SUPPLIES & {net, there} and there}


def test_what_a_turned_plug_joins_kills_nothing_but_where_none_can_be_turned(printed):
    made = placed(printed)
    by_plug = {name: kills(made[name]) for name in ("J1", "J2", "J3")}
    assert by_plug == {"J1": {("5V", "3V3"), ("3V3", "5V")}, "J2": set(), "J3": set()}
    assert made["J1"].component.order == "B7B-XH-A"  # its housing has a wall and two slots
    assert turned(made["J2"]) == {("BUTTON_2", "GND"), ("GND", "BUTTON_2")}
    # The Pico's far row begins where its near one ends: turned, ground meets ground.
    pins = {int(leg): name for leg, (name, _) in made["U1"].component.pins.items()}
    meets = {pins[leg]: made["U1"].nets.get(pins[(leg + 19) % 40 + 1], "") for leg in pins}
    for name in ("VBUS", "VSYS", "3V3"):
        assert not meets[name], name
    assert {net for name, net in meets.items() if name.startswith(("GND", "AGND"))} == {"GND"}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"leds": {"pins": {"data": 20}}}, r"leds.data: the head circuit leads GPIO 22 there"),
        ({"buzzer": {"pin": 20}}, r"buzzer: the head circuit leads GPIO 21"),
        ({"buttons": ({"name": "white", "pin": 11}, {"name": "black", "pin": 10})}, "buttons.0"),
        ({"reeds": {"kind": "mcp23017"}}, "has a 74hc165"),
    ],
)
def test_a_board_with_other_pins_has_no_head(changes, why):
    with pytest.raises(RankError, match=why):
        head(changed("printed", **changes))


@pytest.mark.kicad
def test_kicads_design_rule_check_finds_nothing_and_what_is_planted(printed, tmp_path):
    assert violations(printed, tmp_path) == ()
    cut = replace(printed, tracks=tuple(t for t in printed.tracks if t.net != "LOAD"))
    assert any("unconnected_items" in found for found in violations(cut, tmp_path))
    straight = replace(
        printed,
        tracks=tuple(replace(t, layer="F") if t.layer == "B" else t for t in printed.tracks),
    )
    assert any("[clearance]" in found for found in violations(straight, tmp_path))


@pytest.mark.kicad
def test_its_files_are_made(tmp_path):
    result = CliRunner().invoke(main, ["printed", "--circuit", "head", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "gerbers.zip").exists()


ON_HEAD = {
    "74ahct125": "U2",
    "capacitor-100n": "C1",
    "capacitor-1000u": "C2",
    "fuse": "F1",
    "pico": "U1",
    "resistor-10k": "R1",
    "resistor-100": "R2",
}


def test_the_list_of_the_whole_board_has_every_part_of_its_wiring(printed):
    listed = csv.DictReader(whole_board(BOARD).splitlines())
    many = {line["what"]: int(line["quantity"]) for line in listed}
    assert (many["reed 14 mm"], many["XH 7"], many["Pico"]) == (64, 17, 1)
    on_ranks = {"reed", "74hc165", "ws2812", "resistor-330"}
    for component in netlist(BOARD).components:
        part = component.part
        assert part in on_ranks | BESIDE or ON_HEAD[part] in placed(printed)
        if part in BESIDE:
            assert many[parts()[part].name] >= 1
    for name in ("Raspberry Pi", "Top plate", "Magnet, neodymium, disc", "T 2.5A"):
        assert many[name] >= 1
