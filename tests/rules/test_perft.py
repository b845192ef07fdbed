"""Counts of legal turns: the positions everyone uses, and the same counted by the slow twins."""

import pytest
from kept_answers import the_twin_agrees
from random_positions import perft
from twins import TWINS

import rules

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROOKS = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
TALK = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
EDWARDS = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

CHESS = {
    START: (20, 400, 8902),
    KIWIPETE: (48, 2039),
    ROOKS: (14, 191, 2812),
    PROMOTIONS: (6, 264, 9467),
    TALK: (44, 1486),
    EDWARDS: (46, 2079),
}
"""As everybody counts them (Chess Programming Wiki, "Perft Results")."""
TABLE = [
    *((game_id, text, CHESS[text]) for game_id in ("chess", "indistinguishable") for text in CHESS),
    ("grid", START, (20, 400, 8342)),
    ("chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528)),
    ("chess960", "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", (21, 807)),
    ("chess960", "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", (20, 479, 10471)),
    ("chess960", "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", (22, 593)),
    ("reversi", START, (20, 400, 8902)),
    ("reversi", KIWIPETE, (49, 2177)),
    ("reversi", ROOKS, (14, 191)),
    ("reversi", PROMOTIONS, (6, 312)),
    ("reversi", TALK, (48, 1675)),
    ("reversi", EDWARDS, (48, 2224)),
    ("mockery", START + " -", (20, 400, 8894)),
    ("mockery", KIWIPETE + " -", (48, 1779)),
    ("mockery", ROOKS + " -", (16, 235)),
    ("mockery", PROMOTIONS + " -", (38, 1654)),
    ("mockery", TALK + " -", (44, 1463)),
    ("mockery", EDWARDS + " -", (46, 1977)),
]


@pytest.mark.parametrize(("game_id", "text", "counts"), TABLE)
def test_perft_table(game_id, text, counts):
    position = rules.load(game_id).parse(text)
    assert perft(position, len(counts)) == counts


QUICK_TWINS = [row for row in TABLE if row[0] == "reversi" or row[:2] == ("mockery", f"{ROOKS} -")]


@pytest.mark.parametrize(("game_id", "text", "counts"), QUICK_TWINS)
def test_the_slow_twins_count_the_same(game_id, text, counts):
    turns = TWINS[game_id].turns

    def ask():
        first = turns(text)
        return [len(first), sum(len(turns(after)) for after in first.values())]

    assert the_twin_agrees([*counts[:2]], "perft", game_id, text, ask=ask)
