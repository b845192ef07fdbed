"""Every legal turn with its result, and the outcome, against a twin that tries every order."""

import random

import pytest
import realm_oracle
import realm_walks
from kept_answers import the_twin_agrees
from random_positions import perft

import rules
from tests.nightly import NIGHTLY, enough, few

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLERS = "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1"
PAWNS = "4k3/1P6/8/2pPp3/8/4p3/2P2P2/2P1K3 w - c6,e6 0 9"

TABLE = [
    ({}, START, (249, 59452)),
    ({"free": True}, START, (362, 126620)),
    ({"balanced": True}, START, (20, 2096)),
    ({"power": True}, START, (5100,)),
    ({"power": True, "free": True}, START, (8894,)),
    ({"balanced": True, "power": True}, START, (20, 3536)),
    ({}, CASTLERS, (52, 234)),
    ({"power": True}, CASTLERS, (158, 662)),
    ({"power": True, "free": True}, CASTLERS, (240, 986)),
    ({}, PAWNS, (37, 530)),
    ({"free": True}, PAWNS, (60, 1411)),
    ({"power": True}, PAWNS, (65, 1185)),
]
QUICK = 6000
"""By day positions are counted as long as there are not more turns than this."""


def rows(most, chosen=lambda options, text: True):
    """Return the rows of the table that are chosen, each as deep as there are `most` turns."""
    return [
        pytest.param(
            options,
            text,
            tuple(count for count in counts if count <= most),
            id=f"{realm_walks.option_name(options)}-{text.split()[0]}",
        )
        for options, text, counts in TABLE
        if counts[0] <= most and chosen(options, text)
    ]


@pytest.mark.parametrize(("options", "text", "counts"), rows(10**9 if NIGHTLY else QUICK))
def test_perft_table(options, text, counts):
    position = rules.load("realm", **options).parse(text)
    assert perft(position, len(counts)) == counts


@pytest.mark.parametrize(
    ("options", "text", "counts"),
    rows(QUICK, lambda options, text: text != START or not options.get("power")),
)
def test_the_slow_twin_counts_the_same(options, text, counts):
    assert the_twin_agrees(
        counts[-1],
        *("realm perft", text, len(counts), options),
        ask=lambda: realm_oracle.perft(text, len(counts), **options),
    )


def test_the_start_by_kinds():
    kinds = [turn.kind for turn in rules.load("realm").start().turns()]
    assert {kind: kinds.count(kind) for kind in "SDCRP"} == {
        "S": 20, "D": 161, "C": 24, "R": 44, "P": 0,
    }  # fmt: skip


def assert_exact(text, options):
    position = rules.load("realm", **options).parse(text)
    turns = {str(turn): str(position.play(turn)) for turn in position.turns()}
    outcome = position.outcome
    found = [turns, outcome and (outcome.winner, outcome.reason), position.in_check]

    def ask():
        twin = realm_oracle.Oracle(text, **options)
        return [twin.turns(), twin.outcome(), twin.in_check()]

    assert the_twin_agrees(found, "realm", text, options, ask=ask)


@pytest.mark.parametrize("options", enough(realm_walks.OPTIONS), ids=realm_walks.option_name)
def test_thrown_positions_are_exact(options):
    for seed in range(few(30)):
        assert_exact(realm_walks.thrown(random.Random(seed), most=7), options)


@pytest.mark.parametrize("options", enough(realm_walks.OPTIONS), ids=realm_walks.option_name)
def test_crowded_positions_are_exact(options):
    for seed in range(100, 250 if NIGHTLY else 103):
        assert_exact(realm_walks.thrown(random.Random(seed)), options)


@pytest.mark.parametrize(
    "options", [{}, {"free": True}, {"balanced": True}], ids=realm_walks.option_name
)
def test_positions_of_random_play_are_exact(options):
    for seed in range(few(12)):
        source = random.Random(seed)
        position = source.choice(list(realm_walks.walk(rules.load("realm", **options), source)))
        assert_exact(str(position), options)


CASES = [
    # A pawn rearranged to the square on which it could also take en passant.
    ("4p3/8/4K3/8/6Pp/7k/5N2/8 b - g3 5 3", {"power": True, "free": True}),
    # A pawn promotes where a like piece has just left.
    ("7k/1P6/8/8/8/8/8/QQ2K3 w - - 0 9", {"power": True, "free": True}),
    # Like rooks: one that could stay keeps its right to castle.
    ("4k3/8/8/8/8/8/7R/4K1RR w K - 0 9", {"power": True, "free": True}),
    # Castling after the rook's file has been cleared, and out of check.
    ("4k3/8/8/8/4r3/8/3P1P2/R2NKB1R w KQ - 0 9", {"power": True}),
    ("4k3/8/8/8/4r3/8/3P1P2/R2NKB1R w KQ - 0 9", {"free": True}),
    # A queen makes room for a pawn that promotes to one.
    *(("7Q/4R2P/7k/3p1Q2/4R3/8/5K1B/8 w - - 0 34", {option: True}) for option in ("free", "power")),
    ("7Q/4R2P/7k/3p1Q2/4R3/8/5K1B/8 w - - 0 34", {}),
]


@pytest.mark.parametrize(("text", "options"), CASES)
def test_intricate_positions_are_exact(text, options):
    assert_exact(text, options)
