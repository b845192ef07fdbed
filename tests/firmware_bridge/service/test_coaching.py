"""What a turn costs is found out by a process of its own while the turn stands on the board."""

import contextlib
import sys

import pytest

from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.service.coaching import CoachingService
from firmware_bridge.service.seat_process import Opponent
from tests.firmware_bridge.service.desk_help import desk_at, heard
from tests.patience import soon


@contextlib.asynccontextmanager
async def coached(folder, start=Opponent.start):
    settings = GameSettings.of({"coach": True, "practice": True})
    wanted = Agreement("reversi", settings=settings, chosen=True)
    async with desk_at(folder, agreement=wanted) as hands:
        controller = hands.controller
        async with heard(controller, CoachingService(controller, start)):
            await hands.begin()
            yield hands, controller


def known(controller):
    """Whether it has been found out what the turn that stands on the board costs."""
    return lambda: controller.table.considered is None


async def play(hands, controller, text, side):
    await hands.move(text)
    await soon(known(controller))
    await hands.press(side)


async def test_a_queen_that_is_given_away_is_named_and_a_good_turn_is_not(tmp_path):
    async with coached(tmp_path) as (hands, controller):
        await play(hands, controller, "e2e4", "white")
        await play(hands, controller, "d7d6", "black")
        assert len(controller.table.state.played) == 2
        await play(hands, controller, "d1g4", "white")
        assert len(controller.table.state.played) == 2
        doubt = controller.view().doubt
        assert (doubt.key, dict(doubt.words)) == ("coach-piece", {"piece": "the-Q"})
        await hands.press("white")
        assert len(controller.table.state.played) == 3


@pytest.mark.parametrize("command", [(sys.executable, "-c", ""), ("/no/such/program",)])
async def test_a_process_that_fails_costs_the_question_alone(tmp_path, command):
    async def start(seating, told):
        return await Opponent.start(seating, told, command)

    async with coached(tmp_path, start) as (hands, controller):
        await play(hands, controller, "e2e4", "white")
        assert len(controller.table.state.played) == 1
