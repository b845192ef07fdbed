"""The whole service, from set-up to crash and resumption: Reality Check games that differ only in
undersides and hands are answered alike, whatever strangers ask of it."""

import contextlib
import dataclasses
import itertools
import json
import re

import httpx
import pytest
from starlette.routing import Route

import rules
from drivers.description import load_description
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.config import Config
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.diagnostics.support import told
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Chosen, Seated, Tick
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.keys import Keys
from firmware_bridge.reconciler import Sensing
from firmware_bridge.service.controller import Controller
from tests.firmware_bridge.secrets import test_any_hands as any_hands
from tests.firmware_bridge.secrets import test_computer_pairs as computers
from tests.firmware_bridge.secrets.test_reality_check_pairs import OPTIONS
from tests.firmware_bridge.secrets.worlds import chooser
from tests.firmware_bridge.table.driving import piece_set
from tests.nightly import NIGHTLY
from tests.running import running

BOARD = load_description("simulated")
MACHINE, STRANGER, PHONE = "127.0.0.1", "192.168.1.20", "192.168.1.21"
GAPS = {
    "side:side": "white",
    "game": "reality-check",
    "number:int": "1",
    "game_id": "newest",
    "kind:export": "json",
}
CRASH = "crash"
REQUESTS = (
    ("POST", "/api/v1/seat/white", {"key": "no"}),
    ("POST", "/api/v1/seat/black/actions", {"answer": "sacrifice:RR"}),
    ("POST", "/api/v1/table/actions", {"answer": "keep"}),
    ("POST", "/api/v1/table/actions", {"answer": 1}),
    ("POST", "/api/v1/referee", {"key": "no"}),
    ("POST", "/api/v1/referee/actions", {"call": "pause"}),
    ("PUT", "/api/v1/state", {}),
    ("GET", "/api/v1/seat/green/state", None),
)
"""What no stranger should send."""


class Whole:
    """The service without its wires: a controller on a real journal, and its pages."""

    def __init__(self, folder, agreement):
        self.t = 90.0
        self.folder, self.agreement = folder, agreement
        self.stack = contextlib.AsyncExitStack()
        self.readings = {}

    async def open(self):
        journal = self.stack.enter_context(contextlib.closing(Journal(self.folder)))
        sensing = Sensing("face", piece_set(), frozenset(BOARD.cells))
        self.controller = Controller(journal, sensing, BOARD, lambda: self.t)
        await self.controller.open(self.agreement)
        await self.stack.enter_async_context(running(self.controller.run()))
        if not self.controller.seats["white"].taken:
            await self.controller.submit(Seated(self.t, "white"))
        self.keys = Keys(b"k" * 32, "471147", lambda: self.t)
        app = create_app(AppContext(self.controller, self.keys, Config()))
        self.routes = [route for route in app.app.routes if isinstance(route, Route)]
        self.asked = {}
        for address in (MACHINE, STRANGER, PHONE):
            transport = httpx.ASGITransport(app=app, client=(address, 4000))
            client = httpx.AsyncClient(transport=transport, base_url="http://10.0.0.1")
            self.asked[address] = await self.stack.enter_async_context(client)

    async def close(self):
        await self.stack.aclose()

    async def crash(self):
        """Stop without a word, come back, and find the board as it stands."""
        await self.close()
        self.stack = contextlib.AsyncExitStack()
        await self.open()
        await self.controller.submit(Snapshot(self.t, dict(self.readings)))

    async def take(self, item):
        if item == CRASH:
            await self.crash()
            return
        self.t = item.t
        if isinstance(item, CellEvent):
            self.readings[item.cell] = item.reading
        await self.controller.submit(item)

    async def answers(self, every=False):
        """Yield everything that strangers, and the display's own machine, can get."""
        for who in (MACHINE, STRANGER):
            for address in self._addresses() if every else ("/", "/api/v1/state", "/metrics"):
                answer = await self.asked[who].get(address)
                if address == "/metrics" and who == MACHINE:
                    yield _still(answer.content)
                else:
                    yield who, address, answer.status_code, answer.headers.raw, answer.content
        for method, address, body in REQUESTS if every else ():
            answer = await self.asked[STRANGER].request(method, address, json=body)
            yield method, address, answer.status_code, answer.headers.raw, answer.content
        hub = self.controller.hub
        yield [hub.latest(reader).number for reader in ("public", "white")]
        yield json.dumps(list(told(self.controller.table.records)))

    async def at_whites_phone(self):
        """Yield everything that White's phone gets."""
        phone = self.asked[PHONE]
        phone.cookies.set("seat-white", self.keys.phone(self.controller.game_id, "white", 1))
        for address in ("/play/white", "/play/black", "/api/v1/seat/white/state"):
            answer = await phone.get(address)
            yield address, answer.status_code, answer.headers.raw, answer.content

    def _addresses(self):
        for route in self.routes:
            if "GET" in route.methods and not route.path.endswith("/events"):
                yield re.sub(r"\{(.*?)\}", lambda gap: GAPS[gap[1]], route.path)


def _still(content):
    """Return the metrics without what depends on the machine's own haste."""
    lines = content.splitlines()
    noise = (b"#", b"process_", b"bridge_reconcile", b"bridge_loop_lag", b"bridge_journal_sync")
    kept = [line for line in lines if not line.startswith(noise) and b"_created" not in line]
    return b"\n".join(kept)


def script(random, options, *, hidden, sealed, bursts=6):
    """Return what is done in each world, as pairs of inputs, and the table's settings."""
    heard = []

    class Recorded(any_hands.Anyhow):
        def inputs(self, make):
            heard.append([make(world, number) for number, world in enumerate(self.worlds)])
            super().inputs(make)

    starts = any_hands.worlds(random, options, hidden=hidden)
    tables = [any_hands.table("reality-check", s, sealed=sealed, **options) for s in starts]
    set_up = list(building(random, [dict(table.readings) for table in tables], hidden))
    any_hands.play(Recorded(*tables), random, bursts)
    later = [[dataclasses.replace(item, t=item.t + 100.0) for item in pair] for pair in heard]
    crash = random.randrange(len(later) + 1)
    return [*set_up, *later[:crash], [CRASH, CRASH], *later[crash:]]


def building(random, readings, hidden):
    """Yield hands that build up the start: some discs first go astray or are not read.

    In the second world two like ones stand in each other's place at first. Both pairs are taken up
    and set down again.
    """
    times = itertools.count(100.0, 0.5)
    squares = sorted(readings[0])
    random.shuffle(squares)
    alike = alike_squares(random, readings[1], hidden)
    built = [readings[0], {s: readings[1][alike.get(s, s)] for s in squares}]
    for square in squares:
        right = [there[square] for there in built]
        if random.random() < 0.2:
            free = random.choice(squares[squares.index(square) :])
            wrong = random.choice([right, [True, True], ["stranger", "stranger"]])
            for found in (wrong, [None, None]):
                t = next(times)
                yield [CellEvent(t, free, reading) for reading in found]
        t = next(times)
        yield [CellEvent(t, square, reading) for reading in right]
    for square in alike:
        t = next(times)
        yield [CellEvent(t, square, None)] * 2
    for square in alike:
        t = next(times)
        yield [CellEvent(t, square, there[square]) for there in readings]
    t = next(times)
    yield [Tick(t), Tick(t)]
    yield [ButtonEvent(t + 1, "black")] * 2


def alike_squares(random, standing, hidden):
    """Return two squares on which these sides' discs show the same face, each with the other."""
    look = rules.load("reality-check").face
    pairs = [
        (one, two)
        for one, two in itertools.combinations(sorted(standing), 2)
        if look(standing[one]) == look(standing[two])
        and {"w": "white", "b": "black"}[standing[one][0]] in hidden
    ]
    one, two = random.choice(pairs)
    return {one: two, two: one}


async def transcript(folder, agreement, items, heard, *, seated):
    """Return, step by step, what the rules made public and what was put out."""
    out = []
    whole = Whole(folder, agreement)
    await whole.open()
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(whole.close)
        for number, item in enumerate(items):
            await whole.take(item)
            last = number == len(items) - 1
            given = [answer async for answer in whole.answers(every=number % 25 == 0 or last)]
            if seated:
                given += [answer async for answer in whole.at_whites_phone()]
            log = heard(lambda record: record.name != "asyncio")
            given.append([line.replace(str(folder), "") for line in log])
            out.append((any_hands.public_fact(whole.controller.table), given))
    return out


WAYS = [("white", "black"), ("black",)]
CASES = [
    (options, {"hidden": WAYS[number % 2], "sealed": number % 3 == 2})
    for number, options in enumerate(OPTIONS if NIGHTLY else OPTIONS[::13])
]


@pytest.mark.parametrize(("options", "way"), CASES)
async def test_strangers_and_opponents_get_the_same_whatever_lies_underneath(
    options, way, tmp_path, heard, monkeypatch
):
    random = chooser("whole", sorted(options.items()), way)
    steps = script(random, options, **way)
    settings = GameSettings.of({"time": "45m+5s", "sealed": way["sealed"]})
    agreements = [Agreement("reality-check", options, settings)] * 2
    seated = "white" not in way["hidden"]
    await same(tmp_path, agreements, steps, heard, monkeypatch, seated=seated)


@pytest.mark.parametrize("options", computers.OPTIONS if NIGHTLY else computers.OPTIONS[:1])
async def test_nor_where_a_computer_answers(options, tmp_path, heard, monkeypatch):
    agreements, steps = next(filter(None, (against_computer(seed, options) for seed in range(20))))
    await same(tmp_path, agreements, steps, heard, monkeypatch, seated=False)


def against_computer(seed, options):
    """Return what is agreed in each world, and what is done, where a computer has Black.

    The person's pieces differ in what they hide; the computer knows neither. There is nothing to
    return where its first turn already shows the difference to all.
    """
    random = chooser("whole", "computer", seed, sorted(options.items()))
    pair, _ = computers.pair_of(random, options, computers.PERSON, seats=())
    agreements = [world.agreement for world in pair.worlds]
    set_up = list(building(random, [dict(w.readings) for w in pair.worlds], (computers.PERSON,)))
    done, take = [], pair.inputs

    def recorded(make):
        done.append([make(world, number) for number, world in enumerate(pair.worlds)])
        take(lambda _, number: done[-1][number])

    pair.inputs = recorded
    computers.play(pair, random)
    if not any(isinstance(one, Chosen) for one, _ in done):
        return None
    later = [[dataclasses.replace(item, t=item.t + 100.0) for item in both] for both in done]
    crash = random.randrange(len(later))
    goes_on = ButtonEvent(later[crash][0].t, computers.PERSON)
    return agreements, [*set_up, *later[:crash], [CRASH] * 2, [goes_on] * 2, *later[crash:]]


async def same(folder, agreements, steps, heard, monkeypatch, *, seated):
    """See that both worlds answer alike until a rule has made their difference public."""
    found = []
    for world, items in enumerate(zip(*steps, strict=True)):
        numbers = itertools.count()
        monkeypatch.setattr("secrets.token_hex", lambda _=4, n=numbers: f"{next(n):08x}")
        monkeypatch.setattr(Journal, "new_game", lambda _, n=numbers: f"game-{next(n)}")
        place = folder / str(world)
        found.append(await transcript(place, agreements[world], items, heard, seated=seated))
    alike = 0
    for one, two in zip(*found, strict=True):
        if one[0] != two[0]:
            break  # a rule has made the difference public
        for said, there in zip(one[1], two[1], strict=True):
            assert said == there
        alike += 1
    assert alike > 25
