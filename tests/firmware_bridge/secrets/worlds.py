"""Tables that differ in secrets alone, played with the same hands at the same times.

What leaves either table is collected channel by channel, as bytes. As long as no rule has made a
difference public, all must have put out the same, in the same number and order.
"""

import copy
import copyreg
import json
import random
from types import GeneratorType, MappingProxyType

from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.diagnostics.metrics import Metrics
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Call, Declare, LightsChanged, Said, Tick
from firmware_bridge.mqtt.events import happening
from firmware_bridge.mqtt.published_state import state
from firmware_bridge.pages.texts import Say, texts
from firmware_bridge.pages.view_model import public_scene
from firmware_bridge.views.disclosure import Disclosure
from firmware_bridge.views.json_lines import Lines
from firmware_bridge.views.lights import lights
from firmware_bridge.words import LANGUAGES
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import NIGHTLY

copyreg.pickle(MappingProxyType, lambda proxy: (MappingProxyType, (dict(proxy),)))
# What was prepared by halves is not gone on with at a table aside, and found out when it is asked.
copyreg.pickle(GeneratorType, lambda _: (iter, ((),)))

STEADY_PACE = 0.2
PACES = (0.02, 0.05, 0.1, STEADY_PACE, 0.4)
"""Seconds from one contact to the next, of quick hands and slow ones."""
SELDOM = 10
"""By day, what is made of the view alone is made of every so many: views are always compared."""


class Channels:
    """Everything public that one table has put out, as the bytes in which it leaves."""

    def __init__(self, driven):
        self.driven = driven
        game = driven.agreement.game
        self.words = {language: texts(language, game) for language in LANGUAGES}
        self.streams = {
            "live": Lines(self.words["en"], Disclosure(secret=True)),
            "replay": Lines(self.words["en"], Disclosure(secret=True, record=True)),
        }
        names = (*self.streams, "page", "lights", "said", "house", "attempts")
        self.out = {name: [] for name in names}
        self.metrics = Metrics()

    def collect(self, batch, summary):
        """Take in what one input led to; `summary` tells how things stand now."""
        view, outputs = summary.view(self.driven.t), batch.outputs
        told = {name: [lines.line(o) for o in outputs] for name, lines in self.streams.items()}
        told["lights"] = [o.lights for o in outputs if isinstance(o, LightsChanged)]
        told["said"] = [
            words.text(output.key, output.words)
            for output in outputs
            if isinstance(output, Said)
            for words in self.words.values()
        ]
        public = summary.told(outputs)
        told["house"] = [happening(output) for output in public]
        told["page"] = []
        attempts = [record.data for record in batch.records if record.kind == "attempt"]
        told["attempts"] = [dict(data) for data in attempts]  # as a host tells the other one
        if NIGHTLY or len(self.out["page"]) % SELDOM == 0:
            told["lights"].append(lights(view))
            told["house"].append(state(view, self._say("de"), (), {"board": "attic"}))
            told["page"].append(public_scene(view, self._say("en")))
        for name, said in told.items():
            self.out[name].append(json.dumps(said).encode())
        self.metrics.hear(public)
        return view

    def _say(self, language):
        return Say(self.words[language])

    def bytes(self):
        counts = self.metrics.text().splitlines()
        counted = [line for line in counts if line.startswith(b"bridge") and b"created" not in line]
        return {**self.out, "metrics": counted}


class Pair:
    """Two worlds, or more, and one pair of hands.

    Args:
        worlds: the tables; the same but for secrets.
        seats: players from whom the difference is hidden as well.

    Attributes:
        pace: seconds from one contact to the next.
    """

    pace = STEADY_PACE

    def __init__(self, *worlds, seats=()):
        self.worlds = worlds
        self.channels = tuple(map(Channels, worlds))
        self.seats = seats

    def keep(self, numbers):
        """Go on with these worlds alone: a rule makes public that it is none of the others."""
        self.worlds = tuple(self.worlds[number] for number in numbers)
        self.channels = tuple(self.channels[number] for number in numbers)

    def inputs(self, make):
        """Feed each world its input, made by `make(world, number)`; see that nothing differs.

        What somebody says may be refused to him alone, before it is fed.
        """
        items = [make(world, number) for number, world in enumerate(self.worlds)]
        if isinstance(items[0], Answer | Call | Declare):
            told = zip(self.worlds, items, strict=True)
            objections = {world.table.objection(item) for world, item in told}
            assert len(objections) == 1, (objections, *self.differing(1))
        self.batches([world.feed(item) for world, item in zip(self.worlds, items, strict=True)])

    def batches(self, batches):
        """Take in what each world has put out; see that nothing differs."""
        summaries = [world.table.summary() for world in self.worlds]
        views = [
            channels.collect(batch, summary)
            for channels, batch, summary in zip(self.channels, batches, summaries, strict=True)
        ]
        for number, view in enumerate(views[1:], 1):
            assert views[0] == view, self.differing(number)
        for name, said in self.channels[0].out.items():
            for number, channels in enumerate(self.channels):
                assert said[-1] == channels.out[name][-1], (name, *self.differing(number))
        waits = {(world.table.awaits_computer, world.table.amendable) for world in self.worlds}
        assert len(waits) == 1, self.differing(1)  # when a computer answers, everybody sees
        for side in self.seats:
            told = zip(summaries, self.worlds, strict=True)
            first, *others = (summary.seat(side, world.t) for summary, world in told)
            assert all(first == other for other in others), side
        wakes = {world.table.wake_at for world in self.worlds}
        if len(wakes) > 1:
            self.look_ahead(min(t for t in wakes if t is not None))

    def look_ahead(self, t):
        """See what comes of it, at tables aside, that the machines want to look at other times.

        They look at the first of these, and go on so: what comes must come at the same time.
        """
        aside = copy.copy(self)
        aside.worlds = tuple(map(copy.copy, self.worlds))
        for world in aside.worlds:
            world.table, world.t = copy.deepcopy(world.table), max(t, world.t)
            world.outputs, world.records = [*world.outputs], [*world.records]
        aside.channels = tuple(map(Channels, aside.worlds))
        aside.batches([world.feed(Tick(world.t)) for world in aside.worlds])

    def differing(self, number):
        """Return two worlds that should look alike, and what speaks for what in each of them."""
        return [
            (str(world.position), world.table.reconciler.verdict, world.table.reconciler.why())
            for world in (self.worlds[0], self.worlds[number])
        ]

    def pass_time(self, seconds):
        self.later(seconds)
        self.inputs(lambda world, _: Tick(world.t))

    def later(self, seconds):
        for world in self.worlds:
            world.t = round(world.t + seconds, 3)

    def cell(self, cell, readings):
        self.later(self.pace)
        for world, reading in zip(self.worlds, readings, strict=True):
            if reading is None:
                world.readings.pop(cell, None)
            else:
                world.readings[cell] = reading
        self.inputs(lambda world, number: CellEvent(world.t, cell, readings[number]))

    def lift(self, cell):
        held = [world.readings[cell] for world in self.worlds]
        self.cell(cell, [None] * len(self.worlds))
        return held

    def lift_some(self, random, most):
        """Hold some pieces in the air and put them back: to lift is no turn and tells nothing."""
        squares = random.sample(sorted(self.worlds[0].readings), random.randint(1, most))
        held = [(square, self.lift(square)) for square in squares]
        self.pass_time(random.choice([0.5, 7.0, 40.0]))
        for square, readings in held:
            self.cell(square, readings)
        self.pass_time(1.0)

    def carry(self, source, target):
        held = self.lift(source)
        if target in self.worlds[0].readings:
            self.lift(target)
        self.cell(target, held)

    def try_some(self, random, squares):
        """Carry a piece anywhere, captures included, think it over and put everything back."""
        source = random.choice(sorted(self.worlds[0].readings))
        target = random.choice(sorted(squares - {source}))
        there = [world.readings.get(target) for world in self.worlds]
        self.carry(source, target)
        self.pass_time(random.choice([0.5, 1.5, 40.0]))
        self.carry(target, source)
        if there[0] is not None:
            self.cell(target, there)
        self.pass_time(1.0)

    def press(self, side):
        self.later(1.5 * self.pace)
        self.inputs(lambda world, _: ButtonEvent(world.t, side))

    def answer(self, texts):
        self.later(0.3)
        self.inputs(lambda world, number: Answer(world.t, texts[number]))

    def declare(self):
        self.later(0.3)
        (what,) = metadata.of(self.worlds[0].agreement.game).declarations
        self.inputs(lambda world, _: Declare(world.t, what))

    def call(self, what, by, **data):
        self.later(0.3)
        self.inputs(lambda world, _: Call(world.t, what, by, data))

    def same(self):
        """See that every channel has put out the same bytes from the first input to the last."""
        first, *others = (channels.bytes() for channels in self.channels)
        assert all(first == other for other in others)
        for side in self.seats:
            first, *others = (world.table.summary().briefing(side) for world in self.worlds)
            assert all(first == other for other in others), side

    @property
    def positions(self):
        return [world.position for world in self.worlds]

    @property
    def over(self):
        return any(world.table.state.stage != "playing" for world in self.worlds)


def table(
    game,
    start,
    *,
    sealed=False,
    tier=None,
    buttons=True,
    press=True,
    begin=True,
    agreed=None,
    kinds=False,
    computers=None,
    away=None,
    tokens=None,
    **options,
):
    """Return a table with tidy hands, its pieces standing as `start` says, or like the `tokens`.

    What else is `agreed` are settings by name.
    """
    conduct = {"time": "45m+5s", "sealed": sealed, "press": press, "record": True}
    return Driven(
        game,
        start=start if tokens is None else start.rearranged(tokens),
        position=str(start),
        options=options,
        settings={**conduct, **(agreed or {})},
        tier=tier,
        buttons=buttons,
        begin=begin,
        kinds=kinds,
        computers=computers,
        away=away,
    )


def chooser(*seed):
    return random.Random(repr(seed))
