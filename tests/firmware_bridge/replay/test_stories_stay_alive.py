"""Without a clock every reading of the turn taken last lives until the reply to it is whole."""

import pytest

GAMES = ["indistinguishable", "reversi", "mockery", "realm"]
TIERS = ["occupancy", "identity"]
KNIGHT = "4k3/8/8/3n2P1/8/8/8/4K3 b - - 0 1"
BISHOP = "4k3/8/8/3n4/8/8/1B5P/4K3 b - - 0 1"
PAIR = "7k/8/8/6p1/5P2/5N2/8/K7 w - - 0 1"

every_board = [
    pytest.mark.parametrize("tier", TIERS),
    pytest.mark.parametrize("game", GAMES),
]


def men(board, game, text, tier, **settings):
    return board(game, text + (" -" if game == "mockery" else ""), tier, **settings)


def everywhere(test):
    for mark in every_board:
        test = mark(test)
    return test


@everywhere
@pytest.mark.parametrize("parked", [0.2, 0.4, 1.5])
@pytest.mark.parametrize("pawn", ["after", "meanwhile", "before"])
def test_a_victim_parked_where_it_could_have_gone_was_captured(board, game, tier, parked, pawn):
    b = men(board, game, KNIGHT, tier).carry("d5", "f6").end(1)
    if pawn == "before":
        b.off("g5", 0.4)
    b.off("f6", 0.4)
    b.put("b6", b.hand.pop("f6"), 0.4)
    if pawn == "meanwhile":
        b.off("g5", parked).off("b6", 0.1)
    else:
        b.off("b6", parked)
    if pawn == "after":
        b.off("g5", 0.4)
    found = b.put("f6", "g5", 0.4).end().replay()
    assert found.stand == ("d5f6", "g5f6")
    assert found.quiet
    assert found.last["verdict"] == "settled"


@everywhere
@pytest.mark.parametrize("soon", [0.02, 0.2, 1.0])
def test_a_parked_victim_taken_off_when_its_captor_stood_was_captured(board, game, tier, soon):
    """The captor may go to either square, so its turn is whole before: the next one decides."""
    b = men(board, game, BISHOP, tier).carry("d5", "f6").end(1).off("f6", 0.4)
    b.put("b6", b.hand.pop("f6"), 0.4).end(1).off("b2", 0.4).put("f6", "b2", 0.4).off("b6", soon)
    found = b.end(1).carry("e8", "d7").end(6).replay()
    assert found.stand[-3:] == ("d5f6", "b2f6", "e8d7")
    assert found.quiet
    assert found.last["verdict"] == "settled"


@everywhere
def test_second_thoughts_twice_over_and_back_again(board, game, tier):
    b = men(board, game, KNIGHT, tier)
    b.carry("d5", "f6").end(1).carry("f6", "d5", "b6").end(1).carry("b6", "d5", "f6").end(1)
    found = b.off("f6").off("g5").put("f6", "g5").end().replay()
    assert found.stand == ("d5f6", "g5f6")
    assert found.quiet


@everywhere
def test_the_opponent_adjusting_a_piece_does_not_end_second_thoughts(board, game, tier):
    b = men(board, game, KNIGHT, tier).carry("d5", "f6").end(1).adjust("g5", 0.6)
    found = b.off("f6")
    found = b.put("b6", b.hand.pop("f6")).end().replay()
    assert found.stand == ("d5b6",)
    assert found.quiet


@everywhere
def test_what_no_reading_of_the_past_explains_is_illegal(board, game, tier):
    b = men(board, game, KNIGHT, tier).carry("d5", "f6").end(1).off("f6")
    b.put("b6", b.hand.pop("f6")).end(1)
    found = b.off("b6").off("g5").put("h6", "g5").end(6).replay()
    assert found.last["verdict"] == "illegal"
    assert found.stand == ("d5b6",)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("order", ["victim first", "victim between", "victim last"])
@pytest.mark.parametrize("undone", [True, False])
def test_second_thoughts_with_two_pieces_in_the_air(board, tier, order, undone):
    """The turn is undone, and another one begun that captures with both pieces in the air."""
    b = board("realm", PAIR, tier).carry("f3", "e5").carry("f4", "f5").end(1)
    if undone:
        b.carry("f5", "f4").carry("e5", "f3")
        knight, pawn = "f3", "f4"
    else:
        knight, pawn = "e5", "f5"
    lifts = {"victim first": 0, "victim between": 1, "victim last": 2}[order]
    for square in [*(own := [knight, pawn])[:lifts], "g5", *own[lifts:]]:
        b.off(square, 0.4)
    b.put("g5", b.hand.pop(pawn), 0.4).put("g1", b.hand.pop(knight), 0.4)
    found = b.end(3).replay()
    assert found.stand == ("D-ef34:f3g1,f4g5",)
    assert found.quiet


@pytest.mark.parametrize("tier", TIERS)
def test_a_turn_goes_on_though_its_beginning_had_stood_and_its_next_piece_may_be_taken(board, tier):
    text = "3k1bnr/p3p1pp/3Pp3/2r1B3/b1P1P3/Ppp2N2/4n1PP/3K1Q1R w - - 1 15"
    b = board("realm", text, tier, options={"power": True, "free": True})
    b.off("g7", 0.4).off("e5").put("g7", "e5", 0.2).end(0.4)  # the turn stands
    found = b.off("d6").put("e5", "d6", 0.4).end().replay()
    assert "P-de56:d6e5,e5g7" in (*found.stand, found.last.get("turn"))
    assert found.quiet
