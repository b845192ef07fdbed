"""Stories of hands at a board, what must come of them, and the law that each holds.

A file of `stories` has laws after `##`, with a line about each if need be, and with the boards on
which its stories are played: games, tiers (`oif`), with a clock or without (`c-`), settings and
options, and after `|` the position. Of positions with `||` between them nobody may tell which it
was: the hands are the same, and all that comes of them must be. `unread=e4,d5` are pieces whose
tags were never read. Below a board stand its stories; after `>` is what must have come of the steps
so far.

Steps are half a second apart, or as many seconds as a number before one says: `e2-` lifts, `e4+e2`
sets down there what was lifted from e2, or a tag; `e2-e4` is both. `e4:T-e2` is only read there,
`e4:*` felt and `e4:` empty, all at once. `W` and `B` are clocks, `W?` one that is pressed where
there are clocks, `(adjust)` another button; `W~offer-draw` says, `=e2e4` answers, `!` declares, `.`
waits 2 s. `right` puts the board right as told. What is between `{` and `}` nobody feels as it is
done, in no time; then the whole board is looked at.
"""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

STORIES = Path(__file__).parent / "stories"
TIERS = {"o": "occupancy", "i": "identity", "f": "face"}
CLOCKS = {"c": True, "-": False}
WORDS = {"yes": True, "no": False}
SIDES = {"W": "white", "B": "black"}
OF_THE_RULES = ("balanced", "board", "dice", "flexible", "free", "memory", "power", "retreat")
STEP = re.compile(
    r"(?P<lifted>\w+\d)-(?P<carried>\w\d)?|(?P<cell>\w+\d)\+(?P<piece>\S*)|(?P<read>\w+\d):(?P<reading>\S*)"
    r"|(?P<button>[WB]|\(\w+\))(?P<if_any>\??)|=(?P<answer>\S+)|(?P<by>[WB])~(?P<call>\S+)|(?P<word>right|[.!{}])"
)


@dataclass(frozen=True)
class Story:
    """What hands do on any of some boards, part by part, and what has come of it after each."""

    law: str
    boards: tuple[dict, ...]
    positions: tuple[str, ...]
    options: dict
    settings: dict
    parts: tuple[tuple[str, str], ...]

    def on(self, board, game, tier, clock):
        """Return boards that are set up for this story, one for each position."""
        for position in self.positions:
            fields = "" if position == "start" else position
            marks = " -" if game == "mockery" and len(fields.split()) == 6 else ""
            text = fields + marks or None
            yield board(game, text, tier, clock, options=self.options, **self.settings)


def stories():
    """Yield each story of each file."""
    for path in sorted(STORIES.glob("*.txt")):
        _, *laws = path.read_text(encoding="utf-8").split("\n## ")
        for law in laws:
            name, *lines = law.splitlines()
            yield from _of_law(f"{path.stem}: {name}", [line for line in lines if line])


def _of_law(law, lines):
    where, parts = None, []
    for number, line in enumerate([*lines, ""]):
        if parts and not line.startswith("    "):
            yield Story(law, *where, tuple(parts))
            parts = []
        if line.startswith("  "):
            steps, _, came = line.partition(" > ")
            parts.append((steps, came))
        elif " | " in line:
            where = _boards(line)
        elif line and number:
            raise ValueError(f"{law}: what does this line say? {line}")
    if not (where and lines[-1].startswith("  ")):
        raise ValueError(f"{law}: no story holds it")


def _boards(line):
    """Read on which boards stories are played: `reversi,mockery oi c- time=5m | start`."""
    kinds, _, position = line.partition(" | ")
    games, tiers, clocks, *agreed = kinds.split()
    boards = product(games.split(","), (TIERS[t] for t in tiers), (CLOCKS[c] for c in clocks))
    named = [dict(zip(("game", "tier", "clock"), board, strict=True)) for board in boards]
    chosen = {"options": {}, "settings": {}}
    for key, value in (each.split("=") for each in agreed):
        kind = "options" if key in OF_THE_RULES else "settings"
        chosen[kind][key] = WORDS[value] if value in WORDS else _read(value)
    return tuple(named), tuple(position.split(" || ")), chosen["options"], chosen["settings"]


def _read(value):
    """Read a number, or leave a word as it is."""
    try:
        return float(value) if "." in value else int(value)
    except ValueError:
        return value


def do(board, steps):
    """Let hands do these steps."""
    after = None
    for word in steps.split():
        if re.fullmatch(r"\d*\.?\d+", word):
            after = float(word)
            continue
        _do(board, STEP.fullmatch(word), after)
        after = None


def _do(board, step, after):
    usual = 0.5 if board.seen else 0.0
    pause = usual if after is None else after
    match step.groupdict():
        case {"lifted": str(lifted), "carried": carried}:
            board.off(lifted, pause)
            if carried:
                board.put(carried, lifted, usual)
        case {"cell": str(cell), "piece": piece}:
            board.put(cell, piece, pause)
        case {"read": str(read), "reading": reading}:
            board.read(read, {"": None, "*": True}.get(reading, reading), after or 0.0)
        case {"button": str(button), "if_any": if_any}:
            if board.header["clock"] or not if_any:
                board.press(SIDES.get(button, button.strip("()")), pause)
        case {"answer": str(answer)}:
            board.answer(answer, pause)
        case {"call": str(call), "by": by}:
            board.wait(pause).tell(call=call, by=SIDES[by])
        case {"word": word}:
            WORDS_OF_HANDS[word](board, pause, 2.0 if after is None else after)


WORDS_OF_HANDS = {
    ".": lambda board, _, long: board.end(long),
    "!": lambda board, pause, _: board.declare(after=pause),
    "{": lambda board, pause, _: board.look_away(pause),
    "}": lambda board, pause, _: board.look(pause),
    "right": lambda board, *_: board.put_right(),
}


def _words(values):
    return " ".join(values) or "nothing"


def _lit(lights):
    return _words(f"{cell}={kind}" for cell, kind in sorted(lights.items()))


def _ways(steps):
    return _words(
        f"{step['from'] or ''}>{step['to'] or ''}{step.get('piece') or ''}" for step in steps
    )


def _times(lines):
    return _words(f"{line['verdict']} {line['t']:g}" for line in lines)


def _ruled(rulings):
    return _words(f"{each['side']} {each['reason']}" for each in rulings)


def _ended(outcomes):
    return " / ".join(f"{each['winner'] or 'draw'} {each['reason']}" for each in outcomes) or "none"


CAME = {
    "tells": lambda found: "something" if found.lines else "nothing",
    "ends": lambda found: found.last["verdict"],
    "reason": lambda found: found.last.get("reason", "none"),
    "cells": lambda found: _words(found.last.get("cells", ())),
    "asks": lambda found: _words(found.last.get("turns", ())),
    "turn": lambda found: found.last.get("turn", "none"),
    "back": lambda found: _ways(found.last["restore"]),
    "verdicts": lambda found: _words(found.verdicts),
    "times": lambda found: _times(found.of("verdict")),
    "takes": lambda found: _words(found.taken),
    "amends": lambda found: _words(found.amended),
    "stands": lambda found: _words(found.stand),
    "outcome": lambda found: _ended([line["outcome"] for line in found.of("outcome")]),
    "says": lambda found: " / ".join(found.said) or "nothing",
    "alarms": lambda found: "no" if found.quiet else "yes",
    "rulings": lambda found: str(len(found.of("ruling"))),
    "ruled": lambda found: _ruled([line["ruling"] for line in found.of("ruling")]),
    "lights": lambda found: _lit(found.lights()),
}
"""What may be told of a replay, by its name."""


def came(found, names):
    """Tell of a replay what a story tells, in the same words."""
    return "; ".join(f"{name} {CAME[name](found)}" for name in names)


def named(told):
    """Return what a story tells about."""
    return [part.split()[0] for part in told.split("; ")]
