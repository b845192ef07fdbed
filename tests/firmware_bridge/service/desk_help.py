"""A controller on which tests play, with a clock of their own and a real journal."""

import contextlib
import itertools

from drivers.beside import kept_up
from drivers.description import load_description
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Tick
from firmware_bridge.reconciler import Sensing
from firmware_bridge.service.controller import Controller
from firmware_bridge.table.computer_turns import STILL
from tests.running import running

BOARD = load_description("starter")
CONTACTS = Sensing("occupancy", {}, frozenset(BOARD.cells))
START = {f"{file}{rank}": True for file in "abcdefgh" for rank in (1, 2, 7, 8)}


class Hands:
    """Moves pieces and presses buttons at the controller; time passes only here."""

    def __init__(self, journal, sensing=CONTACTS, board=BOARD):
        self.t = 100.0
        self.controller = Controller(journal, sensing, board, lambda: self.t)

    async def feel(self, cell, reading):
        self.t += 0.1
        await self.controller.submit(CellEvent(self.t, cell, reading))

    async def move(self, text):
        await self.feel(text[:2], None)
        await self.feel(text[2:], True)

    async def press(self, side):
        self.t += 0.1
        await self.controller.submit(ButtonEvent(self.t, side))

    async def turn(self, text, side="white"):
        """Make a turn of one movement, and press a side's clock."""
        await self.move(text)
        await self.press(side)

    async def wait(self, seconds):
        self.t += seconds
        await self.controller.submit(Tick(self.t))

    async def carry_out(self):
        """Make what a computer plays as it is shown; return the cells that changed by it."""
        standing = set(self.controller.table.reconciler.standing)
        while self.controller.view().phase == "executing":
            for step in self.controller.view().judged.restore[:1]:
                if step.source:
                    await self.feel(step.source, None)
                if step.target:
                    await self.feel(step.target, True)
            self.t += STILL
            await self.controller.submit(Tick(self.t))
        return standing ^ set(self.controller.table.reconciler.standing)

    def news(self):
        return self.controller.hub.latest("public").sight.news

    def said(self):
        """The keys of what pages go on announcing, the latest first."""
        return [item.key for item in self.news()]

    async def set_up(self):
        self.t += 0.1
        await self.controller.submit(Snapshot(self.t, START))

    async def begin(self, *turns):
        """Set the pieces up, start White's clock, and make the first turns."""
        await self.set_up()
        await self.press("black")
        for side, turn in zip(itertools.cycle(("white", "black")), turns, strict=False):
            await self.turn(turn, side)


@contextlib.asynccontextmanager
async def desk_at(folder, game="reversi", *, kept=False, hands=Hands, agreement=None, **settings):
    """Open a controller on the journal in a folder, kept up or not; give its hands."""
    journal = Journal(folder)
    hands = hands(journal)
    wanted = agreement or Agreement(game, settings=GameSettings.of(settings))
    await hands.controller.open(wanted)
    with contextlib.closing(journal):
        run = hands.controller.run
        async with running(kept_up(run, "controller") if kept else run()):
            yield hands


def heard(controller, service):
    """Run a service beside a controller, of which it hears."""
    controller.listeners.append(service.hear)
    return running(service.run())
