"""Mistakes with pins, at every pin of every board there is: each has to be refused in words.

Before anything is soldered; the boards themselves are right. Other mistakes: `test_claims.py`.
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


def matrix(**changes):
    described = data("starter")
    described["reeds"] = MATRIX | changes
    described["leds"] = None
    described["buttons"] = [{"name": "white", "pin": 26}, {"name": "black", "pin": 27}]
    described["buzzer"] = None
    return described


def matrix_mistakes():
    for missing in range(8):
        pins = {name: gpio for name, gpio in MATRIX["pins"].items() if name != f"row{missing}"}
        yield f"matrix without row {missing}", matrix(pins=pins)
        moved = pins | {f"row{8 + missing}": missing}
        yield f"matrix with a gap at row {missing}", matrix(pins=moved)
    yield "matrix with a row too many", matrix(pins=MATRIX["pins"] | {"row8": 8})
    yield "matrix scanned too often", matrix(scan_hz=601)
    yield "matrix whose columns run over a row", matrix(pins=MATRIX["pins"] | {"column0": 4})


@pytest.mark.parametrize("mistakes", [pin_mistakes, matrix_mistakes])
def test_every_mistake_is_refused_in_words(mistakes):
    made = dict(mistakes())
    assert len(made) > 18
    for name, mistaken in made.items():
        assert re.search(r"\w+ \w+", "\n".join(refused(mistaken))), name


def test_a_matrix_without_a_mistake_is_not_refused():
    assert not refused(matrix())
