"""Indistinguishable Chess: pieces in the air tell nothing, whatever else stands on the board."""

import pytest

import rules
from tests.firmware_bridge.secrets.worlds import Pair, table

START = rules.load("indistinguishable").start()


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


BESIDE = "4k3/8/8/8/8/8/8/{}2QK3 w - - 0 1"
"""A piece of either side to be moved, a queen to be lifted beside it."""
TAKE = "4k3/8/8/8/3p4/2{}5/8/4K3 w - - 0 1"
"""A bishop of either side that takes."""
REPLY = "4k3/8/8/8/{}7/8/7P/4K3 w - - 0 1"
"""A pawn to make a turn with, a piece of either side to reply with."""


@pytest.mark.parametrize(
    ("board", "hands", "turns"),
    [
        (BESIDE, "-a1 -d1 +d1 +a5 white", ["a1a5"]),
        (BESIDE, "-d1 -a1 +d1 +a5 white", ["a1a5"]),
        (BESIDE, "-a1 -d1 +a5 +d1 white", ["a1a5"]),
        (REPLY, "-h2 +h3 -a4 +a5 white black", ["h2h3", "a4a5"]),
        (REPLY, "-h2 +h3 -a4 +a5 black", ["h2h3", "a4a5"]),
        (BESIDE, "-a1 -d1! -e1! +d1 +e1 +a5 white", ["a1a5"]),
        (BESIDE, "-a1 +a5 -d1! -e1! +d1 +e1 white", ["a1a5"]),
        (TAKE, "-d4 -c3! +d4! white", ["c3d4"]),
    ],
)
def test_what_a_press_takes_sealed_if_it_is_legal_costs_if_it_is_not(board, hands, turns):
    """On reeds: with other pieces in the air meanwhile, as a sleeve takes them along (`!`, at once
    after what was before), slid to the next square, and before the press of the other one."""
    worlds = "bB" if board is TAKE else "rR"
    made = [sealed(board.format(each), hands) for each in worlds]
    legal, illegal = reversed(made) if board is not REPLY else made
    assert [at.turns for at in (legal, illegal)] == [turns, turns[:-1]]
    assert [sum(at.table.state.offences.values()) for at in (legal, illegal)] == [0, 1]


def sealed(board, hands):
    """Return a sealed table with reeds once hands have lifted, set down and pressed there."""
    at = table("indistinguishable", START.game.parse(board), sealed=True, tier="occupancy")
    for hand in hands.split():
        cell, after = hand[1:].rstrip("!"), 0.02 if hand.endswith("!") else 0.3
        if hand[0] in "+-":
            at.cell(cell, True if hand[0] == "+" else None, after)
        else:
            at.press(hand)
    at.wait(3.0)
    return at


@pytest.mark.parametrize(
    "hands", ["-d4 +h5 -c3 +d4 white", "-d4 -c3 +d4 +h5 white", "-c3 -d4 +d4 +h5 white"]
)
def test_a_victim_left_on_the_board_at_a_sealed_press_costs_whoever_owns_what_took_it(hands):
    """Who presses is done. To excuse it would let any turn be tried beside such a piece."""
    worlds = [sealed(TAKE.format(bishop), hands) for bishop in "Bb"]
    assert [(at.turns, at.table.state.offences["white"]) for at in worlds] == [([], 1)] * 2


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


def slide_a_pawn(at):
    """To the next square as soon as the piece is down: both hands, or a sleeve."""
    at.carry("c7", "c6", after=0.02)


def lift_more_than_a_turn_leaves_in_the_air(at):
    for cell in ("b2", "c7", "h7"):
        at.cell(cell, None)


@pytest.mark.parametrize("accident", [slide_a_pawn, lift_more_than_a_turn_leaves_in_the_air])
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("movement", [("g1", "f3"), ("g1", "g4"), ("g8", "f6")])
def test_a_press_takes_no_turn_beside_an_accident_that_would_excuse_what_is_none(
    tier, movement, accident
):
    at = table("indistinguishable", START, sealed=True, tier=tier)
    at.carry(*movement)
    accident(at)
    at.press("white")
    at.wait(3.0)
    assert (at.said, at.table.state.number) == (["want-board-right"], 0)


def test_what_is_read_twice_after_a_press_tells_not_whose_it_is():
    """A piece that was on its way back when the mover pressed is put there, which costs nobody."""
    starts = [START.game.parse(f"4k3/8/8/3{x}4/8/8/P7/4K3 w - - 0 1") for x in "Qq"]
    pair = Pair(*(table("indistinguishable", s, sealed=True, tier="identity") for s in starts))
    pawn = pair.lift("a2")
    pair.press("white")
    pair.cell("d6", [world.readings["d5"] for world in pair.worlds])
    pair.cell("a2", pawn)
    pair.pass_time(3.0)
    pair.same()


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
