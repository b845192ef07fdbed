"""The set of legal turns, their results and the outcome, against the slow twin."""

from random import Random

import pytest
import reality_check_oracle as oracle
from kept_answers import the_twin_agrees
from random_positions import perft
from reality_check_walks import OPTION_SETS, option_name, walk

from rules.games.reality_check import GAME
from tests.nightly import NIGHTLY, each, enough

STARTS = {
    "basic": "rr/nrbnnn/prpbbbpnpp/7/7/7/PPPNBRPBPR/NBBBNN/RN w RR/br - - - 1",
    "advanced": (
        "rnbrnnpp3/nbbbpn3/prpb3/3/3PBPR/3PNBBNB/3PPNNBRRN w RR/rr - - "
        "d1,e1,e2,f1,f2,f3,g1,g2,g3/a5,a6,a7,b5,b6,b7,c6,c7,d7 1"
    ),
}


def assert_exact(options, position):
    text, outcome = str(position), position.outcome
    turns = {str(turn): str(position.play(turn)) for turn in position.turns()}
    assert the_twin_agrees(
        [turns, outcome and (outcome.winner, outcome.reason)],
        *("reality-check", options, text),
        ask=lambda: [oracle.turns(options, text), oracle.outcome(options, text)],
    )


@pytest.mark.parametrize("options", enough(OPTION_SETS), ids=option_name)
def test_every_option_set_agrees_with_the_twin(options):
    game = GAME(**options)
    random = Random(option_name(options))
    for seed in range(2):
        positions = list(walk(game, f"{option_name(options)} {seed}", plies=120))
        for position in [*random.sample(positions, min(8, len(positions))), positions[-1]]:
            assert_exact(options, position)


@pytest.mark.parametrize("options", each(OPTION_SETS, 14), ids=option_name)
def test_whole_games_agree_with_the_twin(options):
    game = GAME(**options)
    for position in walk(game, f"whole {option_name(options)}", plies=100):
        assert_exact(options, position)


PERFT = [
    ("basic", {}, [14, 3464]),
    ("basic", {"retreat": True}, [14, 3618]),
    ("basic", {"memory": True}, [14, 3968]),
    ("basic", {"memory": True, "retreat": True}, [14, 4122]),
    ("basic", {"dice": 1}, [14, 200, 1256, 7836]),
    ("basic", {"dice": 2}, [14, 200, 7016]),
    ("basic", {"retreat": True, "memory": True, "dice": 1}, [14, 858, 18590]),
    ("advanced", {}, [76, 5592]),
    ("advanced", {"dice": 1}, [4, 16, 96, 576]),
    ("advanced", {"retreat": True, "memory": True, "dice": 2}, [4, 228, 6232]),
]


@pytest.mark.parametrize(
    ("board", "options", "counts"),
    PERFT,
    ids=lambda v: option_name(v) if isinstance(v, dict) else None,
)
def test_perft(board, options, counts):
    game = GAME(board=board, **options)
    position = game.parse(STARTS[board])
    assert [*perft(position, len(counts))] == counts


QUICK = 5000
"""By day the twin counts as long as there are not more turns than this."""


@pytest.mark.parametrize(("board", "options", "counts"), PERFT)
def test_the_twin_counts_the_same(board, options, counts):
    options = {"board": board, **options}
    counts = [count for count in counts if NIGHTLY or count <= QUICK]
    assert the_twin_agrees(
        counts,
        *("reality-check perft", options),
        ask=lambda: [oracle.perft(options, STARTS[board], d + 1) for d in range(len(counts))],
    )
