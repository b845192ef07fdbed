"""A board, its pieces and a reconciler, driven in virtual time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from drivers.piece_set import PieceSet
from drivers.port import ButtonEvent, Reading
from firmware_bridge.bench.ambiguity import Doubt
from firmware_bridge.bench.figures import Failed, Figures
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Call, Declare, Input, Tick
from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.reconciler import (
    Finding,
    Judged,
    PressRefused,
    Reconciler,
    Sensing,
    Settings,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.preparation import wholly
from firmware_bridge.recordings.format import Header, Recording
from firmware_bridge.simulation import Change, Pieces
from rules.interface import Position, Tier

_ALARMS = ("illegal", "disturbed")


class Seat:
    """Where hands play: everything that happens is counted, every event is timed.

    With a `faulty` cell and what it always reads, somebody has said that it cannot be trusted.

    Attributes:
        pieces: the pieces, moved by the hand model.
        reconciler: what judges the board.
        t: virtual time.
        alarms: verdicts that are alarms, since the last `hush`.
        taken: turns taken or amended since then, and turns undone.
        asked: whether a question was open since then.
        answered: whether one was answered, other than by hands or the button.
        refused: whether a press was refused because of what hangs in the air, or stands unfelt.
        idle: questions that were asked while the board had one explanation only.
    """

    def __init__(
        self,
        position: Position,
        tier: Tier,
        settings: Settings,
        piece_set: PieceSet,
        into: Figures,
        *,
        faulty: tuple[str, Reading] | None = None,
    ) -> None:
        self.pieces = Pieces(piece_set, position.placement, tier)
        self._figures = into
        self._sensing = Sensing(tier, {} if tier == "occupancy" else self.pieces.tags)
        self._settings = settings
        self._faulty = faulty
        self._preparing = 0
        self.t = 0.0
        self.restart(position)

    @property
    def position(self) -> Position:
        """The position that the board is judged against."""
        return self.reconciler.position

    @property
    def verdict(self) -> Verdict:
        """The verdict in force."""
        return self.reconciler.verdict

    @property
    def doubtful(self) -> bool:
        """Whether what the cells have told since the last `hush` allows several explanations."""
        return self._doubt.explanations() > 1

    def been_before(self) -> bool:
        """Return whether the board seems to show turns undone, where they may be undone on it."""
        if not self._settings.take_backs:
            return False
        on = self.pieces.on
        stands = {square: self.pieces.tags[tag] for square, tag in on.items()}
        return any(
            before.placement.keys() == on.keys()
            and (self.pieces.tier == "occupancy" or before.placement == stands)
            for before in self._past
        )

    def restart(self, position: Position) -> None:
        """Set a position up and judge it afresh."""
        self.pieces.arrange(position.placement)
        standing = self.pieces.standing()
        self._happened: list[Input] = []
        if self._faulty is not None:
            cell, reading = self._faulty
            standing[cell] = reading
            self._happened.append(Call(self.t, "distrust", data={"cell": cell}))
        self._begun = self.t, position, standing
        self._past: list[Position] = []
        self._now = position
        self.reconciler = Reconciler(position, self._sensing, self._settings, standing, self.t)
        if self._faulty is not None:
            self.reconciler.distrust(self._faulty[0], self.t)
        self.hush()

    def recording(self) -> Recording:
        """Return all that happened since the pieces were set up last, to be looked into."""
        began, position, standing = self._begun
        tier, clock = self._sensing.tier, self._settings.clock
        header = Header(
            game=position.game.id,
            position=str(position),
            tier=tier,
            clock=clock,
            options=position.game.chosen,
            tags=self._sensing.tags,
            on=None if tier == "occupancy" else standing,
            settings={"time": "untimed", "take_backs": self._settings.take_backs},
        )
        happened = [*self._happened, Tick(self.t)]
        return Recording(header, tuple(replace(item, t=item.t - began) for item in happened))

    def fail(self, told: str) -> None:
        """Write down that something went wrong, with what the board felt before."""
        self._figures.failures.append(Failed(told, self.recording()))

    def hush(self) -> None:
        """Forget what was found so far."""
        self.alarms: list[Verdict] = []
        self.taken: list[TurnTaken | TurnAmended | TurnsUndone] = []
        self.asked = self.answered = self.refused = False
        self.idle: list[Verdict] = []
        self._doubt = Doubt(self.position, self.pieces, self.reconciler.standing)

    def feel(self, changes: Sequence[Change]) -> None:
        """Feel what hands do, beginning now."""
        self._prepare()
        start = self.t
        for change in changes:
            if self._faulty is not None and change.cell == self._faulty[0]:
                continue
            event = change.event(start)
            self._happened.append(event)
            self._pass_time(event.t)
            self._prepare()
            self._doubt.feel(event.t, event.cell, event.reading)
            began = time.thread_time_ns()
            found = self.reconciler.feel(event)
            self._figures.event_us.append((time.thread_time_ns() - began) / 1000)
            self._note(found)
            self.t = max(self.t, event.t)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._pass_time(self.t + seconds)
        self.t += seconds
        self._note(self.reconciler.tick(self.t))

    def press(self) -> None:
        """Press the mover's clock button."""
        self._happened.append(ButtonEvent(self.t, self.position.side))
        self._note(self.reconciler.press(self.t, self.position.side))

    def declare(self) -> None:
        """Say that the turn being made says more than the hands do."""
        what = metadata.of(self.position.game.id).declarations[0]
        self._happened.append(Declare(self.t, what))
        self._note(self.reconciler.declare(self.t, what))

    def answer(self, text: str) -> None:
        """Give the screen's answer."""
        self.answered |= self.verdict.kind == "choice"
        self._happened.append(Answer(self.t, text))
        self._note(self.reconciler.answer(self.t, text))

    def agree(self) -> None:
        """Let the position be confirmed: nobody may amend the turn before any more."""
        self._note(self.reconciler.agree(self.position, self.t))

    def _prepare(self) -> None:
        began = time.thread_time_ns()
        wholly(self.reconciler.prepare())
        self._preparing += time.thread_time_ns() - began

    def _prepared(self) -> None:
        """Write down how long preparing took for the turn that was made, all told."""
        self._figures.prepare_us.append(self._preparing / 1000)
        self._preparing = 0

    def _pass_time(self, t: float) -> None:
        while (due := self.reconciler.wake_at) is not None and due <= t:
            self._note(self.reconciler.tick(due))

    def _note(self, found: Iterable[Finding]) -> None:
        for finding in found:
            match finding:
                case Judged(verdict=verdict) if verdict.kind in _ALARMS:
                    self.alarms.append(verdict)
                case Judged(verdict=verdict) if verdict.kind == "choice":
                    self.asked = True
                    if self._faulty is None and not self.doubtful:
                        self.idle.append(verdict)
                case PressRefused(hangs=True):
                    self.refused = True
                case TurnTaken() | TurnAmended() | TurnsUndone():
                    self.taken.append(finding)
                    self._go_on(finding)
                    self._prepared()
                    self._prepare()

    def _go_on(self, found: TurnTaken | TurnAmended | TurnsUndone) -> None:
        """Remember the positions that turns have left behind."""
        if isinstance(found, TurnTaken):
            self._past.append(self._now)
        elif isinstance(found, TurnsUndone):
            del self._past[-found.count :]
        self._now = found.position
