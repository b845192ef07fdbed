"""What people do on an evening besides their turns, each by its name."""

import asyncio
import re
from itertools import islice
from random import Random

import httpx

from drivers.beside import FIRST_PAUSE
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.messages import Call, Chosen
from firmware_bridge.puzzles.collection import lessons
from firmware_bridge.service.challenge import exchange
from firmware_bridge.simulation import play
from firmware_bridge.simulation.script import Script
from rules import games
from rules.values import SIDES, opponent
from tests.evenings.faults import SAYS
from tests.evenings.people import BEGUN, HALTED

DOINGS = (
    "hint",
    "take back",
    "adjourn",
    "lesson",
    "another player",
    "looks back",
    "asks for a draw",
    "late word",
    "take back and die",
    "adjusts",
    "arbiter takes back",
    "arbiter sets up",
    "arbiter adds time",
    "game anew",
    "seat given again",
    "game by its link",
)
AGREED = ("record", "practice", "coach", "take_backs", "lift_for_hint", "quiet", "sealed")
"""What may be agreed for a game."""
ONCE = {"another player", "friend forgets", "game deleted", "arbiter sets up", "game anew"}
"""After these turns are counted anew."""
TRIES = 3
"""How often something is said to a service that fails over it."""


def doings_of(seed, turns, kinds=DOINGS):
    """Return what people do in an evening: after how many turns, and what; one game anew."""
    dice, anew = Random(f"doings {seed}"), False
    doings = []
    for turn in range(turns):
        if dice.random() < 0.25:
            doing = dice.choice(kinds)
            if doing not in ONCE or not anew:
                doings.append((turn, doing))
            anew |= doing in ONCE
    return doings


def agreed_by(seed):
    """Return what is agreed for the game of an evening, as settings of the configuration."""
    dice = Random(f"agreed {seed}")
    return {f"game.settings.{name}": "true" for name in AGREED if dice.random() < 0.3}


class Doings:
    """What the people of an evening do."""

    async def do(self, doing):
        """Do it, if it can be done now; return whether the service was killed over it."""
        await self.until(self.plays_or_waits, self.settle)
        return bool(await getattr(self, f"do_{doing.replace(' ', '_')}")())

    def plays_or_waits(self, view):
        """Return whether a turn is awaited, or a computer's is carried out or thought of."""
        if view.phase in HALTED:
            return False
        return self.plays(view) or self.position.side in self.computers

    async def say(self, what, by=None, *, beside=False, **data):
        """Say something, and again if the service fails over it; return whether it may be said.

        On a phone, or `beside` the board, where nobody says who he is.
        """
        controller = self.service.controller
        for _ in range(TRIES):
            call = Call(self.loop.time(), what, by, data)
            refused, before = controller.objection(call), self.times_said(what)
            await (self.say_beside(call) if beside else controller.submit(call))
            if refused is not None or self.times_said(what) > before:
                return refused is None
            await asyncio.sleep(FIRST_PAUSE + 1.0)
            await self.until(self.plays_or_waits, self.settle)
        raise AssertionError(f"{what} is not taken")

    async def say_beside(self, call):
        async with self.phone("127.0.0.1") as screen:
            await screen.post(SAYS, json={"call": call.what})

    def times_said(self, what):
        records = self.service.controller.kept.records
        return sum(record.data.get("what") == what for record in records)

    async def do_hint(self):
        await self.say("hint", self.position.side)

    async def do_asks_for_a_draw(self):
        side = self.position.side
        if await self.say("offer-draw", side):
            await self.say("decline", opponent(side), beside=self.dice.random() < 0.5)

    async def do_take_back(self):
        """Take the last turn back, where people play each other and remember nothing."""
        table = self.service.controller.table
        if self.computer or not self.taken or not self.plays(self.view):
            return
        last = table.state.played[-1]
        side = last.before.side
        if not await self.say("offer-take-back", side):
            return
        await self.say("accept-take-back", opponent(side), beside=self.dice.random() < 0.5)
        self._undo(last)
        await self.put_back()

    async def do_take_back_and_die(self):
        """Take the last turn back, or begin to, and kill the service at any await of that."""
        if self.computer or not self.taken or not self.plays(self.view):
            return False
        last, accepted = self.service.controller.table.state.played[-1], self.accepted()
        side, submit = last.before.side, self.service.controller.submit
        offer = Call(self.loop.time(), "offer-take-back", side)
        if self.service.controller.objection(offer):
            return False
        accept = Call(self.loop.time(), "accept-take-back", opponent(side))
        answer = self.dice.choice([submit, self.say_beside])
        for hearing, said in ((submit, offer), (answer, accept)):
            hears = asyncio.create_task(hearing(said))
            if self.dice.random() < 0.4:
                break
            await hears
        else:
            hears = asyncio.create_task(self.lay(last.before.placement))
            await asyncio.sleep(self.dice.choice((0.0, 0.15, 2.0)))
        for _ in range(self.dice.randrange(100)):
            await asyncio.sleep(0)
        self.keep()
        hears.cancel()
        if self.accepted() > accepted:
            self._undo(last)
        return True

    def accepted(self):
        return self.written()[self.name].count("accept-take-back")

    def _undo(self, last):
        self.taken.pop()
        self.undone += 1
        self.position = last.before

    async def do_adjusts(self):
        """Set pieces right, and others down where they do not belong; all of it is put back."""
        if not await self.say("adjust", self.dice.choice([None, self.position.side])):
            return
        script = Script(self.pieces, self.dice, frozenset())
        for _ in range(self.dice.randrange(1, 4)):
            self.dice.choice(self.astray[:-1])(script)
        await self.move(script.felt())
        placement = self.service.controller.table.state.left_standing.placement
        await self.lay(placement)
        await asyncio.sleep(1.0)
        if self.service.controller.table.state.adjusting:
            await self.say("adjust")

    async def do_arbiter_takes_back(self):
        """Let the arbiter undo the last turn, and a person's before a computer's."""
        table = self.service.controller.table
        if not self.taken or not self.plays(self.view):
            return
        before = table.state.played
        if await self.say("take-back", reason="they agree"):
            for last in reversed(before[len(self.service.controller.table.state.played) :]):
                self._undo(last)
            await self.lay(self.position.placement)
            await self.until(self.plays_or_waits, self.settle)

    async def do_arbiter_sets_up(self):
        """Let the arbiter go on from a position that the game comes to in a few turns, or many."""
        if self.computer or not self.plays(self.view):
            return
        position = following = self.position
        for _ in range(self.dice.choice([3, 80])):
            following = following.play(self.dice.choice(list(islice(following.turns(), 40))))
            if following.outcome:
                break
            if not following.awaited:
                position = following
        if await self.say("set-position", position=str(position), reason="a blunder of mine"):
            self.counted_before += len(self.taken) + 2 * self.undone + 1
            self.recorded += len(self.taken) + self.undone
            self.position, self.taken, self.undone = position, [], 0
            await self.put_back()

    async def do_arbiter_adds_time(self):
        await self.say("add-time", side=self.dice.choice(SIDES), seconds="60", reason="a bell rang")

    async def do_game_anew(self):
        """Give up, or agree to a draw beside the board, and play the same again."""
        sides = [side for side in SIDES if side not in self.computers]
        if len(sides) == 2 and self.dice.random() < 0.5 and await self.say("offer-draw", sides[0]):
            assert await self.say("accept-draw", sides[1], beside=True)
        elif not sides or not await self.say("resign", sides[0]):
            return
        controller = self.service.controller
        await controller.begin(await controller.rematch())
        self.computer = next(iter(controller.agreement.computers), None)
        await self._anew()

    async def put_back(self):
        """Do as the board asks until everything stands where it should."""
        await self.lay(self.position.placement)
        await self.until(self.plays, self.settle)

    async def lay(self, placement):
        """Put pieces on the squares so that these stand there, one after the other."""
        self.pieces.arrange(placement)
        now = self.pieces.standing()
        for cell in sorted(self.felt.keys() | now.keys()):
            if self.felt.get(cell) != now.get(cell):
                self.feel(cell, now.get(cell))
                await asyncio.sleep(0.1)

    async def do_adjourn(self):
        if await self.say("adjourn"):
            await self.until(self.plays_or_waits, self.resume)

    async def resume(self):
        if self.view.phase == "paused":
            await self.say("resume")

    async def do_lesson(self):
        """Adjourn, try a lesson of this game on the board, and take the game up again."""
        controller, name = self.service.controller, self.service.controller.game_id
        if self.computer or not await self.say("adjourn"):
            return
        lesson = self.dice.choice(lessons(self.game.id))
        self.elsewhere = True
        agreed = Agreement.to_solve(lesson, GameSettings(), buttons=True)
        await controller.begin(agreed)
        position = controller.table.state.position
        await self.lay(position.placement)
        await self.until(lambda view: view.phase in {"ready", "playing", "decision"})
        if self.view.phase == "ready":
            await self.until(lambda view: view.phase != "ready", self.press_black)
        if lesson.screen.turn:
            turn = position.parse_turn(lesson.screen.turn)
            await self.move(play(position, turn, self.pieces, self.dice))
            self.press(position.side)
            await asyncio.sleep(1.0)
        await controller.take_up(name)
        self.elsewhere = False
        await self.lay(self.position.placement)
        await self.until(self.plays_or_waits, self.resume)

    async def do_another_player(self):
        """Let a computer of any level, or a person, sit down instead of another one."""
        if self.both:
            return
        side = self.computer or self.dice.choice(SIDES)
        level = self.dice.choice([0, 1, 5] if self.computer else [1, 5])
        await exchange(self.service.controller, side, level)
        self.computer = side if level else None
        await self._anew()

    async def _anew(self):
        """Begin the game that is on the table now."""
        self.taken, self.undone, self.counted_before, self.recorded = [], 0, 0, 0
        await self.lay(self.game.start().placement)
        await self.until(lambda view: view.phase in {"ready", *BEGUN})  # the board may yet be away
        await self.begin()

    async def do_late_word(self):
        """Let a computer's turn come that it has found in another game, or a position ago."""
        controller = self.service.controller
        state, here = controller.table.state, controller.game_id
        text = str(next(state.position.turns()))
        for number, game in ((state.number, "another"), (state.number - 1, here)):
            await controller.submit(Chosen(self.loop.time(), text, number, game))

    def phone(self, address="192.168.1.30"):
        """Return somebody's phone, which knows nothing yet, or the machine's own screen."""
        app = self.service._server.config.app
        transport = httpx.ASGITransport(app=app, client=(address, 4000))
        return httpx.AsyncClient(transport=transport, base_url="http://10.0.0.1")

    async def do_seat_given_again(self):
        """Let a phone sit down that does not hear the answer, ask again, and get up later."""
        controller, game = self.service.controller, self.service.controller.game_id
        sides = [side for side in SIDES if side not in controller.agreement.elsewhere]
        if not sides:
            return
        side = self.dice.choice(sides)
        claims = controller.seats[side].claims
        code = {"key": self.service.keys.seat(game, side, claims)}
        seat = f"/api/v1/seat/{side}"
        async with self.phone() as deaf, self.phone() as phone:
            await self.told(deaf, seat, code)
            await self.told(phone, seat, code)
            assert controller.seats[side].claims == claims + 1, "it has taken its seat twice"
            assert (await phone.get(f"{seat}/state")).status_code == 200, "it does not sit"
            await self.told(phone, f"{seat}/leave", {})
        assert not controller.seats[side].taken

    async def told(self, phone, path, body):
        """Tell something by phone, and again if the service fails over it."""
        for _ in range(TRIES):
            answer = await phone.post(path, json=body)
            if answer.is_success:
                return
            await asyncio.sleep(FIRST_PAUSE + 1.0)
        raise AssertionError(f"{path}: {answer.text}")

    async def do_game_by_its_link(self):
        """Let somebody come to the settings by the link of a game, or of what is none."""
        wanted = self.dice.choice([*games(), "nothing"])
        async with self.phone() as phone:
            page = (await phone.get(f"/setup?game={wanted}")).text
        offered = re.findall(r'name="game" value="([^"]*)"([^>]*)', page)
        carried = {name for name, rest in offered if "disabled" not in rest}
        chosen = [name for name, rest in offered if "checked" in rest]
        on_table = self.service.controller.agreement.game
        assert chosen == [wanted if wanted in carried else on_table]

    async def do_looks_back(self):
        """Let somebody list past games, and open whatever can be opened."""
        archive = self.service.controller.archive
        for game in (await archive.every())[:3]:
            await archive.recorded(game.id)
        await archive.adjourned()
