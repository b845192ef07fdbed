"""A hint from a process of its own: asked for, given, and failing at the cost of the hint alone."""

import contextlib
import os
import signal
import sys

import pytest

import rules
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Call
from firmware_bridge.opponents import protocol
from firmware_bridge.service.adviser import Adviser, Care
from firmware_bridge.service.coaching import HintGiver
from firmware_bridge.service.seat_process import Opponent, lines
from tests.firmware_bridge.service.desk_help import desk_at, heard
from tests.patience import soon

WANTS_THE_IMPOSSIBLE = """import sys
for line in sys.stdin:
    said = {'uci': 'uciok', 'isready': 'readyok', 'go': 'bestmove e7e2'}.get(line.split()[0])
    if said: print(said, flush=True)
"""


class Started:
    """Starts processes and keeps what they were told."""

    def __init__(self, *commands):
        self.commands = list(commands)
        self.processes, self.told = [], []

    async def __call__(self, seating, told):
        command = self.commands.pop(0) if self.commands else (sys.executable, *protocol.COMMAND)
        self.told.append((seating, tuple(told)))
        self.processes.append(await Opponent.start(seating, told, command))
        return self.processes[-1]


@contextlib.asynccontextmanager
async def practised(folder, start, game="mockery"):
    wanted = Agreement(game, settings=GameSettings.of({"practice": True}), chosen=True)
    async with desk_at(folder, agreement=wanted) as hands:
        controller = hands.controller
        async with heard(controller, HintGiver(controller, start)):
            await hands.begin()
            yield hands, controller


async def ask(controller, side="white"):
    return await controller.submit(Call(controller.now(), "hint", side))


def news(controller):
    return {item.key for item in controller.hub.latest("public").sight.news}


async def test_it_knows_what_its_player_may_and_no_more(tmp_path):
    start = Started()
    async with practised(tmp_path, start, "indistinguishable") as (hands, controller):
        await hands.turn("e2e4")
        await ask(controller, "black")
        await soon(lambda: controller.view().hint)
        ((seating, told),) = start.told
        assert told == lines(controller.table.summary().briefing("black"))
        assert seating.analyses
        assert controller.view().hints == {"black": 1}


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP, None])
async def test_a_process_that_fails_costs_the_hint_and_nothing_else(tmp_path, sent):
    start = Started(*([] if sent else [(sys.executable, "-c", WANTS_THE_IMPOSSIBLE)]))
    async with practised(tmp_path, start) as (_, controller):
        if sent:
            await ask(controller)
            await soon(lambda: start.processes)
            os.kill(start.processes[0].pid, sent)
        else:
            await ask(controller)
        await soon(lambda: controller.view().hint or controller.view().advised)
        if controller.view().advised:
            assert "hint-none" in news(controller)
            assert controller.view().hints == {}
            await ask(controller)
            await soon(lambda: controller.view().hint)
        assert controller.view().hints == {"white": 1}


async def test_a_process_that_nobody_asks_any_more_is_ended_and_started_again_when_needed():
    start = Started()
    position = rules.load("mockery").start()
    told = (protocol.knows(position.knowledge("white")),)
    adviser = Adviser(Care(1, ceiling_s=5.0), start, idle_s=0.1)
    for number in (1, 2):
        await adviser.analyse(Agreement("mockery"), told, position)
        await soon(lambda: not is_alive(start.processes[-1]))
        assert len(start.processes) == number
    await adviser.close()


def is_alive(opponent):
    with contextlib.suppress(ProcessLookupError):
        os.kill(opponent.pid, 0)
        return True
    return False
