"""The words between a seat's process and its owner, a line each, UCI's where UCI has them.

The owner says:

    uci                              answered by `id ...`, `option ...` and `uciok`
    setoption name Game value ID     also Options (JSON), Level (1 to 5) and Seed
    isready                          answered by `readyok` at once, also in mid-search
    ucinewgame                       forget everything but the options
    position {"side", "text"}        what the seat knows, as `rules` writes it
    seen {...}                       one turn as the seat may know it: `rules.Seen` as JSON
    ruled MOVE                       the game's own referee ruled on this attempt
    go [movetime MS]                 answered by `info ...` and `bestmove TURN`
    stop                             name the best turn so far
    quit

Nothing else is ever told to it, and nothing else may it say.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.belief import Knowledge, Seen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import OptionValue

COMMAND = ("-m", "firmware_bridge.opponents")
"""What Python is to run for a seat's process."""
LONGEST_LINE = 65_536
"""Bytes; more without an end of line is no line of this protocol."""
MEMORY_BYTES = 300 << 20
"""What the process may have, and any program that it starts."""
EXHAUSTED = 12
"""The exit code of a process that had no memory left."""

_SAID = re.compile(
    r"id (name|author) .+|option name .+|uciok|readyok|info .+|bestmove (?P<turn>\S+)"
)
_NOTE = "info string "


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays what: all that a seat's process is told before the game.

    Attributes:
        game: the id of the game.
        options: its options.
        level: 1 to 5.
        seed: what its chance is drawn from.
    """

    game: str
    options: Mapping[str, OptionValue]
    level: int
    seed: str

    def lines(self) -> tuple[str, ...]:
        """Return the lines that set it up."""
        settings = {
            "Game": self.game,
            "Options": json.dumps(dict(self.options), sort_keys=True),
            "Level": str(self.level),
            "Seed": self.seed,
        }
        named = (f"setoption name {name} value {value}" for name, value in settings.items())
        return ("uci", *named, "ucinewgame")


def knows(knowledge: Knowledge) -> str:
    """Return the line that tells what the seat knows."""
    return "position " + json.dumps({"side": knowledge.side, "text": knowledge.text})


def saw(seen: Seen) -> str:
    """Return the line that tells a turn as the seat may know it."""
    return "seen " + json.dumps(seen.to_json(), sort_keys=True)


def ruled(move: str) -> str:
    """Return the line that tells that an attempt was ruled upon."""
    return f"ruled {move}"


def read_knowledge(text: str) -> Knowledge:
    """Return what a `position` line tells; raise `ValueError` when it tells nothing."""
    match json.loads(text):
        case {"side": ("white" | "black") as side, "text": str(known)}:
            return Knowledge(side, known)
    raise ValueError("a position is told as its side and its text")


def read_seen(text: str) -> Seen:
    """Return what a `seen` line tells; raise `ValueError` when it tells nothing."""
    return Seen.from_json(json.loads(text))


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the process: a turn that it wants, a note for people, or an acknowledgement."""

    turn: str | None = None
    note: str | None = None
    ready: bool = False


def heard(line: str) -> Said | None:
    """Return what a line of the process says, `None` when it is no line of this protocol."""
    found = _SAID.fullmatch(line)
    if found is None or not line.isprintable():
        return None
    note = line.removeprefix(_NOTE) if line.startswith(_NOTE) else None
    return Said(found["turn"], note, line == "readyok")
