"""From what a table gives out to what may be known of it: the only way to those who show it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import PublicOutput, PublicStep, PublicTurn, PublicVerdict
from firmware_bridge.messages.outputs import NewGameWanted, Output, Taken, VerdictChanged
from firmware_bridge.messages.verdict import Step
from rules.interface import Turn


@dataclass(frozen=True, slots=True)
class Disclosure:
    """How much may be known.

    Attributes:
        secret: whether turns and pieces are secret.
        record: whether turns are named all the same, as when a game that is over is replayed.
        full: whether everything is told, secrets included: to the referee alone.
    """

    secret: bool
    record: bool = False
    full: bool = False

    def of(self, output: Output) -> PublicOutput | None:
        """Return what may be known of an output; `None` where it is the table's owner's alone."""
        match output:
            case VerdictChanged():
                return self._verdict(output)
            case Taken():
                turn = self._text(output.turn) if self._names_turns else None
                game = output.position.game.id
                return PublicTurn(output.t, game, turn, output.amended)
            case NewGameWanted():
                return None
            case _:
                return output

    @property
    def _names_turns(self) -> bool:
        return self.record or self.full or not self.secret

    def _verdict(self, output: VerdictChanged) -> PublicVerdict:
        verdict = output.verdict
        texts = tuple(dict.fromkeys(map(self._text, verdict.turns)))
        # What a piece set down unread can be is what its owner has in hand.
        unsaid = verdict.kind == "choice" and texts != tuple(map(str, verdict.turns))
        return PublicVerdict(
            output.t,
            verdict.kind,
            texts if self._names_turns and not unsaid else (),
            verdict.reason,
            verdict.cells,
            tuple(map(self._step, verdict.restore)),
        )

    def _step(self, step: Step) -> PublicStep:
        label = step.label if self.full or not self.secret else None
        return PublicStep(step.source, step.target, label)

    def _text(self, turn: Turn) -> str:
        return str(turn) if self.full else turn.public
