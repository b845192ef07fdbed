"""What pieces are worth in a game, from the results of games that were played.

`python -m tests.firmware_bridge.opponents.fit reversi RESULTS...`; the files are those of
`firmware-bridge opponent tournament GAME --players 3,4,5,6,7 --results FILE`. It prints the five
worths, a pawn's first, with a rook's as 500, and the share of what pieces' places count.

Logistic regression (Newton's method): the chance to win follows from how many pieces of each kind
White has more, from where they stand as `tables` judges it, and from who plays. Positions count
only where the turn before took nothing, all of a game as much as thirty.
"""

import json
import sys
from collections import Counter
from itertools import pairwise
from math import exp
from pathlib import Path

import chess

import rules
from firmware_bridge.opponents.chesslike import tables

ROUNDS = 12
PLACES = tables.Worths((0,) * 7, (0,) * 7).placed
"""What places alone are worth."""
KINDS = range(tables.PAWN, tables.KING)
WHOLE = 24
"""What `Board.value` counts all pieces but pawns and kings as, at the start."""


def standing(position):
    """The pieces on a position's board."""
    return chess.Board(position.fen).piece_map()


def judged(men):
    """By kind how many more White has, then what their places are worth, in pawns' hundredths."""
    more = [0.0] * len(KINDS)
    score = left = 0
    for square, man in men.items():
        number = man.piece_type + (0 if man.color else 8)
        score += PLACES[number][square]
        left += (0, 0, 1, 1, 2, 4, 0)[man.piece_type]
        if man.piece_type in KINDS:
            more[man.piece_type - 1] += 1 if man.color else -1
    early, late = tables.unpacked(score)
    weight = min(left, WHOLE)
    return [*more, (early * weight + late * (WHOLE - weight)) / WHOLE / 100]


def quiet(game, played):
    """What each position of a game is judged by, where the turn before took nothing."""
    positions = [game.parse(played["start"])]
    for turn in played["turns"]:
        positions.append(positions[-1].play(positions[-1].parse_turn(turn)))
    boards = [standing(position) for position in positions if position.outcome is None]
    for before, men in pairwise(boards):
        if Counter(before.values()) == Counter(men.values()):
            yield judged(men)


def samples(game, lines):
    """Features, White's points and weight of each position; the last features say who plays."""
    games = [json.loads(line) for line in lines]
    pairs = sorted({(played["first"], played["second"]) for played in games})
    for played in games:
        first_is_white = played["number"] % 2 == 0
        points = played["points"] if first_is_white else 1 - played["points"]
        who = [0.0] * len(pairs)
        who[pairs.index((played["first"], played["second"]))] = 1.0 if first_is_white else -1.0
        positions = list(quiet(game, played))
        for features in positions:
            yield features + who, points, 30 / len(positions)


def solved(rows, right):
    """Solve linear equations (Gauss; the matrix is positive)."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for pivot in range(size):
        for row in range(size):
            if row != pivot:
                factor = rows[row][pivot] / rows[pivot][pivot]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[pivot], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def fitted(told):
    """The weights that make what came of the games most likely."""
    size = len(told[0][0])
    weights = [0.0] * size
    for _ in range(ROUNDS):
        slope = weights[:]  # as if each weight had been seen to be near 0 once
        bend = [[float(i == j) for j in range(size)] for i in range(size)]
        for features, points, counts in told:
            seems = sum(w * x for w, x in zip(weights, features, strict=True))
            chance = 1 / (1 + exp(-max(-30, min(30, seems))))
            met = [(i, x) for i, x in enumerate(features) if x]
            sure = counts * chance * (1 - chance)
            for i, x in met:
                slope[i] += counts * (chance - points) * x
                for j, y in met:
                    bend[i][j] += sure * x * y
        weights = [w - step for w, step in zip(weights, solved(bend, slope), strict=True)]
    return weights


def main():
    name, *files = sys.argv[1:]
    lines = [line for file in files for line in Path(file).read_text("utf-8").splitlines()]
    told = list(samples(rules.load(name), lines))
    weights = fitted(told)
    scale = 500 / weights[tables.ROOK - 1]
    worths = " ".join(str(round(weight * scale)) for weight in weights[: len(KINDS)])
    places = weights[len(KINDS)] * scale / 100
    sys.stdout.write(f"{worths}\nplaces: {places:.1f} times; {len(told)} positions\n")


if __name__ == "__main__":
    main()
