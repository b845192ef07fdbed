"""Two whole hosts: all that one sends the other is alike, whatever its player's discs hide.

Each packet is compared: when it goes, how long it is, and what is in it once it is opened. Hands at
the board that hides lift discs, look below them and lay them back, at any moment, in both games or
in one of them: nobody far away is to hear even of that.
"""

import asyncio
import contextlib
import contextvars
import json
import random
import re

import pytest

from firmware_bridge.distance.letters import Receipt
from firmware_bridge.distance.readings import SignedReading
from firmware_bridge.distance.sealing import Bond
from firmware_bridge.messages import Tick
from firmware_bridge.referee.remarks import faces
from firmware_bridge.service.controller import Controller
from tests.evenings.instant import InstantLoop
from tests.firmware_bridge.distance.test_greeting import friends
from tests.firmware_bridge.secrets.test_far_away_pairs import UNLIKE, alike
from tests.firmware_bridge.secrets.test_reality_check_pairs import OPTIONS, arranged
from tests.firmware_bridge.service import test_secrets_far_away as far_away
from tests.firmware_bridge.service.test_distant_games import host
from tests.nightly import NIGHTLY
from tests.running import running

PAIRS = 100 if NIGHTLY else 4
DEEDS = 14
EACH_S = 10.0
"""Seconds after which both worlds go on together."""
SAME_S = 0.05
"""Seconds between two packets that go at one time: a loop's rounds take time, too."""
DRAWN = re.compile(r"[0-9a-f]{16,}")
"""Random numbers, and hashes of what nobody else knows."""


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
    body = dict(content.letter.body)
    if "data" in body:
        body["data"] = {k: v for k, v in body["data"].items() if k not in UNLIKE}
    told = json.dumps(body, sort_keys=True, default=str)
    return (content.letter.kind, content.letter.number, DRAWN.sub("#", told))


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
        """Lift a disc, lay it down turned over, here or elsewhere, and lay it back as it was."""
        lying = self.readings.get(square)
        if lying is None:
            return
        self.cell(square, None, waits[0])
        self.cell(elsewhere or square, turned(lying), waits[1])
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
        one: White's host.
        other: Black's.
        line: between them.
    """

    def __init__(self, one, other, line):
        self.hosts, self.line = {"white": one, "black": other}, line
        self.context = contextvars.copy_context()

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
            case "look", number, square, waits, elsewhere:
                if number in (NUMBER.get(), 2):
                    await self.hosts["black"].say("adjust", "black")
                    await self.hosts["black"].hands.look_below(square, waits, elsewhere)
                else:
                    await asyncio.sleep(sum(waits))
            case "wait", seconds:
                await asyncio.sleep(seconds)
            case "press", side:
                await self.hosts[side].hands.press(side)
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
    grace, ada = friends()
    line = Line(Bond(grace.own, grace.theirs))
    async with (
        host(folder / f"{number}a", grace, line, hands=PacedHands) as one,
        host(folder / f"{number}g", ada, line, hands=PacedHands) as other,
        running(one.hands.watch()),
        running(other.hands.watch()),
    ):
        await far_away.begun(one, other, options, seed, "5m+2s")
        yield World(one, other, line)


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
        match chance.choices(("turn", "look", "wait", "press", "say"), (5, 8, 1, 1, 1))[0]:
            case "look":
                lying = sorted(self.worlds[0].hosts["black"].hands.readings)
                free = sorted(position.game.squares - set(lying))
                waits = [chance.choice((0.1, 0.3, 1.0, 3.0)) for _ in range(4)]
                where = chance.randrange(3)  # in one world, or in both
                elsewhere = chance.choice(free) if where == 2 and chance.random() < 0.3 else None
                return "look", where, chance.choice(lying), waits, elsewhere
            case "wait":
                return "wait", chance.choice((0.5, 5.0, 20.0))
            case "press":
                return "press", chance.choice(("white", "black"))
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
