"""Pairs of tables that differ in secrets alone, played with the same hands at the same times.

What leaves either table is collected channel by channel, as bytes. As long as no rule has made a
difference public, both must have put out the same, in the same number and order.
"""

import json
import random

from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.messages import Answer, Call, LightsChanged, Said, Tick
from firmware_bridge.metrics import Metrics
from firmware_bridge.mqtt.happenings import happening
from firmware_bridge.mqtt.state import Moment, state
from firmware_bridge.pages.texts import texts
from firmware_bridge.views.lights import lights
from firmware_bridge.views.lines import Lines, to_json
from firmware_bridge.words import LANGUAGES, catalogue
from tests.firmware_bridge.table.driving import Driven


class Channels:
    """Everything public that one table has put out."""

    def __init__(self, driven):
        self.driven = driven
        words = {language: catalogue(language, driven.agreement.game) for language in LANGUAGES}
        self.words = words
        self.streams = {
            "live": Lines(words["en"], secret=True),
            "replay": Lines(words["en"], secret=True, record=True),
        }
        self.out = {name: [] for name in (*self.streams, "lights", "said", "view", "wake", "house")}
        self.metrics = Metrics()
        self.page_words = texts("en", driven.agreement.game)

    def collect(self, outputs):
        """Take in what one input led to."""
        for name, lines in self.streams.items():
            self.out[name].append([lines.line(output) for output in outputs])
        for output in outputs:
            if isinstance(output, LightsChanged):
                self.out["lights"].append(dict(output.lights))
            if isinstance(output, Said):
                texts = [words.text(output.key, output.words) for words in self.words.values()]
                self.out["said"].append(texts)
        view = self.driven.view
        self.out["view"].append(to_json(view))
        self.out["lights"].append(dict(lights(view)))
        self.out["wake"].append(self.driven.table.wake_at)
        told = [happening(output, self.streams["live"]) for output in outputs]
        self.out["house"].append(told)
        self.metrics.hear(outputs)
        self.out["house"].append(state(view, self._say, "", Moment("attic", "", "")))

    def _say(self, key, **gaps):
        return self.page_words.text(key, gaps)

    def bytes(self):
        counts = self.metrics.text().splitlines()
        counted = [line for line in counts if line.startswith(b"bridge") and b"created" not in line]
        lines = {name: json.dumps(out, sort_keys=True).encode() for name, out in self.out.items()}
        return {**lines, "metrics": b"\n".join(counted)}


class Pair:
    """Two worlds and one pair of hands.

    Args:
        first: one table.
        second: the other; the same but for secrets.
        seats: players from whom the difference is hidden as well.
    """

    def __init__(self, first, second, seats=()):
        self.worlds = first, second
        self.channels = Channels(first), Channels(second)
        self.seats = seats

    def inputs(self, make):
        """Feed each world its input, made by `make(world, number)`; see that nothing differs."""
        for number, (world, channels) in enumerate(zip(self.worlds, self.channels, strict=True)):
            channels.collect(world.feed(make(world, number)).outputs)
        first, second = (channels.out for channels in self.channels)
        for name in first:
            assert first[name][-3:] == second[name][-3:], (name, self.positions)
        for side in self.seats:
            one, two = (to_json(world.table.seat(side, world.t)) for world in self.worlds)
            assert one == two, side

    def pass_time(self, seconds):
        for world in self.worlds:
            world.t = round(world.t + seconds, 3)
        self.inputs(lambda world, _: Tick(world.t))

    def cell(self, cell, readings):
        self.pass_time(0.2)
        for world, reading in zip(self.worlds, readings, strict=True):
            if reading is None:
                world.readings.pop(cell, None)
            else:
                world.readings[cell] = reading
        self.inputs(lambda world, number: CellEvent(world.t, cell, readings[number]))

    def lift(self, cell):
        held = [world.readings[cell] for world in self.worlds]
        self.cell(cell, [None, None])
        return held

    def carry(self, source, target):
        held = self.lift(source)
        if target in self.worlds[0].readings:
            self.lift(target)
        self.cell(target, held)

    def press(self, side):
        self.pass_time(0.3)
        self.inputs(lambda world, _: ButtonEvent(world.t, side))

    def answer(self, texts):
        self.pass_time(0.3)
        self.inputs(lambda world, number: Answer(world.t, texts[number]))

    def call(self, what, by):
        self.pass_time(0.3)
        self.inputs(lambda world, _: Call(world.t, what, by, {}))

    def same(self):
        """See that every channel has put out the same bytes from the first input to the last."""
        first, second = (channels.bytes() for channels in self.channels)
        assert first == second

    @property
    def positions(self):
        return [world.position for world in self.worlds]

    @property
    def over(self):
        return any(world.table.state.stage != "playing" for world in self.worlds)


def table(game, start, **options):
    """Return a table with tidy hands, its pieces standing as `start` says."""
    return Driven(
        game, start=start, position=str(start), options=options, settings={"time": "45m+5s"}
    )


def chooser(*seed):
    return random.Random(repr(seed))
