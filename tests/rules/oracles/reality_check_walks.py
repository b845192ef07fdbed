"""Positions that real play reaches, of every combination of options of Reality Check."""

from itertools import product
from random import Random

NAMES = ("PP", "PN", "PB", "PR", "NN", "NB", "NR", "BB", "BR", "RR")
OPTION_SETS = [
    dict(zip(("retreat", "memory", "flexible", "board", "dice"), values, strict=True))
    for values in product(
        (False, True), (False, True), (False, True), ("basic", "advanced"), (0, 1, 2)
    )
]


def option_name(options):
    named = (f"{k}={v}" if k in {"board", "dice"} else k for k, v in options.items() if v)
    return ",".join(named) or "none"


def arrangement(game, side, random):
    """A secret arrangement drawn at random, as the options allow it."""
    left = random.sample(NAMES, len(NAMES))
    if game.rules.flexible:
        squares = random.sample(sorted(game.rules.board.halves[side]), 9)
        return {
            square: name[:: random.choice((1, -1))]
            for square, name in zip(squares, left[:9], strict=True)
        }
    shown = {s: piece.kind for s, piece in game.start().shown.items() if piece.side == side}
    chosen = {}
    for square in sorted(shown, key=lambda square: "PNBR".index(shown[square])):
        name = next(name for name in left if shown[square] in name)
        left.remove(name)
        chosen[square] = name if name[0] == shown[square] else name[::-1]
    return chosen


def start(game, random):
    return game.start(**{side: arrangement(game, side, random) for side in ("white", "black")})


def walk(game, seed, plies):
    """Yield the positions of one random game in which rare turns come up often."""
    random = Random(seed)
    position = start(game, random)
    for _ in range(plies):
        yield position
        turns = list(position.turns())
        if not turns:
            return
        rare = [turn for turn in turns if not str(turn)[0].islower() or "x" in str(turn)]
        if rare and random.random() < 0.6:
            turns = rare
        position = position.play(random.choice(turns))
    yield position
