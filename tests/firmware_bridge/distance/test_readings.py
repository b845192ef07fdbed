"""What two hosts say of their clocks each second, however it is carried."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.distance.canonical import Refused, written
from firmware_bridge.distance.letters import LENGTHS, packed, unpacked
from firmware_bridge.distance.readings import Own, Reading, Watch, came, signed
from tests.nightly import NIGHTLY

GAME = "0123456789abcdef" * 2
READING = Reading(GAME, "0123456789abcdef", 3, 7, 2500, 4000, ("fedcba9876543210", 3900))


def signed_by_nobody(reading):
    return signed(reading, lambda data: b"s" * 64)


def test_a_reading_comes_out_as_it_was_told_and_is_as_long_as_a_receipt():
    sent = signed_by_nobody(READING)
    assert len(packed(sent)) == LENGTHS[0]
    assert unpacked(packed(sent), lambda *_: True) == sent


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("v", 2),
        ("boot", "x" * 3000),
        ("run", "1"),
        ("used", "much"),
        ("heard", ["0" * 16]),
        ("heard", {}),
        ("said", None),
    ],
)
def test_what_is_no_reading_is_refused(field, value):
    told = {**json.loads(READING.bytes()), field: value}
    with pytest.raises(Refused):
        came(written(told), b"")


class HostWithClock:
    """A host whose player's clock runs, stands, and is told; nothing of it is real but the law."""

    def __init__(self, time):
        self.time = time
        self.kept = 0.0  # what is on its disk of the turn under way
        self.used, self.running, self.lost = 0.0, True, 0.0
        self.number, self.facts = 1, {}
        self.speed, self.stops, self.life = 1.0, 0, 1
        self.start()

    def start(self):
        self.born = self.time()
        self.watch = Watch(GAME, self.own, self.told, self.now)

    def now(self):
        return self.time() - self.born - self.lost

    def own(self):
        used = round(self.used * 1000) if self.running else None
        return Own(self.life, self.stops, self.number, used)

    def told(self, number):
        return self.other.facts.get(number)

    def pass_time(self, seconds):
        if self.running:
            self.used += seconds * self.speed

    def sleep(self, seconds):
        """Neither its clock nor its time goes on."""
        self.lost += seconds

    def be_killed(self):
        self.used, self.lost = self.kept, 0.0
        self.start()

    def fail(self):
        """Go on from disk in the same process."""
        self.used = self.kept
        self.life += 1

    def turn(self):
        """Make a turn and tell it."""
        told = round(self.used * 1000)
        for each in (self, self.other):
            each.number += 1
        self.facts[self.number - 1] = told
        self.used = self.kept = 0.0
        self.running, self.other.running = False, True


class World:
    """Two hosts and a line between them that loses, doubles, holds back and turns round."""

    def __init__(self, seed, *, loses=0.2, holds=8.0):
        self.chance, self.at, self.under_way = random.Random(seed), 0.0, []
        self.loses, self.holds = loses, holds
        self.hosts = [HostWithClock(lambda: self.at) for _ in range(2)]
        for one, other in (self.hosts, reversed(self.hosts)):
            one.other = other
        self.hosts[1].running = False

    def pass_second(self):
        chance = self.chance
        for each in self.hosts:
            sent = signed_by_nobody(each.watch.say())
            for _ in range(chance.choices((0, 1, 2), (self.loses, 1, self.loses))[0]):
                late = chance.uniform(0, self.holds) if chance.random() < 0.3 else 0.1
                self.under_way.append((self.at + late, each.other, sent))
        for _ in range(10):
            self.at += 0.1
            for each in self.hosts:
                each.pass_time(0.1)
            arrived = [one for one in self.under_way if one[0] <= self.at]
            self.under_way = [one for one in self.under_way if one[0] > self.at]
            chance.shuffle(arrived)
            for _, host, sent in arrived:
                host.watch.hear(sent)

    @property
    def lies(self):
        return [each.watch.lie for each in self.hosts if each.watch.lie]


@given(st.integers(0, 10**9))
def test_no_honest_host_is_accused_whatever_befalls_it_and_the_line(seed):
    world = World(seed)
    chance = world.chance
    for _ in range(60):
        world.pass_second()
        mover = next((each for each in world.hosts if each.running), world.hosts[0])
        what = chance.random()
        if what < 0.1:
            mover.turn()
        elif what < 0.2:
            mover.kept = mover.used
        elif what < 0.25:
            mover.be_killed()
        elif what < 0.27:
            mover.fail()
        elif what < 0.32:  # a pause, or the line is out
            mover.running = False
            for _ in range(chance.randint(1, 4)):
                world.pass_second()
            mover.running = True
            mover.stops += 1
        elif what < 0.35:  # its lid is shut
            seconds = chance.uniform(0, 20)
            mover.sleep(seconds)
            world.at += seconds
        assert not world.lies


@pytest.mark.parametrize("seed", range(200 if NIGHTLY else 6))
def test_a_turn_that_is_told_shorter_than_its_clock_had_run_is_found(seed):
    world = World(seed)
    liar, victim = world.hosts
    for _ in range(8):
        world.pass_second()
    liar.used = 2.0
    liar.turn()
    for _ in range(10):
        world.pass_second()
    assert victim.watch.lie
    assert not liar.watch.lie


@pytest.mark.parametrize("seed", range(200 if NIGHTLY else 6))
def test_a_clock_that_runs_at_half_the_speed_is_found(seed):
    world = World(seed, loses=0.05, holds=1.0)
    liar, victim = world.hosts
    liar.speed = 0.5
    for _ in range(60):
        world.pass_second()
    assert victim.watch.lie
    assert not liar.watch.lie


def test_of_another_game_nothing_is_taken():
    world = World(1)
    other = replace(READING, game="f" * 32)
    world.hosts[0].watch.hear(signed_by_nobody(other))
    assert world.hosts[0].watch.say().heard == ("", 0)
