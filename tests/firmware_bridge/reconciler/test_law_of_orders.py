"""Whatever way hands take to a board, the board shows the same turn, or a question with it."""

from hypothesis import strategies as st

from drivers.port import CellEvent
from firmware_bridge.bench.games import choose
from firmware_bridge.messages.verdict import ALARMS
from firmware_bridge.reconciler import Judged, PressRefused, TurnAmended, TurnTaken
from tests.firmware_bridge.reconciler.holding import OnLooker, law, set_out, unfelt

seeds = st.integers(0, 1_000_000)
orders = st.randoms(use_true_random=False)
GRACE = 0.8
SHORTEST, LONGEST = 0.05, 0.7
"""Seconds between two changes: never long enough for anything to become illegal."""
OPEN = 0.15
"""Seconds for which a square stays empty at least: one that closes sooner was knocked."""
BELOW = ("?", "sacrifice")
"""Turns that only what lies below a disc tells from others: to show or ask them would tell it too,
so that people tell the screen, who may know; then the board must agree."""


class Way:
    """The steps of a deed and of what hands do besides, each after those that it needs.

    A square is left before another piece comes down on it, and pieces come to rest before they are
    turned over in place. What becomes something else is left standing.
    """

    def __init__(self, position, deed, pieces):
        self.steps = []
        self._position, self._deed, self._pieces = position, deed, pieces
        self._up = {}
        tags = {square: pieces.on[square] for square, _ in deed.moves}
        for square in (*tags, *deed.taken):
            self._up[square] = self._step(square, None)
        down = {}
        for source, target in deed.moves:
            needs = [self._up[cell] for cell in (source, target) if cell in self._up]
            down[target] = self._step(target, pieces.reading(tags[source]), *needs)
        for square, label in deed.placed:
            needs = [self._up[square]] if square in self._up else []
            self._step(square, pieces.reading(pieces.fetch(label)), *needs)
        sources = {target: source for source, target in deed.moves}
        for square, _ in deed.flips:
            tag = tags.get(sources.get(square)) or pieces.on[square]
            lifted = self._step(square, None, *([down[square]] if square in down else []))
            self._step(square, pieces.turned(tag), lifted)
        self._tags, self._down = tags, down

    def _step(self, cell, reading, *needs):
        self.steps.append(((cell, reading), needs))
        return len(self.steps) - 1

    def stray(self, dice):
        """Set a piece that is carried down elsewhere first, on any square that stays free."""
        free = self._position.game.squares - self._position.placement.keys()
        free -= {cell for (cell, _), _ in self.steps}
        if not self._deed.moves or not free:
            return
        source, target = dice.choice(self._deed.moves)
        square = dice.choice(sorted(free))
        reading = self._pieces.reading(self._tags[source])
        there = self._step(square, reading, self._up[source])
        gone = self._step(square, None, there)
        (step, needs) = self.steps[self._down[target]]
        self.steps[self._down[target]] = (step, (*needs, gone))

    def adjust(self, dice):
        """Lift an own piece that the deed does not touch, and put it back."""
        position = self._position
        busy = {cell for (cell, _), _ in self.steps} | {s for s, _ in self._deed.becomes}
        own = {s for s, label in position.placement.items() if label[0] == position.side[0]}
        idle = sorted(own - busy - {self._deed.touch})
        if idle:
            square = dice.choice(idle)
            reading = self._pieces.reading(self._pieces.on[square])
            self._step(square, reading, self._step(square, None))

    def in_any_order(self, order):
        """Yield the steps, each after those that it needs."""
        done = set()
        while len(done) < len(self.steps):
            numbered = enumerate(self.steps)
            ready = [n for n, (_, needs) in numbered if n not in done and done >= set(needs)]
            number = order.choice(ready)
            done.add(number)
            yield self.steps[number][0]


def walk(row, seed, order, *, stray, adjust):
    """Go to the board that a turn leaves, by any way; return who looked on, and the turn."""
    reconciler, pieces, dice = set_out(row, seed, grace=GRACE)
    onlooker = OnLooker(reconciler, reconciler._settings)
    position = reconciler.position
    turn = choose(position, dice)
    deed = position.deed(turn)
    if not deed.physical or unfelt(position, turn, row.tier):
        return onlooker, None
    way = Way(position, deed, pieces)
    if stray:
        way.stray(dice)
    if adjust:
        way.adjust(dice)
    # A piece that strays stands there while others are moved, in all no longer than one may.
    longest = max(SHORTEST, LONGEST / len(way.steps)) if stray else LONGEST
    t, opened = 0.0, {}
    for cell, reading in way.in_any_order(order):
        t += order.uniform(SHORTEST, longest)
        if reading is None:
            opened[cell] = t
        t = max(t, opened.get(cell, t) + (OPEN if reading else 0))
        onlooker.feel(CellEvent(t, cell, reading))
    onlooker.wait(t + 0.2)
    return onlooker, turn


def shows(onlooker, turn):
    """Return whether the turn, or what leads where it does, was taken, is shown or asked about."""
    reconciler, goal = onlooker.reconciler, onlooker.begun.play(turn)
    made = [f for f in onlooker.found if isinstance(f, TurnTaken | TurnAmended)]
    if made and made[-1].position == goal and reconciler.verdict.kind == "settled":
        return True
    return any(reconciler.judged_in.play(one) == goal for one in reconciler.verdict.turns)


def press_or_set_down_once_more(onlooker, turn):
    """Press, and do as the board bids where it may not tell which capture was made: a secret."""
    reconciler = onlooker.reconciler
    if reconciler._settings.clock:
        onlooker.press(onlooker.last, reconciler.position.side)
        onlooker.wait(onlooker.last + 1.0)
        if shows(onlooker, turn):
            return
    assert any(isinstance(f, PressRefused) and f.hangs for f in onlooker.found)
    ((_, target),) = reconciler.position.deed(turn).moves
    for reading in (None, True):
        onlooker.feel(CellEvent(onlooker.last + 0.5, target, reading))
    onlooker.wait(onlooker.last + 0.2)


@law(seed=seeds, order=orders, stray=st.booleans(), adjust=st.booleans())
def test_any_order_gives_the_same_turn_or_a_question_with_it(row, seed, order, stray, adjust):
    onlooker, turn = walk(row, seed, order, stray=stray, adjust=adjust)
    if turn is None:
        return
    told = f"{onlooker.reconciler.position}: {turn}, {onlooker.reconciler.verdict}"
    alarms = [
        f.verdict for f in onlooker.found if isinstance(f, Judged) and f.verdict.kind in ALARMS
    ]
    assert not alarms, told
    last = onlooker.last
    if not shows(onlooker, turn):
        onlooker.wait(last + 6)
        if str(turn).startswith(BELOW):
            onlooker.answer(last + 6, str(turn))
        elif onlooker.reconciler.verdict.kind == "in-progress" and row.tier == "occupancy":
            press_or_set_down_once_more(onlooker, turn)
        assert shows(onlooker, turn), told
