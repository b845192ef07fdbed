"""The kinds of handling that belong to one game: many pieces, conversions, flips."""

import functools
import random

import pytest

import rules

TIERS = ("occupancy", "identity")
both_tiers = pytest.mark.parametrize("tier", TIERS)

# Realm: four hands' worth of pieces

MANY = "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2"
REALM = "4k3/8/8/8/8/8/2PP4/1N1QK3 w - - 0 1"
TURN = "C-cd34:b1c3,c2c4,d1d3,d2d4"


@both_tiers
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_four_pieces_set_down_in_any_order(board, tier, order):
    b = board("realm", REALM, tier, clock=True)
    moves = [("b1", "c3"), ("c2", "c4"), ("d1", "d3"), ("d2", "d4")]
    for index in order:
        b.carry(*moves[index])
    found = b.press("white").end().replay()
    assert found.taken == [TURN]
    assert found.quiet


@both_tiers
def test_four_pieces_in_the_air_at_once(board, tier):
    b = board("realm", REALM, tier, clock=True)
    for square in ("b1", "c2", "d1", "d2"):
        b.off(square, 0.2)
    for target, home in (("c4", "c2"), ("d3", "d1"), ("d4", "d2"), ("c3", "b1")):
        b.put(target, home, 0.3)
    found = b.press("white").end().replay()
    assert found.taken == [TURN]
    assert found.quiet


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
def test_a_capture_that_can_convert_asks_and_the_press_declines(board, tier):
    b = board("reversi", CONVERT, tier, clock=True).off("e4").carry("d3", "e4")
    asked = b.replay()
    assert set(asked.last["turns"]) == {"d3e4", "d3e4~a4"}
    assert set(asked.lights().values()) == {"convertible"}
    found = b.press("white").end().replay()
    assert found.taken == ["d3e4"]


@both_tiers
@pytest.mark.parametrize("clock", [True, False])
def test_touching_the_anchor_converts(board, tier, clock):
    b = board("reversi", CONVERT, tier, clock).off("e4").carry("d3", "e4").adjust("a4")
    found = (b.press("white") if clock else b.end()).end().replay()
    assert found.taken == ["d3e4~a4"]
    assert found.quiet


@both_tiers
def test_swapping_the_pieces_converts(board, tier):
    b = board("reversi", CONVERT, tier, clock=True).off("e4").carry("d3", "e4")
    b.off("c4").put("c4", "S-wN").press("white").end()
    found = b.replay()
    assert found.taken == ["d3e4~a4"]
    assert found.quiet


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


def a_flip(position, moved):
    """A turn that flips the moved piece, or another one, onto a face of another letter."""
    for turn in position.turns():
        deed = position.deed(turn)
        if len(deed.moves) == 1 and deed.flips:
            (source, target), (square, label) = deed.moves[0], deed.flips[0]
            old = position.placement[source if square == target else square]
            if (square == target) == moved and old != label:
                return str(turn), source, target, square
    raise AssertionError


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("way", ["after", "before", "moved, in place", "moved, on the way"])
def test_flips_before_and_after_and_of_the_moved_piece(played, way, clock):
    b = played(clock)
    turn, source, target, square = a_flip(b.position, way.startswith("moved"))
    if way == "after":
        b.carry(source, target).flip(square)
    elif way == "before":
        b.flip(square).carry(source, target)
    elif way == "moved, in place":
        b.carry(source, target).flip(target)
    else:
        b.off(source)
        tag = b.hand.pop(source)
        b.put(target, ("U" if tag[0] == "T" else "T") + tag[1:])
    found = (b.press("black") if clock else b).end().replay()
    assert found.taken[1:] == [turn]
    assert found.quiet


def test_a_move_without_its_flip_is_not_complete(played):
    b = played()
    _, source, target, _ = a_flip(b.position, moved=False)
    found = b.carry(source, target).press("black").end().replay()
    assert len(found.taken) == 1
    assert (found.last["verdict"], found.last["reason"]) == ("in-progress", "must-flip")
    assert found.said == ["Now turn a piece over."]
    assert found.of("ruling") == []


@pytest.mark.parametrize("owner", "wb")
def test_a_press_with_a_disc_in_the_hand_and_its_turning_lacking_is_refused(played, owner):
    b = played()
    _, source, target, _ = a_flip(b.position, moved=False)
    placement = b.position.placement
    lifted = next(s for s in placement if placement[s][0] == owner and s != source)
    found = b.carry(source, target).off(lifted).press("black").end(1).replay()
    assert len(found.taken) == 1
    assert found.said[-1] == "Now turn a piece over."
    assert found.of("ruling") == []
    assert found.quiet


@functools.cache
def capture():
    """A position after some turns, and a capture that is legal in it."""
    dice = random.Random(3)
    position = rules.load("reality-check").start()
    while True:
        turns = sorted(map(str, position.turns()))
        plain = [text for text in turns if "x" in text and f"{text}!" in turns]
        if plain:
            return str(position), plain[0]
        position = position.play(position.parse_turn(dice.choice(turns)))


@pytest.mark.parametrize("when", ["before", "after", "answered", "not"])
def test_a_reality_check_is_declared_or_not(board, when):
    position, plain = capture()
    side = "white" if " w " in position else "black"
    source, target = plain.split("x")
    b = board("reality-check", position, "face", clock=True)
    if when == "before":
        b.declare()
    b.off(target).carry(source, target)
    if when == "after":
        b.declare()
    found = (b.answer(f"{plain}!") if when == "answered" else b.press(side)).end().replay()
    assert found.taken == [plain if when == "not" else f"{plain}!"]
    assert found.quiet


def test_the_output_for_everyone_tells_no_underside(played):
    b = played()
    _, source, target, square = a_flip(b.position, moved=False)
    lines = b.carry(source, target).flip(square).press("black").end().replay().lines
    text = str(lines)
    assert "piece" not in text
    assert not any(label in text for label in b.position.placement.values())
    assert "position" in str(b.replay("--referee").lines)
