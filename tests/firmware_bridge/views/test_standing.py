"""The public view follows the hands: what is in the air, set down, and not yet pressed."""

import random

import pytest

import rules
from firmware_bridge.views.placement import SOMETHING
from rules.interface import Shown
from tests.firmware_bridge.table.driving import Driven
from tests.sample import SAMPLE

PROMOTION = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"


def kinds(driven, *squares):
    standing = driven.view.standing
    return [standing[square].kind if square in standing else None for square in squares]


@pytest.mark.parametrize("game", SAMPLE)
def test_what_stands_is_what_was_agreed_until_hands_come_and_after_they_have_gone(game):
    driven = Driven(game)
    for text in ["", *driven.random_turns(seed=4, count=6)]:
        view = driven.view
        assert (view.standing, view.lifted) == (view.board, ()), text


@pytest.mark.parametrize("game", SAMPLE)
def test_a_turn_that_is_made_is_seen_before_it_is_pressed(game):
    driven = Driven(game)
    chooser = random.Random(8)
    for _ in range(12):
        before = driven.position
        if before.outcome is not None:
            break
        turns = [turn for turn, _ in zip(before.turns(), range(200), strict=False)]
        turn = chooser.choice(turns)
        if not before.deed(turn).physical:
            driven.play(str(turn))
            continue
        driven.hands(before.deed(turn), before, before.play(turn))
        if driven.table.reconciler.verdict.kind in ("complete", "extendable"):
            made = before.play(turn).shown
            seen = {square: piece.kind for square, piece in driven.view.standing.items()}
            assert seen == {square: piece.kind for square, piece in made.items()}
            assert driven.view.lifted == ()
        driven.end_turn(str(turn), before)


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_a_piece_in_the_air_leaves_its_outline_and_is_seen_where_it_lands(tier):
    driven = Driven("reversi", tier=tier)
    held = driven.readings["g1"]
    driven.cell("g1", None)
    driven.wait(0.2)
    assert (kinds(driven, "g1"), driven.view.lifted) == ([None], ("g1",))
    driven.cell("g4", held)  # where no legal turn puts it
    assert (kinds(driven, "g1", "g4"), driven.view.lifted) == ([None, "N"], ())
    driven.wait(1)  # and now it is wanted back
    assert (kinds(driven, "g1", "g4"), driven.view.lifted) == ([None, "N"], ("g1",))
    driven.carry("g4", "g1")
    assert driven.view.standing == driven.view.board


def test_of_two_pieces_in_the_air_the_one_lifted_last_is_set_down():
    driven = Driven("mockery", position="4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 -")
    driven.cell("d5", None)
    driven.cell("e4", None)
    driven.cell("c6", True)
    assert driven.view.standing["c6"].side == "white"
    assert driven.view.lifted == ("d5",)


def test_a_capture_is_drawn_with_the_capturer_on_its_square():
    driven = Driven("realm", tier="occupancy")
    driven.play("e2e4", "d7d5")
    driven.cell("e4", None)
    driven.cell("d5", None)
    driven.wait(0.2)
    assert driven.view.lifted == ("d5", "e4")
    driven.cell("d5", True)
    assert driven.view.standing["d5"].side == "white"
    assert driven.view.lifted == ()


def test_while_a_promotion_is_asked_for_the_pawn_stands_on_the_last_rank():
    driven = Driven("indistinguishable", position=PROMOTION)
    driven.carry("a7", "a8")
    assert driven.view.judged.kind == "choice"
    assert kinds(driven, "a7", "a8") == [None, "P"]


def test_a_disc_from_the_hand_is_not_told_before_a_turn_explains_it():
    driven = Driven("reality-check")
    driven.cell("d5", "wRR:R")
    assert driven.view.standing["d5"] == SOMETHING


def test_nothing_of_it_depends_on_what_pieces_really_are():
    """Illegal swaps look alike whoever owns the pieces."""
    driven = Driven("indistinguishable")
    driven.carry("b8", "b5")
    driven.wait(1)
    shown = driven.view.standing["b5"]
    assert (shown.kind, shown.side) == ("N", None)


@pytest.mark.parametrize(
    ("options", "known"), [({}, True), ({"flexible": True}, False), ({"board": "advanced"}, False)]
)
def test_a_start_to_be_built_is_drawn_in_outline_unless_players_choose_it(options, known):
    driven = Driven("reality-check", options=options, begin=False)
    start = rules.load("reality-check", **options).start().shown
    assert driven.view.lifted == tuple(sorted(start))
    assert driven.view.standing == {}
    assert driven.view.board == (start if known else {})


def test_the_start_fills_up_as_pieces_are_placed():
    driven = Driven("reversi", begin=False, tier="occupancy")
    driven.cell("e1", True)
    driven.cell("e4", True)
    view = driven.view
    assert view.standing["e1"].kind == "K"
    assert view.standing["e4"] == SOMETHING
    assert "e1" not in view.lifted
    assert len(view.lifted) == 31


def test_after_the_end_the_last_position_stays_while_pieces_are_put_away():
    driven = Driven("reversi", tier="occupancy")
    driven.play("e2e4")
    driven.say("resign", "black")
    driven.cell("e4", None)
    assert driven.view.standing == driven.view.board


def test_pieces_that_build_a_corrected_position_are_taken_for_its_pieces():
    driven = Driven("reversi")
    position = "4k3/8/8/8/3pp3/8/8/3RK3 w - - 0 1"
    driven.say("set-position", position=position, reason="test")
    kept = {square: driven.readings[square] for square in ("e8", "d1", "e1", "d7", "e7")}
    for square in sorted(driven.readings.keys() - {"e8", "e1"}):
        driven.cell(square, None)
    driven.cell("d1", kept["d1"])
    driven.cell("d4", kept["d7"])
    driven.cell("e4", kept["e7"])
    assert kinds(driven, "d4", "e4") == ["P", "P"]


@pytest.mark.parametrize("tier", ["occupancy", "identity"])
def test_what_a_word_took_off_the_board_is_drawn_as_it_was_until_hands_take_it_away(tier):
    driven = Driven("reversi", tier=tier)
    driven.play("e2e4", "e7e5")
    corrected = "rnbqkbnr/pppp1ppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    driven.say("set-position", position=corrected, reason="test")
    assert driven.view.standing["e5"] == Shown("P", "black")
    driven.carry("e5", "c5")
    assert driven.view.standing["c5"] == SOMETHING
    assert "e5" not in driven.view.standing
