"""No part passes for another: whatever is changed in the catalogue is no longer what is needed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import load_description
from hardware.tools.bill import bill
from hardware.tools.catalogue import builds, parts
from hardware.tools.needs import lacking, needs, unmet
from hardware.tools.order_numbers import in_words, known
from hardware.tools.said import figures, uncovered

KEYS = ("typical", "most", "start", "ohm", "coil")


def refused(part, **changes):
    return list(unmet(part.model_copy(update=changes), needs()[part.id]))


def test_every_part_is_what_is_needed():
    assert parts().keys() == needs().keys()
    assert [said for part in parts().values() for said in unmet(part, needs()[part.id])] == []


@pytest.mark.parametrize("name", parts())
def test_no_other_parts_order_passes_for_a_part(name):
    part = parts()[name]
    for other in parts().values():
        for order in set(other.orders) - set(part.orders):
            assert refused(part, orders=(order, part.orders[1])), order
            assert refused(part, orders=(part.orders[0], order)), order


@pytest.mark.parametrize("name", parts())
def test_no_other_parts_words_pass_for_a_part(name):
    part = parts()[name]
    for other in parts().values():
        if other != part:
            assert refused(part, name=other.name, spec=other.spec), other.id


@pytest.mark.parametrize("factor", [0.4, 1.5, 10])
@pytest.mark.parametrize("name", parts())
def test_any_other_figure_is_refused(name, factor):
    """In name, specification or order; figures that say a bound alone may be wider."""
    part = parts()[name]
    for key in ("name", "spec", 0, 1):
        text = part.orders[key] if isinstance(key, int) else getattr(part, key)
        for figure in figures(text):
            if re.search(r"\d(?: to |-)\d|or more|at most", figure.words) or part.size:
                continue
            number = re.search(r"\d+(\.\d+)?", figure.words)[0]
            other = figure.words.replace(number, f"{float(number) * factor:.6g}", 1)
            changed = text.replace(figure.words, other, 1)
            said = figures(f"{part.name}; {part.spec}")
            if isinstance(key, int) and not uncovered(figures(other), said):
                continue  # a larger card is one of "16 GB or more"
            if isinstance(key, int):
                orders = [*part.orders]
                orders[key] = changed
                assert refused(part, orders=tuple(orders)), changed
            else:
                assert refused(part, **{key: changed}), changed


@pytest.mark.parametrize("factor", [0.04, 25])
@pytest.mark.parametrize("name", parts())
def test_any_other_number_is_refused(name, factor):
    part = parts()[name]
    for key in KEYS:
        if value := getattr(part, key):
            assert refused(part, **{key: value * factor}), key
    for pin, given_there in part.gives.items():
        for key in ("volts", "most"):
            value = getattr(given_there, key) * factor
            other = given_there.model_copy(update={key: value})
            assert refused(part, gives=part.gives | {pin: other}), key


@pytest.mark.parametrize("name", builds())
def test_a_list_that_lacks_what_a_part_needs_beside_it_says_so(name):
    build = builds()[name]
    bought = {line.part.id: line.quantity for line in bill(load_description(name), build)}
    bought |= dict.fromkeys(build.at_hand, 1)
    assert list(lacking(bought)) == []
    wanted = {other for part in bought for other in needs()[part].beside}
    assert wanted
    for other in wanted:
        rest = {part: count for part, count in bought.items() if part != other}
        assert any(other in said for said in lacking(rest)), other


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("Yageo MFR-25FBF52-330R", "330 Ohm"),
        ("Vishay MBB02070C2702FCT00", "27000 Ohm"),
        ("Kemet C320C104K5R5TA", "ceramic, 100 nF"),
        ("Panasonic ECA-1AM102", "1000 uF, 10 V"),
        ("Nichicon UVR0G100MDD", "10 uF, 4 V"),
        ("Mill-Max 110-43-624-41-001000", "DIP-24, 15.24 mm"),
        ("Mean Well GST12E05-P1J", "5 V, 2 A"),
        ("Mean Well GST25E12-P1J", "12 V"),
        ("Pololu D36V28F5", "to 5 V"),
        ("Littelfuse 0217002.5MXP (holder apart)", "quick, 2.5 A"),
        ("Texas Instruments SN74HC165D", "74HC165, soldered flat"),
        ("Texas Instruments CD74HC154E", "wide"),
        ("Microchip MCP23S17-E/SP", "MCP23S17"),
        ("Analog Devices MAX7219CWG+", "MAX7219, soldered flat"),
        ("Standex-Meder KSK-1A66-2030", "20 to 30 AT"),
        ("by name: felt, 1 mm", "felt, 1 mm"),
    ],
)
def test_a_number_is_read_as_its_maker_writes_it(order, words):
    assert words in in_words(order)


def test_a_number_that_nobody_knows_is_refused():
    part = parts()["button"]
    assert in_words("Adafruit 99999") is None
    assert any("Adafruit 99999" in one for one in
               refused(part, orders=("Adafruit 99999", part.orders[1])))  # fmt: skip


def test_every_number_that_is_listed_is_ordered():
    ordered = {order.split(" (")[0].split(", ")[0] for part in parts().values()
               for order in part.orders}  # fmt: skip
    assert set(known()) <= ordered


@given(st.integers(1, 999), st.integers(1, 999))
def test_a_figure_covers_what_it_allows_and_nothing_else(one, other):
    low, high = sorted((one, other))
    (band,) = figures(f"{low} to {high} Ohm")
    assert not uncovered(figures(f"{low} Ohm, {high} Ohm"), [band])
    assert uncovered(figures(f"{high + 1} Ohm"), [band])
    assert not uncovered(figures(f"{high + 1} Ohm"), figures(f"{low} Ohm or more"))
    assert not uncovered(figures(f"{low} kOhm"), figures(f"{low * 1000} Ohm"))
    assert uncovered(figures(f"{low} mm"), figures(f"{low} x {low} mm"))
