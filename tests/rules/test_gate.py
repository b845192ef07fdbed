"""What may be set up and what can be played: the gate reports all that is wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.arrangement import Arrangement, Gate, strays
from rules.fen import SQUARES, parse_fen

GAME = rules.load("indistinguishable")
LABELS = [side + kind for side in "wb" for kind in "KQRBNP"]


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
