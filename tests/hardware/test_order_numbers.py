"""What is ordered for a printed circuit has the value that is printed on it."""

import pytest

from drivers.description import load_description
from hardware.tools.order_numbers import in_words
from hardware.tools.pcb.head import head
from hardware.tools.pcb.rank import rank
from hardware.tools.said import figures, uncovered

WORDS = {"10k": "10 kOhm", "330R": "330 Ohm", "100R": "100 Ohm", "100n": "100 nF"}
WORDS |= {"10u 16V": "10 uF", "1000u 10V": "1000 uF, 10 V", "T 2.5A": "2.5 A"}


@pytest.mark.parametrize("draw", [rank, head])
def test_what_is_ordered_for_a_circuit_has_the_value_that_is_printed_on_it(draw):
    checked = 0
    for part in draw(load_description("printed")).parts:
        words = WORDS.get(part.component.value)
        if words and part.component.order:
            number = f"{part.component.maker} {part.component.order}".strip()
            told = figures(in_words(number) or "")
            assert told, number
            same = {figure.unit for figure in told}
            assert not uncovered([f for f in figures(words) if f.unit in same], told)
            checked += 1
    assert checked
