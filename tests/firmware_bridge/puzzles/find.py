"""Look for puzzles: `python -m tests.firmware_bridge.puzzles.find reversi 2 --seed 1`.

Few pieces are put on the board at random; what has exactly one first turn that wins within so many
turns, and none within fewer, is printed. With `--engine` a program for chess says first where a
mate of this length may be; what is printed is proved by the rules all the same. Ctrl-C ends it.
"""

import argparse
import itertools
import random
import sys

import chess
import chess.engine

import rules
from tests.firmware_bridge.puzzles.proof import forcing, won

PIECES = {1: ("QRRBBNNPP", 3, 5), 2: ("QRRBBNNPP", 3, 4), 3: ("QRRBBNNP", 2, 1)}
"""By the length: which pieces, and how many of them each side has at most besides its king."""
MOST_TURNS = {1: 400, 2: 150, 3: 60}


NEAR, NEARBY = 3, 0.6
"""So many squares from the hunted king stands about this share of the men."""


def _distance(one, other):
    return max(abs(ord(a) - ord(b)) for a, b in zip(one, other, strict=True))


def drawn(game, rng, length):
    """Return a position at random, or `None` where it is none."""
    kinds, own, other = PIECES[length]
    men = ["K"]
    men += rng.choices(kinds, k=rng.randint(1, own))
    men += [man.lower() for man in rng.choices("QRBNPP", k=rng.randint(0, other))]
    squares = [f + r for r in "12345678" for f in "abcdefgh"]
    hunted = rng.choice([square for square in squares if set(square) & set("ah18")])
    placed = {hunted: "k"}
    for man in men:
        ranks = "234567" if man in "Pp" else "12345678"
        free = [square for square in squares if square[1] in ranks and square not in placed]
        near = [square for square in free if _distance(square, hunted) <= NEAR]
        placed[rng.choice(near if near and rng.random() < NEARBY else free)] = man
    rows = []
    for rank in "87654321":
        row = "".join(placed.get(file + rank, "1") for file in "abcdefgh")
        rows.append(
            "".join(
                str(len(list(g))) if c == "1" else "".join(g) for c, g in itertools.groupby(row)
            )
        )
    invisible = " -" if game.id == "mockery" else ""
    try:
        return game.parse(f"{'/'.join(rows)} w - - 0 1{invisible}")
    except rules.InvalidPosition:
        return None


def peculiar(position, turn):
    """Whether a turn is one of this game and not of chess."""
    game, text = position.game.id, str(turn)
    if game == "reversi":
        return "~" in text
    if game == "realm":
        return "-" in text
    if game == "mockery":
        return "-" not in str(position.play(turn)).split()[-1]
    return True


def puzzle(position, length):
    """Return the one turn that wins in exactly so many turns, if there is exactly one."""
    if position.outcome is not None or position.in_check:
        return None
    turns = list(itertools.islice(position.turns(), MOST_TURNS[length] + 1))
    if len(turns) > MOST_TURNS[length] or (length > 1 and won(position, length - 1)):
        return None
    found = forcing(position, length)
    return found[0] if len(found) == 1 else None


def mates(engine, position, length):
    """Whether chess has exactly one first move here that mates in so many moves."""
    board = chess.Board(" ".join(str(position).split()[:6]))
    if not board.is_valid():
        return False
    found = engine.analyse(board, chess.engine.Limit(nodes=30_000), multipv=2)
    scores = [each["score"].white().mate() for each in found if "score" in each]
    return scores[:1] == [length] and (len(scores) < 2 or not 0 < (scores[1] or 0) <= length)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("game")
    words.add_argument("length", type=int)
    words.add_argument("--seed", default="1")
    words.add_argument("--plain", action="store_true", help="turns of chess will do")
    words.add_argument("--engine", help="a program for chess, such as /usr/games/stockfish")
    asked = words.parse_args()
    game, rng = rules.load(asked.game), random.Random(asked.seed)
    engine = asked.engine and chess.engine.SimpleEngine.popen_uci(asked.engine)
    while True:
        position = drawn(game, rng, asked.length)
        if engine and position and not mates(engine, position, asked.length):
            continue
        turn = position and puzzle(position, asked.length)
        if turn and (asked.plain or peculiar(position, turn)):
            sys.stdout.write(f'{asked.length} "{position}"  # {turn}\n')
            sys.stdout.flush()


if __name__ == "__main__":
    main()
