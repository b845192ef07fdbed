"""What one record leads to: the next state and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.messages import Ended, Said
from firmware_bridge.messages.outputs import Output
from firmware_bridge.referee.game_state import State
from rules.interface import Outcome, Side


@dataclass(frozen=True, slots=True)
class Step:
    """The next state and the outputs, whose times are seconds of table time."""

    state: State
    outputs: tuple[Output, ...] = ()

    def then(self, *outputs: Output) -> Step:
        """Return the step with more outputs."""
        return replace(self, outputs=self.outputs + outputs)


def say(t_ms: int, key: str, **words: str) -> Said:
    """Return an announcement."""
    return Said(t_ms / 1000, key, words)


def end(state: State, t_ms: int, winner: Side | None, reason: str) -> Step:
    """Return the game ended: clocks stopped, nothing awaited any more."""
    outcome = Outcome(winner, reason)
    over = replace(
        state,
        stage=state.after("end"),
        clock=state.clock.stop(t_ms),
        offer=None,
        trouble=None,
        adjusting=False,
        ending=outcome,
    )
    result = "draw" if winner is None else f"{winner}-wins"
    said = say(t_ms, "over", result=f"result-{result}", reason=f"reason-{reason}")
    return Step(over, (Ended(t_ms / 1000, outcome), said))
