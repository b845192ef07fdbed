"""What discs of poker chips cost follows from the parts list."""

import re
import tomllib
from pathlib import Path

import pytest

HARDWARE = Path(__file__).parents[2] / "hardware"
PARTS = tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))
PAGE = (HARDWARE / "pieces.md").read_text(encoding="utf-8")
ROW = r"^\| \d+ ([a-z ]+?)(?: \(.*\))? \| ([\d.]+) to ([\d.]+) \| (\d+) to (\d+) \|$"
ROWS = {name: [*map(float, prices)] for name, *prices in re.findall(ROW, PAGE, re.MULTILINE)}


@pytest.mark.parametrize(
    ("row", "part", "count"),
    [("magnets", "magnet", 20), ("tags made for metal", "tag", 40), ("rounds of foil", "foil", 40)],
)
def test_each_row_has_the_price_of_the_parts_list(row, part, count):
    least, most = PARTS[part]["price"]
    assert ROWS[row] == pytest.approx([least, most, count * least, count * most])


def test_the_sum_is_that_of_the_rows():
    least, most = (sum(prices[column] for prices in ROWS.values()) for column in (2, 3))
    assert len(ROWS) == 4
    assert f"**{least:.0f} to {most:.0f}**" in PAGE
