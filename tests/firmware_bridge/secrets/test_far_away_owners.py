"""Indistinguishable Chess far away: neither board tells whose the pieces are, nor do the letters.

Hands do anything at either board at any moment, while what one host tells the other is held back.
"""

from functools import partial

import pytest

from firmware_bridge.messages import LineChanged
from firmware_bridge.referee.facts import facts
from firmware_bridge.table import game_log
from firmware_bridge.table.game_log import Batch
from rules.values import SIDES, opponent
from tests.firmware_bridge.secrets import test_indistinguishable_pairs as owners
from tests.firmware_bridge.secrets.anything import STEADY, anything, set_up, wrong_squares
from tests.firmware_bridge.secrets.test_any_hands import Parted
from tests.firmware_bridge.secrets.test_any_phase import Owners, conducted, leave_astray
from tests.firmware_bridge.secrets.test_computer_pairs import carry_out
from tests.firmware_bridge.secrets.worlds import chooser
from tests.firmware_bridge.table.driving import Driven
from tests.firmware_bridge.table.two_boards import LINE, TwoBoards, told_of
from tests.nightly import NIGHTLY

PAIRS = 1000 if NIGHTLY else 4
ROUNDS = 4
MANY = 10
"""In more than so many turns, hands that try find some that look alike."""


class FromThere(TwoBoards):
    """A game between two boards that begins with this position."""

    def __init__(self, start, **conduct):
        self.boards = {
            side: Driven(
                "indistinguishable",
                start=start,
                position=str(start),
                away=opponent(side),
                line=LINE,
                **conduct,
            )
            for side in SIDES
        }


class Far(Owners):
    """One of the boards in two worlds; its host must tell the other one the same."""

    def batches(self, batches):
        super().batches(batches)
        told = [told_by(world) for world in self.worlds]
        assert told[0] == told[1], self.differing(1)


def told_by(board):
    """Return all that a host has to tell the other one by now."""
    state, here = board.table.state, board.agreement.terms().here
    known = [(fact.kind, told_of(board, fact)) for fact in facts(board.table.records)]
    return known, state.asked, board.table.summary().used(here, board.t)


def rich(positions):
    """Return whether many turns are legal in both worlds."""
    one, other = ({str(turn) for turn in position.turns()} for position in positions)
    return len(one & other) > MANY


class Boards:
    """The same game in two worlds, each of its boards paired with that of the other world."""

    def __init__(self, random):
        self.random, self.how = random, conducted(random)
        self.how["tier"] = random.choice(["occupancy", "identity"])
        sealed, press = self.how["sealed"], self.how["press"]
        settings = {"time": "45m+5s", "sealed": sealed, "press": press, **self.how["agreed"]}
        conduct = {"tier": self.how["tier"], "buttons": self.how["buttons"]}
        begin = random.random() < 0.8
        starts = next(filter(rich, iter(partial(owners.worlds, random), None)))
        self.games = [FromThere(s, settings=settings, begin=begin, **conduct) for s in starts]
        self.pairs = [Far(*(game.boards[side] for game in self.games)) for side in SIDES]
        for pair in self.pairs if not begin else ():
            set_up(pair, random, () if sealed else STEADY)
        self.between(TwoBoards.send)

    def between(self, deed):
        """Let something happen in both worlds; see that all boards tell the same of it."""
        known = [[len(world.outputs) for world in pair.worlds] for pair in self.pairs]
        for game in self.games:
            deed(game)
        for pair, counts in zip(self.pairs, known, strict=True):
            told = zip(pair.worlds, counts, strict=True)
            pair.batches([Batch(tuple(world.outputs[count:]), ()) for world, count in told])

    def meddle(self):
        """Let something happen that is no turn, at one board or between them."""
        what, pair = self.random.random(), self.random.choice(self.pairs)
        most = self.random.randint(1, 3)
        if what < 0.55:
            anything(pair, self.random, () if self.how["sealed"] else STEADY)
        elif what < 0.65 and self.how["sealed"]:
            leave_astray(pair, self.random)
        elif what < 0.85:
            self.between(lambda game: game.send(most))
        elif what < 0.9:
            self.line(pair, out=not pair.worlds[0].table.state.line_out)
        else:
            carry_out(pair)

    @staticmethod
    def line(pair, *, out):
        """Let a host lose the line to the other one, or find it again."""
        pair.inputs(lambda world, _: LineChanged(world.t, out))

    def go_on(self):
        """Let the line be there, all be told, and hands do what is shown."""
        for pair in self.pairs:
            self.line(pair, out=False)
            if pair.worlds[0].table.state.paused:
                pair.press(pair.worlds[0].agreement.terms().here)
        for _ in range(2):
            self.between(TwoBoards.send)
            for pair in self.pairs:
                carry_out(pair)

    def turn(self):
        """Make a turn that the rules treat alike in both worlds, or an attempt, if there is one.

        To reeds, what is not sealed may be another attempt than it is.
        """
        mover = self.pairs[SIDES.index(self.pairs[0].positions[0].side)]
        felt = self.how["sealed"] or self.how["tier"] == "identity"
        kind = self.random.choice(["legal", "legal", "ruled" if felt else "legal"])
        found = owners.alike(self.random, mover.positions, kind, self.how)
        if found and not wrong_squares(mover) and mover.worlds[0].table.state.goes_on:
            owners.move(mover, self.random, *found, sealed=self.how["sealed"])
            mover.pass_time(1.5)


def play(seed):
    """Play one pair; return how many turns were made at both boards."""
    boards = Boards(chooser("far away", seed))
    try:
        for _ in range(ROUNDS):
            for _ in range(boards.random.randint(0, 3)):
                boards.meddle()
            boards.go_on()
            boards.turn()
        boards.go_on()
        for pair in boards.pairs:
            pair.same()
    except Parted:
        pass
    return len(boards.pairs[0].worlds[0].table.state.played)


def play_some(count):
    """Play so many pairs; return how many turns were made."""
    return sum(map(play, range(count)))


@pytest.mark.timeout(3600 if NIGHTLY else 300)
def test_no_board_tells_whose_the_pieces_are_in_a_game_with_somebody_far_away():
    assert play_some(PAIRS) >= PAIRS


def test_a_leak_in_a_letter_is_found(monkeypatch):
    """Whose the first piece is decides how the clock is told to stand."""

    def leaking(terms, state, *record):
        data = marked(terms, state, *record)
        if "clock" not in data or min(state.position.placement.items())[1][0] == "w":
            return data
        return {**data, "clock": [data["clock"][0] - 1, data["clock"][1] + 1]}

    marked = game_log.marked
    monkeypatch.setattr(game_log, "marked", leaking)
    with pytest.raises(AssertionError):
        play_some(8)
