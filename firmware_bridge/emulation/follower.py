"""Follows orthodox chess on the own board: what stands where, and which moves were made. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import rules
from drivers.port import CellEvent, Snapshot
from firmware_bridge.messages.verdict import ALARMS
from firmware_bridge.reconciler import (
    Finding,
    Judged,
    Reconciler,
    Sensing,
    Settings,
    StartShown,
    TurnAmended,
    TurnsUndone,
    TurnTaken,
)
from firmware_bridge.reconciler.identities import grown_into
from firmware_bridge.table.tokens import label_read
from rules.interface import Game, Label, Position, Turn

SETTLE = 0.5
"""Seconds that a move must stand: programs do not expect to hear that it was another one."""


def chess() -> Game:
    """Return orthodox chess: the game whose moves are exactly that."""
    return rules.load("indistinguishable")


@dataclass(frozen=True, slots=True)
class Done:
    """A move that was made on the board, or undone there; `uci` names it."""

    what: Literal["move", "undo"]
    uci: str


class Follower:
    """The board in a game of chess that somebody else referees.

    Attributes:
        restarts: whether the starting position, set up again, begins another game; not where a
            program says when one begins.
    """

    def __init__(self, sensing: Sensing) -> None:
        self.restarts = False
        self._sensing = sensing
        self._reconciler: Reconciler | None = None
        self._played: list[tuple[Position, Turn]] = []
        self._position = chess().start()
        self._bringing = False

    @property
    def position(self) -> Position:
        """The position that the game has reached."""
        return self._position

    @property
    def settled(self) -> bool:
        """Whether the board shows the position."""
        judge = self._reconciler
        return judge is not None and not self._bringing and judge.verdict.kind == "settled"

    @property
    def wrong(self) -> bool:
        """Whether the board shows something that no move explains."""
        judge = self._reconciler
        return judge is not None and judge.verdict.kind in ALARMS

    @property
    def wake_at(self) -> float | None:
        """When `tick` is due next, if at all."""
        return self._reconciler.wake_at if self._reconciler else None

    @property
    def stands(self) -> Mapping[str, Label | None]:
        """What stands on the squares: the piece, or `None` where nobody can tell which.

        A board that only feels that something stands there knows the pieces from the game.
        """
        if self._reconciler is None:
            return {}
        squares = chess().squares
        readings = self._reconciler.standing
        known = self._position.placement
        return {
            square: label_read(self._sensing, reading) if reading is not True else known.get(square)
            for square, reading in readings.items()
            if square in squares
        }

    @property
    def way_back(self) -> Mapping[str, str]:
        """The lights that lead to the position: cell -> signal id."""
        if self._bringing:
            return self._amiss
        if self._reconciler is None or not self.wrong:
            return {}
        steps = self._reconciler.verdict.restore
        lights = {step.target: "must-go-here" for step in steps if step.target}
        return lights | {step.source: "must-go-back" for step in steps if step.source}

    def feel(self, event: CellEvent | Snapshot) -> list[Done]:
        """Take in what the board felt; return what was done."""
        if self._reconciler is None:
            self._reconciler = self._judge(event)
        done = self._note(self._reconciler.feel(event))
        return done + self._look(event.t)

    def tick(self, t: float) -> list[Done]:
        """Let time pass; return what was done."""
        return self._note(self._reconciler.tick(t)) if self._reconciler else []

    def agree(self, position: Position, t: float) -> list[Done]:
        """Go on from another position, to which hands have yet to bring the board.

        Until it is there nothing is judged: what stands on the way is nobody's move.
        """
        self._position = position
        if self._reconciler is None:
            return []
        self._bringing = True
        done = self._note(self._reconciler.adjust(t, on=True))
        done += self._note(self._reconciler.agree(position, t))
        return done + self._look(t)

    def begin(self, position: Position, t: float) -> list[Done]:
        """Begin a game from this position."""
        self._played.clear()
        return self.agree(position, t)

    def play(self, uci: str, t: float) -> list[Done]:
        """Go on to where a move leads that the hands have yet to make.

        Raises:
            IllegalTurn: when it is no legal move.
        """
        turn = self._position.parse_turn(uci)
        self._played.append((self._position, turn))
        return self.agree(self._position.play(turn), t)

    def instead(self, uci: str, t: float) -> list[Done]:
        """Take the last move for another one.

        Raises:
            IllegalTurn: when that is no legal move.
        """
        if not self._played:
            return self.play(uci, t)
        before, _ = self._played[-1]
        turn = before.parse_turn(uci)
        self._played[-1] = (before, turn)
        return self.agree(before.play(turn), t)

    def go_back(self, t: float) -> list[Done]:
        """Go back to before the last move, which the hands have yet to take back."""
        return self.agree(self._played.pop()[0], t) if self._played else []

    @property
    def _amiss(self) -> Mapping[str, str]:
        """The lights on squares that do not show the position: cell -> signal id."""
        wanted, stands = self._position.placement, self.stands
        lights = dict.fromkeys(stands.keys() - wanted.keys(), "must-go-back")
        for square, label in wanted.items():
            there = stands.get(square)
            if square not in stands or (there and not grown_into(there, label, strict=False)):
                lights[square] = "must-go-here"
        return lights

    def _look(self, t: float) -> list[Done]:
        """See whether the board has been brought to where it should be."""
        if not self._bringing or self._reconciler is None or self._amiss:
            return []
        self._bringing = False
        return self._note(self._reconciler.adjust(t, on=False))

    def _judge(self, event: CellEvent | Snapshot) -> Reconciler:
        standing = event.readings if isinstance(event, Snapshot) else {}
        conduct = Settings(clock=False, settle=SETTLE, take_backs=True)
        return Reconciler(self._position, self._sensing, conduct, standing, event.t)

    def _note(self, findings: Iterable[Finding]) -> list[Done]:
        done: list[Done] = []
        for finding in findings:
            match finding:
                case TurnTaken(turn=turn, position=position):
                    self._made(turn, position, done)
                case TurnAmended(turn=turn, position=position):
                    self._undone(done)
                    self._made(turn, position, done)
                case TurnsUndone(count=count, position=position):
                    for _ in range(count):
                        self._undone(done)
                    self._position = position
                case StartShown(t=t) if self.restarts:
                    done += self.begin(chess().start(), t)
                case Judged(t=t, verdict=verdict) if verdict.kind == "choice":
                    done += self._choose(verdict.turns, t)
        return done

    def _choose(self, turns: tuple[Turn, ...], t: float) -> list[Done]:
        """Answer at once what a program would not ask: a pawn becomes a queen."""
        queens = [turn for turn in turns if str(turn).endswith("q")]
        if len({str(turn)[:4] for turn in turns}) != 1 or not queens or not self._reconciler:
            return []
        return self._note(self._reconciler.answer(t, str(queens[0])))

    def _made(self, turn: Turn, position: Position, done: list[Done]) -> None:
        self._played.append((self._position, turn))
        self._position = position
        done.append(Done("move", str(turn)))

    def _undone(self, done: list[Done]) -> None:
        if self._played:
            self._position, turn = self._played.pop()
            done.append(Done("undo", str(turn)))
