"""Indistinguishable Chess: two games that differ in whose piece is whose look the same."""

import os

import pytest

import rules
from rules import IllegalTurn, InvalidPosition
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table

NIGHTLY = bool(os.environ.get("FIRMWARE_BRIDGE_NIGHTLY"))
PAIRS = 1000 if NIGHTLY else 50
TURNS = 5
GAME = rules.load("indistinguishable")


def somewhere(random):
    """Return a position from random play, without castling rights or a pawn to take in passing."""
    position = GAME.start()
    for _ in range(random.randrange(10, 60)):
        turns = list(position.turns())
        if not turns:
            break
        position = position.play(random.choice(turns))
    board = str(position).split()
    return [*board[:2], "-", "-", "0", "1"]


def disowned(random, fields):
    """Return the same pieces on the same squares, some of them the opponent's."""
    return [
        "".join(
            letter.swapcase() if letter.isalpha() and random.random() < 0.4 else letter
            for letter in fields[0]
        ),
        *fields[1:],
    ]


def worlds(random):
    """Return two positions that look alike and differ in whose piece is whose."""
    while True:
        fields = somewhere(random)
        other = disowned(random, fields)
        if fields == other:
            continue
        try:
            pair = [GAME.parse(" ".join(text)) for text in (fields, other)]
        except InvalidPosition:
            continue
        if not any(position.outcome for position in pair):
            return pair


def told(position, move):
    """Return what the rules make public of a hand movement: a turn and its looks, or a ruling."""
    referee = GAME.referee(position, 300)
    try:
        referee, ruling = referee.attempt(move)
    except IllegalTurn:
        return None
    if ruling:
        return "ruled", ruling
    turn = next((turn for turn in position.turns() if str(turn)[:4] == move), None)
    if turn is None:
        return None
    after = position.play(turn)
    promotions = sum(str(other)[:4] == move for other in position.turns())
    return "legal", dict(after.shown), after.outcome, position.deed(turn), promotions


def alike(random, positions, kind, *, sealed):
    """Return a movement, legal or ruled, that the rules treat alike in both worlds, or `None`."""
    squares = sorted(positions[0].placement)
    for _ in range(200):
        source = random.choice(squares)
        target = random.choice(sorted(GAME.squares - {source}))
        first, second = (told(position, source + target) for position in positions)
        if first is None or first != second or first[0] != kind:
            continue
        if sealed or kind == "legal" or set_down(positions, source, target):
            return source, target, first
    return None


def set_down(positions, source, target):
    """Return whether the offence itself, setting the piece down, shows the same at once."""
    kinds = set()
    for position in positions:
        aside = table("indistinguishable", position)
        aside.cell(source, None)
        if target in position.placement:
            aside.cell(target, None)
        aside.cell(target, True)
        kinds.add(aside.table.reconciler.verdict.kind)
    return len(kinds) == 1


def run(seed, *, sealed=False):
    random = chooser(seed, sealed)
    starts = worlds(random)
    pair = Pair(*(table("indistinguishable", start, sealed=sealed) for start in starts))
    for kind in [*["legal"] * random.randrange(TURNS + 1), "ruled"]:
        if not pair.over and random.random() < 0.3:
            pair.lift_some(random, 1)
        if sealed and not pair.over:
            pair.try_some(random, GAME.squares)
        found = None if pair.over else alike(random, pair.positions, kind, sealed=sealed)
        if found:
            move(pair, random, *found, sealed=sealed)
    if not pair.over and random.random() < 0.3:
        pair.call(random.choice(["offer-draw", "claim-repetition", "offer-take-back"]), "white")
    pair.same()
    return len(pair.worlds[0].table.state.played)


def move(pair, random, source, target, fact, *, sealed):
    side = pair.positions[0].side
    taken = [square for square in (fact[3].taken if fact[0] == "legal" else ()) if square != target]
    for square in taken:
        pair.lift(square)
    for a, b in fact[3].moves if fact[0] == "legal" else ((source, target),):
        pair.carry(a, b)
    if fact[0] == "legal":
        if fact[4] > 1:
            if sealed:
                pair.press(side)
            pair.answer([f"{source}{target}q"] * 2)
        if pair.positions[0].side == side:
            pair.press(side)
        return
    pair.pass_time(random.choice([0.2, 1.0]))
    if sealed:
        pair.press(side)
    captured = target in pair.positions[0].placement
    pair.carry(target, source)
    if captured:
        pair.cell(target, [True, True])
    pair.pass_time(1.0)


@pytest.mark.timeout(3600 if NIGHTLY else 120)
def test_no_public_channel_tells_whose_piece_is_whose():
    played = [run(seed) for seed in range(PAIRS)]
    assert sum(played) > PAIRS // 2
