"""What comes out of a table as JSON values, line by line, as everyone may know it.

Only the referee's own lines say more: `full` is for him alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from firmware_bridge.messages import (
    Ended,
    LightsChanged,
    PublicOutput,
    PublicTurn,
    PublicVerdict,
    Ruled,
    Said,
)
from firmware_bridge.messages.outputs import Output, Taken
from firmware_bridge.messages.verdict import ALARMS
from firmware_bridge.views.disclosure import Disclosure
from firmware_bridge.words import Catalogue

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lines:
    """Renders outputs.

    Attributes:
        words: the catalogue to speak in.
        disclosure: how much may be known of them.
    """

    words: Catalogue
    disclosure: Disclosure

    def line(self, output: Output) -> Line | None:
        """Return one output as JSON values, or `None` where there is nothing to say."""
        told = self.disclosure.of(output)
        if told is None:
            return None
        line: Line = {"t": round(output.t, 6)} | line_of(told, self.words)
        if self.disclosure.full and isinstance(output, Taken):
            line["position"] = str(output.position)
        return line


def line_of(told: PublicOutput, words: Catalogue | None = None) -> Line:
    """Return what everyone may know as JSON values; announcements need their words."""
    match told:
        case PublicVerdict():
            return _verdict(told)
        case PublicTurn(text=text, amended=amended):
            return {"amended" if amended else "taken": text}
        case LightsChanged(lights=lights):
            return {"lights": dict(lights)}
        case Said(key=key, words=gaps):
            return {"say": words.text(key, gaps) if words else key}
        case Ruled(side=side, reason=reason, penalty=penalty, obligation=owed):
            ruling = {"side": side, "reason": reason, "penalty": penalty}
            return {"ruling": {**ruling, "obligation": owed} if owed else ruling}
        case Ended(outcome=outcome):
            return {"outcome": {"winner": outcome.winner, "reason": outcome.reason}}


def _verdict(verdict: PublicVerdict) -> Line:
    line: Line = {"verdict": verdict.kind}
    if verdict.turns and verdict.kind == "choice":
        line["turns"] = list(verdict.turns)
    elif verdict.turns:
        line["turn"] = verdict.turns[0]
    if verdict.reason:
        line["reason"] = verdict.reason
    if verdict.cells:
        line["cells"] = list(verdict.cells)
    if verdict.kind in ALARMS:
        line["restore"] = [
            {"from": source, "to": target, **({"piece": piece} if piece else {})}
            for source, target, piece in verdict.restore
        ]
    return line
