"""The words between a seat's process and its owner, a line each, UCI's where UCI has them.

The owner says:

    uci                              answered by `id ...`, `option ...` and `uciok`
    setoption name Game value ID     also Options (JSON), Level (1 to 7), Seed, MultiPV (how many
                                     turns are told while it deepens) and UCI_AnalyseMode
                                     (true: without the level's errors, forgetting nothing)
    isready                          answered by `readyok` at once, also in mid-search
    ucinewgame                       forget everything but the options
    position {"side", "text"}        what the seat knows, as `rules` writes it
    seen {...}                       one turn as the seat may know it: `rules.Seen` as JSON
    ruled MOVE                       the game's own referee ruled on this attempt
    go [movetime MS]                 (also nodes N, depth N, infinite: then it deepens and says so)
                                     answered by `info ...` and `bestmove TURN`; in UCI_AnalyseMode
                                     also by `info worlds N chances {...}`: what it does not know
    stop                             name the best turn so far
    quit

Nothing else is ever told to it, and nothing else may it say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from rules.belief import Knowledge, Seen
from rules.interface import OptionValue

COMMAND = ("-m", "firmware_bridge.opponents")
"""What Python is to run for a seat's process."""
LONGEST_LINE = 65_536
"""Bytes; more without an end of line is no line of this protocol."""
MEMORY_BYTES = 300 << 20
"""What the process may have, and any program that it starts."""
EXHAUSTED = 12
"""The exit code of a process that had no memory left."""

WON = 30_000
"""The score of a won game; a win in *n* plies scores `WON - n`, a loss the same below zero."""
SURE = WON - 1_000
"""Scores beyond are wins and losses that were seen to the end: nobody looks so many plies deep."""

_SAID = re.compile(
    r"id (name|author) .+|option name .+|uciok|readyok|bestmove (?P<turn>\S+)"
    r"|info depth (?P<depth>\d{1,4})( multipv (?P<rank>\d{1,2}))? score (?P<unit>cp|mate)"
    r" (?P<score>-?\d{1,6}) nodes (?P<nodes>\d{1,12}) pv (?P<line>.*)"
    r"|info worlds (?P<worlds>\d{1,9}) chances (?P<chances>\{.*\})|info .+"
)
_NOTE = "info string "


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays what: all that a seat's process is told before the game.

    Attributes:
        game: the id of the game.
        options: its options.
        level: 1 to 7.
        seed: what its chance is drawn from.
        analyses: whether it advises: it looks at as much as the level does, and
            errs and forgets never.
        told: how many turns it tells of while it deepens.
    """

    game: str
    options: Mapping[str, OptionValue]
    level: int
    seed: str
    analyses: bool = False
    told: int = 1

    def lines(self) -> tuple[str, ...]:
        """Return the lines that set it up."""
        settings = {
            "Game": self.game,
            "Options": json.dumps(dict(self.options), sort_keys=True),
            "Level": str(self.level),
            "Seed": self.seed,
            "UCI_AnalyseMode": str(self.analyses).lower(),
            **({"MultiPV": str(self.told)} if self.told > 1 else {}),
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
class Judgement:
    """What the process thinks of the position that it chose in.

    Attributes:
        score: what it expects, in hundredths of a pawn for the side to act; near `WON` it has won.
        line: the texts of the turns that it expects.
        rank: 1 for the best turn, 2 for the next.
        depth: full plies looked ahead.
        nodes: positions looked at.
    """

    score: int
    line: tuple[str, ...] = ()
    rank: int = 1
    depth: int = 0
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """How much the seat knows.

    Attributes:
        worlds: how many positions agree with all that it saw.
        chances: how probable each label is on each square where it is not certain.
    """

    worlds: int
    chances: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the process: a turn that it wants, what it thinks, a note, an acknowledgement."""

    turn: str | None = None
    note: str | None = None
    ready: bool = False
    judgement: Judgement | None = None
    known: Known | None = None


def heard(line: str) -> Said | None:
    """Return what a line of the process says, `None` when it is no line of this protocol."""
    found = _SAID.fullmatch(line)
    if found is None or not line.isprintable():
        return None
    note = line.removeprefix(_NOTE) if line.startswith(_NOTE) else None
    judgement = None
    if found["score"]:
        score = int(found["score"])
        if found["unit"] == "mate":
            score = WON - 2 * score if score > 0 else -WON - 2 * score
        turns, rank = tuple(found["line"].split()), int(found["rank"] or 1)
        judgement = Judgement(score, turns, rank, int(found["depth"]), int(found["nodes"]))
    try:
        known = _known(found["worlds"], found["chances"]) if found["worlds"] else None
    except (AttributeError, TypeError, ValueError):
        return None
    return Said(found["turn"], note, line == "readyok", judgement, known)


def believes(worlds: int, chances: Mapping[str, Mapping[str, float]]) -> str:
    """Return the line that tells what the seat does not know for certain."""
    open_yet = {square: likely for square, likely in chances.items() if len(likely) > 1}
    return f"info worlds {worlds} chances {json.dumps(open_yet, sort_keys=True)}"


def _known(worlds: str, chances: str) -> Known:
    told = json.loads(chances)
    likely = {str(s): {str(n): float(p) for n, p in each.items()} for s, each in told.items()}
    return Known(int(worlds), likely)
