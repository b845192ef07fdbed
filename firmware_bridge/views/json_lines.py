"""What comes out of a table as JSON values, line by line, as everyone may know it.

Only the referee's own lines say more: `full` is for him alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any

from firmware_bridge.messages import (
    Amended,
    Ended,
    LightsChanged,
    NewGameWanted,
    Output,
    Ruled,
    Said,
    Taken,
    VerdictChanged,
)

if TYPE_CHECKING:
    from firmware_bridge.messages.verdict import Step
    from firmware_bridge.words import Catalogue
    from rules.interface import Turn

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lines:
    """Renders outputs.

    Attributes:
        words: the catalogue to speak in.
        record: whether turns are named even in a game that forbids records, as when a game that
            is over is replayed from its recording.
        secret: whether turns and pieces are secret.
        full: whether to tell everything, secrets included.
    """

    words: Catalogue
    record: bool = False
    secret: bool = False
    full: bool = False

    def line(self, output: Output) -> Line | None:
        """Return one output as JSON values, or `None` where there is nothing to say."""
        line = self._line(output)
        return None if line is None else {"t": round(output.t, 6), **line}

    @property
    def _names_turns(self) -> bool:
        return self.record or self.full or not self.secret

    @singledispatchmethod
    def _line(self, output: Output) -> Line | None:
        raise TypeError(f"no line is known for {type(output).__name__}")

    @_line.register
    def _verdict(self, output: VerdictChanged) -> Line:
        verdict = output.verdict
        line: Line = {"verdict": verdict.kind}
        texts = list(dict.fromkeys(map(self._text, verdict.turns)))
        # What a piece set down unread can be is what its owner has in hand.
        unsaid = verdict.kind == "choice" and texts != list(map(str, verdict.turns))
        if texts and self._names_turns and not unsaid:
            line |= {"turns": texts} if verdict.kind == "choice" else {"turn": texts[0]}
        if verdict.reason:
            line["reason"] = verdict.reason
        if verdict.cells:
            line["cells"] = list(verdict.cells)
        if verdict.kind in ("illegal", "disturbed"):
            line["restore"] = [self._hand(step) for step in verdict.restore]
        return line

    def _hand(self, step: Step) -> Line:
        """Name a hand movement by its cells, and by its piece where that is no secret."""
        line: Line = {"from": step.source, "to": step.target}
        if step.label is None or (self.secret and not self.full):
            return line
        return {**line, "piece": step.label}

    def _text(self, turn: Turn) -> str:
        return str(turn) if self.full else turn.public

    def _stands(self, how: str, output: Taken | Amended) -> Line:
        """Tell a turn that now stands."""
        line: Line = {how: self._text(output.turn) if self._names_turns else None}
        return {**line, "position": str(output.position)} if self.full else line

    @_line.register
    def _taken(self, output: Taken) -> Line:
        return self._stands("taken", output)

    @_line.register
    def _amended(self, output: Amended) -> Line:
        return self._stands("amended", output)

    @_line.register
    def _lights(self, output: LightsChanged) -> Line:
        return {"lights": dict(output.lights)}

    @_line.register
    def _said(self, output: Said) -> Line:
        return {"say": self.words.text(output.key, output.words)}

    @_line.register
    def _ruled(self, output: Ruled) -> Line:
        ruling: Line = {"side": output.side, "reason": output.reason, "penalty": output.penalty}
        if output.obligation:
            ruling["obligation"] = output.obligation
        return {"ruling": ruling}

    @_line.register
    def _ended(self, output: Ended) -> Line:
        return {"outcome": {"winner": output.outcome.winner, "reason": output.outcome.reason}}

    @_line.register
    def _new_game(self, _output: NewGameWanted) -> None:
        """Say nothing: the table's owner sees to it."""
