"""Plays seeded games at a whole table with hands that are clumsy in one style, or in several.

Every handling says which turns must stand in the end. They must be taken, or asked about; nobody
may be ruled against, and the game must go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Literal

from drivers.port import CellEvent
from firmware_bridge.bench.ambiguity import fair, named
from firmware_bridge.bench.clumsiness import QUIET, STYLES
from firmware_bridge.bench.exchanges import EXCHANGES
from firmware_bridge.bench.figures import Failure, Figures
from firmware_bridge.bench.fitting_turns import plain_turns
from firmware_bridge.bench.games import Row, choose
from firmware_bridge.bench.harness import PATIENCE, ROUNDS, Harness, agreed
from firmware_bridge.bench.scene import Handling, Scene
from firmware_bridge.messages import Ruled
from firmware_bridge.messages.outputs import VerdictChanged
from firmware_bridge.messages.verdict import ALARMS, Verdict
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.format import Header, Recording
from firmware_bridge.simulation import play
from firmware_bridge.table import Table
from rules.interface import IllegalTurn, Position, Turn

NAMES = (*STYLES, *(name for name in EXCHANGES if name != "turn"))
"""All styles; `a+b` names two together."""
Fault = Literal["fine", "dead end", "wrong", "alarm"]
_HANDLINGS = 8
"""How often hands are clumsy in a game."""
_OPENING = 70
"""Turns at most that are made before hands come to the board, so that every phase is played."""
CLOCKS = ((True, True), (False, True), (False, False))
"""Whether turns wait for a press of the clock, and whether people press when they have made one."""


def together(styles: Sequence[str], count: int, seed: int) -> list[str]:
    """Return each style with others beside it up to this count, drawn by the seed, as `a+b`.

    Bends go with everything; of exchanges hands do one at a time.

    >>> together(["hold", "hold+tip"], 1, seed=7)
    ['hold', 'hold+tip']
    """
    mixed = []
    for style in styles:
        dice = Random(f"{seed}/{style}")  # noqa: S311 - no secret
        own = style.split("+")
        others = dice.sample([name for name in STYLES if name not in own], max(0, count - len(own)))
        mixed.append("+".join((*own, *others)))
    return mixed


def run(row: Row, style: str, games: int, seed: int, figures: Figures) -> None:
    """Play the middle of some games in a style, with the clocks in turn, from one that is drawn.

    Args:
        row: the game, its options and the board's tier.
        style: its name; several with `+` between.
        games: how many.
        seed: which.
        figures: where everything is counted.
    """
    played = f"{seed}/{row.name}/{row.tier}/{style}"
    first = Random(played).randrange(len(CLOCKS))  # noqa: S311 - no secret
    for number in range(games):
        dice = Random(f"{played}/{number}")  # noqa: S311 - no secret
        begin = opening(row.load().start(), dice)
        clock, presses = CLOCKS[(first + number) % len(CLOCKS)]
        game = Game(row, begin, dice, clock=clock, presses=presses)
        for _ in range(_HANDLINGS):
            if not game.handle(style, figures):
                break


def opening(position: Position, dice: Random) -> Position:
    """Return a position at which hands are to act, somewhere in a game; pawns go far in some."""
    calm, pushed = position, dice.random() < 0.5
    for _ in range(dice.randint(0, _OPENING)):
        turn = choose(position, dice)
        if pushed and dice.random() < 0.7:
            turn = max((turn, choose(position, dice)), key=lambda one: _pushes(position, one))
        position = position.play(turn)
        if position.outcome is not None:
            break
        calm = position if position.awaited is None else calm
    return calm


def _pushes(position: Position, turn: Turn) -> bool:
    moves = position.deed(turn).moves
    return bool(moves) and position.placement[moves[0][0]][1:] == "P"


class Game(Harness):
    """Hands at a table that are clumsy.

    Args:
        row: the game, its options and the board's tier.
        position: what the pieces show at first.
        dice: where all chance comes from.
        clock: whether a turn waits for a press.
        presses: whether people press when they have made a turn.
    """

    def __init__(
        self, row: Row, position: Position, dice: Random, *, clock: bool, presses: bool
    ) -> None:
        self._dice = dice
        self._clock = clock
        self._presses = presses
        agreement = agreed(row, clock=clock, take_backs=dice.random() < 0.5)
        super().__init__(agreement, row.tier, position)

    def handle(self, style: str, figures: Figures) -> bool:
        """Let hands do something in this style and count it; return whether the game goes on."""
        position, names = self.position, style.split("+")
        if self.table.state.stage != "playing" or position.outcome is not None:
            return False
        self.mark()
        self._before = dict(self.pieces.on), dict(self.pieces.box)
        self._labels = named(position, self.pieces)
        scene = Scene(position, self.pieces, self._dice, self._clock, self.take_backs)
        exchange = next((EXCHANGES[name] for name in names if name in EXCHANGES), None)
        handling = exchange(scene) if exchange and position.awaited is None else None
        fits = handling is not None or exchange is None
        handling = handling or EXCHANGES["turn"](scene)
        for name in names:
            if handling is not None and name in STYLES:
                STYLES[name](handling.line)
        if handling is None:
            return False
        self.hush()
        self.do(handling.line.acts, after=0.5)
        upset = self._finish(handling)
        if self._withdrawn(handling):
            handling = self._play_on(handling)
            upset |= self._finish(handling)
        back = self._stuck(handling) and self._put_back()
        if back:
            self._make_anew(handling)
        if fits:
            figures.back += back
            self._count(style, handling, figures, upset=upset)
        if not self._stands(handling):
            self.restart(handling.positions[-1])
        return True

    def _finish(self, handling: Handling) -> bool:
        """Press, answer and wait until all turns stand; return whether the whole board alarmed."""
        upset = False
        for attempt in range(ROUNDS):
            self.wait(0.6 if self._presses else PATIENCE)
            upset |= self.verdict.kind in ALARMS
            due = self._due(handling)
            goal = self.position == handling.positions[-1]
            if goal and self.verdict.kind not in ("choice", "extendable", *ALARMS):
                break
            if self._withdrawn(handling):
                break
            self.urge(due, attempt, presses=self._presses)
        return upset

    def _withdrawn(self, handling: Handling) -> bool:
        """Return whether a turn stands until its player makes another one, as he is about to do."""
        goes_on = self.table.reconciler.handling.amending and self.verdict.kind == "in-progress"
        return goes_on and self.position not in handling.positions

    def _play_on(self, handling: Handling) -> Handling:
        """Make the next turn tidily, and return what is to stand then."""
        position = handling.positions[-1]
        if position.outcome is not None or not (following := plain_turns(position)):
            return handling
        turn = self._dice.choice(following)
        self.do(play(position, turn, self.pieces, self._dice), after=0.5)
        return replace(handling, turns=(*handling.turns, turn))

    def _stuck(self, handling: Handling) -> bool:
        """Return whether the turn does not stand, and the board wants to be put right."""
        alarm = self.verdict.kind in ALARMS and self.table.state.stage == "playing"
        return alarm and self.position == handling.positions[0]

    def _put_back(self) -> bool:
        """Put back what has moved, if lights tell of it; return whether the board is right then."""
        (stood, box), on, verdict = self._before, self.pieces.on, self.verdict
        astray = {cell for cell in stood | on if stood.get(cell) != on.get(cell)}
        lit = {*verdict.cells, *(s for step in verdict.restore for s in (step.source, step.target))}
        if lit.isdisjoint(astray):
            return False
        for cell in sorted(astray & on.keys()):
            self.feed(CellEvent(self.t + 0.3, cell, None))
        self.pieces.on, self.pieces.box = stood, box
        for cell in sorted(astray & stood.keys()):
            self.feed(CellEvent(self.t + 0.3, cell, self.pieces.reading(stood[cell])))
        self.wait(PATIENCE)
        return self.verdict.kind == "settled"

    def _make_anew(self, handling: Handling) -> None:
        """Make the turns that do not stand yet, this time tidily."""
        while (turn := self._due(handling)) is not None:
            made = play(self.position, turn, self.pieces, self._dice)
            if not self.make(turn, made, presses=self._presses):
                return

    def _due(self, handling: Handling) -> Turn | None:
        """Return the first turn that does not stand yet, if those before it do."""
        known = zip(handling.positions, handling.turns, strict=False)
        judged = self.table.reconciler.judged_in
        return next((turn for position, turn in known if position == judged), None)

    def _stands(self, handling: Handling) -> bool:
        """Return whether all turns stand, and the board is right."""
        over = self.table.state.stage == "over"
        right = over or self.verdict.kind not in ALARMS
        return right and self.position == handling.positions[-1]

    def _count(self, style: str, handling: Handling, figures: Figures, *, upset: bool) -> None:
        right = self._stands(handling)
        told = [o.verdict for o in self.outputs if isinstance(o, VerdictChanged)]
        kinds = [verdict.kind for verdict in told]
        fined = any(isinstance(output, Ruled) for output in self.outputs)
        dead = not right and self.position in handling.positions
        quiet = set(style.split("+")) <= QUIET
        alarmed = upset or (quiet and any(kind in ALARMS for kind in kinds))
        if (fined or not right) and not fair(handling, self._labels):
            return
        figures.turns += len(handling.turns)
        figures.right += len(handling.turns) if right else 0
        figures.asked += any(asks_what_was_done(one, handling.positions) for one in told)
        figures.alarms += alarmed
        figures.fines += fined
        figures.dead += dead
        figures.wrong += not (right or dead)
        faults: dict[Fault, bool] = {
            "fine": fined,
            "dead end": dead,
            "wrong": not (right or dead),
            "alarm": alarmed,
        }
        fault = next((name for name, found in faults.items() if found), None)
        if fault is not None:
            figures.failures.append(self._failure(fault, handling))

    def _failure(self, fault: Fault, handling: Handling) -> Failure:
        """Write down what happened, without the handlings before that have no part in it."""
        goal, position = handling.positions[-1], handling.positions[0]
        recordings = self.recordings()
        found = next((one for one in recordings if shows(one, fault, goal)), self.recording())
        turns = " ".join(map(str, handling.turns))
        ruled = [f"{o.side} {o.reason}" for o in self.outputs if isinstance(o, Ruled)]
        told = f"{turns} from {position}: {fault}, {ruled}, now {self.position}, "
        clock = "clock" if self._clock else "presses" if self._presses else "bare"
        where = f"{position.game.id} {self.pieces.tier} {clock}"
        told = f"{where}: {told}{self.verdict.kind}"
        return Failure(told, found, fault, where, grave=fault != "alarm")


def asks_what_was_done(verdict: Verdict, positions: Iterable[Position]) -> bool:
    """Return whether a verdict asks what hands did, and not only what the rules leave open.

    A promotion, a conversion and a Reality Check look the same whatever the player wants.
    """
    if verdict.kind != "choice" or len(verdict.turns) < 2:
        return verdict.kind == "choice"
    deeds = []
    for position in positions:
        with suppress(IllegalTurn):
            legal = [position.parse_turn(str(turn)) for turn in verdict.turns]
            deeds.append({(d.moves, frozenset(dict(d.placed))) for d in map(position.deed, legal)})
    return all(len(seen) > 1 for seen in deeds)


def begun(header: Header) -> Table:
    """Return the table at which a recording begins."""
    sensing = Sensing(header.tier, header.tags)
    table = Table(header.agreement(), sensing, now=0.0, standing=header.standing(), begin=True)
    table.take_up()
    return table


def shows(recording: Recording, fault: Fault, goal: Position) -> bool:
    """Return whether a recording ends as it should not."""
    table = begun(recording.header)
    outputs = [output for event in recording.events for output in table.feed(event).outputs]
    if fault == "fine":
        return any(isinstance(output, Ruled) for output in outputs)
    if fault == "alarm":
        return any(isinstance(o, VerdictChanged) and o.verdict.kind in ALARMS for o in outputs)
    return table.state.position != goal or table.reconciler.verdict.kind in ALARMS
