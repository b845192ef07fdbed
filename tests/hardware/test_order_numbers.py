"""Makers' order numbers say values; what is ordered is what is meant, on circuits too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import load_description
from hardware.tools.catalogue import parts
from hardware.tools.order_numbers import differences, figures
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import rank

WORDS = {"10k": "10 kOhm", "330R": "330 Ohm", "100R": "100 Ohm", "100n": "100 nF"}
WORDS |= {"10u 16V": "10 uF", "1000u 10V": "1000 uF, 10 V", "T 2.5A": "2.5 A"}


@pytest.mark.parametrize(
    ("order", "unit", "value"),
    [
        ("RC0805FR-073K3L", "Ohm", 3300),
        ("MFR-25FBF52-330R", "Ohm", 330),
        ("Vishay MBB02070C2702FCT00", "Ohm", 27_000),
        ("Kemet C320C104K5R5TA", "F", 100e-9),
        ("CL31A106KOHNNNE", "F", 10e-6),
        ("Panasonic ECA-1AM102", "F", 1000e-6),
        ("Panasonic ECA-1AM102", "V", 10),
        ("Nichicon UVR1H100MDD", "F", 10e-6),
        ("Mill-Max 110-43-324-41-001000", "legs", 24),
        ("Mean Well GST25E05-P1J", "V", 5),
        ("Pololu D36V28F3", "V", 3.3),
        ("Littelfuse 021802.5MXP", "A", 2.5),
        ("Step-down module 5 V to 3.3 V, 3 A", "V", 3.3),
    ],
)
def test_a_number_is_read_as_its_maker_writes_it(order, unit, value):
    assert figures(order)[unit] == pytest.approx(value)


def test_most_orders_that_are_numbers_say_something():
    read = [bool(figures(order)) for part in parts().values() for order in part.orders
            if part.id.startswith(("resistor", "capacitor", "socket", "fuse"))]  # fmt: skip
    assert sum(read) >= 0.9 * len(read)


@pytest.mark.parametrize("draw", [rank, head])
def test_what_is_ordered_for_a_circuit_has_the_value_that_is_printed_on_it(draw):
    checked = 0
    for part in draw(load_description("printed")).parts:
        words = WORDS.get(part.component.value)
        if words and part.component.order:
            assert not [*differences(words, part.component.order)]
            assert figures(part.component.order), part.component.order
            checked += 1
    assert checked


@given(st.integers(10, 99), st.integers(0, 4))
def test_any_other_value_is_noticed(digits, zeros):
    meant = float(f"{digits}e{zeros}")
    words = f"{meant:g} Ohm" if meant < 1000 else f"{meant / 1000:.6g} kOhm"
    right = f"MBB02070C{digits}0{zeros - 1}FCT00" if zeros else None
    if right:
        assert not [*differences(words, right)]
    wrong = f"MBB02070C{digits}0{zeros + 1}FCT00"
    assert [*differences(words, wrong)] == ["Ohm"]
