"""The hand model ends where the turn ends, whatever happens on the way."""

from random import Random

import pytest

import rules
from firmware_bridge.bench.games import ROWS, choose, styles
from firmware_bridge.simulation import STYLES, Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.nightly import one_of


def felt_board(pieces, changes, before):
    board = dict(before)
    for change in changes:
        board.pop(change.cell, None)
        if change.reading is not None:
            board[change.cell] = change.reading
    return board


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name} {row.tier}")
@pytest.mark.parametrize("seed", one_of(*range(4)))
def test_what_was_felt_adds_up_to_the_result(row, seed):
    dice = Random(seed)
    position = row.load().start()
    for _ in range(12):
        if position.outcome is not None:
            break
        turn = choose(position, dice)
        pieces = Pieces(simulated_pieces(row.load()), position.placement, row.tier)
        before = pieces.standing()
        changes = play(position, turn, pieces, dice, styles(dice) - {"late-tag", "missing-tag"})
        position = position.play(turn)
        assert felt_board(pieces, changes, before).keys() == position.placement.keys()
        assert felt_board(pieces, changes, before) == pieces.standing()
        assert [c.t for c in changes] == sorted(c.t for c in changes)


def test_the_same_seed_gives_the_same_hands():
    game = rules.load("mockery")
    position = game.start()
    turn = position.parse_turn("e2e4")

    def hands(seed):
        pieces = Pieces(simulated_pieces(game), position.placement, "identity")
        return play(position, turn, pieces, Random(seed), STYLES)

    assert hands(1) == hands(1)
    assert hands(1) != hands(2)
