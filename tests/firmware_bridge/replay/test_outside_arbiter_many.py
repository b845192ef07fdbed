"""Turns of many pieces and of two-faced discs, as an arbiter who knows only the rules sees them.

Every row is one game on one board: what hands did, and what must have been understood. The hands
here share nothing with the product's own: a disc is a name with a face down, and a script such as
`b3c4 d7/ W` carries a piece, turns a disc over and presses White's clock.
"""

import json
import re
from dataclasses import dataclass, field

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main

PAIRS = ("PP", "PN", "PB", "PR", "NN", "NB", "NR", "BB", "BR", "RR")
GAP = 0.3
WORDS = (  # what a word of a script says, and the method that does it
    (r"(\d*\.?\d+)", "wait"),
    (r"([WB])", "press"),
    (r"=(\S+)", "answer"),
    (r"(!)", "declare"),
    (r"([a-h]\d)/(~?)", "turn_over_in_place"),
    (r"([a-h]\d)-", "lift"),
    (r"([a-h]\d)\+([^/~]+)(/?)(~?)", "put"),
    (r"([a-h]\d)\^(\S+)", "push_aside"),
    (r"([a-h]\d)([a-h]\d)", "carry"),
)


@dataclass
class Hands:
    """A board with pieces on it and beside it, and everything that its cells have told."""

    game: str
    position: str
    tier: str
    clock: bool
    options: dict
    settings: dict = field(default_factory=dict)

    def __post_init__(self):
        position = rules.load(self.game, **self.options).parse(self.position)
        self.t, self.events = 1.0, []
        self.on = dict(position.placement)
        self.names = {square: f"{n}" for n, square in enumerate(sorted(self.on))}
        self.aside = {}
        if self.tier == "face":
            for side, hand in zip("wb", self.position.split()[2].split("/"), strict=True):
                for each in [] if hand == "-" else hand.upper().split(","):
                    self.aside[f"{each}"] = (f"hand-{side}{each}", f"{side}{each}:{each[1]}")
        self.tags = self._tags()
        self.start = {square: self._uid(square) for square in self.on}

    def _tags(self):
        if self.tier == "occupancy":
            return {}
        pieces = [(self.names[square], label) for square, label in self.on.items()]
        pieces += list(self.aside.values())
        if self.tier == "identity":
            spares = [(f"spare-{label}", label) for label in ("wQ", "wR", "bQ", "bN")]
            self.aside |= {label: (name, label) for name, label in spares}
            return dict(pieces + spares)
        return {
            f"{name}.{face}": f"{label[:3]}:{letter}"
            for name, label in pieces
            for face, letter in enumerate(label[1:3])
        }

    def _uid(self, square):
        if self.tier == "occupancy":
            return True
        name, label = self.names[square], self.on[square]
        if self.tier == "identity":
            return name
        # A disc with two like faces carries two tags that stand for the same.
        turned = name.endswith("'")
        side = label[1:3].index(label[-1]) if label[1] != label[2] else int(turned)
        return f"{name.removesuffix(chr(39))}.{side}"

    def tell(self, **event):
        self.events.append({"t": round(self.t, 3), **event})

    def wait(self, seconds):
        self.t += float(seconds) - GAP

    def press(self, side):
        self.tell(button={"W": "white", "B": "black"}[side])

    def answer(self, text):
        self.tell(answer=text)

    def declare(self, _):
        self.tell(declare="reality-check")

    def lift(self, square, key=None):
        self.aside[key or square] = (self.names.pop(square), self.on.pop(square))
        self.tell(cell=square, reading=None)

    def put(self, square, key, turned="", late=""):
        if turned:
            self.turn_over(key)
        self.names[square], self.on[square] = self.aside.pop(key)
        if late:
            self.tell(cell=square, reading=True)
            self.t += GAP / 2
        self.tell(cell=square, reading=self._uid(square))

    def push_aside(self, square, captor):
        """Set a piece down on another one's square, whose cell never reads empty."""
        self.names.pop(square), self.on.pop(square)
        self.put(square, captor)

    def carry(self, source, target):
        if target in self.on:
            self.lift(target, f"x{target}")
            self.t += GAP
        self.lift(source, "moving")
        self.t += GAP
        self.put(target, "moving")

    def turn_over_in_place(self, square, late):
        self.lift(square)
        self.t += GAP
        self.turn_over(square)
        self.put(square, square, late=late)

    def turn_over(self, key):
        name, label = self.aside[key]
        pair = label[1:3]
        if pair[0] == pair[1]:
            name = name.removesuffix("'") if name.endswith("'") else name + "'"
        else:
            label = f"{label[:4]}{pair[1 - pair.index(label[-1])]}"
        self.aside[key] = (name, label)

    def do(self, script):
        for word in script.split():
            ((found, method),) = [
                (match, name) for form, name in WORDS if (match := re.fullmatch(form, word))
            ]
            getattr(self, method)(*found.groups())
            self.t += GAP
        return self

    def follow(self, restore):
        """Put right what is wrong, step by step as told."""
        for step in restore:
            source, target = step["from"], step["to"]
            if target is None:
                self.lift(source, f"x{source}")
            elif source == target:
                self.do(f"{source}/")
            elif source is None:
                label = step["piece"]
                keys = [key for key, (_, each) in self.aside.items() if each[:3] == label[:3]]
                self.put(target, keys[0], "/" * (self.aside[keys[0]][1] != label))
            else:
                self.carry(source, target)
            self.t += GAP

    def replay(self, path, *flags):
        header = {
            "format": "firmware-bridge-recording",
            "version": 1,
            "game": self.game,
            "options": self.options,
            "position": self.position,
            "tier": self.tier,
            "clock": self.clock,
            "settings": self.settings,
        }
        if self.tier != "occupancy":
            header |= {"tags": self.tags, "on": self.start}
        lines = [header, *self.events, {"t": round(self.t + 4, 3), "end": True}]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["replay", str(path), *flags])
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.output.splitlines()[:-1]]


def stand(lines):
    """The turns that stand in the end."""
    turns = []
    for line in lines:
        if "amended" in line:
            turns[-1] = line["amended"]
        elif "taken" in line:
            turns.append(line["taken"])
    return turns


def verdicts(lines):
    return [line for line in lines if "verdict" in line]


# --- Realm ---------------------------------------------------------------------------------------

START = str(rules.load("realm").start())
OPEN = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
NEAR = "4k3/8/8/2p1p3/2NN4/8/8/4K3 w - - 0 40"
SWAP = "3n1r1p/2n1k3/p1pr1q1p/p3p3/2pbP2P/3PRP2/1P5R/2K4N w - - 2 22"
PAWN = "4k3/1PP5/8/8/8/8/8/4K3 w - - 0 40"

REALM = [  # position, options, script, turn, tiers
    (START, {}, "c2c4 d2d4 b1c3 d1d3", "C-cd34:b1c3,c2c4,d1d3,d2d4", "oi"),
    (START, {}, "d2- d1- d3+d1 b1- c2- d4+d2 c4+c2 c3+b1", "C-cd34:b1c3,c2c4,d1d3,d2d4", "i"),
    (START, {}, "g1h4 h4f3 .5", "g1f3", "oi"),
    (START, {}, "g1- g1+g1 b1- b1+b1 e7- e7+e7 e2e4", "e2e4", "oi"),
    (START, {}, "e2e3 e3e4", "e2e4", "oi"),
    (OPEN, {}, "e1g1 h1f1", "e1g1", "oi"),
    (OPEN, {}, "h1f1 e1g1", "e1g1", "oi"),
    (OPEN, {}, "e1- h1- f1+h1 g1+e1", "e1g1", "oi"),
    (OPEN, {}, "a1d1 e1c1", "e1c1", "oi"),
    (OPEN, {}, "e1c1 a1d1", "e1c1", "oi"),
    (NEAR, {}, "c4e5 d4b5", "D-cd34:c4e5,d4b5", "oi"),
    (NEAR, {}, "c4- d4- e5- b5+d4 .5 e5+c4", "D-cd34:c4e5,d4b5", "oi"),
    (NEAR, {}, "c4- e5^c4", "c4e5", "oi"),
    (NEAR, {}, "e5- c4- c3+e5 .1 e5+c4 c3-", "c4e5", "oi"),
    (SWAP, {}, "e4f4 e3e4", "R-ef34:e3e4,e4f4", "oi"),
    (SWAP, {}, "e4f4 e3e4 f4e3", "R-ef34:e3e4,e4e3", "oi"),
    (SWAP, {}, "e4- e3- e3+e4 f4+e3 f4- e4+f4", "R-ef34:e3e4,e4e3", "oi"),
    (PAWN, {}, "c7- c8+wR", "c7c8r", "i"),
    (PAWN, {}, "c7c8 c8- c8+wQ", "c7c8q", "i"),
    (PAWN, {}, "c7c8 W =c7c8n", "c7c8n", "oi"),
    (PAWN, {}, "b7- a8+wQ", "R-ab78:b7a8q", "i"),
]
ROWS = [
    pytest.param((position, options, script, turn, tier), id=f"{turn}-{script}-{tier}")
    for position, options, script, turn, tiers in REALM
    for tier in ("occupancy", "identity")
    if tier[0] in tiers
]


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize("row", ROWS)
def test_a_realm_turn_is_taken_once_without_alarm(tmp_path, row, clock):
    position, options, script, turn, tier = row
    hands = Hands("realm", position, tier, clock, options).do(script)
    if "^" in script and not clock:
        hands.do("3.5")
    hands.do("1 W" if clock else f"1 ={turn}")
    lines = hands.replay(tmp_path / "r")
    assert stand(lines) == [turn]
    assert not {line["verdict"] for line in verdicts(lines)} & {"illegal", "disturbed"}
    assert lines[-1].get("verdict", "settled") == "settled"


def test_realm_speaks_the_seeds_notation_and_lights_the_realm(tmp_path):
    hands = Hands("realm", START, "identity", clock=True, options={})
    lines = hands.do("c2c4 d2d4 b1c3 d1d3 .5 W").replay(tmp_path / "r", "--referee")
    said = "Concentration: c4 d4 Nc3 Qd3 (C-cd34)."
    assert [line["say"] for line in lines if "say" in line] == [said]
    realm = dict.fromkeys(("c3", "c4", "d3", "d4"), "realm")
    assert {"t": 3.7, "lights": realm} in lines or any(
        line.get("lights") == realm for line in lines
    )
    (taken,) = [line for line in lines if "taken" in line]
    assert taken["position"] == "rnbqkbnr/pppppppp/8/8/2PP4/2NQ4/PP2PPPP/R1B1KBNR b KQkq - 0 1"


# --- Reality Check -------------------------------------------------------------------------------

AFTER = "rn/nnbbnb/pppnbrpbpr/7/7/1PP5/1PNBRPBPR/NNBBNB/RN b RR/rr - - - 1"
FIGHT = "nr/np1bn/1nn2pr/2pp4/4BB2/3NB3/PNRNrbrr1/1BRPB/RR w PP,PR,NN/pb,bb d3 - - 17"
FIRST = (
    "ppbrrnnn3/1rrbn3/bbnp3/bp1PB/3RRBB/4NBRN/3PPPNNNRB w PR/pr - - "
    "d1,e1,f1,f2,f3,g1,g2,g3,g4/a4,a5,a7,b5,b6,b7,c6,c7,d7 1"
)
TWO_DICE = "br/nn1rr/pp1nbpnnr/5pb1/bb6/1rp4PB/PPNP1BB1/NRPRNN/RB b NB,RR/- d2 flip:1,2 - 10"
MEMORY = {"memory": True}

DISCS = [  # position, options, script, turns
    (AFTER, {}, "c7c6 e7/", ["c7c6/e7"]),
    (AFTER, {}, "e7/ c7c6", ["c7c6/e7"]),
    (AFTER, {}, "c7/ c7c6", ["c7c6/c6"]),
    (AFTER, {}, "c7c6 c6/", ["c7c6/c6"]),
    (AFTER, {}, "c7- c6+c7/", ["c7c6/c6"]),
    (AFTER, {}, "c7c6 b4/", ["c7c6/b4"]),
    (AFTER, {}, "c7c6 b7/", ["c7c6/b7"]),
    (AFTER, {}, "c7c6 d7- d7+d7 b7/~", ["c7c6/b7"]),
    (AFTER, {}, "c7c6 d7- d7+d7 .06 b7/", ["c7c6/b7"]),
    (FIGHT, {}, "c2+PP", ["P?@c2"]),
    (FIGHT, {}, "c2+PP .5 c2- f3+c2", ["P?@f3"]),
    (FIGHT, {}, "f3+PR/", ["R?@f3"]),
    (TWO_DICE, {"dice": 2}, "b7/ B c8/~", ["flip:b7", "flip:c8"]),
    (TWO_DICE, {"dice": 2}, "d7- d7+d7 b7/ B d7- d7+d7 .06 c8/", ["flip:b7", "flip:c8"]),
    (FIRST, {"board": "advanced"}, "g4g5 d7/", ["g4g5/d7"]),
]


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize("row", DISCS, ids=[row[2] for row in DISCS])
def test_a_reality_check_turn_is_taken_once_without_alarm(tmp_path, row, clock):
    position, options, script, turns = row
    side = {"w": "W", "b": "B"}[position.split()[1]]
    hands = Hands("reality-check", position, "face", clock, options)
    pressed = f"{script} .5 {side}" if clock else script.replace(f" {side} ", " .8 ")
    lines = hands.do(pressed).replay(tmp_path / "r")
    assert stand(lines) == turns
    assert not {line["verdict"] for line in verdicts(lines)} & {"illegal", "disturbed"}


CAPTURES = [  # script, turn
    ("c7- e5- c7+e5", "e5xc7"),
    ("e5- c7- c7+e5", "e5xc7"),
    ("e5- c7^e5", "e5xc7"),
    ("c7- e5- d7+c7 .1 c7+e5 .1 d7-", "e5xc7"),
    ("c7- e5- c7+e5 !", "e5xc7!"),
    ("c7- e5- c7+e5 =e5xc7!", "e5xc7!"),
]


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize(("script", "turn"), CAPTURES, ids=[row[0] for row in CAPTURES])
def test_a_capture_asks_for_a_reality_check_and_takes_what_was_said(tmp_path, script, turn, clock):
    hands = Hands("reality-check", FIGHT, "face", clock, {}).do(script)
    lines = hands.do("1 W" if clock else f"1 ={turn}").replay(tmp_path / "r")
    assert stand(lines) == [turn]
    choices = [set(line["turns"]) for line in verdicts(lines) if line["verdict"] == "choice"]
    assert choices == [{"e5xc7", "e5xc7!"}] or ("!" in script and choices == [])
    assert "illegal" not in {line["verdict"] for line in verdicts(lines)}


def test_a_matched_memory_turn_sends_both_discs_to_hand_and_a_failed_one_costs_a_true_one(tmp_path):
    hands = Hands("reality-check", AFTER, "face", clock=True, options=MEMORY)
    lines = hands.do("c2/ c3/ c2- c3- .5 B").replay(tmp_path / "r")
    assert stand(lines) == ["?c2,c3"]
    hands = Hands("reality-check", AFTER, "face", clock=True, options=MEMORY)
    lines = hands.do("f3/ c3/ .5 B 1 b7- .5 B").replay(tmp_path / "r")
    assert stand(lines) == ["?c3,f3", "sacrifice:PP"]


LOSING = (
    "br1rnpn3/nb5/rp4/pp1BB/4RP/6/2BNRBPNRNBP w -/pb a5,d7 sacrifice "
    "d1,e1,e2,f1,f2,f3,g1,g3,g4/a4,a5,a6,a7,b5,b6,b7,c7,d7 7"
)
ALL = {"retreat": True, "memory": True, "flexible": True, "board": "advanced", "dice": 2}


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize(
    ("position", "options", "script"),
    [
        (AFTER, MEMORY, "c2- c3- .6 c2+c2 c3+c3"),  # alike below
        (AFTER, MEMORY, "c3- f3- .6 c3+c3 f3+f3"),  # not alike
        (LOSING, ALL, "g4- .6 g4+g4"),  # the one true disc, where one is owed
        (LOSING, ALL, "c1- .6 c1+c1"),
    ],
)
def test_to_lift_discs_and_set_them_back_tells_nothing(tmp_path, position, options, script, clock):
    lines = (
        Hands("reality-check", position, "face", clock, options).do(script).replay(tmp_path / "r")
    )
    assert [line["verdict"] for line in verdicts(lines)] == ["in-progress", "settled"]
    assert not [line for line in lines if "taken" in line or "say" in line]


def test_a_decision_is_made_once_though_the_pieces_are_being_adjusted(tmp_path):
    position = TWO_DICE.replace("flip:1,2", "roll")
    hands = Hands("reality-check", position, "face", clock=True, options={"dice": 2})
    hands.tell(button="adjust")
    lines = hands.do("1 =roll:4,4 1 =roll:1,2").replay(tmp_path / "r")
    assert stand(lines) == ["roll:4,4"]


# --- What is illegal -----------------------------------------------------------------------------

OFFENCES = [  # game, position, options, tier, script, reasons, cells
    ("realm", START, {}, "o", "e2e5", {"no-such-move"}, {"e2", "e5"}),
    ("realm", START, {}, "o", "e7e5", {"not-your-piece"}, {"e7", "e5"}),
    ("realm", START, {}, "i", "e2- a2- e4+e2 a3+a2", {"mixed-realms"}, {"e2", "e4", "a2", "a3"}),
    ("realm", START, {}, "i", "e2e4 h2-", {"too-many-pieces"}, {"h2"}),
    ("realm", START, {}, "i", "h7- e2e4", {"not-your-piece", "too-many-pieces"}, {"h7"}),
    ("realm", START, {}, "i", "d8- e7- d8+e7 e7+d8", {"not-your-piece"}, {"d8", "e7"}),
    ("realm", START, {}, "i", "a1- a2- a2+a1", {"own-piece-there"}, {"a1", "a2"}),
    ("realm", START, {"balanced": True}, "i", "e2- f2- e4+e2 f4+f2", {"too-many-pieces"}, set()),
    ("reality-check", AFTER, {}, "f", "c7c5", {"no-such-move"}, {"c7", "c5"}),
    ("reality-check", AFTER, {}, "f", "c3c4", {"not-your-piece"}, {"c3", "c4"}),
    ("reality-check", AFTER, {}, "f", "c7c6 e6+RR", None, {"e6", "c6", "c7"}),
    ("reality-check", AFTER, {}, "f", "b7- c7- c7+b7 b7+c7", None, {"b7", "c7"}),
    ("reality-check", AFTER, {}, "f", "d7- c7- d7+c7", {"own-piece-there"}, {"c7", "d7"}),
    ("reality-check", AFTER, {}, "f", "f3- c7c6 e7/", {"not-your-piece"}, {"f3", "c7", "c6", "e7"}),
    ("reality-check", AFTER, {}, "f", "c7c6 e7e6", None, {"c7", "c6", "e7", "e6"}),
]


@pytest.mark.parametrize("row", OFFENCES, ids=[f"{row[0]}-{row[4]}-{row[3]}" for row in OFFENCES])
def test_what_is_illegal_is_told_and_put_right_as_told(tmp_path, row):
    game, position, options, tier, script, reasons, cells = row
    tier = {"o": "occupancy", "i": "identity", "f": "face"}[tier]
    hands = Hands(game, position, tier, clock=True, options=options)
    before = dict(hands.on)
    hands.do(f"{script} .5 {'W' if position.split()[1] == 'w' else 'B'}")
    pressed = hands.t - 0.3
    lines = hands.replay(tmp_path / "r", "--referee")
    assert stand(lines) == []
    told = next(line for line in verdicts(lines) if line["verdict"] == "illegal")
    assert told["t"] <= pressed + 0.31
    assert reasons is None or told["reason"] in reasons
    assert set(told["cells"]) <= cells or not cells
    changed = {square for square in before if hands.on.get(square) != before[square]}
    assert len(told["restore"]) <= len(changed) + 1
    hands.follow(told["restore"])
    lines = hands.replay(tmp_path / "r", "--referee")
    assert verdicts(lines)[-1]["verdict"] == "settled"
    assert stand(lines) == []
    assert hands.on == before


# --- Time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "held", "alarm"),
    [({}, 0.79, None), ({}, 0.81, 2.1), ({"grace": 0.2}, 0.21, 1.5), ({"grace": 2}, 1.9, None)],
)
def test_an_odd_piece_glows_at_once_and_is_illegal_after_the_grace_time(
    tmp_path, settings, held, alarm
):
    hands = Hands("realm", START, "occupancy", clock=True, options={}, settings=settings)
    hands.do("g1- h5+g1")
    hands.t += held - 0.3
    lines = hands.do("h5- g1+h5").replay(tmp_path / "r")
    assert {"t": 1.3, "verdict": "unexplained", "cells": ["h5"]} in lines
    assert {"t": 1.3, "lights": {"h5": "unexplained"}} in lines
    times = [line["t"] for line in verdicts(lines) if line["verdict"] == "illegal"]
    assert times[:1] == ([] if alarm is None else [pytest.approx(alarm)])
    assert verdicts(lines)[-1]["verdict"] == "settled"


# --- Secrets -------------------------------------------------------------------------------------

TWIN = "rn/nbbbnn/pppbbrprpn/7/7/1PP5/1PBBRPRPN/NNBBNB/RN b RR/rr - - - 1"
"""As `AFTER`, with pawns and rooks that hide something else."""
PUBLIC = [
    "c7c6 .8 c6c7",
    "c7c5 1 c5c7",
    "c7- d7- d7+c7 c7+d7 1 B",
    "b4- 2 b4+b4 e7-",
    "c7c6 d9/ .8 c3c4 d2/",
    "f7- e7- e6+f7 1.2 B f6+e7",
    "d7c5 d9/ B 1 c3d5 .8 e2/ W 2",
]


@pytest.mark.parametrize("options", [{}, {"memory": True, "retreat": True}, {"dice": 1}], ids=str)
@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
@pytest.mark.parametrize("script", PUBLIC)
def test_twins_with_other_undersides_look_the_same(tmp_path, script, clock, options):
    told = []
    for position in (AFTER, TWIN):
        hands = Hands("reality-check", position, "face", clock, options)
        told.append(hands.do(script).replay(tmp_path / "r"))
    assert told[0] == told[1]
    assert len(told[0]) >= 2


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no-clock"])
def test_a_drop_that_is_read_late_does_not_tell_what_is_in_the_hand(tmp_path, clock):
    twin = FIGHT.replace("3NB3/PN", "3NB3/PP").replace("PP,PR,NN", "PN,PR,NN")
    told = []
    for position, piece in ((FIGHT, "PP"), (twin, "PN")):
        hands = Hands("reality-check", position, "face", clock, {})
        told.append(hands.do(f"c2+{piece}~ 1 W").replay(tmp_path / "r"))
    assert told[0] == told[1]
    assert stand(told[0]) == ["P?@c2"]
