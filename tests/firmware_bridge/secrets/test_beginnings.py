"""Set-up, exchange, beginning, heap, new start: nothing tells which of two like discs lies where.

Nor do discs from hand, laid astray before the first turn, tell what lies under them, nor what is
found when the power comes back at any moment.

Both worlds have the same hands and see the same faces all the time; which discs the hands take for
them is another matter in each.
"""

from contextlib import suppress

import pytest

import rules
from drivers.port import Snapshot
from tests.firmware_bridge.secrets.anything import kill
from tests.firmware_bridge.secrets.test_any_hands import Parted
from tests.firmware_bridge.secrets.test_reality_check_pairs import (
    OPTIONS,
    PIECES,
    end_turn,
    make,
    same_turns,
)
from tests.firmware_bridge.secrets.worlds import Pair, chooser
from tests.firmware_bridge.table.driving import Driven
from tests.nightly import NIGHTLY, each

PAIRS = 1000 if NIGHTLY else 1
CUTS = 0.03
"""How often the power fails after something was done."""
SIDES = {"w": "white", "b": "black"}


def dealt(random, pool, faces):
    """Deal pieces of a pool to squares that show these faces; return square -> label."""
    while True:
        left, lying = list(pool), {}
        random.shuffle(left)
        for square, (side, face) in faces.items():
            piece = next((p for p in left if p[0] == side and face in p[1:]), None)
            if piece is None:
                break
            left.remove(piece)
            lying[square] = f"{piece}:{piece[1:].replace(face, '', 1)}"
        else:
            return lying


def all_pieces():
    return [side + piece for side in SIDES for piece in PIECES]


def faces_of(random, game):
    """Return the faces of a start, chosen at random where players choose."""
    lying = dict(game.start().placement)
    if game.free_start:
        pool, kinds = all_pieces(), {}
        random.shuffle(pool)
        for square, label in lying.items():
            piece = next(p for p in pool if p[0] == label[0])
            pool.remove(piece)
            kinds[square] = (label[0], random.choice(piece[1:]))
        return kinds
    return {square: tuple(game.face(label)[:2]) for square, label in lying.items()}


class Hands(Pair):
    """Two boards on which the same faces lie, and the discs beside them."""

    def __init__(self, random, options):
        self.random, self.options = random, options
        self.sealed = random.random() < 0.3
        self.game = rules.load("reality-check", **options)
        self.begin_anew([{}, {}])

    def begin_anew(self, standing):
        """Open a table, as the service does when another game is wanted."""
        t = max((world.t for world in getattr(self, "worlds", ())), default=100.0)
        settings = {"time": "45m+5s", "sealed": self.sealed}
        super().__init__(
            *(
                Driven("reality-check", options=self.options, settings=settings, begin=False)
                for _ in range(2)
            )
        )
        for world, readings in zip(self.worlds, standing, strict=True):
            world.t, world.readings = t + 1, dict(readings)
        self.inputs(lambda world, _: Snapshot(world.t, dict(world.readings)))

    def inputs(self, make):
        """Feed both worlds; then the power may fail: after a turn, tags lead the way back."""
        super().inputs(make)
        if not self.turns and self.random.random() < CUTS:
            kill(self)

    @property
    def boards(self):
        return [world.readings for world in self.worlds]

    @property
    def turns(self):
        return len(self.worlds[0].table.state.played)

    def beside(self, number):
        """Return the discs that lie on no square."""
        lying = {str(label).partition(":")[0] for label in self.boards[number].values()}
        return [piece for piece in all_pieces() if piece not in lying]

    def lay(self, faces):
        """Lay discs with these faces, in any order; some go astray first, some are read late."""
        lying = [dealt(self.random, self.beside(number), faces) for number in range(2)]
        squares, begun = list(faces), self.turns

        def put(cell, readings):
            if self.turns > begun:  # what lay there unread was a reply: another disc shows now
                raise Parted
            self.cell(cell, readings)

        self.random.shuffle(squares)
        for square in squares:
            there = [world[square] for world in lying]
            free = sorted(self.game.squares - self.boards[0].keys() - {square})
            if free and self.random.random() < 0.2:
                astray = self.random.choice(free)
                put(astray, there)
                self.pass_time(self.random.choice([0.1, 1.5, 12.0]))
                self.cell(astray, [None, None])
            if self.random.random() < 0.1:
                put(square, [self.random.choice([True, "stranger"])] * 2)
                self.pass_time(self.random.choice([0.1, 2.0]))
            put(square, there)
            if self.random.random() < 0.1:
                self.pass_time(2.0)

    def clear(self, squares):
        """Lift the discs of these squares; return their faces."""
        faces = {s: tuple(self.game.face(self.boards[0][s])[:2]) for s in squares}
        for square in squares:
            self.lift(square)
        return faces

    def exchange(self, but=()):
        """Take up some discs, but not these; lay others, perhaps from hand, with the same faces."""
        board = sorted(self.boards[0].keys() - set(but))
        self.lay(self.clear(self.random.sample(board, self.random.randint(1, 5))))
        self.pass_time(1.5)

    def stray(self):
        """Lift some discs and lay one from hand or box astray, then put all back."""
        beside = [self.beside(number) for number in range(2)]
        squares = self.random.sample(sorted(self.boards[0]), self.random.randint(1, 3))
        lifted = {square: self.lift(square) for square in squares}
        target = self.random.choice(sorted(self.game.squares - self.boards[0].keys()))
        strange = self.random.choice(squares)
        self.cell(strange, [self.random.choice([None, True, "stranger"])] * 2)
        side, face = self.random.choice("wb"), self.random.choice("PNBR")
        fitting = [[p for p in left if p[0] == side and face in p[1:]] for left in beside]
        if all(fitting):
            discs = [self.random.choice(pieces) for pieces in fitting]
            self.cell(target, [f"{disc}:{disc[1:].replace(face, '', 1)}" for disc in discs])
            self.pass_time(self.random.choice([0.1, 1.5, 12.0]))
            self.cell(target, [None, None])
        self.cell(strange, [None, None])
        for square, readings in lifted.items():
            self.cell(square, readings)
        self.pass_time(1.0)

    def begin(self):
        """Begin, by the clock or by simply moving, and play on a little."""
        if self.random.random() < 0.5:
            self.press("black")
            if self.random.random() < 0.5:
                self.exchange()
        for _ in range(self.random.randint(0, 3)):
            turns = same_turns(self.random, self.positions, ())
            deeds = turns and [p.deed(t) for p, t in zip(self.positions, turns, strict=True)]
            if not deeds:
                return
            if not deeds[0].physical:
                self.answer([str(turn) for turn in turns])
                continue
            before = self.positions
            make(self, deeds)
            if not self.worlds[0].table.state.played:
                self.meddle(deeds[0])
            end_turn(self, before, turns)
            if self.positions == before:
                return  # the power failed, and what stands there is pressed for in vain

    def meddle(self, deed):
        """Exchange discs between the first move and its press, or lay one astray.

        A disc that was turned over for the turn is not exchanged: what shows that face now need not
        have the face that lay up before.
        """
        if self.random.random() < 0.5:
            self.exchange(but=[square for square, _ in deed.flips])
        elif self.random.random() < 0.5:
            self.stray()

    def heap(self):
        """Clear the board, look away, and set up another game over it."""
        board = list(self.boards[0])
        self.random.shuffle(board)
        self.clear(board)
        self.pass_time(3.0)
        self.lay(faces_of(self.random, self.game))
        self.pass_time(4.0)


def run(options, seed):
    random = chooser("beginnings", seed, sorted(options.items()))
    hands = Hands(random, options)
    hands.lay(faces_of(random, hands.game))
    assert hands.worlds[0].view.phase == "ready"
    for _ in range(random.randint(0, 3)):
        random.choice([hands.exchange, hands.stray])()
        assert hands.worlds[0].view.phase == "ready"
    hands.begin()
    for world in hands.worlds:
        for square, label in world.position.placement.items():
            if world.table.state.played:
                assert world.readings[square].removesuffix("/2") == label
    hands.heap()
    hands.same()
    hands.begin_anew(hands.boards)
    assert hands.worlds[0].view.phase == "ready"
    hands.exchange()
    hands.begin()
    hands.same()


@pytest.mark.timeout(3600 if NIGHTLY else 300)
@pytest.mark.parametrize("options", each(OPTIONS, 13), ids=str)
def test_no_phase_before_the_first_turn_tells_which_disc_lies_where(options):
    for seed in range(PAIRS):
        with suppress(Parted):
            run(options, seed)


@pytest.mark.parametrize(("options", "seed"), [(OPTIONS[0], 21), (OPTIONS[5], 8)], ids=str)
def test_a_power_cut_over_what_lies_astray_does_not_tell_which_disc_is_which(options, seed):
    """Lifted before it, two like discs; or half of another start, laid over a cleared board."""
    run(options, seed)
