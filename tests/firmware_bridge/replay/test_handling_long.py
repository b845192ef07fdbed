"""The kinds of handling that belong to one game: many pieces, conversions, flips."""

import pytest

import rules

# Realm: four hands' worth of pieces

# Reversi: conversion by swapping, turning over, touching the anchor, or not at all

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


def test_the_output_for_everyone_tells_no_underside(played):
    b = played()
    source, target, square = a_flip(b.position)
    lines = b.carry(source, target).flip(square).press("black").end().replay().lines
    text = str(lines)
    assert "piece" not in text
    assert not any(label in text for label in b.position.placement.values())
    assert "position" in str(b.replay("--referee").lines)
