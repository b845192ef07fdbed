"""Indistinguishable Chess: pieces in the air tell nothing, whatever else stands on the board."""

import pytest

import rules
from tests.firmware_bridge.secrets.test_indistinguishable_pairs import told, worlds
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table
from tests.nightly import NIGHTLY

START = rules.load("indistinguishable").start()
PAIRS = 1000 if NIGHTLY else 15


def run(seed, tier, *, sealed):
    """Lift pieces before and after a legal set-down, hold them, put them back, and press."""
    random = chooser("in the air", seed, tier, sealed)
    starts = worlds(random)
    pair = Pair(*(table("indistinguishable", start, sealed=sealed, tier=tier) for start in starts))
    side = starts[0].side
    made = random.random() < 0.8 and step(pair, random)
    if tier == "identity":
        held = hold(pair, random, random.randint(1, 3))
        if random.random() < 0.6:
            pair.press(side)
            pair.pass_time(random.choice([0.5, 2.0]))
    else:
        # Reeds cannot tell a piece in the air from one that stands on its victim's square.
        held = hold(pair, random, 1)
    for square, readings in held:
        pair.cell(square, readings)
    pair.pass_time(1.0)
    pair.press(side)
    pair.pass_time(1.0)
    pair.same()
    return made


def step(pair, random):
    """Set a piece down on a free square where it may go in both worlds; do not press."""
    first, second = pair.positions
    moves = sorted(str(turn) for turn in first.turns())
    random.shuffle(moves)
    for move in moves[:20]:
        fact = told(first, move)
        if fact == told(second, move) and fact and fact[0] == "legal" and quiet(fact[3]):
            pair.carry(move[:2], move[2:])
            return True
    return False


def quiet(deed):
    return len(deed.moves) == 1 and not deed.taken


def hold(pair, random, most):
    squares = random.sample(sorted(pair.worlds[0].readings), most)
    held = [(square, pair.lift(square)) for square in squares]
    pair.pass_time(random.choice([0.5, 1.5, 40.0]))
    return held


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_piece_in_the_air_tells_nobody_whose_it_is(tier, sealed):
    made = [run(seed, tier, sealed=sealed) for seed in range(PAIRS)]
    assert sum(made) > PAIRS // 5


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("opened", [0.02, 0.05, 0.1, 0.19, 0.3])
@pytest.mark.parametrize("after", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("press", [0.02, 0.1, 0.5])
def test_a_quick_capture_costs_where_it_is_illegal_if_it_is_taken_where_it_is_legal(
    opened, after, press, sealed
):
    """A rook takes on c8, its own or the other player's; the cell there was open for a moment."""
    made = {}
    for rook in "Rr":
        start = START.game.parse(f"2b4k/8/2{rook}5/8/p7/8/8/4K3 w - - 0 1")
        at = table("indistinguishable", start, sealed=sealed, tier="occupancy")
        at.cell("c6", None)
        at.cell("c8", None, after)
        at.cell("c8", True, opened)
        at.press("white", press)
        at.wait(2.0)
        made[rook] = at.said, [str(one.turn) for one in at.table.state.played]
    if made["R"][1]:
        assert made == {
            "R": ([], ["c6c8"]),
            "r": (["opponents-piece", "penalty-deduct-minutes"], []),
        }
    else:
        assert made["R"] == made["r"]
    assert made["R"][1] or opened < 0.1 or opened + after + press < 0.2


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize(("source", "target"), [("g1", "f3"), ("g1", "g4"), ("d7", "d5")])
def test_a_press_tells_nothing_of_what_an_accident_has_left(tier, source, target):
    """Sealed, it would be told for nothing whether that is a turn, and so whose the piece is."""
    at = table("indistinguishable", START, sealed=True, tier=tier)
    at.carry(source, target)
    swept = {c: r for c, r in at.readings.items() if c != target and START.placement.get(c)}
    for cell in swept:
        at.cell(cell, None)
    for cell, reading in swept.items():
        at.cell(cell, reading)
    at.press("white")
    at.wait(1.0)
    assert at.view.judged.kind == "disturbed"
    assert [(step.source, step.target) for step in at.view.judged.restore] == [(target, source)]
    assert at.said == ["want-board-right"]


@pytest.mark.parametrize("opened", [0.1, 0.3])
@pytest.mark.parametrize("beside", [[], ["e8"]])
def test_a_quick_capture_that_promotes_is_asked_about_where_it_costs_if_it_is_illegal(
    opened, beside
):
    said = {}
    for pawn in "pP":
        start = START.game.parse(f"4k3/8/8/8/8/8/7{pawn}/4K1R1 b - - 0 1")
        at = table("indistinguishable", start, sealed=True, tier="occupancy")
        at.cell("h2", None)
        at.cell("g1", None)
        at.cell("g1", True, opened)
        at.press("black")
        for cell in beside:  # what is lifted after the press is no part of it
            at.cell(cell, None)
        at.wait(1.0)
        said[pawn] = at.said
    assert said == {"p": ["want-choice"], "P": ["opponents-piece", "penalty-deduct-minutes"]}
