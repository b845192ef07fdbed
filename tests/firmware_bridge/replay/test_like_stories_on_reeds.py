"""Realm on reeds: what may have been a turn, or only adjusted, is asked; what cannot is not."""

import pytest

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FOLLOWING = "7k/8/8/8/8/3Q4/4P3/K7 w - - 0 1"
PAIRS = [("g1", "h2"), ("h2", "g1"), ("a1", "b2"), ("b1", "a2"), ("c1", "d2"), ("h1", "g2")]

pairs = pytest.mark.parametrize("pair", PAIRS, ids="-".join)
clocks = pytest.mark.parametrize("clock", [True, False])


def both_lifted(board, pair, *, clock=True, back=1):
    b = board("realm", START, "occupancy", clock).off(pair[0]).off(pair[1])
    for square in pair[::back]:
        b.put(square, square)
    return b


@pairs
@pytest.mark.parametrize("back", [1, -1])
def test_a_press_on_a_pair_put_back_asks_and_takes_nothing(board, pair, back):
    b = both_lifted(board, pair, back=back).press("white").end(1)
    found = b.replay()
    assert found.taken == []
    assert found.quiet
    # The contacts tell the same where the pieces may not trade places: then there is no question.
    swaps = found.last["verdict"] == "choice"
    assert swaps == bool(found.last.get("turns"))
    again = b.press("white").end(1).replay()
    assert again.taken == []
    if swaps:
        turn = found.last["turns"][0]
        assert b.answer(turn).end(1).replay().stand == (turn,)


@pairs
@clocks
def test_the_mover_goes_on_without_a_word(board, pair, clock):
    b = both_lifted(board, pair, clock=clock).carry("e2", "e4")
    found = (b.press("white") if clock else b.answer("e2e4")).end(1).replay()
    assert found.stand == ("e2e4",)
    assert found.quiet


@clocks
@pytest.mark.parametrize("apart", [0.03, 0.1, 0.2, 0.25, 0.5])
@pytest.mark.parametrize("first", ["queen", "pawn"])
def test_pieces_carried_one_after_the_other_leave_no_question(board, clock, apart, first):
    b = board("realm", FOLLOWING, "occupancy", clock)
    moves = [("e2", "e3"), ("d3", "e4")] if first == "pawn" else [("d3", "e4"), ("e2", "e3")]
    for home, target in moves:
        b.off(home, apart).put(target, home, 0.4)
    found = (b.press("white") if clock else b).end(1).replay()
    assert "choice" not in found.verdicts
    assert found.stand == ("C-ef34:d3e4,e2e3",)
    assert found.quiet


@pairs
@pytest.mark.parametrize("ghost", [0.4, 1.5])
@pytest.mark.parametrize("back", [1, -1])
def test_what_a_pair_may_have_done_is_not_forgotten_when_a_ghost_alarms(board, pair, ghost, back):
    """What is put right after an alarm is what came with it, not what hands did before."""
    b = both_lifted(board, pair, back=back).press("white").end(1)
    undisturbed = b.replay()
    b = both_lifted(board, pair, back=back).read("e5", True, 0.5).wait(ghost).read("e5", None)
    disturbed = b.press("white").end(1).replay()
    assert disturbed.taken == undisturbed.taken
    assert disturbed.last.get("turns") == undisturbed.last.get("turns")
