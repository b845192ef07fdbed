"""A hint is made from what its player may know, and shows the others nothing of it."""

import random

import rules
from firmware_bridge.messages import Call, Hinted, Seated, Tick
from firmware_bridge.views.advised import advised, moves_of
from firmware_bridge.views.types import Move
from tests.firmware_bridge.secrets.test_reality_check_pairs import worlds
from tests.firmware_bridge.secrets.worlds import Pair
from tests.firmware_bridge.table.driving import Driven


def tables(hidden):
    """Two games to practise whose players' undersides differ, a phone in White's seat."""
    for start in worlds(random.Random(5), {}, hidden=hidden):
        settings = {"practice": True, "sealed": False, "time": "45m"}
        yield Driven("reality-check", start=start, position=str(start), settings=settings)


def asked(pair):
    pair.inputs(lambda world, _: Seated(world.t, "white"))
    pair.inputs(lambda world, _: Call(world.t, "hint", "white"))


def given(pair, texts, found_first=None):
    """Give both the hint: at once, or one world's later than the other's."""
    pair.later(2.0)
    pair.inputs(
        lambda world, n: (
            Hinted(world.t, world.table.state.number, texts[n])
            if found_first in (None, n)
            else Tick(world.t)
        )
    )


def test_what_the_opponent_hides_is_not_told_to_whoever_advises():
    pair = Pair(*tables(["black"]), seats=("white",))
    assert str(pair.positions[0]) != str(pair.positions[1])
    turn = str(next(pair.positions[0].turns()))
    asked(pair)
    given(pair, [turn, turn])  # what `briefing` tells is the same, so the process says the same


def test_what_is_advised_to_one_shows_the_others_nothing():
    pair = Pair(*tables(["white"]), seats=("black",))
    texts = [[str(turn) for turn in position.turns()] for position in pair.positions]
    asked(pair)
    for found_first in range(2):
        given(pair, [texts[0][0], texts[1][-1]], found_first)
    pair.pass_time(10.0)
    pair.same()
    shown = [world.table.summary().seat("white", world.t).hint for world in pair.worlds]
    assert None not in shown
    assert shown[0] != shown[1]


def test_a_look_that_is_advised_tells_nothing_of_what_it_would_show():
    """Whether the two discs match is seen when hands have turned both over, and no earlier."""
    position = rules.load("reality-check", memory=True).start()
    position = position.play(next(position.turns()))
    looks = [turn for turn in position.turns() if str(turn).startswith("?")]
    match = {bool(position.deed(turn).taken): turn for turn in looks}
    assert match.keys() == {True, False}
    for turn in match.values():
        squares = str(turn)[1:].split(",")
        assert moves_of(position, turn) == tuple(Move(square, square) for square in squares)
        assert advised(position, turn).deed == " ".join(f"/{square}" for square in squares)


def test_how_long_a_hint_took_is_not_told_by_the_clock_after_a_crash():
    resumed = []
    for late in (1.0, 6.0):
        world = next(tables([]))
        world.feed(Seated(world.t, "white"))
        world.say("hint", "white")
        asked = world.view.clocks["white"].left_ms
        world.t += late
        world.feed(Hinted(world.t, world.table.state.number, str(next(world.position.turns()))))
        assert world.table.state.hint.turn is not None
        resumed.append(world.resumed().view.clocks["white"].left_ms)
        assert resumed[-1] <= asked
    assert resumed[0] == resumed[1]
