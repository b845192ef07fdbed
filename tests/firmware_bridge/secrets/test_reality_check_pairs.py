"""Reality Check: two games that differ in undersides and hands look the same to everyone."""

import itertools
from functools import lru_cache

import pytest

import rules
from firmware_bridge.bench.fitting_turns import squares_of
from rules.values import SIDES
from tests.firmware_bridge.secrets.worlds import PACES, Pair, chooser, table
from tests.firmware_bridge.table.driving import other_token
from tests.nightly import NIGHTLY, enough

PAIRS = 1000 if NIGHTLY else 4
TURNS = 12 if NIGHTLY else 4
"""At most, in a pair."""
OPTIONS = [
    {"retreat": retreat, "memory": memory, "dice": dice, **board}
    for retreat, memory, dice in itertools.product((False, True), (False, True), (0, 1, 2))
    for board in ({}, {"flexible": True}, {"board": "advanced"})
]
PIECES = ["".join(pair) for pair in itertools.combinations_with_replacement("PNBR", 2)]


def arranged(random, faces):
    """Deal the ten pieces to squares that show these faces; return square -> up-face, down-face."""
    while True:
        pieces = PIECES[:]
        random.shuffle(pieces)
        dealt = {}
        for square, face in faces.items():
            fitting = next((piece for piece in pieces if face in piece), None)
            if fitting is None:
                break
            pieces.remove(fitting)
            dealt[square] = face + fitting.replace(face, "", 1)
        if len(dealt) == len(faces):
            return dealt


def faces_up(game):
    """Return by side and square what everyone sees at the start."""
    shown = game.start().shown
    return {
        side: {square: piece.kind for square, piece in shown.items() if piece.side == side}
        for side in ("white", "black")
    }


def worlds(random, options, *, hidden):
    """Return two starts with the same faces up, the given sides' undersides dealt differently."""
    game = rules.load("reality-check", **options)
    faces = faces_up(game)
    first = {side: arranged(random, faces[side]) for side in faces}
    second = first | {side: arranged(random, faces[side]) for side in hidden}
    return game.start(**first), game.start(**second)


def looks(position, turn):
    """Return all that everyone sees of a turn: what the rules make public."""
    after = position.play(turn)
    return (
        dict(after.shown),
        {side: len(hand) for side, hand in after.hands.items()},
        after.awaited,
        after.side,
        after.outcome,
        dict(position.revealed(turn)),
    )


@lru_cache(maxsize=8)
def forced(position):
    """Return the public turns that a limit leaves; which pieces can be dropped is a secret."""
    return {turn.public for turn in position.turns() if "@" not in turn.public}


def same_turns(random, positions, seats):
    """Return a turn for each world that looks the same, or `None` after some tries.

    To the players in `seats` it must be the same, not only look so.
    """
    first, second = positions
    looks_like = str if first.side in seats else lambda turn: turn.public
    turns = [turn for turn, _ in zip(first.turns(), range(2000), strict=False)]
    there = {}
    for turn in second.turns():
        there.setdefault(looks_like(turn), turn)
    random.shuffle(turns)
    for turn in turns[:20]:
        like = there.get(looks_like(turn))
        if like is None or looks(first, turn) != looks(second, like):
            continue
        if forced(first.play(turn)) == forced(second.play(like)):
            return turn, like
    return None


def play(pair, turns):
    positions = pair.positions
    deeds = [position.deed(turn) for position, turn in zip(positions, turns, strict=True)]
    if not deeds[0].physical:
        pair.answer([str(turn) for turn in turns])
        return
    make(pair, deeds)
    end_turn(pair, positions, turns)


def set_token(pair, square, face):
    """Set down what shows a face of a computer's disc, on every table the same."""
    token = pair.worlds[0].reading(face)
    pair.cell(square, [token] * len(pair.worlds))


def make(pair, deeds, laid=None):
    """Do with tidy hands all that a turn wants of them; on `laid` square, lay what it takes."""
    position = pair.positions[0]
    computers = {side[0] for side in position.game.tokens}
    for square in deeds[0].taken:
        taken = pair.lift(square)
        if laid:
            pair.cell(laid, taken)
    for source, target in deeds[0].moves:
        pair.carry(source, target)
    for placed in zip(*(deed.placed for deed in deeds), strict=True):
        pair.cell(placed[0][0], [label for _, label in placed])
    for flips in zip(*(deed.flips for deed in deeds), strict=True):
        square = flips[0][0]
        lying = pair.lift(square)
        labels = [label for _, label in flips]
        if labels[0][0] in computers:
            set_token(pair, square, other_token(position, square))
            continue
        pair.cell(square, [f"{a}/2" if a == b else a for a, b in zip(labels, lying, strict=True)])


def end_turn(pair, positions, turns):
    if pair.worlds[0].agreement.settings.sealed:
        if str(turns[0]).endswith("!"):
            pair.declare()
        pair.press(positions[0].side)
        if pair.worlds[0].view.question:
            pair.answer([str(turn) for turn in turns])
    elif pair.worlds[0].table.reconciler.verdict.kind == "choice":
        pair.answer([str(turn) for turn in turns])
    if pair.positions[0] is positions[0]:
        pair.press(positions[0].side)
    if pair.positions[0] is positions[0] and not pair.over:
        pair.answer([str(turn) for turn in turns])  # asked about what only left the board


def clumsy(pair, random):
    """Carry some piece where it does not belong, wait until that is illegal, and put it back."""
    board = pair.worlds[0].readings
    free = sorted(pair.positions[0].game.squares - board.keys())
    source, target = random.choice(sorted(board)), random.choice(free)
    pair.carry(source, target)
    pair.pass_time(random.choice([0.3, 1.0]))
    if pair.worlds[0].table.reconciler.verdict.kind == "complete":
        pair.pass_time(0.1)
    pair.carry(target, source)
    pair.pass_time(1.0)


def run(options, seed, hidden, *, sealed):
    random = chooser(seed, sorted(options.items()), hidden, sealed)
    starts = worlds(random, options, hidden=hidden)
    tables = (table("reality-check", start, sealed=sealed, **options) for start in starts)
    pair = Pair(*tables)
    differed = starts[0].placement != starts[1].placement
    for _ in range(random.randint(1, TURNS)):
        if pair.over:
            break
        if random.random() < 0.2:
            clumsy(pair, random)
        if sealed:
            pair.try_some(random, pair.positions[0].game.squares)
        if random.random() < 0.3:
            pair.lift_some(random, 3)
        turns = same_turns(random, pair.positions, ())
        if turns is None:
            break
        play(pair, turns)
    if random.random() < 0.3:
        pair.call("offer-draw", "white")
    pair.same()
    return differed


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("options", enough(OPTIONS), ids=str)
def test_no_public_channel_tells_what_lies_under_a_piece(options):
    """Nor, sealed, does anything that is tried before the clock is pressed."""
    hidden = ("white", "black")
    differed = [run(options, seed, hidden, sealed=seed % 4 == 3) for seed in range(PAIRS)]
    assert sum(differed) > len(differed) // 2


def hoard(options, seed, **conduct):
    """Lay what is taken on the board and play on, telling now and then that a turn was made.

    Nothing is dropped while something lies there, which may be the disc from the hand. Return how
    many turns were made beside what lay there.
    """
    random, beside = chooser("hoard", seed, sorted(options.items()), conduct), 0
    starts = worlds(random, options, hidden=SIDES)
    pair = Pair(*(table("reality-check", start, **conduct, **options) for start in starts))
    positions, lying = pair.positions, set()
    for _ in range(random.randint(3, 14)):
        turns = pair.over or next(captures_first(random, positions), None)
        if turns in (True, None):
            break
        deeds = [position.deed(turn) for position, turn in zip(positions, turns, strict=True)]
        busy = squares_of(deeds[0]) | squares_of(deeds[1])
        free = sorted(positions[0].game.squares - pair.worlds[0].readings.keys() - busy)
        if not deeds[0].physical or lying & busy or (lying and deeds[0].placed) or not free:
            break
        laid = random.choice(free) if deeds[0].taken else None
        beside += bool(lying)
        pair.pace = random.choice(PACES)
        make(pair, deeds, laid)
        lying |= {laid} - {None}
        positions = [p.play(turn) for p, turn in zip(positions, turns, strict=True)]
        if random.random() < 0.6:
            pair.pass_time(random.choice([0.2, 0.5, 1.5, 6.0]))
        elif positions[0].side != pair.positions[0].side:
            end_turn(pair, pair.positions, turns)
    for square in sorted(lying):
        pair.lift(square)
    pair.pass_time(random.choice([0.5, 6.0]))
    pair.same()
    return beside


def captures_first(random, positions):
    """Yield turns that look the same, of a few that are drawn the captures first."""
    found = [turns for _ in range(6) if (turns := same_turns(random, positions, ()))]
    yield from sorted(found, key=lambda turns: not positions[0].deed(turns[0]).taken)


REPLIED_WHILE_LEARNING = (217, 362, 668, 821, 865, 1001)
"""Pairs in which the reply to the first turn was laid to the discs of that turn, if unpressed."""


@pytest.mark.parametrize("conduct", [{}, {"press": False}, {"buttons": False}, {"sealed": True}])
def test_nobody_learns_anything_by_turns_beside_what_was_taken(conduct):
    pairs = [*range(len(OPTIONS) * (50 if NIGHTLY else 1)), *REPLIED_WHILE_LEARNING]
    beside = [hoard(OPTIONS[seed % len(OPTIONS)], seed, **conduct) for seed in pairs]
    assert sum(beside) > len(pairs) // 10
