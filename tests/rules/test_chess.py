"""Chess itself: its ends; `test_perft.py` counts its positions."""

import pytest

import rules


@pytest.mark.parametrize(
    ("text", "reason", "winner"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate", "black"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", None),
        ("8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", "insufficient-material", None),
        ("8/8/4kb2/8/8/3K4/8/4B3 w - - 0 1", "insufficient-material", None),
    ],
)
def test_a_game_ends_as_the_laws_say(text, reason, winner):
    outcome = rules.load("chess").parse(text).outcome
    assert (outcome.reason, outcome.winner) == (reason, winner)


def test_two_knights_can_give_mate_and_one_cannot_against_a_bare_king():
    position = rules.load("chess").parse("8/8/4k3/8/8/3K1NN1/8/8 w - - 0 1")
    assert position.outcome is None
    assert not position.has_insufficient_material("white")
    assert position.has_insufficient_material("black")
