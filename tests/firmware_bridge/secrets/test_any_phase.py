"""Hands that do anything at any moment, in every phase: no viewer learns what the rules hide."""

import itertools
from dataclasses import replace

import pytest

from firmware_bridge.bench.clumsiness import STYLES
from firmware_bridge.messages import Tick
from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.table import Table
from rules.values import SIDES, opponent
from tests.firmware_bridge.secrets import anything as hands
from tests.firmware_bridge.secrets import test_computer_pairs as computer
from tests.firmware_bridge.secrets import test_indistinguishable_pairs as owners
from tests.firmware_bridge.secrets import test_reality_check_pairs as discs
from tests.firmware_bridge.secrets.anything import (
    STEADY,
    anything,
    arbitrate,
    fits,
    kill,
    put_right,
    set_up,
    wrong_squares,
)
from tests.firmware_bridge.secrets.test_any_hands import Anyhow, Anytime, Parted, burst
from tests.firmware_bridge.secrets.worlds import PACES, STEADY_PACE, Pair, chooser, table
from tests.nightly import NIGHTLY

PAIRS = 5000 if NIGHTLY else 24
"""Of all kinds together."""
PARTS = 4 if NIGHTLY else 1
"""Tests of each kind, for several workers."""
ROUNDS = 8 if NIGHTLY else 3
"""Turns, with whatever happens between them, in a long pair."""
LONG = 1 if NIGHTLY else 4
"""One in so many is long, the others are over after one turn."""
AGREED = (
    {},
    {"practice": True, "lift_for_hint": True},
    {"grace": 0.0, "settle": 1.0},
    {"penalty": "none", "quiet": True},
    {"time": "5m+2s", "coach": True},
    {"time": "untimed"},
    {"time": "3d a turn"},
)
"""What may be agreed besides; touch-move would tell whose a piece is, as everyone knows."""


ASKS = "want-choice", "want-promotion"


class PowerCuts(Anytime):
    """Worlds in which the power may fail after anything that is done."""

    def __init__(self, *worlds, seats=()):
        super().__init__(*worlds, seats=seats)
        self.random = chooser("power cuts", str(worlds[0].position), self.positions[0].side)

    def inputs(self, make):
        super().inputs(make)
        if hands.CUTS and self.random.random() < hands.CUTS:
            kill(self, unheard=self.random.random() < 0.5)


class Owners(PowerCuts):
    """The same where whose piece it is is the secret."""

    @staticmethod
    def fact(world):
        state, position = world.table.state, world.position
        shown = dict(position.shown), position.side, position.outcome
        told = [o.verdict.kind for o in world.outputs if isinstance(o, VerdictChanged)]
        agreed = world.agreement
        waits = agreed.buttons and (agreed.settings.press or agreed.settings.sealed)
        # Who played which of two turns that one press ends is in the record, after the game.
        record = [str(made.turn) for made in state.played]
        # Where no press ends a turn, one that stands is asked about, or taken: that is public.
        asked = 0 if waits else told.count("choice")
        return *shown, state.stage, state.number, dict(state.offences), asked, record

    number = staticmethod(lambda _: 0)  # to set a piece down is the offence

    def batches(self, batches):
        asked = {tuple(map(world.said.count, ASKS)) for world in self.worlds}
        if len(asked) > 1:
            for world in self.worlds:  # where no pawn promotes, it is an attempt, at a price
                world.wait(1.0)
        if self.found_after_a_gap:
            raise Parted
        try:
            super().batches(batches)
        except Parted:
            self.pay()
            raise

    @property
    def found_after_a_gap(self):
        """Whether, where play is not sealed, what a gap has left may stay in one world alone."""
        judges = [world.table.reconciler for world in self.worlds]
        left = any(judge.gap for judge in judges) and not self.worlds[0].agreement.settings.sealed
        return left and {judge.verdict.kind for judge in judges} == {"complete", "disturbed"}

    def inputs(self, make):
        self.item = make(self.worlds[0], 0)
        self.paid = [sum(world.table.state.offences.values()) for world in self.worlds]
        super().inputs(make)

    def pay(self):
        """See that where one world alone takes a turn, at its mover's press, another one pays.

        Sealed, that is, with all cells trusted, and not after a gap. Else hands have put all back:
        what tells costs in both. Where no button ends a turn, that one is taken tells that it is
        one.
        """
        agreed = self.worlds[0].agreement
        numbers = [world.table.state.number for world in self.worlds]
        paid = [sum(world.table.state.offences.values()) for world in self.worlds]
        if not agreed.settings.sealed:
            alike = len(set(zip(numbers, paid, strict=True))) == 1
            assert alike or not agreed.buttons or self.ended, self.differing(1)
            return
        by = getattr(self.item, "button", getattr(self.item, "by", None))
        for world, number, before in zip(self.worlds, numbers, self.paid, strict=True):
            judge = world.table.reconciler
            free = judge.distrusted or by == opponent(judge.position.side)
            if number < max(numbers) and not free:
                if by and hands.HASTE and self.random.random() < hands.HASTE:
                    take_up_again(world, self.random)
                world.wait(3.0)
                costs = sum(world.table.state.offences.values()) > before
                assert costs or judge.gap, self.differing(1)


def take_up_again(world, random):
    """Let a hand take up at once what it has just pressed for, or others, and put that back."""
    astray = sorted(square for square in world.readings if not fits(world, square))
    if not astray:
        return
    others = random.sample(sorted(world.readings), random.choice([0, 0, 1, 7]))
    for square in others or [random.choice(astray)]:
        reading = world.readings[square]
        world.cell(square, None, after=random.uniform(0.0, 0.28 / max(1, len(others))))
    homes = sorted(world.position.placement.keys() - world.readings.keys())
    if homes and not others:
        world.cell(random.choice(homes), reading, after=random.uniform(0.05, 0.5))


class Discs(PowerCuts, Anyhow):
    """The same where what lies underneath is the secret, the power failing still more often."""

    def do(self, random):
        if random.random() < 0.1:
            kill(self)
        super().do(random)


def between_people(random, options, count):
    """Reality Check: undersides of both, or of the opponent alone, are hidden."""
    hidden, seats = random.choice([(("white", "black"), ()), (("black",), ("white",))])
    conduct = conducted(random, (*AGREED, {"touch_move": True}))
    begin = random.random() < 0.8
    starts = discs.worlds(random, options, hidden=hidden)
    tables = (table("reality-check", s, begin=begin, **conduct, **options) for s in starts)
    pair = Discs(*tables, seats=seats)
    if not begin:
        set_up(pair, random)
    for _ in rounds(pair, count):
        burst(pair, random)
        some(pair, random)
        pair.tidy()
    return pair


def carry_out(pair, random):
    """Carry out what a computer plays, and sometimes do not rest afterwards."""
    computer.carry_out(pair, haste=hands.HASTE and random.random() < hands.HASTE)


def against_computer(random, options, count):
    """Reality Check: what a computer's tokens hide, and its hand."""
    buttons = random.random() < 0.7
    tables, _ = computer.pair_of(
        random,
        options,
        computer.COMPUTER,
        seats=(computer.PERSON,),
        buttons=buttons,
        press=random.random() < 0.5,
    )
    pair = PowerCuts(*tables.worlds, seats=tables.seats)
    for _ in rounds(pair, count):
        some(pair, random)
        computer.exchange_some(pair, random)
        carry_out(pair, random)
        turns = discs.same_turns(random, pair.positions, pair.seats)
        if turns is None:
            break
        if pair.positions[0].side == computer.COMPUTER:
            computer.choose(pair, [str(turn) for turn in turns])
            some(pair, random)
        else:
            discs.play(pair, turns)
        carry_out(pair, random)
    return pair


def between_computers(random, options, count):
    """Reality Check, two computers at the board: what the tokens of both hide, and both hands."""
    starts = discs.worlds(random, options, hidden=SIDES)
    conduct = {"buttons": random.random() < 0.7, "press": random.random() < 0.5}
    conduct |= {"computers": dict.fromkeys(SIDES, 1), "tokens": starts[0].placement, **options}
    pair = PowerCuts(*(table("reality-check", start, **conduct) for start in starts))
    for _ in rounds(pair, count):
        some(pair, random)
        carry_out(pair, random)
        turns = discs.same_turns(random, pair.positions, ())
        if turns is None:
            break
        computer.choose(pair, [str(turn) for turn in turns])
        some(pair, random)
        carry_out(pair, random)
    return pair


def whose_of_computers(random, _, count):
    """Indistinguishable Chess: whose the pieces are that hands carry for computers."""
    starts = owners.worlds(random)
    conduct = {**conducted(random), "tier": random.choice(["occupancy", "identity"])}
    computers = dict.fromkeys(random.choice([SIDES, ("white",), ("black",)]), 1)
    how = {**conduct, "computers": computers}
    pair = Owners(*(table("indistinguishable", start, **how) for start in starts))
    for _ in rounds(pair, count):
        some(pair, random, STEADY)
        put_right(pair, random, by_looks=False)
        found = owners.alike(random, pair.positions, "legal", conduct)
        if found is None or wrong_squares(pair):
            break
        side, (source, target, fact) = pair.positions[0].side, found
        if side in computers:
            text = f"{source}{target}{'q' * (fact[4] > 1)}"
            computer.choose(pair, [text, text])
            some(pair, random, STEADY)
            put_right(pair, random, by_looks=False)
        else:
            owners.move(pair, random, *found, sealed=conduct["sealed"])
            pair.pass_time(1.5)
    return pair


def whose(random, _, count):
    """Indistinguishable Chess: sealed, whatever hands do; else what is lifted and goes back."""
    starts = owners.worlds(random)
    conduct = conducted(random)
    conduct |= board(random, kinds=not conduct["sealed"])
    begin = not hands.WORDS or random.random() < 0.8
    tables = (table("indistinguishable", start, begin=begin, **conduct) for start in starts)
    pair = Owners(*tables)
    steady = () if conduct["sealed"] else STEADY
    if not begin:
        set_up(pair, random, steady)
    for _ in rounds(pair, count):
        some(pair, random, steady)
        if conduct["sealed"] and random.random() < 0.5:
            leave_astray(pair, random)
        found = owners.alike(random, pair.positions, "legal", conduct)
        first = pair.worlds[0]
        stands = first.readings.keys() == first.position.placement.keys()
        if found and stands and not pair.over:  # a turn that was not taken is left as it is
            before = hands.WORDS and random.random() < 0.3
            meanwhile = {"meanwhile": lambda: some(pair, random, STEADY)} if before else {}
            owners.move(pair, random, *found, sealed=conduct["sealed"], **meanwhile)
            pair.pass_time(1.5)
    return pair


def corrected(random, _, count):
    """Indistinguishable Chess with tags: an arbiter undoes turns, or goes on from elsewhere."""
    starts = owners.worlds(random)
    conduct = {**conducted(random), "tier": "identity"}
    pair = Owners(*(table("indistinguishable", start, **conduct) for start in starts))
    for _ in rounds(pair, count + 2):
        found = owners.alike(random, pair.positions, "legal", conduct)
        if wrong_squares(pair):
            break
        if found:
            owners.move(pair, random, *found, sealed=conduct["sealed"])
            pair.pass_time(random.choice([0.3, 1.5, 8.0]))
        if not found or random.random() < 0.7:
            arbitrate(pair, random)
    return pair


def leave_astray(pair, random):
    """Set pieces down, as turns of one of the worlds do or anyhow, clear the board, and press."""
    readings, squares = pair.worlds[0].readings, pair.positions[0].game.squares
    for _ in range(random.randint(2, 6)):
        pair.pace = random.choice(PACES)
        what, free = random.random(), sorted(squares - readings.keys())
        if what < 0.4:
            turns = {str(turn) for position in pair.positions for turn in position.turns()}
            plain = {turn[:4] for turn in turns if len(turn) == 4}
            found = sorted(turn for turn in plain if turn[:2] in readings)
            source, target = random.choice(sorted(readings)), random.choice(free)
            if found and random.random() < 0.7:
                source, target = (turn := random.choice(found))[:2], turn[2:]
            if target in readings:
                pair.lift(target)
            pair.carry(source, target)
        elif what < 0.6:
            cells = random.sample(
                sorted(readings), random.randint(len(readings) // 3, len(readings))
            )
            for cell, lifted in [(cell, pair.lift(cell)) for cell in cells]:
                pair.cell(cell, lifted)
        elif what < 0.9:
            pair.press(random.choice(SIDES))
        else:
            pair.pass_time(random.choice([0.5, 3.0, 45.0]))
    pair.pace = STEADY_PACE


def conducted(random, agreed=AGREED):
    """Return how a game is played: with buttons, needed or not, or without, sealed or open."""
    buttons = random.random() < 0.7
    sealed = buttons and random.random() < 0.4
    conduct = {"buttons": buttons, "sealed": sealed, "press": random.random() < 0.7}
    return {**conduct, "agreed": random.choice(agreed) if hands.WORDS else {}}


def board(random, *, kinds):
    """Return what a board tells of pieces: that they are there, which each is, or only of which
    kind: there everybody sees whose they are, so that none may be exchanged."""
    tier = random.choice(["occupancy", "identity"])
    if not hands.WORDS:
        return {"tier": tier}
    kinds &= tier == "identity" and random.random() < 0.3
    return {"tier": tier, "kinds": kinds, "single_set": random.random() < 0.3}


def rounds(pair, count):
    """Yield until the game is over, or has lasted long enough."""
    return itertools.takewhile(lambda _: not pair.over, range(count))


def some(pair, random, styles=()):
    """Do a few things that are no turns."""
    for _ in range(random.randint(1, 4)):
        anything(pair, random, styles)


KINDS = (between_people, against_computer, between_computers, whose, whose_of_computers, corrected)


def play(kind, seed, count=ROUNDS):
    """Play one pair of this kind; return whether its difference stayed secret to the end."""
    random = chooser("any phase", kind.__name__, seed)
    options = discs.OPTIONS[seed % len(discs.OPTIONS)]
    try:
        kind(random, options, count).same()
    except Parted:
        return False
    return True


@pytest.mark.timeout(3600 * 6 if NIGHTLY else 600)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nobody_learns_anything_whatever_hands_do_and_when(kind, part):
    seeds = range(part, PAIRS // len(KINDS), PARTS)
    kept = [play(kind, seed, 1 if number % LONG else ROUNDS) for number, seed in enumerate(seeds)]
    assert sum(kept) >= len(kept) // 2


class Looking(Pair):
    """The same game twice; at the second table the machine looks at the board at any time."""

    def __init__(self, *tables):
        super().__init__(*tables)
        self.random, self.looked = chooser("looking"), 0.0

    def inputs(self, make):
        plain, often = self.worlds
        looks = (self.random.uniform(self.looked, often.t) for _ in range(3))
        found = [often.feed(Tick(t)) for t in sorted(looks)]
        once, last = plain.feed(make(plain, 0)), often.feed(make(often, 1))
        self.looked = often.t
        outputs, records = (
            sum((getattr(batch, what) for batch in (*found, last)), ())
            for what in ("outputs", "records")
        )
        self.batches([once, replace(last, outputs=outputs, records=records)])


@pytest.mark.parametrize("seed", range(100 if NIGHTLY else 2))
def test_when_the_machine_looks_at_the_board_leaves_no_trace(seed):
    """So when it wants to be woken is its own business, and may depend on what is secret."""
    random = chooser("looking", seed)
    start = owners.worlds(random)[0]
    conduct = {**conducted(random), "tier": random.choice(["occupancy", "identity"])}
    pair = Looking(*(table("indistinguishable", start, **conduct) for _ in range(2)))
    for _ in rounds(pair, ROUNDS):
        some(pair, random)
        if not pair.over:
            turn = str(random.choice([*pair.positions[0].turns()]))
            pair.carry(turn[:2], turn[2:4])
            pair.press(pair.positions[0].side)
    pair.same()
    plain, often = (world.table.records for world in pair.worlds)
    assert plain == often


FOUND = (43, 71, 94, 136, 142, 271, 289, 354)
"""Pairs that differed once: captures among pieces put back, times when sealed, reasons, and a turn
that was left of what a press had shown to be illegal."""


@pytest.fixture
def as_found(monkeypatch):
    """Draw among what there was when these pairs were found; with more, all is different."""
    monkeypatch.setattr(hands, "STYLES", dict(itertools.islice(STYLES.items(), 23)))
    monkeypatch.setattr(hands, "GAPS", 0)
    monkeypatch.setattr(hands, "CUTS", 0)
    monkeypatch.setattr(hands, "WORDS", 0)
    monkeypatch.setattr(hands, "EXCHANGES", 0)
    monkeypatch.setattr(hands, "HASTE", 0)
    said = ["offer-take-back", "offer-draw", "adjust", "hint", "claim-repetition"]
    monkeypatch.setattr(hands, "SAID", said)
    monkeypatch.setattr(owners, "RIGHTS", False)


@pytest.mark.usefixtures("as_found")
@pytest.mark.parametrize("seed", FOUND)
def test_what_was_only_lifted_or_costs_nothing_does_not_tell_whose_it_is(seed):
    play(whose, seed)


FOUND_LONG = (335, 404, 548, 585, 760, 961, 1017, 1449, 5543, 5843, 6115, 6595, 7345, 7432, 8067)
"""The same in long ones: which cell is slow or stuck, two like pieces exchanged, what is left of
pieces that go back, a press after a crash, a promotion asked about before it stood, a piece set
down on a board that is put right, a press with more in the air than a turn leaves there, a
sleeve's work of which a turn explains some or is left, a captor put back where its turn began."""


@pytest.mark.usefixtures("as_found")
@pytest.mark.parametrize("seed", FOUND_LONG)
def test_a_long_evening_does_not_tell_whose_the_pieces_are(seed):
    play(whose, seed, 8)


@pytest.mark.parametrize(
    ("kind", "seed"), [(whose, 446), (whose, 478), (corrected, 414), (corrected, 518)]
)
def test_a_board_that_is_heard_of_after_the_service_is_back_tells_not_whose_the_pieces_are(
    kind, seed
):
    play(kind, seed, 8)


def test_how_many_pieces_an_attempt_moved_is_told_by_the_reason_that_all_may_know():
    play(whose, 20032, 8)


QUICK = (38554, 38595, 39533, 40461, 41217, 41302, 42258, 42600, 42882)
"""Pairs of hands that take up at once what they have pressed for, which differed or broke: a
capture named, a check in a question or a hint, several moved, a reserve cell that is knocked, a
piece that is gone, tags that come and go, a press before anything was moved, a victim put back."""


@pytest.mark.parametrize(
    ("kind", "seed"), [*((whose, seed) for seed in QUICK), (whose_of_computers, 43257)]
)
def test_what_is_taken_up_at_the_press_does_not_tell_whose_it_is(monkeypatch, kind, seed):
    monkeypatch.setattr(hands, "HASTE", 1.0)
    play(kind, seed, 8)


@pytest.mark.parametrize("seed", [35128, 36030, 36040, 83114])
def test_which_of_several_squares_are_odd_does_not_tell_whose_stands_there(seed):
    play(whose, seed, 8)


@pytest.mark.usefixtures("as_found")
def test_a_disc_turned_over_before_a_crash_is_still_the_one_that_lay_there():
    assert play(between_people, 8030, 8)


@pytest.mark.usefixtures("as_found")
@pytest.mark.parametrize("seed", [1238, 1435, 6155])
def test_what_a_player_decides_in_secret_is_not_told_by_a_ruling_or_by_what_goes_back(seed):
    play(between_people, seed, 8)


@pytest.mark.usefixtures("as_found")
def test_what_hands_do_next_does_not_tell_whether_two_discs_match():
    assert play(between_people, 403001, 8)


@pytest.mark.usefixtures("as_found")
def test_two_tokens_that_are_looked_at_and_match_are_shown():
    """So their worlds part; they did not, and nobody saw what had been turned over."""
    assert not play(against_computer, 5178, 8)


def test_a_leak_after_a_crash_is_found(monkeypatch):
    """Whose the first piece is decides what is said when the service comes back."""

    def leaking(self):
        told = summary(self)
        first = min(self.state.position.placement.items())[1]
        if self.state.stage == "interrupted" and first.startswith("b"):
            self.fail()
        return told

    summary = Table.summary
    monkeypatch.setattr(Table, "summary", leaking)
    with pytest.raises(AssertionError):
        assert [play(whose, seed) for seed in range(12)]
