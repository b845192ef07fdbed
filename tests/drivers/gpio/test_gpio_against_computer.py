"""Hands carry out what a computer plays on a board that hangs on the Pi's own header."""

from drivers.gpio_board.driver import gpio_board
from tests.drivers.commercial.test_commercial_against_computer import play_the_computer
from tests.drivers.commercial.test_commercial_games import STARTING
from tests.drivers.gpio.pi import Pi, on_header
from tests.drivers.gpio.test_gpio_board import MAX7219, PiBench


class Contacts:
    """The contacts below the pieces, which feel that something stands there."""

    def __init__(self, pi, driver):
        self.pi, self.bench = pi, PiBench(driver, pi, ())

    def put(self, cell, label):
        if label is None:
            self.pi.lift(cell)
        else:
            self.pi.put(cell)

    async def noticed(self):
        await self.bench.scanned()


async def test_a_computer_is_played_on_the_header(monkeypatch):
    pi = Pi(monkeypatch, on_header(leds=MAX7219))
    for cell in STARTING:
        pi.put(cell)
    async with gpio_board(pi.description) as driver:
        await play_the_computer(driver, Contacts(pi, driver))
        assert not pi.lit()
