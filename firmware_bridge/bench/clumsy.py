"""Plays seeded games at a whole table with hands that are clumsy in one style, or in several.

Every handling says which turns must stand in the end. They must be taken, or asked about; nobody
may be ruled against, and the game must go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import NamedTuple

from drivers.port import ButtonEvent, CellEvent
from firmware_bridge.bench.clumsiness import QUIET, STYLES
from firmware_bridge.bench.clumsy_figures import Failure, Fault, Figures
from firmware_bridge.bench.exchanges import EXCHANGES, Handling, Scene, plain_turns
from firmware_bridge.bench.games import Row, choose
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Declare, Input, Ruled, Tick
from firmware_bridge.messages.outputs import Output, VerdictChanged
from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler import Sensing
from firmware_bridge.recordings.format import Header, Recording
from firmware_bridge.simulation import Pieces, play
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.table import Table
from rules.interface import Deed, IllegalTurn, Position, Turn

NAMES = (*STYLES, *(name for name in EXCHANGES if name != "turn"))
"""All styles; `a+b` names two together."""
ALARMS = ("illegal", "disturbed")
_HANDLINGS = 8
"""How often hands are clumsy in a game."""
_ROUNDS = 5
"""How often people press, answer or set down once more until they say that nothing helps."""
_PATIENCE = 4.5
"""Seconds for which they wait for the board each time: it asks what it has to ask within them."""
_OPENING = 70
"""Turns at most that are made before hands come to the board, so that every phase is played."""
CLOCKS = ((True, True), (False, True), (False, False))
"""Whether turns wait for a press of the clock, and whether people press when they have made one."""


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


class _Mark(NamedTuple):
    """Where a handling began: how much had happened before, when, and what the board showed."""

    happened: int
    t: float
    header: Header


class Game:
    """A table, the pieces on it, and all that has happened since they were set up.

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
        self._tier = row.tier
        self._dice = dice
        self._clock = clock
        self._presses = presses
        self._take_backs = dice.random() < 0.5
        self._pieces = Pieces(simulated_pieces(row.load()), position.placement, row.tier)
        self._begin(position)

    def _begin(self, position: Position) -> None:
        self._pieces.arrange(position.placement)
        self._table = begun(self._header(position))
        self._happened: list[Input] = []
        self._marks: list[_Mark] = []
        self._t = 0.0

    def _header(self, position: Position) -> Header:
        game, felt = position.game, self._tier != "occupancy"
        return Header(
            game=game.id,
            position=str(position),
            tier=self._tier,
            clock=self._clock,
            options=game.chosen,
            tags=self._pieces.tags if felt else {},
            on=self._pieces.standing() if felt else None,
            settings={"time": "untimed", "take_backs": self._take_backs},
        )

    @property
    def _position(self) -> Position:
        return self._table.state.position

    @property
    def _verdict(self) -> Verdict:
        return self._table.reconciler.verdict

    def handle(self, style: str, figures: Figures) -> bool:
        """Let hands do something in this style and count it; return whether the game goes on."""
        position, names = self._position, style.split("+")
        if self._table.state.stage != "playing" or position.outcome is not None:
            return False
        self._marks.append(_Mark(len(self._happened), self._t, self._header(position)))
        take_backs = self._table.agreement.terms(self._tier).take_backs
        self._before = dict(self._pieces.on), dict(self._pieces.box)
        scene = Scene(position, self._pieces, self._dice, self._clock, take_backs)
        exchange = next((EXCHANGES[name] for name in names if name in EXCHANGES), None)
        handling = exchange(scene) if exchange and position.awaited is None else None
        fits = handling is not None or exchange is None
        handling = handling or EXCHANGES["turn"](scene)
        for name in names:
            if handling is not None and name in STYLES:
                STYLES[name](handling.line)
        if handling is None:
            return False
        self._outputs: list[Output] = []
        self._do(handling.line.acts)
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
        elif self._position != handling.positions[-1]:
            self._begin(handling.positions[-1])
        return True

    def _feed(self, item: Input) -> None:
        self._happened.append(item)
        self._outputs += self._table.feed(item).outputs
        self._t = max(self._t, item.t)

    def _wait(self, seconds: float) -> None:
        self._feed(Tick(self._t + seconds))

    def _do(self, acts: Iterable[Input]) -> None:
        begun = self._t + 0.5
        for act in acts:
            self._feed(replace(act, t=begun + act.t))

    def _finish(self, handling: Handling) -> bool:
        """Press, answer and wait until all turns stand; return whether the whole board alarmed."""
        upset = False
        for attempt in range(_ROUNDS):
            self._wait(0.6 if self._presses else _PATIENCE)
            upset |= self._verdict.kind in ALARMS
            due = self._due(handling)
            goal = self._position == handling.positions[-1]
            if goal and self._verdict.kind not in ("choice", "extendable", *ALARMS):
                break
            if self._withdrawn(handling):
                break
            self._urge(due, attempt)
        return upset

    def _withdrawn(self, handling: Handling) -> bool:
        """Return whether a turn stands until its player makes another one, as he is about to do."""
        goes_on = self._table.reconciler.handling.amending and self._verdict.kind == "in-progress"
        return goes_on and self._position not in handling.positions

    def _play_on(self, handling: Handling) -> Handling:
        """Make the next turn tidily, and return what is to stand then."""
        position = handling.positions[-1]
        if position.outcome is not None or not (following := plain_turns(position)):
            return handling
        turn = self._dice.choice(following)
        made = play(position, turn, self._pieces, self._dice)
        self._do(change.event(0.0) for change in made)
        return replace(handling, turns=(*handling.turns, turn))

    def _stuck(self, handling: Handling) -> bool:
        """Return whether the turn does not stand, and the board wants to be put right."""
        alarm = self._verdict.kind in ALARMS and self._table.state.stage == "playing"
        return alarm and self._position == handling.positions[0]

    def _put_back(self) -> bool:
        """Put back what has moved, if lights tell of it; return whether the board is right then."""
        (stood, box), on, verdict = self._before, self._pieces.on, self._verdict
        astray = {cell for cell in stood | on if stood.get(cell) != on.get(cell)}
        lit = {*verdict.cells, *(s for step in verdict.restore for s in (step.source, step.target))}
        if lit.isdisjoint(astray):
            return False
        for cell in sorted(astray & on.keys()):
            self._feed(CellEvent(self._t + 0.3, cell, None))
        self._pieces.on, self._pieces.box = stood, box
        for cell in sorted(astray & stood.keys()):
            self._feed(CellEvent(self._t + 0.3, cell, self._pieces.reading(stood[cell])))
        self._wait(_PATIENCE)
        return self._verdict.kind == "settled"

    def _make_anew(self, handling: Handling) -> None:
        """Make the turns that do not stand yet, this time tidily."""
        while (turn := self._due(handling)) is not None:
            number = len(self._table.state.played)
            made = play(self._position, turn, self._pieces, self._dice)
            self._do(change.event(0.0) for change in made)
            for attempt in range(_ROUNDS):
                self._wait(0.6 if self._presses else _PATIENCE)
                if len(self._table.state.played) > number:
                    break
                self._urge(turn, attempt)
            else:
                return

    def _due(self, handling: Handling) -> Turn | None:
        """Return the first turn that does not stand yet, if those before it do."""
        known = zip(handling.positions, handling.turns, strict=False)
        judged = self._table.reconciler.judged_in
        return next((turn for position, turn in known if position == judged), None)

    def _urge(self, due: Turn | None, attempt: int) -> None:
        """Do what people do who want their turn to stand, by what they are told."""
        told_of = (o.verdict for o in reversed(self._outputs) if isinstance(o, VerdictChanged))
        position, verdict = self._table.reconciler.judged_in, next(told_of, self._verdict)
        goal = position.play(due) if due else None
        offered = [turn for turn in verdict.turns if goal and position.play(turn) == goal]
        told = metadata.of(position.game.id).declarations
        asked = verdict.kind == "choice" or (verdict.kind == "extendable" and not self._presses)
        if asked and offered:
            self._feed(Answer(self._t + 0.1, str(offered[0])))
        elif due is None:
            self._wait(_PATIENCE)
        elif position.awaited is not None:
            self._feed(Answer(self._t + 0.1, str(due)))
        else:
            if told and not due.plain and verdict.kind == "in-progress":
                self._feed(Declare(self._t + 0.1, told[0]))
            if attempt == 2:
                self._set_down_again(position.deed(due))
            if self._presses:
                self._feed(ButtonEvent(self._t + 0.1, position.side))
                self._wait(0.4)
            if attempt and self._verdict.kind in ("extendable", "in-progress", "settled"):
                self._wait(_PATIENCE)
                self._feed(Answer(self._t + 0.1, str(due)))

    def _set_down_again(self, deed: Deed) -> None:
        """Lift what was moved, and set it down, as the board asks for what it could not feel."""
        for _, target in deed.moves:
            if (tag := self._pieces.on.get(target)) is not None:
                self._feed(CellEvent(self._t + 0.2, target, None))
                self._feed(CellEvent(self._t + 0.4, target, self._pieces.reading(tag)))
                self._wait(0.5)

    def _count(self, style: str, handling: Handling, figures: Figures, *, upset: bool) -> None:
        goal, position = handling.positions[-1], self._position
        told = [o.verdict for o in self._outputs if isinstance(o, VerdictChanged)]
        kinds = [verdict.kind for verdict in told]
        fined = any(isinstance(output, Ruled) for output in self._outputs)
        over = self._table.state.stage == "over"
        right = position == goal and (over or self._verdict.kind not in ALARMS)
        dead = not right and position in handling.positions
        quiet = set(style.split("+")) <= QUIET
        alarmed = upset or (quiet and any(kind in ALARMS for kind in kinds))
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
        if not right:
            self._begin(goal)

    def _failure(self, fault: Fault, handling: Handling) -> Failure:
        """Write down what happened, without the handlings before that have no part in it."""
        goal, position = handling.positions[-1], handling.positions[0]
        for mark in reversed(self._marks):
            events = [replace(act, t=act.t - mark.t) for act in self._happened[mark.happened :]]
            recording = Recording(mark.header, tuple(events))
            if shows(recording, fault, goal):
                break
        turns = " ".join(map(str, handling.turns))
        ruled = [f"{o.side} {o.reason}" for o in self._outputs if isinstance(o, Ruled)]
        told = f"{turns} from {position}: {fault}, {ruled}, now {self._position}, "
        clock = "clock" if self._clock else "presses" if self._presses else "bare"
        where = f"{position.game.id} {self._tier} {clock}"
        return Failure(where, fault, f"{where}: {told}{self._verdict.kind}", recording)


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
