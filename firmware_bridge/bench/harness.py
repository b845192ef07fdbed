"""A table with hands at it, in virtual time: what every bench plays on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from drivers.port import ButtonEvent, CellEvent, Reading
from firmware_bridge.bench.ambiguity import Doubt, named
from firmware_bridge.bench.games import Row
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import GameSettings
from firmware_bridge.diagnostics.stopwatch import Stopwatch
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Call, Declare, Input, Tick
from firmware_bridge.messages.outputs import Output, VerdictChanged
from firmware_bridge.messages.verdict import ALARMS, Verdict
from firmware_bridge.reconciler import (
    Finding,
    Judged,
    PressRefused,
    Sensing,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.preparation import wholly
from firmware_bridge.reconciler.settings import SHIPPED, Habits
from firmware_bridge.recordings.format import Recording
from firmware_bridge.recordings.recorder import Recorder
from firmware_bridge.recordings.replaying import HeardReconciler
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.table import Table
from rules.interface import Deed, Position, Tier, Turn

ROUNDS = 5
"""How often people press, answer or set down once more until they say that nothing helps."""
PATIENCE = 4.5
"""Seconds for which they wait for the board each time: it asks what it has to ask within them."""


def agreed(row: Row, *, clock: bool, **conduct: Any) -> Agreement:  # noqa: ANN401 - any setting
    """Return what is agreed on, where turns wait for a press or stand by themselves."""
    settings = GameSettings.of({"time": "untimed", **conduct, "press": clock})
    return Agreement(row.game, options=row.options, settings=settings, buttons=clock)


class Harness:
    """Where hands play: all that happens is kept, and every event is timed.

    With a `faulty` cell and what it always reads, somebody has said that it cannot be trusted.

    Attributes:
        pieces: the pieces, moved by the hand model.
        table: the table that they stand on.
        t: virtual time.
        outputs: what the table has told since the last `hush`.
        found: what its reconciler has found since then.
        idle: questions that were asked since then while the board had one explanation only.
        answered: whether one was answered since then, other than by hands or the button.
        event_us: how long the reconciler took for each event.
        prepare_us: how long it took to prepare for what comes, summed up from turn to turn.
    """

    def __init__(
        self,
        agreement: Agreement,
        tier: Tier,
        position: Position,
        *,
        habits: Habits = SHIPPED,
        faulty: tuple[str, Reading] | None = None,
    ) -> None:
        self.agreement = agreement
        self.pieces = Pieces(simulated_pieces(position.game), position.placement, tier)
        tags = {} if tier == "occupancy" else self.pieces.tags
        self.sensing = Sensing(tier, tags, habits=habits)
        self.event_us: list[float] = []
        self.prepare_us: list[float] = []
        self.t = 0.0
        self._faulty = faulty
        self._doubt = Doubt(position, named(position, self.pieces), {})
        self.outputs: list[Output] = []
        self.found: list[Finding] = []
        self.idle: list[Verdict] = []
        self.told = self.answered = False
        self._preparing = 0
        self._watch = Stopwatch()
        self.restart(position)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.table.state.position

    @property
    def take_backs(self) -> bool:
        """Whether turns may be undone on the board."""
        return self.agreement.terms(self.pieces.tier).take_backs

    @property
    def verdict(self) -> Verdict:
        """The verdict in force."""
        return self.table.reconciler.verdict

    @property
    def alarms(self) -> list[Verdict]:
        """Verdicts since the last `hush` that are alarms."""
        return [verdict for verdict in self._verdicts() if verdict.kind in ALARMS]

    @property
    def taken(self) -> list[TurnTaken | TurnAmended | TurnsUndone]:
        """Turns taken or amended since then, and turns undone."""
        return [f for f in self.found if isinstance(f, TurnTaken | TurnAmended | TurnsUndone)]

    @property
    def asked(self) -> bool:
        """Whether a question was open since then."""
        return self.told or any(verdict.kind == "choice" for verdict in self._verdicts())

    @property
    def refused(self) -> bool:
        """Whether a press was refused since then for what hangs in the air, or stands unfelt."""
        return any(isinstance(found, PressRefused) and found.hangs for found in self.found)

    @property
    def doubtful(self) -> bool:
        """Whether what the cells have told since then allows several explanations."""
        return self._doubt.explanations() > 1

    def been_before(self) -> bool:
        """Return whether the board seems to show turns undone, where they may be undone on it."""
        if not self.take_backs:
            return False
        on = self.pieces.on
        stands = {square: self.pieces.tags[tag] for square, tag in on.items()}
        return any(
            played.before.placement.keys() == on.keys()
            and (self.pieces.tier == "occupancy" or played.before.placement == stands)
            for played in self.table.state.played
        )

    def restart(self, position: Position) -> None:
        """Set a position up and go on from there with another game."""
        self.pieces.arrange(position.placement)
        standing = self.pieces.standing()
        if self._faulty is not None:
            standing[self._faulty[0]] = self._faulty[1]
        elsewhere = position != self.agreement.terms().game.start()
        self.table = Table(
            replace(self.agreement, position=str(position) if elsewhere else None),
            self.sensing,
            now=self.t,
            standing=standing,
            begin=True,
            judge=partial(HeardReconciler, self._hear, self._watch),
        )
        self.table.take_up()
        self._recorders = [Recorder(self.sensing)]
        if self._faulty is not None:
            self.feed(Call(self.t, "distrust", data={"cell": self._faulty[0]}))
        self.hush()

    def mark(self) -> None:
        """Keep what happens from now on as another recording, too."""
        self._recorders.append(Recorder(self.sensing))

    def recordings(self) -> Iterator[Recording]:
        """Yield what happened since each mark, the last one first, and since the set-up."""
        for recorder in reversed(self._recorders):
            recorder.hear(Tick(self.t), self.table)
            if found := recorder.recording():
                yield found

    def recording(self) -> Recording:
        """Return all that happened since the pieces were set up last, to be looked into."""
        return [*self.recordings()][-1]

    def hush(self) -> None:
        """Forget what was told and found so far."""
        self.outputs = []
        self.found = []
        self.idle = []
        self.told = self.answered = False
        labels = named(self.position, self.pieces)
        self._doubt = Doubt(self.position, labels, self.table.reconciler.standing)

    def feed(self, item: Input) -> None:
        """Let something happen, all that time brings first at its own time."""
        self._prepare()
        while (due := self.table.wake_at) is not None and due <= item.t:
            self._take_in(Tick(due))
            if self.table.wake_at == due:
                break
        if isinstance(item, CellEvent):
            self._doubt.feel(item.t, item.cell, item.reading)
        judged = self._watch.spent_ns
        for recorder in self._recorders:
            recorder.hear(item, self.table)
        self._take_in(item)
        if isinstance(item, CellEvent):
            self.event_us.append((self._watch.spent_ns - judged) / 1000)
        self.t = max(self.t, item.t)

    def feel(self, changes: Iterable[CellEvent]) -> None:
        """Feel what hands do, beginning now."""
        faulty = self._faulty[0] if self._faulty else None
        self.do(change for change in changes if change.cell != faulty)

    def do(self, acts: Iterable[Input], after: float = 0.0) -> None:
        """Let all this happen, its times counted from a moment after now."""
        begun = self.t + after
        for act in acts:
            self.feed(replace(act, t=begun + act.t))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.feed(Tick(self.t + seconds))

    def press(self, after: float = 0.0) -> None:
        """Press the mover's clock button."""
        self.feed(ButtonEvent(self.t + after, self.position.side))

    def declare(self, after: float = 0.0) -> None:
        """Say that the turn being made says more than the hands do."""
        what = metadata.of(self.agreement.game).declarations[0]
        self.feed(Declare(self.t + after, what))

    def answer(self, text: str, after: float = 0.0) -> None:
        """Give the screen's answer."""
        self.answered |= self.told or self.verdict.kind == "choice"
        self.feed(Answer(self.t + after, text))

    def tell(self, text: str) -> None:
        """Tell of a turn what a question would tell a secret of: that counts as asked."""
        self.told = True
        self.answer(text)

    def make(
        self,
        turn: Turn,
        changes: Iterable[CellEvent],
        *,
        presses: bool,
        before: float = 0.5,
        after: float = 0.6,
    ) -> bool:
        """Make a turn by hand, press and answer until it stands; return whether it does.

        Args:
            turn: the turn.
            changes: what hands do.
            presses: whether people press when they have made it.
            before: seconds until they begin.
            after: seconds until they press.
        """
        stood, goal = self.position, self.position.play(turn)
        self.do(changes, after=before)
        if metadata.of(self.agreement.game).declarations and not turn.plain:
            self.declare(after=0.1)
        for attempt in range(ROUNDS):
            self.wait(after if presses else PATIENCE)
            if self.position == goal:
                return True
            # Where nothing is pressed, what hands went on from stands until they are believed.
            due = stood in (self.position, self.table.reconciler.judged_in)
            self.urge(turn if due else None, attempt, presses=presses)
        return self.position == goal

    def urge(self, due: Turn | None, attempt: int, *, presses: bool) -> None:
        """Do what people do who want their turn to stand, by what they are told."""
        told_of = (o.verdict for o in reversed(self.outputs) if isinstance(o, VerdictChanged))
        position, verdict = self.table.reconciler.judged_in, next(told_of, self.verdict)
        goal = position.play(due) if due else None
        offered = [turn for turn in verdict.turns if goal and position.play(turn) == goal]
        told = metadata.of(position.game.id).declarations
        asked = verdict.kind == "choice" or (verdict.kind == "extendable" and not presses)
        if asked and offered:
            self.answer(str(offered[0]), after=0.1)
        elif due is None:
            self.wait(PATIENCE)
        elif position.awaited is not None:
            self.answer(str(due), after=0.1)
        else:
            if told and not due.plain and verdict.kind == "in-progress":
                self.declare(after=0.1)
            if attempt == 2:
                self._set_down_again(position.deed(due))
            if presses:
                self.feed(ButtonEvent(self.t + 0.1, position.side))
                self.wait(0.4)
            if attempt and self.verdict.kind in ("extendable", "in-progress", "settled"):
                self.wait(PATIENCE)
                self.answer(str(due), after=0.1)

    def _set_down_again(self, deed: Deed) -> None:
        """Lift what was moved, and set it down, as the board asks for what it could not feel."""
        for _, target in deed.moves:
            if (tag := self.pieces.on.get(target)) is not None:
                self.feed(CellEvent(self.t + 0.2, target, None))
                self.feed(CellEvent(self.t + 0.4, target, self.pieces.reading(tag)))
                self.wait(0.5)

    def agree(self) -> None:
        """Let the position be confirmed: nobody may amend the turn before any more."""
        self.table.reconciler.agree(self.table.reconciler.position, self.t)

    def _verdicts(self) -> Iterator[Verdict]:
        return (found.verdict for found in self.found if isinstance(found, Judged))

    def _hear(self, found: Sequence[Finding]) -> None:
        self.found += found
        asked = [f.verdict for f in found if isinstance(f, Judged) and f.verdict.kind == "choice"]
        if asked and self._faulty is None and not self.doubtful:
            self.idle += asked

    def _take_in(self, item: Input) -> None:
        number = len(self.table.state.played)
        self.outputs += self.table.feed(item).outputs
        if len(self.table.state.played) != number:
            self.prepare_us.append(self._preparing / 1000)
            self._preparing = 0
            self._prepare()

    def _prepare(self) -> None:
        began = time.thread_time_ns()
        wholly(self.table.reconciler.prepare())
        self._preparing += time.thread_time_ns() - began
