"""A conversation at a board ends where the board's driver has ended."""

import os
from pathlib import Path

import pytest

from drivers.description import load_description
from drivers.port import DriverError
from firmware_bridge.calibration.dialogue import converse
from firmware_bridge.calibration.procedure import Procedure
from firmware_bridge.calibration.stages import Bench
from tests.patience import in_time

STARTER = load_description("starter")


@pytest.fixture(autouse=True)
def _nobody_types(monkeypatch):
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        yield


class Ending(Bench):
    """A driver that ends by itself."""

    async def events(self):
        async for event in super().events():
            yield event
            return


async def test_a_driver_that_tells_nothing_any_more_is_not_waited_for():
    walk = Procedure(STARTER, parts=("cells",))
    with pytest.raises(DriverError, match="nothing any more"):
        await in_time(converse(Ending(STARTER), walk, lambda: None))
    assert walk.asks, "it was not answered"
