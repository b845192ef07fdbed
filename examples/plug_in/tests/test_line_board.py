"""The line board on the conformance suite: real bytes over a pseudo-terminal, buttons too."""

from contextlib import asynccontextmanager

from line_device import LineDevice
from plug_in_example.line_board import BOARD_FILE, line_board

from drivers.description import load_description
from drivers.testing import ConformanceSuite, DeviceBench


class TestLineBoard(ConformanceSuite):
    def reading(self, tag):
        return True

    @asynccontextmanager
    async def bench(self, tmp_path, start, hands):
        port = tmp_path / "port"
        device = LineDevice(port, start)
        async with device, line_board(load_description(BOARD_FILE), str(port)) as driver:
            yield DeviceBench(driver, device, hands)
