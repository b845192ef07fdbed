"""Two whole hosts: all that one sends the other is alike, whatever its player's discs hide.

Each packet is compared: when it goes, how long it is, and what is in it once it is opened. Hands at
the board that hides lift discs, look below them and lay them back, at any moment, in both games or
in one of them: nobody far away is to hear even of that, nor when the power fails under a disc.
"""

import asyncio
import contextlib
import contextvars
import random
import re

import pytest

from drivers.port import Snapshot
from firmware_bridge.distance.letters import Receipt
from firmware_bridge.distance.readings import SignedReading
from firmware_bridge.distance.sealing import Bond
from firmware_bridge.messages import Tick
from firmware_bridge.referee.remarks import faces
from firmware_bridge.service.controller import Controller
from tests.evenings.instant import InstantLoop
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.secrets.test_far_away_pairs import DRAWN, alike
from tests.firmware_bridge.secrets.test_reality_check_pairs import OPTIONS, arranged
from tests.firmware_bridge.service import test_secrets_far_away as far_away
from tests.firmware_bridge.service.test_distant_games import host
from tests.nightly import NIGHTLY
from tests.running import running

PAIRS = 100 if NIGHTLY else 1
DEEDS = 14
EACH_S = 10.0
"""Seconds after which both worlds go on together."""
SAME_S = 0.05
"""Seconds between two packets that go at one time: a loop's rounds take time, too."""


class Line:
    """Carries at once, and keeps what Black's host sends, opened."""

    def __init__(self, bond):
        self.ears, self.bond, self.kept = {}, bond, []

    def listen(self, address, hear):
        self.ears[address] = hear

    def send(self, address, data):
        loop = asyncio.get_running_loop()
        if address == self.bond.inbox:
            self.kept.append((loop.time(), len(data), public(self.bond.open(data))))
        loop.call_later(0.02, self.ears[address], data)


def public(content):
    """Return what a packet tells, without what is random to whoever does not know of what."""
    if isinstance(content, Receipt):
        return ("receipt", DRAWN.sub("#", repr(content)))
    if isinstance(content, SignedReading):
        return ("reading", DRAWN.sub("#", repr(content.reading)))
    told = DRAWN.sub("#", str(dict(content.letter.body)))
    return (content.letter.kind, content.letter.number, told)


class Paced(Controller):
    """Takes in what hands do when it is time for it."""

    async def submit(self, item):
        """Wait until it has happened, and take it in."""
        await asyncio.sleep(max(0.0, item.t - self.now()))
        return await super().submit(item)


class PacedHands(far_away.FarHands):
    """Hands at a board in a loop's own time."""

    kind = Paced

    def __init__(self, journal):
        super().__init__(journal, asyncio.get_running_loop().time)

    @property
    def t(self):
        return max(self._t, asyncio.get_running_loop().time())

    @t.setter
    def t(self, t):
        self._t = t

    async def watch(self):
        """Let time pass for the board each second, as the service does."""
        while True:
            await asyncio.sleep(1.0)
            await self.controller.submit(Tick(self.controller.now()))

    async def look_below(self, square, waits, elsewhere):
        """Lift a disc, lay it down turned over, or elsewhere as it lay, and lay it back."""
        lying = self.readings[square]
        self.cell(square, None, waits[0])
        self.cell(elsewhere or square, lying if elsewhere else turned(lying), waits[1])
        self.cell(elsewhere or square, None, waits[2])
        self.cell(square, lying, waits[3])
        await self.submit()


def turned(reading):
    """Return what a cell reads of the same disc turned over."""
    label = reading.removesuffix("/2")
    up, down = faces(label)
    if up == down:
        return label if reading.endswith("/2") else f"{label}/2"
    return f"{label.partition(':')[0]}:{down}"


class World:
    """Two whole hosts with a game between them, and what Black's has sent.

    Args:
        number: 0 or 1, of its pair.
        folder: where both keep what is theirs.
    """

    def __init__(self, number, folder):
        self.folders = {side: folder / f"{number}{side}" for side in ("white", "black")}
        self.friends = dict(zip(self.folders, friends(), strict=True))
        self.line = Line(Bond(self.friends["white"].own, self.friends["white"].theirs))
        self.hosts, self.lives = {}, {}
        self.context = contextvars.copy_context()

    async def start(self, side):
        """Start a host on its disk; if it ran before, its board stands as it stood."""
        before = self.hosts.get(side)
        life = self.lives[side] = contextlib.AsyncExitStack()
        living = host(self.folders[side], self.friends[side], self.line, hands=PacedHands)
        self.hosts[side] = here = await life.enter_async_context(living)
        await life.enter_async_context(running(here.hands.watch()))
        if before:
            here.hands.spares = before.hands.spares
            here.hands.readings = standing = before.hands.readings
            await here.controller.submit(Snapshot(here.controller.now(), dict(standing)))

    async def stop(self, side):
        """Stop a host, whatever it does."""
        await self.lives[side].aclose()

    async def power_cut(self, side, lifted):
        """Stop a host without a word; after a while it comes back, and its player goes on.

        Black holds what he has `lifted`, if anything, until his board can feel it again.
        """
        lying = self.hosts["black"].hands.readings.get(lifted)
        await self.feel(lifted, None)
        await self.stop(side)
        await asyncio.sleep(2.0)
        await self.start(side)
        await self.feel(lifted, lying)
        if self.hosts[side].state.paused:
            await self.hosts[side].hands.press("white")
            await self.hosts[side].hands.press("black")

    async def feel(self, square, reading):
        """Let a square of Black's board read this, if there is one."""
        if square:
            self.hosts["black"].hands.cell(square, reading, 1.0)
            await self.hosts["black"].hands.submit()

    @property
    def boards(self):
        """Return where the game stands at either board."""
        return {side: each.state for side, each in self.hosts.items()}

    def settle(self):
        """Be at rest already: each deed ends so."""

    async def rest(self):
        """Let everything that is under way come to an end, and some time pass."""
        while any(each.state.put is not None or each.state.executing for each in self.all):
            for each in self.all:
                await each.hands.carry_out()
            await asyncio.sleep(0.1)

    @property
    def all(self):
        return tuple(self.hosts.values())

    async def do(self, deed):
        """Do one thing, and see it through."""
        match deed:
            case "turn", text:
                await self.hosts[self.boards["white"].position.side].hands.turn(text)
                await asyncio.sleep(1)
            case "look", number, says, *what if number in (NUMBER.get(), 2):
                for _ in range(says):
                    await self.hosts["black"].say("adjust", "black")
                await self.hosts["black"].hands.look_below(*what)
                for _ in range(says):
                    await self.hosts["black"].say("adjust", "black")
            case "look", _, _, _, waits, _:
                await asyncio.sleep(sum(waits))
            case "wait", seconds:
                await asyncio.sleep(seconds)
            case "press", side, _:
                await self.hosts[side].hands.press(side)
            case "power cut", side, lifted:
                await self.power_cut(side, lifted)
            case "say", what, side:
                await self.hosts[side].say(what, side)
        await self.rest()
        await asyncio.sleep(EACH_S - asyncio.get_running_loop().time() % EACH_S)


NUMBER = contextvars.ContextVar("the number of a world", default=0)
DRAWS = contextvars.ContextVar("what a world draws by chance")


def redealt(start, seed):
    """Return a start with the same faces up, and others below Black's discs."""
    up = {square: piece.kind for square, piece in start.shown.items() if piece.side == "black"}
    return start.game.start(black=arranged(random.Random(seed + 7), up))


@contextlib.asynccontextmanager
async def world(number, folder, options, seed):
    """Begin one of the two games of a pair; Black hides something else in each."""
    NUMBER.set(number)
    DRAWS.set(random.Random(seed))
    made = World(number, folder)
    for side in made.folders:
        await made.start(side)
    await far_away.begun(*made.all, options, seed, "5m+2s")
    yield made
    for side in made.folders:
        await made.stop(side)


class Pair:
    """Two worlds in which the same is done at once."""

    def __init__(self, worlds, seed):
        self.worlds, self.chance = worlds, random.Random(seed)

    async def play(self):
        """Do things as long as both worlds go on, and compare after each."""
        for _ in range(DEEDS):
            deed = self.deed()
            if deed is None or any(
                b.stage == "over" for w in self.worlds for b in w.boards.values()
            ):
                return
            doing = [asyncio.create_task(w.do(deed), context=w.context) for w in self.worlds]
            await asyncio.gather(*doing)
            if any(b.stage == "over" for w in self.worlds for b in w.boards.values()):
                return  # everything is public then
            self.compare(deed)

    def deed(self):
        """Return something that can be done in both worlds and looks the same, if there is."""
        chance, position = self.chance, self.worlds[0].boards["white"].position
        if position.awaited:
            return None  # dice are made of what both hide, and who decides in secret takes his time
        lying = sorted(s for s, label in position.placement.items() if label[0] == "b")
        kinds = "turn", "look", "wait", "press", "say", "power cut"
        match chance.choices(kinds, (5, 8, 1, 1, 1, 2))[0]:
            case "look":
                free = sorted(position.game.squares - position.placement.keys())
                waits = [chance.choice((0.1, 0.3, 1.0, 3.0)) for _ in range(4)]
                where = chance.randrange(3)  # in one world, or in both
                elsewhere = chance.choice(free) if where == 2 and chance.random() < 0.3 else None
                return "look", where, chance.randrange(2), chance.choice(lying), waits, elsewhere
            case "wait":
                return "wait", chance.choice((0.5, 5.0, 20.0))
            case "press" | "power cut" as what:
                return what, chance.choice(("white", "black")), chance.choice((None, *lying))
            case "say":
                return "say", chance.choice(("offer-draw", "decline", "pause", "resume")), "black"
        turn = next(alike(self.worlds, chance), None)
        return turn and ("turn", turn)

    def compare(self, deed):
        """See that both of White's hosts were sent the same, and show the same."""
        one, other = (each.line.kept for each in self.worlds)
        for number, (here, there) in enumerate(zip(one, other, strict=True)):
            assert here[1:] == there[1:], (number, deed)
            assert abs(here[0] - there[0]) < SAME_S, (number, deed, here)
        shown = [each.hosts["white"].controller.view() for each in self.worlds]
        assert unlike(shown[0]) == unlike(shown[1]), deed


def unlike(view):
    """Return what a board shows, without what passes while it is asked."""
    return re.sub(r"\b\d{4,}\b", "#", DRAWN.sub("#", repr(view)))


@pytest.mark.parametrize("seed", range(PAIRS))
def test_a_host_sends_the_same_whatever_its_players_discs_hide(tmp_path, monkeypatch, seed):
    loop = InstantLoop()
    monkeypatch.setattr("time.monotonic", loop.time)
    monkeypatch.setattr("time.time", loop.time)
    monkeypatch.setattr("secrets.token_bytes", lambda size: DRAWS.get().randbytes(size))
    monkeypatch.setattr("secrets.token_hex", lambda size: DRAWS.get().randbytes(size).hex())
    start = far_away.some_start

    def dealt(game, side, chooser):
        made = start(game, side, chooser)
        return redealt(made, seed) if side == "black" and NUMBER.get() else made

    monkeypatch.setattr(far_away, "some_start", dealt)

    async def whole():
        ready, worlds = asyncio.Barrier(3), {}

        async def live(number):
            options = OPTIONS[seed * 5 % len(OPTIONS)]
            async with world(number, tmp_path, options, seed) as worlds[number]:
                await ready.wait()
                await ready.wait()

        async with asyncio.TaskGroup() as group:
            for number in range(2):
                group.create_task(live(number))
            await ready.wait()
            await Pair(list(map(worlds.get, range(2))), seed).play()
            await ready.wait()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(whole())
