"""The kinds of handling that belong to one game: many pieces, conversions, flips."""

import pytest

import rules

TIERS = ("occupancy", "identity")
both_tiers = pytest.mark.parametrize("tier", TIERS)

# Realm: four hands' worth of pieces

MANY = "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2"
REALM = "4k3/8/8/8/8/8/2PP4/1N1QK3 w - - 0 1"


@both_tiers
def test_a_turn_that_may_go_on_waits_for_the_button_or_the_screen(board, tier):
    b = board("realm", REALM, tier).carry("c2", "c4").end(5)
    waiting = b.replay()
    assert waiting.verdicts[-1] == "extendable"
    assert waiting.taken == []
    found = b.carry("d2", "d4").answer("C-cd34:c2c4,d2d4").end().replay()
    assert found.taken == ["D-cd12:c2c4,d2d4"]


def test_two_pieces_that_traded_places_are_asked_about_on_reeds_only(board):
    def exchange(tier):
        b = board("realm", REALM, tier).off("c2").off("d1").put("d1", "c2").put("c2", "d1").end()
        return b.replay()

    assert exchange("identity").last["turn"] == "R-cd12:c2d1,d1c2"
    assert exchange("occupancy").last["verdict"] in ("choice", "extendable")
    assert exchange("occupancy").taken == []


@both_tiers
def test_pieces_of_two_realms_are_no_turn(board, tier):
    b = board("realm", MANY, tier, clock=True).off("a2").off("h2")
    b.put("a3", "a2").put("h4", "h2").press("white")
    found = b.end().replay()
    assert found.taken == []
    assert found.last["verdict"] == "illegal"


# Reversi: conversion by swapping, turning over, touching the anchor, or not at all

CONVERT = "4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1"


@both_tiers
def test_a_converted_piece_left_standing_is_one_of_the_movers(board, tier):
    b = board("reversi", CONVERT, tier, clock=True).off("e4").carry("d3", "e4").adjust("a4")
    b.press("white").carry("e8", "e7").press("black").carry("c4", "b6").press("white").end()
    assert b.replay().taken == ["d3e4~a4", "e8e7", "c4b6"]


# Reality Check: flips, declarations, drops, dice


def opening(**options):
    return str(rules.load("reality-check", **options).start())


def first_turn(**options):
    position = rules.load("reality-check", **options).start()
    return min(map(str, position.turns()))


@pytest.fixture
def played(board):
    """A board of Reality Check on which White's first turn has been made."""

    def make(clock=True, **options):
        b = board("reality-check", opening(), "face", clock, options)
        turn = first_turn()
        b.carry(turn[:2], turn[2:4])
        b = b.press("white") if clock else b.end(1)
        game = rules.load("reality-check", **options)
        start = game.start()
        b.position = start.play(start.parse_turn(turn))
        return b

    return make


def a_flip(position):
    """Where a turn goes that flips another piece, and which, onto a face of another letter."""
    for turn in position.turns():
        deed = position.deed(turn)
        if len(deed.moves) == 1 and deed.flips:
            (source, target), (square, label) = deed.moves[0], deed.flips[0]
            if square != target and position.placement[square] != label:
                return source, target, square
    raise AssertionError


def test_a_move_without_its_flip_is_not_complete(played):
    b = played()
    source, target, _ = a_flip(b.position)
    found = b.carry(source, target).press("black").end().replay()
    assert len(found.taken) == 1
    assert (found.last["verdict"], found.last["reason"]) == ("in-progress", "must-flip")
    assert found.said == ["Now turn a piece over."]
    assert found.of("ruling") == []


@pytest.mark.parametrize("owner", "wb")
def test_a_press_with_a_disc_in_the_hand_and_its_turning_lacking_is_refused(played, owner):
    b = played()
    source, target, _ = a_flip(b.position)
    placement = b.position.placement
    lifted = next(s for s in placement if placement[s][0] == owner and s != source)
    found = b.carry(source, target).off(lifted).press("black").end(1).replay()
    assert len(found.taken) == 1
    assert found.said[-1] == "Now turn a piece over."
    assert found.of("ruling") == []
    assert found.quiet


def test_the_output_for_everyone_tells_no_underside(played):
    b = played()
    source, target, square = a_flip(b.position)
    lines = b.carry(source, target).flip(square).press("black").end().replay().lines
    text = str(lines)
    assert "piece" not in text
    assert not any(label in text for label in b.position.placement.values())
    assert "position" in str(b.replay("--referee").lines)
