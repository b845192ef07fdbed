"""The law of secrets: what is shown is the same in every world that the viewer cannot tell apart.

The same hands play in all of them at once. Whenever a rule makes something public, the worlds in
which it would have been something else are left behind; the others must put out the same bytes at
the same times. In Indistinguishable Chess these are all ways in which the pieces on the board may
be owned, in Reality Check all that a player may believe.
"""

import itertools
import re

import pytest

import rules
from rules import InvalidPosition
from tests.firmware_bridge.secrets.test_indistinguishable_pairs import (
    GAME,
    felt_alike,
    move,
    told,
    worlds,
)
from tests.firmware_bridge.secrets.test_reality_check_pairs import (
    OPTIONS,
    arranged,
    clumsy,
    faces_up,
    forced,
    looks,
    play,
)
from tests.firmware_bridge.secrets.worlds import Pair, chooser, table
from tests.nightly import NIGHTLY, each

COURSES = 100 if NIGHTLY else 1
OWNED = 400 if NIGHTLY else 5
"""Courses in Indistinguishable Chess, which are shorter."""
TURNS = 6 if NIGHTLY else 2
MOST = 64 if NIGHTLY else 5
"""So many worlds are played at once; of more some are drawn."""


# --- Indistinguishable Chess ------------------------------------------------------------------


def scattered(random):
    """Return the two kings and some other pieces on squares of their own."""
    kinds = "kk" + "".join(random.choice("qrbnnpp") for _ in range(random.randint(2, 5)))
    inner = [square for square in sorted(GAME.squares) if square[1] not in "18"]
    return dict(zip(random.sample(inner, len(kinds)), kinds, strict=True))


def owned(pieces, owners, side):
    """Return the position in which these are the owners, `None` if there cannot be one."""
    letters = {
        square: kind.upper() if owner == "white" else kind
        for (square, kind), owner in zip(pieces.items(), owners, strict=True)
    }
    rows = (
        "".join(letters.get(f"{file}{rank}", "1") for file in "abcdefgh")
        for rank in range(8, 0, -1)
    )
    try:
        board = re.sub("1+", lambda free: str(len(free[0])), "/".join(rows))
        position = GAME.parse(f"{board} {side[0]} - - 0 1")
    except InvalidPosition:
        return None
    return None if position.outcome else position


def every_owner(random):
    """Return all positions that look alike, or some of them: of few pieces, or two of a game."""
    if random.random() < 0.3:
        return worlds(random)
    while True:
        pieces = scattered(random)
        side = random.choice(["white", "black"])
        ways = list(itertools.product(["white", "black"], repeat=len(pieces)))
        random.shuffle(ways)
        possible = (p for owners in ways if (p := owned(pieces, owners, side)) is not None)
        found = list(itertools.islice(possible, MOST))
        if len(found) > 2:
            return found


def movement(random, positions, kind):
    """Return a movement that is legal, or ruled on, in the first world, and what is told of it."""
    first = positions[0]
    legal = [str(turn)[:4] for turn in first.turns()]
    pieces, squares = sorted(first.placement), sorted(GAME.squares)
    for _ in range(20):
        anywhere = random.choice(pieces) + random.choice(squares)
        tried = random.choice(legal) if kind == "legal" else anywhere
        fact = told(first, tried) if tried[:2] != tried[2:] else None
        if fact is not None and fact[0] == kind:
            return tried[:2], tried[2:], fact
    return None


def turn_or_ruling(hands, random, conduct):
    """Let hands move a piece; leave the worlds behind of which something else would be told."""
    kind = random.choice(["legal", "legal", "ruled"])
    found = movement(random, hands.positions, kind)
    if found is None:
        return 0
    source, target, fact = found
    alike = [n for n, p in enumerate(hands.positions) if told(p, source + target) == fact]
    if kind == "ruled":
        felt = [n for n in alike if felt_alike([hands.positions[n]], source, target, **conduct)]
        if 0 not in felt:
            return 0
        alike = felt
    hands.keep(alike)
    move(hands, random, source, target, fact, sealed=conduct["sealed"])
    return len(alike) > 1


def owners(seed, conduct):
    random = chooser("owners", seed, sorted(conduct.items()))
    starts = every_owner(random)
    hands = Pair(*(table("indistinguishable", start, **conduct) for start in starts))
    shared = 0
    for _ in range(TURNS):
        if hands.over:
            break
        # To reeds, one of several pieces put back may be another one that captures it.
        hands.lift_some(random, 1 if conduct["tier"] == "occupancy" else 3)
        if conduct["sealed"]:
            hands.try_some(random, GAME.squares)
        shared += turn_or_ruling(hands, random, conduct)
    hands.same()
    return shared


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("tier", ["occupancy", "identity"])
@pytest.mark.parametrize("sealed", [False, True])
def test_nothing_tells_which_of_all_owners_the_pieces_have(tier, sealed):
    shared = [owners(seed, {"tier": tier, "sealed": sealed}) for seed in range(OWNED)]
    assert sum(shared) > OWNED // 2


# --- Reality Check ----------------------------------------------------------------------------


def believed(random, options, side):
    """Return positions that the player of a side cannot tell apart, the true one among them."""
    game = rules.load("reality-check", **options)
    faces = faces_up(game)
    dealt = {of: arranged(random, faces[of]) for of in faces}
    true = game.start(**dealt)
    hidden = "black" if side == "white" else "white"
    found = {str(true): true}
    for _ in range(MOST):
        other = game.start(**(dealt | {hidden: arranged(random, faces[hidden])}))
        assert other.knowledge(side) == true.knowledge(side)
        found[str(other)] = other
    return list(found.values())


def turn_alike(hands, random, side):
    """Return a turn of each world that looks the same to a player; keep those that have one."""
    first, *others = hands.positions
    turns = [turn for turn, _ in zip(first.turns(), range(2000), strict=False)]
    if not turns:
        return None
    turn = random.choice(turns)
    mine = first.side == side
    wanted = looks(first, turn), forced(first.play(turn)), first.play(turn).knowledge(side)
    chosen = {0: turn}
    for number, position in enumerate(others, 1):
        for like in position.turns():
            same = str(like) == str(turn) if mine else like.public == turn.public
            if same and wanted == (
                looks(position, like),
                forced(position.play(like)),
                position.play(like).knowledge(side),
            ):
                chosen[number] = like
                break
    hands.keep(sorted(chosen))
    return [chosen[number] for number in sorted(chosen)]


def beliefs(seed, options, side):
    random = chooser("beliefs", seed, sorted(options.items()), side)
    starts = believed(random, options, side)
    tables = (table("reality-check", start, **options) for start in starts)
    hands = Pair(*tables, seats=(side,))
    shared = 0
    for _ in range(TURNS):
        if hands.over:
            break
        if random.random() < 0.5:
            hands.lift_some(random, 2)
        if random.random() < 0.3:
            clumsy(hands, random)
        turns = turn_alike(hands, random, side)
        if turns is None:
            break
        play(hands, turns)
        shared += len(turns) > 1
    hands.same()
    return shared


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("side", ["white", "black"])
def test_nothing_tells_a_player_which_of_all_worlds_that_he_believes_it_is(side):
    chosen = each(OPTIONS, 9)
    shared = [beliefs(seed, options, side) for seed in range(COURSES) for options in chosen]
    assert sum(shared) > len(shared) // 2
