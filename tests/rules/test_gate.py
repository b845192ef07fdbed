"""What may be set up and what can be played: the gate reports all that is wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.arrangement import Arrangement, Gate, strays
from rules.fen import SQUARES, parse_fen

GAME = rules.load("indistinguishable")
LABELS = [side + kind for side in "wb" for kind in "KQRBNP"]


def problems(text):
    with pytest.raises(rules.InvalidPosition) as invalid:
        GAME.parse(text)
    return [(problem.code, problem.squares) for problem in invalid.value.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", [("no-king", ())]),
        ("8/8/8/8/8/8/8/8 w - - 0 1", [("no-king", ()), ("no-king", ())]),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", [("many-kings", ("e8", "h8"))]),
        ("P3k3/8/8/8/8/8/8/p3K3 w - - 0 1", [("pawn-rank", ("a8", "a1"))]),
        (
            "4k3/8/8/8/8/8/8/4K3 w Kq - 0 1",
            [("castling-rights", ("h1",)), ("castling-rights", ("a8",))],
        ),
        ("4k3/8/8/8/8/8/8/K6R w K - 0 1", [("castling-rights", ("e1",))]),
        ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", [("en-passant", ("d6",))]),
        ("4k3/3p4/8/3p4/8/8/8/4K3 w - d6 0 1", [("en-passant", ("d6",))]),
        ("4k3/8/8/3p4/8/8/8/4K3 b - d6 0 1", [("en-passant", ("d6",))]),
        ("4k3/8/8/8/3P4/8/8/4K3 b - d6 0 1", [("en-passant", ("d6",))]),
        ("4k3/8/8/2pp4/8/8/8/4K3 w - c6,d6 0 1", [("en-passant", ("c6", "d6"))]),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", [("opponent-in-check", ("e1",))]),
        ("8/8/8/3Kk3/8/8/8/8 w - - 0 1", [("opponent-in-check", ("d5",))]),
        (
            "P7/8/8/8/8/8/8/4K3 w q d3 0 1",
            [
                ("no-king", ()),
                ("pawn-rank", ("a8",)),
                ("castling-rights", ("e8", "a8")),
                ("en-passant", ("d3",)),
            ],
        ),
    ],
)
def test_everything_wrong_with_a_position_is_reported_by_code_and_square(text, expected):
    assert sorted(problems(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["fields"]),
        ("x", ["fields"]),
        (
            "8/8/8/8/8/8/8 x KK e9 01 0",
            ["placement", "side", "castling", "en-passant", *["counter"] * 2],
        ),
        ("9/8/8/8/8/8/8/44 w - - 0 1", ["placement", "placement"]),
        ("pppppppp1/8/8/8/8/8/8/7 w - - 0 1", ["placement", "placement"]),
        ("8/8/8/8/8/8/8/8 w qK - 0 1", ["castling"]),
        ("8/8/8/8/8/8/8/8 w - d3,c3 0 1", ["en-passant"]),
        ("8/8/8/8/8/8/8/8 w - - -1 \u0661", ["counter", "counter"]),
    ],
)
def test_every_field_that_cannot_be_read_is_reported(text, codes):
    assert sorted(code for code, _ in problems(text)) == sorted(codes)


@pytest.mark.parametrize(
    "text",
    [
        "4k3/8/8/8/8/8/QQQQQQQQ/Q3K3 b - - 0 1",
        "rrrrkrrr/rrrrrrrr/pppppppp/pppppppp/8/8/8/R3K2R w KQ - 0 1",
        "4k3/PPPPPPPP/PPPPPPPP/8/8/8/8/4K3 b - - 0 1",
    ],
)
@pytest.mark.parametrize("game_id", ["indistinguishable", "reversi"])
def test_any_material_can_be_played(game_id, text):
    position = rules.load(game_id).parse(text)
    for turn in position.turns():
        position.play(turn)


def test_strays_are_named():
    found = strays({"i9": "wK", "e4": "wX", "d4": "", "a1": "wK"})
    assert [(p.code, p.squares) for p in found] == [
        ("off-board", ("i9",)),
        ("unknown-piece", ("d4", "e4")),
    ]


def test_a_heap_beside_the_board_is_reported_before_anything_else():
    assert [p.code for p in Gate().problems(Arrangement({"i9": "wK"}))] == ["off-board"]


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(SQUARES), st.sampled_from(LABELS), max_size=40),
    st.sampled_from(["white", "black"]),
    st.sampled_from(["", "K", "Q", "kq", "KQkq"]),
)
def test_any_arrangement_is_played_or_refused_with_problems(placement, side, castling):
    arrangement = Arrangement(placement, side, castling)
    assert parse_fen(str(arrangement)) == arrangement
    for game_id in ("indistinguishable", "reversi", "mockery"):
        position, codes = admitted(game_id, arrangement)
        assert bool(codes) == (position is None)
        if position is not None:
            assert dict(position.placement) == placement
            list(position.turns())


def admitted(game_id, arrangement):
    try:
        return rules.load(game_id).admit(arrangement), []
    except rules.InvalidPosition as invalid:
        return None, [problem.code for problem in invalid.problems]
