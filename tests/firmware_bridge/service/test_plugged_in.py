"""Indicators of other packages get the newest moment, and whatever they do the game goes on."""

import asyncio

import pytest

from drivers import beside
from drivers.port import DriverError
from firmware_bridge import indicators
from firmware_bridge.indicators import Indicator
from firmware_bridge.service.indicator_runner import IndicatorRunner
from tests.firmware_bridge.service.desk_help import desk_at
from tests.patience import soon
from tests.running import running


class Noted(Indicator):
    """Notes what it is shown; breaks as often as it is told to, and waits while it is held."""

    def __init__(self, breaks=0):
        self.moments, self.opened, self.closed, self.breaks = [], 0, 0, breaks
        self.free = asyncio.Event()
        self.free.set()

    async def __aenter__(self):
        self.opened += 1
        return self

    async def __aexit__(self, *exc):
        self.closed += 1

    async def show(self, moment):
        if self.breaks:
            self.breaks -= 1
            raise KeyError("the flag is stuck")
        self.moments.append(moment)
        await self.free.wait()


def supplied(name, indicator, controller):
    supply = IndicatorRunner(name, indicator, controller)
    controller.listeners.append(supply.hear)
    return running(beside.kept_up(supply.run, f"indicator {name}"))


async def test_it_gets_the_view_the_lights_and_each_sentence_once(tmp_path):
    noted = Noted()
    async with desk_at(tmp_path, time="5m", language="de") as hands:
        async with supplied("noted", noted, hands.controller):
            await hands.begin()
            await hands.move("e2e4")
            await soon(lambda: noted.moments and noted.moments[-1].lights.get("e4"))
            await hands.press("white")
            await soon(lambda: noted.moments[-1].view.to_act == "black")
        said = [sentence for moment in noted.moments for sentence in moment.said]
        assert said == list(dict.fromkeys(said))
        assert any("am Zug" in sentence or "Weiß" in sentence for sentence in said)
        assert noted.closed == 1


async def test_while_it_is_busy_the_game_goes_on_and_it_gets_the_newest_next(tmp_path):
    noted = Noted()
    async with (
        desk_at(tmp_path) as hands,
        supplied("noted", noted, hands.controller),
    ):
        await soon(lambda: noted.moments)
        noted.free.clear()
        await hands.set_up()
        await soon(lambda: noted.moments[-1].view.phase == "ready")
        before = len(noted.moments)
        await hands.press("black")
        await hands.turn("e2e4")
        assert len(noted.moments) == before
        noted.free.set()
        await soon(lambda: noted.moments[-1].view.to_act == "black")
        assert len(noted.moments) <= before + 2


async def test_one_that_breaks_is_closed_and_tried_again(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(beside, "FIRST_PAUSE", 0.0)
    noted = Noted(breaks=3)
    async with (
        desk_at(tmp_path) as hands,
        supplied("flag", noted, hands.controller),
    ):
        await soon(lambda: noted.moments)
    assert noted.opened == noted.closed == 4
    assert "indicator flag has failed and goes on: KeyError" in caplog.text


def test_one_that_is_not_installed_is_named_with_those_that_are():
    with pytest.raises(DriverError, match='There is no indicator "flag"'):
        indicators.create("flag", {})
