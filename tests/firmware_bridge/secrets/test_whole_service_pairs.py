"""The whole service: Reality Check games that differ only in undersides and hands are answered
alike, whatever strangers ask of it.

Each is the rematch of a game that is over, which is reviewed meanwhile; it is set up, crashes, is
adjourned and taken up again.
"""

import asyncio
import contextlib
import dataclasses
import itertools
import json
import logging
import re
import zipfile
import zlib
from datetime import datetime

import httpx
import pytest
from starlette.routing import Route

import rules
from drivers.description import load_description
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.config import Config
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.diagnostics import support_bundle
from firmware_bridge.journal import Journal
from firmware_bridge.messages import Call, Seated, Tick
from firmware_bridge.mqtt.bridge import MqttBridge
from firmware_bridge.opponents.protocol import Judgement
from firmware_bridge.pages import actions, game_analysis, past_games, phone_seats, requests
from firmware_bridge.pages.app import create_app
from firmware_bridge.pages.context import AppContext
from firmware_bridge.pages.endpoints import ENDPOINTS
from firmware_bridge.pages.keys import Keys
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.export import NotYetOpen
from firmware_bridge.service.controller import Controller
from firmware_bridge.service.game_archive import Archive
from firmware_bridge.service.reviewer import Reviewer
from firmware_bridge.table import Table
from tests.firmware_bridge.secrets import test_any_hands as any_hands
from tests.firmware_bridge.secrets import test_reality_check_pairs as discs
from tests.firmware_bridge.secrets.worlds import chooser
from tests.firmware_bridge.table.driving import piece_set
from tests.nightly import NIGHTLY, each
from tests.patience import soon
from tests.running import running

BOARD = load_description("simulated")
CELLS = frozenset(BOARD.cells)
HOUSE = Config(language="de", mqtt={"host": "127.0.0.1", "id": "attic", "name": "attic"})
MACHINE, STRANGER, PHONE = "127.0.0.1", "192.168.1.20", "192.168.1.21"
FILLED = {"side:side": "white", "game": "reality-check", "number:int": "1"}
"""What stands in the gaps of addresses, besides games and the forms in which they are given out."""
CRASH, ADJOURN, REMATCH, REVIEW = "crash", "adjourn", "rematch", "review"
SAID = (
    {"answer": "sacrifice:RR"},
    {"answer": "keep"},
    {"answer": 1},
    {"answer": "c7c6"},
    {"declare": "reality-check"},
    *({"call": what} for what in ("decline", "hint", "accept-take-back", "claim-draw", "roll")),
)
SENT = {
    requests.Action: SAID,
    requests.TableAction: SAID,
    requests.Entry: ({"key": "no"},),
    game_analysis.Looked: ({"number": 0, "branch": []},),
}
"""What is said at doors that take something; at all others nothing is."""
LEFT_OUT = {actions.begin, actions.rematch, actions.play_computer, phone_seats.leave}
"""Handlers that would end what the requests are about."""
OTHERS = (
    ("PUT", "/api/v1/state", {}),
    ("GET", "/api/v1/seat/green/state", None),
    ("DELETE", "/games/{game_id}", None),
    ("GET", "/games/none", None),
)
"""What no door takes."""


class Noon(datetime):
    """A calendar in which it is always the same time, as hands are at both tables."""

    @classmethod
    def now(cls, tz=None):
        return cls(2026, 1, 1, 12, tzinfo=tz)


@dataclasses.dataclass(frozen=True)
class Crashed:
    """The service stops without a word, and finds this on the board when it comes back."""

    t: float
    readings: dict


class Guess:
    """Thinks of every position that its first turn is the best, in place of a process."""

    judgement, known = Judgement(0), None

    def __init__(self):
        self.fault = asyncio.get_running_loop().create_future()

    @classmethod
    async def start(cls, _seating, _told):
        return cls()

    def brief(self, told):
        pass

    async def think(self, position, _ceiling_s, _limit):
        return next(iter(position.turns()))

    async def close(self):
        pass


class Whole:
    """The service without its wires: a controller on a real journal, and its pages."""

    def __init__(self, folder, agreement, tier):
        self.t = 90.0
        self.folder, self.agreement = folder, agreement
        self.sensing = Sensing(tier, piece_set() if tier != "occupancy" else {}, CELLS)
        self.stack = contextlib.AsyncExitStack()
        self.readings = {}
        self.aside = []

    async def open(self):
        journal = self.stack.enter_context(contextlib.closing(Journal(self.folder)))
        self.controller = Controller(journal, self.sensing, BOARD, lambda: self.t)
        self.controller.reviewer = Reviewer(self.controller.archive, Guess.start)
        self.house = MqttBridge(self.controller, HOUSE)
        self.controller.listeners.append(self.house.hear)
        await self.controller.open(self.agreement)
        await self.stack.enter_async_context(running(self.controller.run()))
        await self._sit_down()
        self.keys = Keys(b"k" * 32, "471147", lambda: self.t)
        app = create_app(AppContext(self.controller, self.keys, Config()))
        self.routes = [route for route in app.app.routes if isinstance(route, Route)]
        self.asked = {}
        for address in (MACHINE, STRANGER, PHONE):
            transport = httpx.ASGITransport(app=app, client=(address, 4000))
            client = httpx.AsyncClient(
                transport=transport, base_url="http://10.0.0.1", follow_redirects=True
            )
            self.asked[address] = await self.stack.enter_async_context(client)

    async def _sit_down(self):
        free = "white" not in self.agreement.computers
        if free and not self.controller.seats["white"].taken:
            await self.controller.submit(Seated(self.t, "white"))

    async def close(self):
        await self.stack.aclose()

    async def crash(self):
        """Stop without a word, come back, and find the board as it stands."""
        await self.close()
        self.stack = contextlib.AsyncExitStack()
        await self.open()
        await self.controller.submit(Snapshot(self.t, dict(self.readings)))

    async def adjourn(self):
        """Adjourn the game, stop without a word, and take it up again; look at it meanwhile."""
        game_id = self.controller.game_id
        await self.controller.submit(Call(self.t, "adjourn", "white"))
        await self.crash()
        its_own = (place for place in self._addresses() if game_id in place)
        for address in ("/setup", "/games", "/api/v1/games", *its_own):
            self.aside.append((await self.asked[STRANGER].get(address)).content)
        if game_id in {game.id for game in await self.controller.archive.adjourned()}:
            await self.controller.take_up(game_id)
            await self.controller.submit(Snapshot(self.t, dict(self.readings)))
        await self.controller.submit(Call(self.t, "resume", "white"))

    async def rematch(self):
        """Begin another game of the same players."""
        await self.controller.begin(await self.controller.rematch())
        await self._sit_down()

    async def review(self):
        """Have the game that ended last reviewed, and wait for it."""
        (game,) = await self.controller.archive.finished()
        self.controller.reviewer.ask(game.id)
        await soon(lambda: self.controller.reviewer.progress(game.id).over)

    async def take(self, item):
        if isinstance(item, str):
            await getattr(self, item)()
            return
        self.t = item.t
        if isinstance(item, Crashed):
            self.readings = item.readings
            await self.crash()
            return
        if isinstance(item, CellEvent):
            self.readings[item.cell] = item.reading
        elif isinstance(item, Snapshot):
            self.readings = dict(item.readings)
        await self.controller.submit(item)

    async def answers(self, every=False):
        """Yield everything that strangers, and the display's own machine, can get.

        Between two such looks at all the pages, what they show is asked for as they ask for it.
        """
        for who in (MACHINE, STRANGER):
            for address in self._addresses() if every else ("/api/v1/state", "/metrics"):
                answer = await self.asked[who].get(address)
                if address == "/metrics" and who == MACHINE:
                    yield _still(answer.content)
                else:
                    yield who, address, answer.status_code, answer.headers.raw, answer.content
        hub = self.controller.hub
        yield [hub.latest(reader).number for reader in ("public", "white")]
        yield json.dumps(list(support_bundle.told(self.controller.table.records)))
        yield [*map(untimed, (self.house._state_now(), *self.house._events))]
        yield tuple(self.aside)
        self.house._events.clear()
        self.aside.clear()

    async def refused(self, people):
        """Yield what these get who say something at every door, be it their own one or not."""
        said = [
            ("POST", f"/api/v1{door.path}", body)
            for door in ENDPOINTS
            if door.body and door.handler not in LEFT_OUT
            for body in SENT.get(door.body, ({},))
        ]
        for who in people:
            for method, path, body in (*said, *OTHERS):
                address = self._filled(path, self.controller.game_id, "json")
                answer = await self.asked[who].request(method, address, json=body)
                yield who, address, body, answer.status_code, answer.headers.raw, answer.content

    def bundle(self):
        """Return what somebody would send who asks for help, but for what is of the machine."""
        path = self.folder.with_suffix(".zip")
        support_bundle.write_bundle(Config(data=self.folder), path)
        with zipfile.ZipFile(path) as bundle:
            names = sorted(set(bundle.namelist()) - {"machine.json", "checkup.json"})
            texts = [bundle.read(name).decode() for name in names]
        return [
            (name, text.replace(str(self.folder), ""))
            for name, text in zip(names, texts, strict=True)
        ]

    async def at_whites_phone(self, every=False):
        """Yield everything that White's phone gets, or what its page asks for."""
        phone = self.asked[PHONE]
        phone.cookies.set("seat-white", self.keys.phone(self.controller.game_id, "white", 1))
        pages = ("/play/white", "/play/black") if every else ()
        for address in (*pages, "/api/v1/seat/white/state"):
            answer = await phone.get(address)
            yield address, answer.status_code, answer.headers.raw, answer.content

    def _addresses(self):
        for route in self.routes:
            if "GET" not in route.methods or route.path.endswith("/events"):
                continue
            games = [past_games.NEWEST, past_games.NOW, self.controller.game_id]
            every = itertools.product(games, past_games.FORMS)
            yield from dict.fromkeys(self._filled(route.path, *given) for given in every)

    @staticmethod
    def _filled(path, game, form):
        given = {**FILLED, "game_id": game, "kind:export": form}
        return re.sub(r"\{(.*?)\}", lambda gap: given[gap[1]], path)


def untimed(told):
    """Return what the house is told, without the time of day."""
    return json.dumps({name: what for name, what in told.items() if name not in ("at", "as_of")})


def _still(content):
    """Return the metrics without what depends on the machine's own haste."""
    lines = content.splitlines()
    noise = (b"#", b"process_", b"bridge_loop_lag", b"bridge_journal_sync")
    return [line for line in lines if not line.startswith(noise) and b"_created" not in line]


BURSTS = 6 if NIGHTLY else 3
LOOKS = 25 if NIGHTLY else 100
"""After so many things that are done all the pages are asked for, and at the end."""
ASKS = 1 if NIGHTLY else 3
"""After so many what the pages show is asked for as they ask for it."""


class Recording:
    """Makes a pair of worlds keep what is done in each, as pairs of inputs."""

    def __init__(self, *worlds, **conduct):
        super().__init__(*worlds, **conduct)
        self.done = []

    def inputs(self, make):
        self.done.append([make(world, number) for number, world in enumerate(self.worlds)])
        super().inputs(lambda _, number: self.done[-1][number])


class Recorded(Recording, any_hands.Anyhow):
    """A pair of worlds under hands that do anything at any time, which is recorded."""


def script(random, options, *, hidden, sealed):
    """Return what is done in each world, as pairs of inputs: a game, and then its rematch."""
    set_up, done = any_game(random, options, hidden=hidden, sealed=sealed, bursts=BURSTS)
    before = game_before(random, options, sealed)
    return list(one_after_another(before, set_up, broken_off(random, done)))


def any_game(random, options, *, hidden, sealed, bursts):
    """Return the set-up of a game in each world, and what hands do in it, as pairs of inputs."""
    starts = any_hands.worlds(random, options, hidden=hidden)
    tables = [any_hands.table("reality-check", s, sealed=sealed, **options) for s in starts]
    set_up = list(building(random, [dict(table.readings) for table in tables], hidden))
    pair = Recorded(*tables)
    any_hands.play(pair, random, bursts)
    return set_up, pair.done


def game_before(random, options, sealed):
    """Return a short game that is the same in both worlds, its review, and the wish for another."""
    starts = any_hands.worlds(random, options, hidden=())
    pair = Recorded(
        *(any_hands.table("reality-check", s, sealed=sealed, **options) for s in starts)
    )
    standing = dict(pair.worlds[0].readings)
    set_up = [
        [CellEvent(n / 10, square, standing[square])] * 2 for n, square in enumerate(standing)
    ]
    discs.play(pair, discs.same_turns(random, pair.positions, ()))
    given_up = [Call(0.0, "resign", "white")] * 2
    swept = [
        [CellEvent(n / 10, square, None)] * 2 for n, square in enumerate(pair.worlds[0].readings)
    ]
    begun = [[Tick(5.0)] * 2, [ButtonEvent(6.0, "black")] * 2]
    after = [[REVIEW] * 2, *swept, [REMATCH] * 2]
    return [*one_after_another(set_up + begun, pair.done, [given_up], after)]


def broken_off(random, done):
    """Return the same with a crash in it, and an adjournment."""
    steps = list(done)
    for what in (CRASH, ADJOURN):
        steps.insert(random.randrange(len(steps) + 1), [what] * 2)
    return steps


def one_after_another(*parts):
    """Yield the inputs of all parts, each a second after the one before it."""
    now = 100.0
    for part in parts:
        times = [item.t for both in part for item in both if not isinstance(item, str)]
        late = now - min(times)
        for both in part:
            yield [
                item if isinstance(item, str) else dataclasses.replace(item, t=item.t + late)
                for item in both
            ]
        now = max(times) + late + 1.0


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


async def transcript(folder, agreement, items, heard, *, seated, tier, fact):
    """Yield, step by step, what the rules made public and what was put out."""
    whole = Whole(folder, agreement, tier)
    await whole.open()
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(whole.close)
        for number, item in enumerate(items):
            await whole.take(item)
            last = number == len(items) - 1
            every = number % LOOKS == LOOKS - 1 or last
            asks = every or number % ASKS == 0
            given = [answer async for answer in whole.answers(every=every)] if asks else []
            if seated and asks:
                given += [answer async for answer in whole.at_whites_phone(every=every)]
            if last:
                people = (STRANGER, MACHINE, *((PHONE,) if seated else ()))
                given += [answer async for answer in whole.refused(people)]
            log = heard(lambda record: record.name != "asyncio" or record.exc_info)
            given.append([line.replace(str(folder), "") for line in log])
            if last:
                given += await asyncio.to_thread(whole.bundle)
            yield fact(whole.controller.table), given


WAYS = [("white", "black"), ("black",)]
CASES = [
    (options, {"hidden": WAYS[number % 2], "sealed": number % 3 == 1})
    for number, options in enumerate(each(discs.OPTIONS, len(discs.OPTIONS)))
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


async def same(folder, agreements, steps, heard, monkeypatch, *, seated):
    """See that both worlds answer alike until a rule has made their difference public."""
    alike, differing = await compared(folder, agreements, steps, heard, monkeypatch, seated=seated)
    assert differing is None
    assert alike > 25


async def compared(
    folder,
    agreements,
    steps,
    heard,
    monkeypatch,
    *,
    seated,
    tier="face",
    fact=any_hands.public_fact,
):
    """Return for how many steps both worlds answer alike, and what differs then, if anything."""
    monkeypatch.setattr(support_bundle, "check_up", lambda _: ())  # of the machine, not of the game
    monkeypatch.setattr("firmware_bridge.journal.journal.datetime", Noon)
    monkeypatch.setattr("firmware_bridge.pages.middleware.BURST", 1000)  # by the machine's clock
    monkeypatch.setattr(Controller, "_look_at_the_time", lambda _: None)  # by the same

    def world(number, items):
        numbers = itertools.count()
        monkeypatch.setattr("secrets.token_hex", lambda _=4: f"{next(numbers):08x}")
        monkeypatch.setattr("secrets.choice", chooser("dice").choice)
        monkeypatch.setattr(Journal, "new_game", lambda _: f"20260101-{next(numbers)}")
        return transcript(
            folder / str(number),
            agreements[number],
            items,
            heard,
            seated=seated,
            tier=tier,
            fact=fact,
        )

    here, there = zip(*steps, strict=True)
    told = [step async for step in world(0, here)]
    async with contextlib.aclosing(world(1, there)) as other:
        alike = 0
        async for public, given in other:
            if told[alike][0] != public:
                break  # a rule has made the difference public
            for said, said_there in zip(told[alike][1], given, strict=True):
                if said != said_there:
                    return alike, (said, said_there)
            alike += 1
    return alike, None


def told_where_it_is_not_over(monkeypatch):
    """Plant: who asks for a game that goes on is told what lies on a square."""

    async def leaking(self, game_id):
        try:
            return await recorded(self, game_id)
        except NotYetOpen:
            records = self._journal.read(game_id)
            placement = Table.resume(records, Sensing("face", piece_set()), now=0.0).state.position
            raise NotYetOpen(str(placement)) from None

    recorded = Archive.recorded
    monkeypatch.setattr(Archive, "recorded", leaking)


def logged_when_taken_up(monkeypatch):
    """Plant: the log tells where the pieces stand in a game that is taken up again."""

    def leaking(self, records):
        table, recorder = resumed(self, records)
        logging.getLogger("firmware_bridge.service").debug("goes on: %s", table.state.position)
        return table, recorder

    resumed = Controller._resumed
    monkeypatch.setattr(Controller, "_resumed", leaking)


def refused_for_what_lies_there(monkeypatch):
    """Plant: why something cannot be said now is told by what lies on the board."""

    def leaking(self, said):
        lies = zlib.crc32(str(self.table.state.position).encode()) % 2
        return ("refused-turn", "refused-answer")[lies] if objection(self, said) else None

    objection = Controller.objection
    monkeypatch.setattr(Controller, "objection", leaking)


@pytest.mark.parametrize(
    "plant", [told_where_it_is_not_over, logged_when_taken_up, refused_for_what_lies_there]
)
async def test_a_leak_around_the_table_is_found(plant, tmp_path, heard, monkeypatch):
    """A game of which it is the rematch need not go before."""
    random = chooser("leak", plant.__name__)
    set_up, done = any_game(random, {}, hidden=("white", "black"), sealed=False, bursts=1)
    played = () if plant is refused_for_what_lies_there else (broken_off(random, done),)
    steps = list(one_after_another(set_up, *played))
    agreements = [Agreement("reality-check", {}, GameSettings.of({"time": "45m+5s"}))] * 2
    plant(monkeypatch)
    _, differing = await compared(tmp_path, agreements, steps, heard, monkeypatch, seated=False)
    assert differing is not None
