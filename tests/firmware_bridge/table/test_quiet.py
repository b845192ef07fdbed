"""A quiet game says less, and never leaves somebody who pressed or answered without a word."""

import pytest

from tests.firmware_bridge.table.driving import Driven


@pytest.mark.parametrize(
    ("game", "lifted", "told"),
    [
        ("chess", None, "nothing-moved"),
        ("chess", "d2", "want-board-right"),
        ("indistinguishable", None, "nothing-moved"),
        ("indistinguishable", "d2", "set-down-again"),
    ],
)
def test_a_press_that_ends_no_turn_is_answered(game, lifted, told):
    said = []
    for quiet in (False, True):
        driven = Driven(game, tier="occupancy", settings={"time": "5m", "quiet": quiet})
        driven.play("e2e4", "e7e5")
        if lifted:
            driven.cell(lifted, None)
        driven.press("white")
        driven.wait(2)
        said.append(driven.said[-1])
    assert said == [told, told]
