"""Mistakes that people make in a board's description, put into every board there is.

Each has to be refused in words before anything is soldered; the boards themselves are right.
"""

import re
from functools import cache

import pytest

from drivers.description import load_description
from tests.hardware.test_claims import refused
from tests.hardware.test_netlist import BOARDS, MATRIX

PARTS = ("reeds", "tags", "leds")

described_once = cache(load_description)


def data(board):
    return described_once(board).model_dump()


def sections(board):
    described = data(board)
    return [name for name in PARTS if described[name]]


def with_pins(board, section, pins):
    described = data(board)
    described[section]["pins"] = pins
    return described


def pin_mistakes():
    for board in BOARDS:
        for section in sections(board):
            pins = data(board)[section]["pins"]
            for name, gpio in pins.items():
                rest = {other: at for other, at in pins.items() if other != name}
                if (section, name) != ("tags", "reset"):  # a board may tie it high
                    yield f"{board} {section}: {name} left out", with_pins(board, section, rest)
                misspelt = rest | {f"{name}x": gpio}
                yield f"{board} {section}: {name} misspelt", with_pins(board, section, misspelt)
                yield (
                    f"{board} {section}: {name} on no leg",
                    with_pins(board, section, pins | {name: 29}),
                )
                taken = data(board)["buttons"][0]["pin"]
                yield (
                    f"{board} {section}: {name} where a button is",
                    with_pins(board, section, pins | {name: taken}),
                )


def panel_mistakes():
    for board in BOARDS:
        described = data(board)
        for number, button in enumerate(described["buttons"]):
            others = [each for at, each in enumerate(described["buttons"]) if at != number]
            for what, pin in (("no pin", None), ("a negative pin", -1), ("pin 30", 30)):
                wrong = [*others, button | {"pin": pin}]
                yield f"{board}: button with {what}", data(board) | {"buttons": wrong}
            twice = [*described["buttons"], button]
            yield f"{board}: button {button['name']} twice", data(board) | {"buttons": twice}
        yield f"{board}: buzzer without a pin", data(board) | {"buzzer": {"pin": None}}
        button = described["buttons"][0]["pin"]
        yield f"{board}: buzzer at a button", data(board) | {"buzzer": {"pin": button}}
    for gpio in (0, 1, 7, 14, 15):
        described = data("starter-header")
        described["buttons"][0]["pin"] = gpio
        yield f"header: button at the kernel's GPIO {gpio}", described


def matrix(**changes):
    described = data("starter")
    described["reeds"] = MATRIX | changes
    described["leds"] = None
    described["buttons"] = [{"name": "white", "pin": 26}, {"name": "black", "pin": 27}]
    described["buzzer"] = None
    return described


def wiring_mistakes():
    for missing in range(8):
        pins = {name: gpio for name, gpio in MATRIX["pins"].items() if name != f"row{missing}"}
        yield f"matrix without row {missing}", matrix(pins=pins)
        moved = pins | {f"row{8 + missing}": missing}
        yield f"matrix with a gap at row {missing}", matrix(pins=moved)
    yield "matrix with a row too many", matrix(pins=MATRIX["pins"] | {"row8": 8})
    crowd = data("full")["tags"]["pins"] | {"address7": 3}
    yield "full: an address pin too many", with_pins("full", "tags", crowd)
    yield "matrix scanned too often", matrix(scan_hz=5000)
    yield "matrix whose columns run over a row", matrix(pins=MATRIX["pins"] | {"column0": 4})
    for board, gpio in (("full", 23), ("full", 24), ("kiosk", 25)):
        yield f"{board}: lights on an inner pin", with_pins(board, "leds", {"data": gpio})
    for gpio in (12, 18, 21, 4):
        described = with_pins("starter-header", "leds", {"data": gpio})
        described["leds"] |= {"driver": "ws2812", "colours": "rgb", "limit_ma": 500}
        yield f"header: WS2812 at GPIO {gpio}", described
    crossed = {"clock": 11, "data": 19, "load": 25}
    yield "header: one part at two buses", with_pins("starter-header", "reeds", crossed)


def number_mistakes():
    for board in BOARDS:
        for hz in (601, 1000, 5000, 10, 0):
            described = data(board)
            described["reeds"]["scan_hz"] = hz
            yield f"{board}: {hz} samples a second", described
        for sizes in (
            {"magnet_mm": 4},
            {"magnet_mm": 5},
            {"magnet_height_mm": 0.5},
            {"magnet_mm": 20, "magnet_height_mm": 5},
            {"cell_mm": 30, "disc_mm": 25},
            {"top_mm": 20},
            {"reed_mm": 28},
            {"reed_offset_mm": 19},
        ):
            mechanics = data(board)["mechanics"] | sizes
            yield f"{board}: {sizes}", data(board) | {"mechanics": mechanics}
    for board in ("full", "kiosk"):
        for board_mm in ((60, 40), (40, 60), (51, 117), (48, 48), (57.15, 25.4)):
            mechanics = data(board)["mechanics"] | {"reader_mm": board_mm}
            yield f"{board}: readers of {board_mm} mm", data(board) | {"mechanics": mechanics}
        for cell in (30, 35, 40, 44):
            mechanics = data(board)["mechanics"] | {"cell_mm": cell, "disc_mm": 25}
            yield f"{board}: cells of {cell} mm", data(board) | {"mechanics": mechanics}
        for count in (1, 64, 79, 93, 112):
            described = data(board)
            described["tags"]["count"] = count
            yield f"{board}: {count} readers", described
        for changes in ({"limit_ma": 0}, {"limit_ma": 2000, "brightness": 1.0}, {"per_cell": 8}):
            described = data(board)
            described["leds"] |= {"brightness": 0.6} | changes
            if changes != {"per_cell": 8}:
                yield f"{board}: lights {changes}", described


@pytest.mark.parametrize(
    "mistakes", [pin_mistakes, panel_mistakes, wiring_mistakes, number_mistakes]
)
def test_every_mistake_is_refused_in_words(mistakes):
    made = dict(mistakes())
    assert len(made) > 20
    for name, mistaken in made.items():
        assert re.search(r"\w+ \w+", "\n".join(refused(mistaken))), name


def test_a_matrix_without_a_mistake_is_not_refused():
    assert not refused(matrix())
