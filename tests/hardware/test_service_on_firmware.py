"""The whole way: hands on emulated reeds, the real firmware, the cable, the service, and back."""

import re
import time
from contextlib import contextmanager

import httpx
import pytest

from tests.commands import running
from tests.hardware.micropython_package import needs_micropython
from tests.hardware.pico import Pico
from tests.patience import PATIENCE, until

pytestmark = [pytest.mark.node, needs_micropython]

CONFIGURATION = """
data = "{folder}/data"
[board]
driver = "serial"
description = "starter"
[board.settings]
port = "{port}"
[game]
id = "mockery"
settings = {{ press = true }}
[pages]
port = 0
[sound]
speech = false
"""


class Player:
    """Hands at the board, and eyes on its lights and on the display."""

    def __init__(self, pico, display):
        self.pico = pico
        self.display = display

    def press(self, name, felt):
        """Hold a button down until this shows that it was felt."""
        self.pico.press(name)
        until(felt)
        self.pico.press(name, down=False)

    def move(self, start, end):
        self.pico.lift(start)
        time.sleep(0.2)
        self.pico.put(end)

    def tones(self):
        return self.pico.bench("bench.tones")

    def shown(self):
        return httpx.get(f"{self.display}api/v1/state", timeout=PATIENCE).json()


@contextmanager
def playing(folder):
    pico = Pico(folder, "starter")
    pico.plug()
    for cell in (f"{file}{rank}" for file in "abcdefgh" for rank in "1278"):
        pico.put(cell)
    file = folder / "config.toml"
    file.write_text(CONFIGURATION.format(folder=folder, port=pico.port))
    log = folder / "log"
    try:
        with running("run", "--config", str(file), output=log) as service:
            until(lambda: "http" in log.read_text() or service.poll() is not None)
            player = Player(pico, re.search(r"http://\S+", log.read_text()).group())
            until(lambda: "is connected" in log.read_text() and not player.shown()["link"])
            yield player
    finally:
        pico.unplug()


def test_a_turn_and_an_illegal_attempt_on_a_real_firmware(tmp_path):
    with playing(tmp_path) as player:
        # Black's button starts White's clock, as on any chess clock.
        player.press("black", lambda: player.shown()["phase"] == "playing")
        player.move("e2", "e4")
        until(lambda: player.shown()["lights"].get("e4") == "press-clock")
        player.press("white", lambda: player.shown()["headline"] == "Black to move.")
        until(lambda: player.tones() == [1760])  # accepted
        player.move("d8", "d5")
        until(lambda: player.shown()["lights"].get("d5") == "must-go-back")
        until(lambda: player.tones() == [1760, 330, 262])  # illegal
        red = {player.pico.description.led_positions[player.pico.number("d5")]}
        until(lambda: red <= set(player.pico.bench("list(bench.leds.lit())")))
        player.move("d5", "d8")
        until(lambda: "d5" not in player.shown()["lights"])
