"""What people do at the board on an evening, and what they find there."""

import asyncio
import signal
from dataclasses import replace
from itertools import islice
from random import Random

from drivers.beside import FIRST_PAUSE
from drivers.port import CellEvent
from firmware_bridge.bench.games import by_hands_alone
from firmware_bridge.messages import Answer, Call
from firmware_bridge.simulation import play
from firmware_bridge.simulation.script import Script
from rules.values import SIDES
from tests.evenings.faults import FATAL

GOES_ON_WITHIN = 40.0
"""Seconds after the last fault: the longest pause of a broker, the board's greeting, and a turn or
a letter."""
LASTS = 6.0, 6.0, 60.0
"""Seconds for which a fault lasts at most: now and then for longer than two hosts wait."""
BEGUN = {"playing", "paused", "executing"}
"""Phases in which a game has begun."""
HALTED = {"paused", "storage-failed"}
"""Phases that end before hands go on."""
ASTRAY, MOST_STEPS = 0.2, 60
"""How often hands do something else than what is shown, and after how many they give up."""
NAMED = 0.1
"""How often somebody names a turn on a phone that nobody has asked about."""
MOVING = 0.3
"""On how many evenings White's first move begins the game."""


class People:
    """Hands at the board of an evening.

    Attributes:
        patience: seconds within which it goes on once nothing is wrong any more.
    """

    patience = GOES_ON_WITHIN

    async def hands(self):
        if self.over_before():
            self.over = True
            return
        await self.until(lambda view: view.phase != "waiting")
        await self.begin()
        if not self.stands_right():  # a take-back was cut off, and hands press before they go back
            for _ in range(self.dice.randrange(4)):
                self.press(self.position.side)
                await asyncio.sleep(1.0)
        await self.lay(self.position.placement)
        self.open = self.held()
        while len(self.taken) < self.turns and self.position.outcome is None:
            while self.plan and self.plan[0][0] == len(self.taken):
                self.happened.append(self.plan.pop(0))
                if await self.befall(self.happened[-1][1]):
                    return
            while self.doings and self.doings[0][0] == len(self.taken):
                self.happened.append(self.doings.pop(0))
                if await self.do(self.happened[-1][1]):
                    return
            if self.position.side in self.computers:
                await self.carry_out()
            else:
                await self.make_turn()
            await self.until(lambda view: self.far.turns == len(view.course.turns))
        self.over = True

    async def begin(self):
        """See that the game has begun, and what it began with."""
        if self.view.phase == "ready" and not self.begins_by_moving:
            await self.until(lambda view: view.phase in BEGUN, self.press_black)
        self.name = self.service.controller.game_id
        if not self.taken:  # what is below a computer's pieces it decides itself
            state = self.service.controller.table.state
            self.position = state.played[0].before if state.played else state.position

    @property
    def begins_by_moving(self):
        """Whether White's first move begins the game, and no press before it."""
        return "white" not in self.computers and Random(f"begins {self.seed}").random() < MOVING

    def over_before(self):
        """Return whether a computer has ended the game before hands could carry its turn out."""
        if self.name is None or self.name == self.service.controller.game_id:
            return False
        records = self.service._journal.read(self.name)
        turns = [record.data["turn"] for record in records if record.kind == "taken"]
        for turn in turns[self.recorded + len(self.taken) + self.undone :]:
            self.position = self.position.play(self.position.parse_turn(turn))
        assert self.position.outcome is not None, "another game has begun before the end"
        return True

    async def press_black(self):
        self.press("black")

    async def until(self, condition, again=None):
        end = self.loop.time() + self.patience
        while not condition(self.view):
            assert self.loop.time() < end, (
                f"it does not go on: {self.view.phase}, {self.service.controller.link}, "
                f"{[news.key for news in self.service.controller.hub.latest('public').sight.news]}"
            )
            if again:
                await again()
            await asyncio.sleep(0.5)
            self.check()

    async def make_turn(self):
        """Make a legal turn, press, and see that it is taken."""
        await self.until(self.plays, self.settle)
        some = list(islice(self.position.turns(), 40))
        turns = [
            turn
            for turn in some
            if turn.plain and self.position.deed(turn).physical
            # Without a press the rook of a castling may be taken for a turn, and amended.
            if self.timed or len(self.position.deed(turn).moves) < 2
            if self.computer is None or by_hands_alone(self.position, turn, self.computer)
        ]
        turn, side = self.dice.choice(turns or some), self.position.side
        physical = self.position.deed(turn).physical
        changes = play(self.position, turn, self.pieces, self.dice) if physical else []
        await self.move(changes)
        number, before = len(self.taken), self.position
        self.position = before.play(turn)
        self.taken.append(str(turn))

        named = Random(f"named {self.seed} {number}").random() < NAMED

        async def press():
            nonlocal changes, named
            # A service that begins anew asks for the start first; sealed, what stands after a gap
            # goes back, a turn or not. Then all of it is made again: a disc that has the same face
            # on both sides does not look as if it had been turned over.
            sealed = self.service.controller.agreement.terms(self.description.tier).sealed
            if self.view.phase == "set-up" or (sealed and self.view.phase == "restoring"):
                await self.lay(before.placement)
                await self.until(lambda view: view.phase in ("ready", "playing"))
                changes = play(before, turn, self.pieces, self.dice)
                await self.move(changes)
            if changes and "set-down-again" in keys(self.service.controller.notices):
                down = [change for change in changes if change.reading][-1]
                await self.move([CellEvent(0.0, down.cell, None), replace(down, t=0.5)])
            if self.view.question or not physical or named:  # hands alone may not tell it
                named = False  # where it may not be named, the button ends it
                now = self.loop.time()
                await self.service.controller.submit(Answer(now, self.taken[-1], side))
            else:
                self.press(side)

        await self.until(lambda view: self.number(view) > number, press)
        made = self.service.controller.table.state.played[number]
        assert str(made.turn) == self.taken[-1], f"{self.taken[-1]} was taken for {made.turn}"

    async def move(self, changes):
        """Let the board feel what hands do."""
        at = 0.0
        for change in changes:
            await asyncio.sleep(max(0.0, change.t - at))
            at = change.t
            self.feel(change.cell, change.reading)
        await asyncio.sleep(0.3)

    async def carry_out(self):
        """Make what the computer plays, with hands that go astray now and then, and put it right.

        Where the service has just begun anew they wait for it: what it shows may be old.
        """
        if (len(self.taken), "table fails") in self.happened:
            await asyncio.sleep(FIRST_PAUSE + 1.0)
        await self.until(lambda view: self.number(view) > len(self.taken), self.settle)
        for made in self.service.controller.table.state.played[len(self.taken) :]:
            assert self.knows(made.before), "the computer plays in another position"
            self.position = made.before.play(made.turn)
            self.taken.append(str(made.turn))
        for _ in range(MOST_STEPS):
            await self.until(lambda view: view.phase not in HALTED, self.settle)
            executing = self.view.phase == "executing"
            if not executing and self.stands_right():
                break
            script = Script(self.pieces, self.dice, frozenset())
            if executing and self.dice.random() < ASTRAY:
                self.dice.choice(self.astray)(script)
            else:
                table = self.service.controller.table
                asked = table.summary().facts if executing else table.reconciler
                if not self.carriers.follow(script, asked.verdict.restore) and not executing:
                    await self.lay(self.position.placement)  # it is thought to be in a hand
            await self.move(script.felt())
            self.check()
        assert self.stands_right(), "it could not be carried out"

    def knows(self, position):
        return position == self.position

    def stands_right(self):
        """Return whether the squares that should be are full, and no others."""
        return self.pieces.on.keys() & self.game.squares == self.position.placement.keys()

    @property
    def astray(self):
        """What hands do that nobody asked them for."""
        hands = self.carriers
        return (
            lambda script: hands.carry_something(script, self.game.squares),
            hands.lift_something,
            hands.take_something_off,
            lambda _: self.press(self.dice.choice(SIDES)),
        )

    def number(self, view):
        """Return how many turns stand: what is shown counts one that is taken back as well."""
        return view.number - self.counted_before - 2 * self.undone

    def plays(self, view):
        phases = {"playing", "decision", *(["ready"] if self.begins_by_moving else [])}
        return view.phase in phases and self.number(view) == len(self.taken)

    async def settle(self):
        """Do what the display asks for."""
        controller = self.service.controller
        if self.view.phase == "paused" and not controller.link:
            await controller.submit(Call(self.loop.time(), "resume"))
        elif self.view.phase == "paused":  # is the board there at all?
            self.press(self.position.side)

    async def befall(self, fault):
        """Let something go wrong and be mended; return whether the service was killed by it."""
        getattr(self, f"be_{fault.replace(' ', '_')}")()
        if fault == "killed soon":
            for _ in range(self.dice.randrange(300)):  # at any await of what a press sets off
                await asyncio.sleep(0)
        else:
            await asyncio.sleep(self.dice.uniform(0.1, self.dice.choice(LASTS)))
        self.quiet()
        await self.until(lambda _: not self.meddled)
        if fault == "restarted":
            await self.restart()
        if fault in FATAL:
            self.torn = False
            self.keep()
        return fault in FATAL

    async def restart(self):
        """Tell the service to end, as an update does, and see that it does."""
        self.told_to_end = True
        signal.raise_signal(signal.SIGTERM)
        await asyncio.wait([self.running], timeout=60)
        assert self.running.done(), "it does not end when it is told to"
        self.running.result()


def keys(notices):
    """Return what a board's people are told, by its keys."""
    return {one.key for one in notices.shown}
