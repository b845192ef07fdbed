"""Hands that do anything at all: what they tell must not depend on what lies underneath.

`test_any_phase.py` lets them do it in every phase, with every set of options.
"""

from contextlib import suppress

import pytest

import rules
from drivers.port import Snapshot
from firmware_bridge.referee.remarks import faces
from firmware_bridge.table.view_builder import shown_by
from tests.firmware_bridge.secrets.anything import kill, ruled
from tests.firmware_bridge.secrets.test_reality_check_pairs import (
    end_turn,
    forced,
    make,
    same_turns,
    worlds,
)
from tests.firmware_bridge.secrets.worlds import PACES, STEADY_PACE, Pair, chooser, table

BURSTS = 20


class Parted(Exception):  # noqa: N818 - says what happened
    """A rule has made the difference public."""


def public_fact(table):
    """Return what the rules have made public at a table."""
    position, state = table.state.position, table.state
    true = {
        side: sum(
            len(set(faces(label))) == 1
            for label in (*position.placement.values(), *position.hands[side])
            if label[0] == side[0]
        )
        for side in position.hands
    }
    return (
        dict(position.shown),
        {side: len(hand) for side, hand in position.hands.items()},
        true,
        position.awaited,
        position.side,
        position.outcome,
        state.stage,
        state.number,
        shown_by(state.played[-1].before, state.played[-1].turn) if state.played else (),
        forced(position),
    )


class Anytime(Pair):
    """A pair of worlds that part when a rule makes their difference public.

    No rule does by a turn that is taken in one of them alone, but for a disc that is given up: it
    must be a true one.
    """

    fact = staticmethod(lambda world: public_fact(world.table))

    @staticmethod
    def number(world):
        """Return how many turns were taken in a world, discs given up left out."""
        return sum(made.before.awaited != "sacrifice" for made in world.table.state.played)

    def batches(self, batches):
        facts = [(self.fact(world), ruled(world)) for world in self.worlds]
        if facts[0] != facts[1]:
            assert len(set(map(self.number, self.worlds))) == 1, self.differing(1)
            raise Parted
        if self.ended:
            raise Parted  # everything is public then
        super().batches(batches)

    @property
    def ended(self):
        """Whether the game is over in any world."""
        return any(world.table.state.stage == "over" for world in self.worlds)

    def look_ahead(self, t):
        with suppress(Parted):
            super().look_ahead(t)


class Anyhow(Anytime):
    """The same, in which hands do anything that looks the same in both."""

    def __init__(self, *tables, seats=()):
        super().__init__(*tables, seats=seats)
        self.held = []

    def tidy(self):
        """Put everything back as it was agreed."""
        agreed = [self._agreed(world) for world in self.worlds]
        self.held, self.pace = [], STEADY_PACE
        for square in sorted(self.worlds[0].readings):
            lying = [world.readings[square] for world in self.worlds]
            if lying != [there.get(square) for there in agreed]:
                self.lift(square)
        for square in sorted(agreed[0]):
            if square not in self.worlds[0].readings:
                self.cell(square, [there[square] for there in agreed])
        self.pass_time(1.0)

    def _agreed(self, world):
        """Return what the cells read when all stands as agreed, each disc on its own side."""
        known = [uid for uid in world.readings.values() if isinstance(uid, str)]
        known += [r[self.worlds.index(world)] for _, r in self.held]
        other = {str(uid).removesuffix("/2"): uid for uid in known}
        return {
            square: other.get(label, label) for square, label in world.position.placement.items()
        }

    def do(self, random):
        self.pace = random.choice(PACES)
        kinds = ["lift"] * 4 + ["put"] * 7 + ["wait"] * 2 + ["press"] * 2 + ["answer", "talk"]
        getattr(self, f"_{random.choice(kinds)}")(random)

    def _lift(self, random):
        square = random.choice(sorted(self.worlds[0].readings))
        self.held.append((square, self.lift(square)))

    def _put(self, random):
        if random.random() < 0.15:
            self._from_hand(random)
        if not self.held:
            return
        home, readings = self.held.pop(random.randrange(len(self.held)))
        squares = self.positions[0].game.squares
        target = home if random.random() < 0.5 else random.choice(sorted(squares))
        if random.random() < 0.3:
            readings = self.turned(readings)
        self._set_down(random, target, readings)

    def _set_down(self, random, target, readings):
        if target in self.worlds[0].readings:
            self.held.append((target, self.lift(target)))
        if random.random() < 0.15 and not any(map(_like_faces, readings)):
            self.cell(target, random.choice([[True, True], ["stranger", "stranger"]]))
            if random.random() < 0.3:
                return
        self.cell(target, readings)

    def turned(self, readings):
        """Return the same discs turned over, if that shows the same faces in both worlds."""
        if readings[0] in (True, "stranger"):
            return readings
        labels = [str(reading).removesuffix("/2") for reading in readings]
        shown = [faces(label) for label in labels]
        if shown[0][1] != shown[1][1]:
            return readings
        new = [
            f"{label.partition(':')[0]}:{up}" for label, (up, _) in zip(labels, shown, strict=True)
        ]
        return [f"{a}/2" if a == b else a for a, b in zip(new, readings, strict=True)]

    def _from_hand(self, random):
        side = self.positions[0].side
        hands = [position.hands[side] for position in self.positions]
        face = random.choice("PNBR")
        fitting = [
            [label for label in hand if face in faces(label) and not self._is_out(number, label)]
            for number, hand in enumerate(hands)
        ]
        if not all(fitting):
            return
        readings = []
        own = random.choice(fitting[0])
        for labels in fitting:  # whoever sits here sees which of his own it is
            label = own if side in self.seats else random.choice(labels)
            one, two = faces(label)
            down = two if one == face else one
            readings.append(f"{label.partition(':')[0]}:{down}")
        free = sorted(self.positions[0].game.squares - self.worlds[0].readings.keys())
        self._set_down(random, random.choice(free), readings)

    def _is_out(self, number, label):
        """Return whether this piece of a hand is on the board or in the air already."""
        out = [*self.worlds[number].readings.values(), *(held[number] for _, held in self.held)]
        return any(str(uid).partition(":")[0] == label.partition(":")[0] for uid in out)

    def _wait(self, random):
        self.pass_time(random.choice([0.1, 0.5, 1.0, 12.0]))

    def _press(self, random):
        side = self.positions[0].side
        self.press(side if random.random() < 0.9 else {"white": "black", "black": "white"}[side])

    def _answer(self, random):
        if self.held:
            return
        question = [choice.text for choice in self.worlds[0].view.question]
        turns = [
            turn.public for turn, _ in zip(self.positions[0].turns(), range(200), strict=False)
        ]
        texts = question or turns
        if texts:
            self.answer([random.choice(texts)] * 2)

    def _talk(self, random):
        if random.random() < 0.4:
            self.declare()
        else:
            what = random.choice(["offer-draw", "decline", "adjust", "offer-take-back", "roll"])
            self.call(what, random.choice(["white", "black"]))


def _like_faces(reading):
    """Return whether a disc shows nobody that it was turned over but by its other tag."""
    return isinstance(reading, str) and len(set(faces(reading.removesuffix("/2")))) == 1


def run(options, seed, hidden, seats, *, sealed=False):
    random = chooser("anyhow", seed, sorted(options.items()), hidden, sealed)
    starts = worlds(random, options, hidden=hidden)
    tables = (table("reality-check", start, sealed=sealed, **options) for start in starts)
    play(Anyhow(*tables, seats=seats), random)


def play(pair, random, bursts=BURSTS):
    """Make turns and mischief, until a rule makes the difference public."""
    try:
        for _ in range(bursts):
            if pair.over:
                break
            burst(pair, random)
    except Parted:
        return
    pair.same()


def burst(pair, random):
    before = pair.positions
    turns = same_turns(random, before, pair.seats) if random.random() < 0.7 else None
    deeds = turns and [p.deed(t) for p, t in zip(before, turns, strict=True)]
    if turns and not deeds[0].physical:
        pair.answer([str(turn) for turn in turns])
        return
    if turns:
        make(pair, deeds)
        if random.random() < 0.6:
            end_turn(pair, before, turns)
    if random.random() < 0.7:
        for _ in range(random.randint(1, 6)):
            pair.do(random)
    pair.tidy()


def looked_at(random, first_shown):
    """Return two positions, and the name of a look at two discs that match in one of them alone.

    Both show what lies below the first of these discs, if it is to be turned over.
    """
    while True:
        starts = worlds(random, {"memory": True}, hidden=("white", "black"))
        quiet = min(turn.public for turn in starts[0].turns() if "x" not in turn.public)
        after = [p.play(next(t for t in p.turns() if t.public == quiet)) for p in starts]
        deeds = [{t.public: p.deed(t) for t in p.turns() if "," in t.public} for p in after]
        for name in random.sample(sorted(deeds[0].keys() & deeds[1].keys()), 30):
            below = {p.placement[name[1:3]][-1] for p in after}
            match = {bool(deed[name].taken) for deed in deeds}
            if len(match) == 2 and (len(below) == 1 or not first_shown):
                return after, name


@pytest.mark.parametrize(
    "conduct",
    [{}, {"press": False}, {"buttons": False}],
    ids=["a press ends it", "a press may end it", "no buttons"],
)
@pytest.mark.parametrize("then", ["wait", "press", "name"])
@pytest.mark.parametrize("second", ["air", "unread"])
@pytest.mark.parametrize("first", ["air", "unread", "turned", "turned-air"])
def test_whether_two_discs_match_is_told_by_the_turn_that_looks_at_them(
    first, second, then, conduct
):
    """By one that is taken, at its price, whatever they are; no press and no name tries it."""
    starts, name = looked_at(chooser(first, second), first.startswith("turned"))
    pair = Anyhow(*(table("reality-check", p, memory=True, **conduct) for p in starts))
    with suppress(Parted):
        for square, what in ((name[1:3], first), (name[4:], second)):
            held = pair.lift(square)
            if what.startswith("turned"):
                pair.cell(square, pair.turned(held))
            if what == "unread":
                pair.cell(square, [True, True])
            if what == "turned-air":
                pair.lift(square)
        if then == "wait":
            pair.pass_time(12.0)
        elif then == "press":
            pair.press(starts[0].side)
            pair.pass_time(2.0)
        else:
            pair.answer([name, name])
    pressed = then == "press" and "buttons" not in conduct and (first, second) != ("unread",) * 2
    taken = then == "name" or pressed
    assert not taken or {world.table.state.number for world in pair.worlds} == {1}


def test_two_discs_lifted_where_one_may_be_given_up_are_blamed_alike_whichever_is_true():
    memory = {"retreat": False, "memory": True, "dice": 0, "board": "advanced"}
    run(memory, 4, hidden=("white", "black"), seats=())


FLEXIBLE = {"flexible": True}
HOMES = "b3,c2,c3,d1,d2,d3,e2,e3,f3/b7,c7,c8,d7,d8,d9,e7,e8,f7"


def pair_at(*texts):
    game = rules.load("reality-check", **FLEXIBLE)
    starts = [game.parse(f"{text} - - {HOMES} 3") for text in texts]
    return Anyhow(*(table("reality-check", start, **FLEXIBLE) for start in starts))


@pytest.mark.parametrize("reading", [True, "stranger"])
def test_a_piece_from_hand_that_is_not_read_does_not_tell_how_many_it_could_be(reading):
    """In one hand only one piece could be it, in the other a piece with either face up."""
    pair = pair_at(
        "rr/1rbnn/pn1bbpbpr/1nbpp4/7/1PBPR4/2BRPPPN/NNBBRN/RR w NB/nr",
        "rr/1rbnb/pn1bbpbpp/1nrpr4/7/1PBPR4/2BBPNPP/NBBRRN/RR w NN/nn",
    )
    pair.cell("c3", [reading, reading])
    assert pair.worlds[0].view.judged.kind == "in-progress"
    pair.press("white")
    assert pair.worlds[0].view.judged.kind == "choice"
    assert not pair.worlds[0].view.question
    answers = [world.table.summary().seat("white", world.t).decision for world in pair.worlds]
    assert [len(given) for given in answers] == [2, 1]
    pair.cell("c3", ["wNB:B", "wNN:N"])
    assert pair.worlds[0].view.judged.kind == "complete"


def test_a_piece_set_back_unread_does_not_show_its_other_face():
    pair = pair_at(
        "rr/nnbr1/pbpnbbpppr/5nr1/7/2BR4/PBPN1PRPP/NBBBNR/RR b NN/nb",
        "rr/nrbb1/pppbbrprpn/5nb1/7/2BN4/PNPR1PBPP/NNBRNR/RR b BB/nn",
    )
    pair.carry("c8", "b6")
    pair.lift("e3")
    pair.cell("e3", ["stranger", "stranger"])
    shown = pair.worlds[0].view.standing.get("e3")
    assert shown is None or shown.kind in ("", "P")


@pytest.mark.parametrize("lifted", [None, "d1", "f3"])
@pytest.mark.parametrize("when", ["before the game", "first turn", "later"])
def test_a_power_cut_in_mid_turn_tells_not_whether_a_disc_has_like_faces(when, lifted):
    """The one that was moved before it, or is put back after it: no tag told that it was turned."""
    game = rules.load("reality-check", **FLEXIBLE)
    squares = ["d1", "c2", "e2", "d2", "d3", "b3", "c3", "e3"]
    others = dict(zip(squares, ["PN", "PP", "PB", "PR", "NB", "BB", "BR", "RR"], strict=True))
    starts = [str(game.start(white={**others, "f3": disc})) for disc in ("NN", "NR")]
    number, begin = 1 + 2 * (when == "later"), when != "before the game"
    starts = [game.parse(f"{start.rpartition(' ')[0]} {number}") for start in starts]
    pair = Anyhow(*(table("reality-check", s, begin=begin, **FLEXIBLE) for s in starts))
    pair.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))
    held = lifted and pair.lift(lifted)
    if lifted != "f3":
        pair.carry("f3", "g5")
    kill(pair)
    if lifted:
        pair.cell(lifted, held)
    if lifted == "f3":
        pair.carry("d3", "b4")
    pair.pass_time(3.0)
    pair.press("white")
    pair.pass_time(3.0)
    pair.same()
