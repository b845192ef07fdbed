"""What the laws of the reconciler share: games that are under way, and somebody who looks on."""

from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings

from drivers.port import CellEvent
from firmware_bridge.bench.games import ROWS, choose
from firmware_bridge.messages.verdict import ALARMS
from firmware_bridge.reconciler import (
    CellSuspected,
    Judged,
    Reconciler,
    Sensing,
    Settings,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.factors import handled
from firmware_bridge.reconciler.settings import SHIPPED
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.nightly import NIGHTLY
from tests.sample import SAMPLE

OF_ALL = [row for row in ROWS if NIGHTLY or row.game in SAMPLE]
"""Every game on every tier; by day those that stand for all."""
some = settings(
    max_examples=200 if NIGHTLY else 2,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
long_enough = pytest.mark.timeout(3600 if NIGHTLY else 300)


def every_row(test):
    """Hold a test for each of these games and tiers."""
    named = pytest.mark.parametrize("row", OF_ALL, ids=lambda row: f"{row.name} {row.tier}")
    return named(test)


def law(**drawn):
    """Hold a law for every game on every tier; for many more examples at night."""

    def hold(test):
        return every_row(long_enough(some(given(**drawn)(test))))

    return hold


def failed_once(**drawn):
    """Hold a law for what it failed for once, at night in every game on every tier."""
    return example(**drawn) if NIGHTLY else lambda test: test


def set_out(row, seed, **changed):
    """A reconciler in the middle of a game, and the pieces on its board."""
    dice = Random(seed)
    position = row.load().start()
    for _ in range(dice.randint(0, 8)):
        following = position.play(choose(position, dice))
        if following.outcome is not None or following.awaited is not None:
            break
        position = following
    pieces = Pieces(simulated_pieces(row.load()), position.placement, row.tier)
    sensing = Sensing(row.tier, {} if row.tier == "occupancy" else pieces.tags)
    conduct = Settings(**{"clock": dice.random() < 0.5, "take_backs": True, **changed})
    return Reconciler(position, sensing, conduct, pieces.standing()), pieces, dice


def unfelt(position, turn, tier):
    """Whether no tag tells what was done: a disc with like faces, turned over, reads as before."""
    after = position.play(turn).placement
    return tier != "occupancy" and dict(after) == dict(position.placement)


class OnLooker:
    """Feels what a reconciler feels, and sees that all it finds is legal, shown and timely.

    Attributes:
        begun: the position at first.
        found: every finding so far.
        last: the time.
    """

    def __init__(self, reconciler, conduct):
        self.reconciler = reconciler
        self.found = []
        self.last = 0.0
        self._conduct = conduct
        self.begun = self._position = self._before = reconciler.position
        self._past = []
        self._kind, self._judged_at = reconciler.verdict.kind, 0.0
        self._turns = ()
        self._felt_at = self._pressed_at = float("-inf")
        self._doubtful = set()
        self._opened, self._rested = {}, {}
        self._untold, self._once = set(), set()
        self._stood = self._stood_before = dict(reconciler.standing)
        self._felt = [self._stood]

    def feel(self, event):
        """Feel an event, everything being noted at its own time that is due before."""
        self.wait(event.t)
        if isinstance(event, CellEvent):
            self._untold.discard(event.cell)
            if event.reading is True:
                self._untold.add(event.cell)  # what stood there before may be another piece by now
        was = dict(self.reconciler.standing)
        found = self.reconciler.feel(event)
        now = self.reconciler.standing
        self._felt.append(dict(now))
        changed = {cell for cell in {*was, *now} if was.get(cell) != now.get(cell)}
        opened = {cell for cell in changed if cell not in now}
        if changed - opened and changed <= self._knocked:  # so nothing was felt at all
            self._felt_at = min(self._rested[cell] for cell in changed)
        elif changed:
            self._rested |= dict.fromkeys(opened, self._felt_at)
            self._felt_at = event.t
        self._opened |= dict.fromkeys(opened, event.t)
        if opened and isinstance(event, CellEvent):
            opened = changed  # a tag read elsewhere has left its cell with the same event
        self._note(found, opened)

    def wait(self, t):
        """Let time pass."""
        self.last = t
        while (due := self.reconciler.wake_at) is not None and due <= t:
            self._note(self.reconciler.tick(due))
        self._note(self.reconciler.tick(t))

    def press(self, t, side):
        """Press a clock button."""
        self.wait(t)
        if side == self.reconciler.position.side:
            self._pressed_at = t
        self._note(self.reconciler.press(t, side))

    def answer(self, t, text):
        """Give the screen's answer."""
        self.wait(t)
        self._note(self.reconciler.answer(t, text))

    @property
    def _knocked(self):
        """The cells that may only have been knocked: nothing is concluded from them yet."""
        return {cell for cell, t in self._opened.items() if self.last - t <= SHIPPED.knock + 1e-6}

    def _note(self, found, opened=frozenset()):
        self._doubtful |= {f.cell for f in found if isinstance(f, CellSuspected)}
        undone = any(isinstance(finding, TurnsUndone) for finding in found)
        read_anew = any(
            isinstance(finding, TurnAmended)
            or (isinstance(finding, TurnTaken) and self._is_gone_on_from(finding))
            for finding in found
        )
        judged, turns = self.reconciler.judged_in, self.reconciler.verdict.turns
        begun = {s for turn in turns if read_anew for s in handled(judged.deed(turn))}
        lifted = opened if undone else frozenset()  # from the board as it was put back
        for finding in found:
            self.found.append(finding)
            match finding:
                case Judged():
                    self._judged(finding, lifted)
                case TurnTaken(turn=turn, position=after):
                    if not read_anew:  # else it was whole on another reading of the turn before
                        self._in_time(finding)
                    now = self._whole_on(finding, opened)
                    self._shown(self._position, turn, after, opened | begun, self._stood, now)
                    del self._felt[:-1]
                    self._past.append(self._position)
                    self._once.add((self._position, turn))
                    self._before, self._position = self._position, after
                    self._stood_before, self._stood = self._stood, dict(self.reconciler.standing)
                case TurnAmended(turn=turn, position=after):
                    assert not self._conduct.clock, "a pressed turn stands"
                    now = self.reconciler.standing
                    taken = [one.turn for one in found if isinstance(one, TurnTaken)]
                    answered = {s for turn in taken for s in handled(after.deed(turn))} | begun
                    self._shown(
                        self._before, turn, after, opened | answered, self._stood_before, now
                    )
                    self._position = after
                    self._stood = {cell: now[cell] for cell in now if cell not in answered}
                case TurnsUndone(count=count, position=after):
                    assert self._conduct.take_backs
                    assert after == self._past[-count]
                    del self._past[-count:]
                    self._position, self._before = after, [after, *self._past][-1]
                    self._stood = self._stood_before = {}
        assert self.reconciler.position == self._position
        assert not (lifted and self.reconciler.verdict.kind == "settled")

    def _is_gone_on_from(self, taken):
        """Whether a turn that was undone is taken for true again, as hands go on from it."""
        again = (self._position, taken.turn) in self._once
        return again and taken.cause == "stood" and self._kind != "complete"

    def _judged(self, finding, lifted):
        """See that nothing is illegal before its time is up, or the mover says that he is done."""
        if finding.verdict.kind == "illegal" and self._kind not in ALARMS:
            quiet = finding.t - self._felt_at >= self._conduct.grace - 1e-6
            pressed = self._pressed_at >= self._felt_at or self._heeds_press(finding.t)
            assert quiet or pressed, finding
        if finding.verdict.kind == "illegal":
            assert finding.verdict.reason in self._position.game.reasons
        if finding.verdict.kind == "settled":
            board = {c for c in self.reconciler.standing if c in self._position.game.squares}
            doubtful = self._doubtful | lifted | self._knocked
            assert board ^ self._position.placement.keys() <= doubtful
        self._kind, self._judged_at = finding.verdict.kind, finding.t
        self._turns = finding.verdict.turns

    def _heeds_press(self, t):
        """Whether a press may still count: the last contact of a turn may lag, or the hand."""
        return t - self._pressed_at <= max(self._conduct.late, SHIPPED.carried) + 1e-6

    def _in_time(self, finding):
        """See that a turn is taken when it may be: confirmed, stood, or answered."""
        conduct = self._conduct
        assert finding.cause in (
            ("press", "replied", "presumed", "answer")
            if conduct.clock
            else ("press", "stood", "lifted", "answer")
        )
        if finding.cause == "stood":
            assert self._kind == "complete"
            assert finding.t - self._judged_at >= conduct.settle - 1e-6
        if finding.cause == "press":
            assert self._heeds_press(finding.t)
            if self._kind == "choice":
                assert [turn for turn in self._turns if turn.plain] == [finding.turn]

    def _whole_on(self, taken, opened):
        """Return what the cells read when a turn was whole last: now, unless hands went on.

        With a clock a turn stays what the press takes, though the opponent is at work already.
        Without one his lift takes what stood before it: where the first that is felt of it is his
        piece on another square, that may be the one on which the turn ended.
        """
        now, squares = self.reconciler.standing, taken.position.game.squares
        if taken.cause == "lifted":
            return self._felt[-2]
        if taken.cause not in ("press", "replied", "presumed"):
            return now
        due, doubtful = taken.position.placement.keys(), self._doubtful | opened
        whole = (felt for felt in reversed(self._felt) if squares & felt.keys() ^ due <= doubtful)
        return next(whole, now)

    def _shown(self, before, turn, after, opened, stood, standing):
        """See that a turn is legal, and that the board, where that `stood`, shows what follows."""
        assert before.parse_turn(str(turn)) == turn
        assert before.play(turn) == after
        deed = before.deed(turn)
        if not deed.physical:
            return
        board = {cell for cell in standing if cell in after.game.squares}
        doubtful = self._doubtful | opened | self._knocked
        assert board ^ after.placement.keys() <= doubtful, (turn, board)
        homes = {uid: cell for cell, uid in stood.items() if isinstance(uid, str)}
        for source, target in deed.moves:
            home = homes.get(standing.get(target))
            if home in before.placement and target not in doubtful | self._untold:
                assert before.placement[home] == before.placement[source], (turn, home)
