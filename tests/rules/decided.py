"""What the rules decide, above all where what was published is silent: laws with their examples.

A text in `decisions` names laws (`## …`). Below a law stand positions, each behind the games that
it is one of (`game option option=value | position`), and below a position what is so there
(`  > claim; claim`), what is so after turns (`  turn turn > claim`) and which turn is refused for
which reason and by which squares (`  turn turn ! reason squares`); or what people write means
(`  text means turn`) and why it does not (`  text means nothing: reason squares`); or what a
referee says of what is tried (`  movement movement tried: penalty words; claim`).
"""

import shlex
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from refusals import refused

import rules

PENALTY = 60
"""Seconds that an attempt costs where a referee rules."""
TEXTS = Path(__file__).parent / "decisions"


def laws():
    """Return each law of each text, with the names of both: the lines below its own."""
    for place in sorted(TEXTS.glob("*.txt")):
        for law in place.read_text(encoding="utf-8").split("\n## ")[1:]:
            name, *lines = law.splitlines()
            yield pytest.param(lines, id=f"{place.stem}: {name}")


def hold(law):
    """Hold the games to a law."""
    held = 0
    for line in filter(None, law):
        if not line.startswith("  "):
            names, _, text = line.partition(" |")
            text = text.strip()
            games = [load(words) for words in names.split(", ")]
            continue
        for game in games:
            judge(game, text, line)
            held += 1
    assert held


def load(words):
    """Load the game that is named with its options."""
    game_id, *options = words.split()
    values = {}
    for option in options:
        key, _, value = option.partition("=")
        values[key] = int(value) if value.isdecimal() else value or True
    return rules.load(game_id, **values)


def judge(game, text, line):
    """Hold a game to a line below a position."""
    mark = next(mark for mark in (" means ", " tried: ", " ! ", "> ") if mark in line)
    given, _, said = line.partition(mark)
    if said.startswith("invalid "):
        assert problems(game, text) == said.removeprefix("invalid ").split(", ")
        return
    position = game.start() if text == "start" else game.parse(text)
    if mark == " means ":
        means(position, given.strip().strip('"'), said)
        return
    if mark == " tried: ":
        tried(game.referee(position, PENALTY), given.split(), said)
        return
    *before, last = shlex.split(given) or [None]
    for turn in before:
        position = position.play(position.parse_turn(turn))
    if mark == " ! ":
        reason, *squares = said.split()
        assert refused(position.parse_turn, last) == (reason, tuple(squares)), line
        assert reason in game.reasons, line
    else:
        is_so(position, last and position.parse_turn(last), said)


def means(position, written, said):
    """Hold a position to what it makes of what people write."""
    nothing, _, why = said.partition(": ")
    if nothing == "nothing":
        reason, *squares = why.split()
        assert refused(position.understand, written) == (reason, tuple(squares)), written
    else:
        assert str(position.understand(written)) == said, written


def tried(state, movements, said):
    """Hold a referee to what he says of the last movement that is tried, and what is owed then."""
    words, *claims = said.split("; ")
    for movement in movements:
        state, ruling = state.attempt(movement)
    claimed = dict(claim.split(" ", 1) for claim in claims)
    assert state.obligation == claimed.pop("owes", None), movements
    if words == "nothing":
        assert ruling is None, movements
    else:
        assert f"{ruling.penalty} {' '.join(ruling.words)}" == words, movements
        assert ruling.obligation == state.obligation, movements
        assert ruling.reason == claimed.pop("for", ruling.reason), movements
    for word, more in claimed.items():
        assert CLAIMS[word](state.position, *more.split()), movements


def is_so(position, turn, said):
    """Hold a turn to what is said of it, and the position after it to what is claimed there."""
    after = position.play(turn) if turn else position
    for claim in said.split("; "):
        word, *more = claim.split()
        if word == "reads":  # the turn, in its first form
            assert [str(turn)] == more, claim
        elif word == "written":  # for people
            assert position.written(turn) == " ".join(more), claim
        else:
            assert CLAIMS[word](after, *more), claim


def problems(game, text):
    """What is wrong with a text that is no position: each code with its squares."""
    with pytest.raises(rules.InvalidPosition) as invalid:
        game.parse(text)
    return [" ".join([problem.code, *problem.squares]) for problem in invalid.value.problems]


def turns_like(position, pattern="*"):
    return {text for text in map(str, position.turns()) if fnmatchcase(text, pattern)}


CLAIMS = {
    "is": lambda position, *words: fnmatchcase(str(position), " ".join(words)),
    "check": lambda position, said: position.in_check == (said == "yes"),
    "goes": lambda position, _: position.outcome is None,
    "ends": lambda position, *said: (
        said == (position.outcome.winner or "nobody", position.outcome.reason)
        and not turns_like(position)
    ),
    "count": lambda position, number: len(turns_like(position)) == int(number),
    "has": lambda position, *patterns: all(turns_like(position, each) for each in patterns),
    "lacks": lambda position, *patterns: not any(turns_like(position, each) for each in patterns),
    "all": lambda position, pattern: turns_like(position) == turns_like(position, pattern) != set(),
    "of": lambda position, pattern, *turns: turns_like(position, pattern) == set(turns),
}
"""What can be claimed of a position, by its first word: `is` its text, of which `*` stands for any
part; `goes on`; `ends` for whom and why; `of` the turns like a pattern there are these alone."""
