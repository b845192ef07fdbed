"""Recordings, written down in few words and fed to the real command."""

import json

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main

SPARES = ("wQ", "wR", "wN", "bQ", "wP", "bN", "bB")


class Replayed:
    """What `firmware-bridge replay` printed."""

    def __init__(self, lines):
        self.lines = lines

    def of(self, key):
        return [line for line in self.lines if key in line]

    @property
    def verdicts(self):
        return [line["verdict"] for line in self.of("verdict")]

    @property
    def taken(self):
        return [line["taken"] for line in self.of("taken")]

    @property
    def amended(self):
        return [line["amended"] for line in self.of("amended")]

    @property
    def said(self):
        return [line["say"] for line in self.of("say")]

    @property
    def stand(self):
        """The turns that stand in the end, in order."""
        turns = []
        for line in self.lines:
            if "amended" in line:
                turns[-1] = line["amended"]
            elif "taken" in line:
                turns.append(line["taken"])
        return tuple(turns)

    @property
    def last(self):
        return self.of("verdict")[-1]

    @property
    def quiet(self):
        """Whether there was no alarm."""
        return not {"illegal", "disturbed"} & set(self.verdicts)

    def lights(self):
        return self.of("lights")[-1]["lights"] if self.of("lights") else {}


class Board:
    """A board on which hands are told what to do, a step every half second unless timed."""

    def __init__(self, path, game, position, *, tier, clock, options, settings, unread=""):
        self.path = path
        position = position or str(rules.load(game, **options).start())
        placement = rules.load(game, **options).parse(position).placement
        self.header = {
            "format": "firmware-bridge-recording",
            "version": 1,
            "game": game,
            "options": options,
            "position": position,
            "tier": tier,
            "clock": clock,
            "settings": {"time": "untimed", "sealed": False, **settings},
        }
        self.tier, self.t, self.events = tier, 0.0, []
        self.on = {square: f"T-{square}" for square in placement}
        self.hand, self.seen = {}, True
        if tier != "occupancy":
            tags = {f"T-{square}": label for square, label in placement.items()}
            tags |= {f"S-{label}": label for label in SPARES}
            if tier == "face":
                discs = {square: label for square, label in placement.items() if ":" in label}
                tags |= {f"U-{square}": other_face(label) for square, label in discs.items()}
            self.header |= {"tags": tags, "on": dict(self.on)}
            self.header["on"] |= dict.fromkeys(filter(None, unread.split(",")), True)

    def tell(self, **event):
        if self.seen:
            self.events.append({"t": round(self.t, 4), **event})
        return self

    def wait(self, seconds):
        self.t += seconds
        return self

    def off(self, cell, after=0.5):
        self.t += after
        self.hand[cell] = self.on.pop(cell)
        return self.tell(cell=cell, reading=None)

    def put(self, cell, piece, after=0.5):
        """Set down the piece lifted from `piece`, or the spare or tag of that name."""
        tag = self.hand.pop(piece, piece)
        if self.tier != "occupancy" and str(tag).startswith("S-"):
            self.header["tags"][tag] = tag.removeprefix("S-")
        self.on[cell] = tag
        return self.read(cell, tag, after)

    def read(self, cell, reading, after=0.0):
        self.t += after
        return self.tell(cell=cell, reading=self._reading(reading))

    def _reading(self, tag):
        return tag and (tag if self.tier != "occupancy" else True)

    def carry(self, *cells, after=0.5):
        """Carry a piece from the first cell to the last, setting it down on every one."""
        first, *rest = cells
        self.off(first, after)
        for here, there in zip(rest, [*rest[1:], None], strict=True):
            self.put(here, first, after)
            if there is not None:
                tag = self.on[here]
                self.off(here, after)
                self.hand[first] = self.hand.pop(here, tag)
        return self

    def flip(self, cell, after=0.5):
        self.off(cell, after)
        tag = self.hand.pop(cell)
        turned = ("U" if tag[0] == "T" else "T") + tag[1:]
        return self.put(cell, turned, after)

    def press(self, side, after=0.5):
        self.t += after
        return self.tell(button=side)

    def answer(self, text, after=0.5):
        self.t += after
        return self.tell(answer=text)

    def declare(self, what="reality-check", after=0.3):
        self.t += after
        return self.tell(declare=what)

    def end(self, after=2.0):
        self.t += after
        return self.tell(end=True)

    def look_away(self, after=0.5):
        """Nobody feels what comes now."""
        self.t += after
        self.seen = False
        return self

    def look(self, after=0.5):
        """Look at the whole board; what was done before anything was felt was done before."""
        self.t += after
        self.seen = True
        standing = {cell: self._reading(tag) for cell, tag in self.on.items()}
        if self.events:
            return self.tell(snapshot=standing)
        self.t, self.header["on"] = 0.0, standing
        return self

    def put_right(self):
        """Follow the restoration step by step, with the right pieces if they can be told."""
        steps = self.replay().last["restore"]
        aside = list(self.hand.values())
        self.hand.clear()
        for step in steps:
            source, target = step["from"], step["to"]
            if source == target:
                self.flip(source)
                continue
            if source is not None:
                self.off(source)
                tag = self.hand.pop(source)
            else:
                home = f"T-{target}"
                tag = home if home in aside else aside[0]
                aside.remove(tag)
            if target is None:
                aside.append(tag)
            else:
                self.put(target, tag)
        return self

    def replay(self, *flags):
        lines = [self.header, *self.events]
        self.path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["replay", str(self.path), *flags])
        assert result.exit_code == 0, result.output
        found = [json.loads(line) for line in result.output.splitlines()]
        assert found[-1]["events"] == len(self.events)
        return Replayed(found[:-1])


def other_face(label):
    name, down = label.split(":")
    return f"{name}:{name[1] if down == name[2] else name[2]}"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Where all recordings of a file lie, one after the other: a folder for each costs time."""
    return tmp_path_factory.mktemp("recordings") / "recording.jsonl"


@pytest.fixture
def board(recording):
    def make(
        game="mockery",
        position=None,
        tier="occupancy",
        clock=False,
        options=None,
        unread="",
        **settings,
    ):
        kinds = {"tier": tier, "clock": clock, "options": options or {}, "settings": settings}
        return Board(recording, game, position, unread=unread, **kinds)

    return make
