"""Wins in one and in two turns, found by searching over the slow twins of the rules.

Nothing of the opponents is used. With the oracles' folder and the checkout on PYTHONPATH,
`python -m tests.firmware_bridge.opponents.wins` collects what stands in `wins.json`; the nightly
tests prove all of it again.
"""

import json
import random
from pathlib import Path

import orthodox_oracle as chess
from twins import TWINS

import rules

WANTED = {"one": 10, "two": 5, "avoid": 5}
ROUNDS = {"reversi": 3, "mockery": 1, "indistinguishable": 4}
KEPT = Path(__file__).with_name("wins.json")


def winning(twin, text):
    """The turns that win at once."""
    side = text.split()[1]
    return [
        turn
        for turn, after in sorted(twin.turns(text).items())
        if twin.checked(after) and won_by(twin, after, side)
    ]


def won_by(twin, text, side):
    ended = twin.outcome(text)
    return ended is not None and (ended[0] or "?")[0] == side


def winning_in_two(twin, text):
    """The turns with check after which every answer allows a win in one; none if one wins now."""
    if winning(twin, text):
        return []
    return [
        turn
        for turn, after in sorted(twin.turns(text).items())
        if twin.checked(after) and twin.outcome(after) is None and lost_next(twin, after)
    ]


def lost_next(twin, text):
    """Whether whatever is answered allows a win in one."""
    return all(winning(twin, answer) for answer in twin.turns(text).values())


def avoidable(twin, text):
    """The turns that leave a win in one to the other; none where all do, or where none does."""
    turns = twin.turns(text)
    leaving = [turn for turn, after in turns.items() if winning(twin, after)]
    return sorted(leaving) if 0 < len(leaving) < len(turns) else []


def few_pieces(game, rng):
    """Both kings and a few others thrown on the board; `None` where they cannot stand so."""
    squares = rng.sample(chess.SQUARES, 8)
    letters = ["K", "k", *rng.sample("QRRBNqrrbn", rng.randint(3, 5))]
    board = dict(zip(squares, letters, strict=False))
    text = chess.show(chess.State(board, rng.choice("wb"), "", "-", 0, 1))
    try:
        return game.parse(text + (" -" if game.id == "mockery" else ""))
    except rules.InvalidPosition:
        return None


def collect(game_id, wanted, seed):
    """Positions with what is there to be found, by the kind of it."""
    game, twin = rules.load(game_id), TWINS[game_id]
    rng = random.Random(f"{game_id} {seed}")
    found = {"one": [], "two": [], "avoid": []}
    while any(len(found[kind]) < most for kind, most in wanted.items()):
        position = few_pieces(game, rng)
        if position is None or position.outcome is not None:
            continue
        text = str(position)
        if ones := winning(twin, text):
            kind, turns = "one", ones
        elif rng.random() < 0.5:
            kind, turns = "avoid", avoidable(twin, text)
        else:
            kind, turns = "two", winning_in_two(twin, text)
        if turns and len(found[kind]) < wanted[kind]:
            found[kind].append({"position": text, "turns": turns})
    return found


if __name__ == "__main__":
    known = {}
    for name, rounds in ROUNDS.items():
        batches = [collect(name, WANTED, seed) for seed in range(rounds)]
        known[name] = {kind: [one for batch in batches for one in batch[kind]] for kind in WANTED}
        KEPT.write_text(json.dumps(known, indent=1))
