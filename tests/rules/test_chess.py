"""Chess itself: as many positions as everybody counts, and its ends."""

import pytest

import rules

KNOWN = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8902),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486),
}
"""The usual positions for counting (Chess Programming Wiki, "Perft Results")."""


def counted(position, plies):
    if plies == 0:
        return 1
    return sum(counted(position.play(turn), plies - 1) for turn in position.turns())


@pytest.mark.parametrize("text", KNOWN)
def test_there_are_as_many_ways_to_play_as_everybody_counts(text):
    position = rules.load("chess").parse(text)
    for plies, count in enumerate(KNOWN[text], start=1):
        assert counted(position, plies) == count


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
