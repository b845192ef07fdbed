"""Endgames of two true pieces against a last one: each value follows from those one ply on."""

from itertools import permutations
from random import Random

import pytest
from reality_check_oracle import LIST
from reality_check_oracle import Table as Slow

import rules
from firmware_bridge.opponents.games.reality_check.endgame import NEVER, Endgame, Endgames, Still
from firmware_bridge.opponents.games.reality_check.packed_table import Table
from firmware_bridge.opponents.levels import level_of
from firmware_bridge.opponents.seat import Seat
from rules.games.reality_check.discs import FACES

FALSE = [name for name in LIST if name[0] != name[1]]


def scene(board, seed):
    """White's two hunters, Black's last true piece, where they stand, and others around them."""
    random = Random(f"{board} {seed}")
    slow = Slow({"board": board}, str(rules.load("reality-check", board=board).start()))
    hunters = random.sample(["PP", "NN", "BB", "RR"], 2)
    prey = random.choice(["pp", "nn", "bb", "rr"])
    names = [*hunters, prey]
    squares = random.sample(slow.squares, len(slow.squares))
    crowded = seed % 2  # few home squares are free, so that a captured prey is in danger there
    names += random.sample(FALSE, 5 if crowded else seed % 4)
    names += [name.lower() for name in random.sample(FALSE, 3 if crowded else seed % 3)]
    if crowded:
        homes = random.sample(slow.homes["b"], 8)
        squares = [*[q for q in squares if q not in homes][:3], *homes]
    named = zip(squares, names, strict=False)
    slow.at = {square: random.choice((name, name[::-1])) for square, name in named}
    slow.hand, slow.number = {"w": [], "b": []}, 30
    return slow, squares[:3]


class Bellman:
    """What a value must be, from the values one ply on, by the slow twin's own moves."""

    def __init__(self, slow, moving, value):
        self._faces = [slow.at[square] for square in moving]
        self._value = value
        self._slow = slow.copy()
        for square in moving:
            del self._slow.at[square]
        self.free = [square for square in slow.squares if square not in self._slow.at]
        self._homes = [square for square in slow.homes["b"] if square not in self._slow.at]

    def _with(self, stand):
        table = self._slow.copy()
        table.at |= dict(zip(stand, self._faces, strict=True))
        return table

    def _struck(self, square, who):
        """Whether a piece that stands still could capture on a square."""
        table = self._slow.copy()
        table.at[square] = "NN" if who == "b" else "nn"
        mine = [q for q in table.at if q != square and table.whose(q) == who]
        return any(square in table.reach(q, capture=True) for q in mine)

    def hunting(self, p, q, r):
        table = self._with((p, q, r))
        if any(r in table.reach(square, capture=True) for square in (p, q)):
            return 1
        after = [self._value((s, q), r, hunting=False) for s in table.reach(p, capture=False)]
        after += [self._value((p, s), r, hunting=False) for s in table.reach(q, capture=False)]
        if self._struck(r, "w"):  # it is captured and comes back on a home square
            homes = [self._value((p, q), h, hunting=True) for h in self._homes if h not in (p, q)]
            after.append(1 + max([1, *homes]))
        return min([NEVER, *(1 + plies for plies in after)])

    def hunted(self, p, q, r):
        table = self._with((p, q, r))
        prey = table.reach(r, capture=True)
        if p in prey or q in prey or self._struck(p, "b") or self._struck(q, "b"):
            return NEVER
        after = [r, *table.reach(r, capture=False)]  # it may pass
        after += [square for square in prey if table.whose(square) == "w"]
        return min(NEVER, 1 + max(self._value((p, q), s, hunting=True) for s in after))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("board", ["basic", "advanced"])
def test_each_value_follows_from_those_one_ply_on(board, seed):
    slow, moving = scene(board, seed)
    table = Table.of(rules.load("reality-check", board=board).parse(slow.text()))
    endgames, number = Endgames([table], 0), table.ground.number

    def value(hunters, prey, *, hunting):
        first, second = (number[square] for square in hunters)
        there = table.copied()
        for square in moving:
            there.cells[number[square]] = 0
        for square, was in zip((*hunters, prey), moving, strict=True):
            there.cells[number[square]] = table.cells[number[was]]
        there.side = 0 if hunting else 1
        return endgames.plies(there, (first, second), number[prey])

    law = Bellman(slow, moving, value)
    places = Random(seed).sample([*permutations(law.free, 3)], 40)
    for p, q, r in [tuple(moving), *places]:
        assert value((p, q), r, hunting=True) == law.hunting(p, q, r)
        assert value((p, q), r, hunting=False) == law.hunted(p, q, r)


@pytest.mark.parametrize(
    ("hunters", "prey", "won"),
    [
        ("NR", "P", (0.99, 1)),
        ("PB", "P", (0, 0.3)),
        ("BR", "N", (0.98, 1)),
        ("NB", "N", (0, 0.3)),
        ("NR", "B", (0, 0.4)),
        ("BR", "R", (0, 0.4)),
    ],
)
def test_how_often_two_win_on_an_open_board(hunters, prey, won):
    """What the worth of each kind of true piece rests on; where it is low, they begin with it."""
    table = Table.of(rules.load("reality-check").start())
    faces = FACES.index(hunters[0]), FACES.index(hunters[1])
    solved = Endgame(table.ground, faces, FACES.index(prey), Still(0, 0, 0, 0, 0, 0))
    places = [*permutations(range(39), 3)]
    wins = sum(solved.plies((p, q), r, hunting=True) < NEVER for p, q, r in places)
    assert won[0] <= wins / len(places) <= won[1]


def test_nothing_is_solved_while_more_than_one_true_piece_is_left():
    table = Table.of(rules.load("reality-check").start())
    assert Endgames([table], 0).plies(table, (0, 1), 2) == NEVER


def test_a_rook_and_a_bishop_catch_a_last_knight():
    """Against one that plays as well as it can, with pieces left that it may move instead."""
    game = rules.load("reality-check")
    position = game.parse("pb/3/5/2nn4/7/7/1NPBPNB1/RR2/BB w -/- - - - 30")
    seats = {side: Seat(game, level_of(game.id, 3), side) for side in ("white", "black")}
    for side, seat in seats.items():
        seat.know(position.knowledge(side))
    for _ in range(40):
        turn = position.parse_turn(seats[position.side].choose().turn)
        for side, seat in seats.items():
            seat.see(position.seen(turn, side))
        position = position.play(turn)
        if position.outcome:
            break
    assert position.outcome
    assert position.outcome.winner == "white"
