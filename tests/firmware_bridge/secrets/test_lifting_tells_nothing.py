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


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_piece_that_is_felt_where_it_goes_before_it_left_costs_where_it_is_no_turn(tier):
    """As contacts tell it that open late, or a hand that sets a captured piece down there."""
    made = {}
    for rook in "Rr":
        start = START.game.parse(f"7k/8/2{rook}5/8/p7/8/8/4K3 w - - 0 1")
        at = table("indistinguishable", start, sealed=True, tier=tier)
        at.cell("c4", at.readings["c6"])
        at.cell("c6", None, 0.3)
        at.press("white")
        at.wait(2.0)
        made[rook] = at.said, [str(one.turn) for one in at.table.state.played]
    assert made == {
        "R": ([], ["c6c4"]),
        "r": (["opponents-piece", "penalty-deduct-minutes"], []),
    }


def test_a_sealed_attempt_costs_though_it_is_taken_back_at_once():
    """What it is told to be was judged, and so counts, when the board is right again already."""
    start = START.game.parse("7k/8/2r5/8/8/p7/8/4K3 w - - 0 1")
    at = table("indistinguishable", start, sealed=True, tier="identity")
    rook = at.readings["c6"]
    at.cell("c6", None)
    at.cell("c4", rook, 0.4)
    at.cell("c6", True, 0.03)
    at.press("white", 0.045)
    at.cell("c4", None, 0.03)
    at.wait(2.0)
    assert at.table.state.offences["white"] == 1


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
