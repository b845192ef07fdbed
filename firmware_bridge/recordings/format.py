"""Recordings: a game as the board felt it, one JSON object a line.

The first line is the header, every other one an event; times are seconds from the start. Events may
stand in any order, as a slow link delivers them: what counts is the time that each one bears.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, cast, get_args

import rules
from drivers.port import ButtonEvent, CellEvent, Reading, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.config.players import computer
from firmware_bridge.games import metadata
from firmware_bridge.games.shelf import usable
from firmware_bridge.messages import Answer, Call, Chosen, Coached, Cost, Declare, Input, Tick
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.puzzles import find
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.table.buttons import BUTTONS
from rules.interface import InvalidPosition, Label, OptionValue, Side, Tier, UnknownGame

FORMAT = "firmware-bridge-recording"
VERSION = 1  # grows when older code could misread a recording
_SQUARE = re.compile(r"[a-h][1-9]")
_CELL = re.compile(rf"{_SQUARE.pattern}|h[wb][1-9][0-9]?")
_LABEL = re.compile(r"[wb]([A-Z]|[A-Z]{2}:[A-Z])")
Phase = Literal["set-up", "playing"]
_TIERS: tuple[Tier, ...] = get_args(Tier)
_BOM = "\ufeff"
"""What some editors write before the first line."""
_LONGEST = 1e8
"""Seconds: three years."""
_HEAD, _TAIL = 400, 200
"""Characters of a message that begin it and end it."""
_Form = tuple[Callable[[Any], bool], str]
_LEFT_OUT: Mapping[str, object] = {
    "options": {},
    "tags": {},
    "on": None,
    "settings": {},
    "phase": "playing",
    "computers": {},
    "puzzle": "",
}
_EVENTS: Mapping[str, tuple[type[Input], Mapping[str, str]]] = {
    "cell": (CellEvent, {"cell": "cell", "reading": "reading"}),
    "button": (ButtonEvent, {"button": "button"}),
    "answer": (Answer, {"answer": "text", "by": "by"}),
    "declare": (Declare, {"declare": "what", "by": "by"}),
    "call": (Call, {"call": "what", "by": "by", "data": "data", "own": "own"}),
    "chosen": (Chosen, {"chosen": "text", "number": "number"}),
    "coached": (Coached, {"coached": "text", "number": "number", "cost": "cost"}),
    "snapshot": (Snapshot, {"snapshot": "readings"}),
    "end": (Tick, {}),
}
"""Key of an event -> what makes it, and its fields by the keys that they stand under."""
_UNSAID = ("by", None), ("own", False)
"""What an event need not say."""


class BadRecording(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A recording that cannot be read; says where, what is wrong and what to do.

    What is wrong may be as long as the file: nobody reads more of it than its two ends.
    """

    def __init__(self, text: str) -> None:
        whole = len(text) <= _HEAD + _TAIL
        super().__init__(text if whole else f"{text[:_HEAD]} ... {text[-_TAIL:]}")


@dataclass(frozen=True, slots=True)
class Header:
    """What holds for the whole recording.

    Attributes:
        position: canonical text of the position that the recording begins with; `None` for the
            game's own start, where it begins in the set-up.
        tier: how much the board's cells tell.
        clock: whether a turn waits for a press of the clock; else it is taken when it stands.
        options: options of the game that are not at their defaults.
        tags: the piece set, tag UID -> label; empty on the occupancy tier.
        on: what the cells read at the start; `None` where the position alone says so.
        settings: game settings under the names they have in the configuration.
        phase: whether the recording begins with a game under way, or in the set-up.
        computers: at which level a computer plays, by side.
        puzzle: the id of the puzzle that is to be solved; empty if none is.
    """

    game: str
    position: str | None
    tier: Tier
    clock: bool
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    tags: Mapping[str, Label] = field(default_factory=dict)
    on: Mapping[str, Reading] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    phase: Phase = "playing"
    computers: Mapping[Side, int] = field(default_factory=dict)
    puzzle: str = ""

    def agreement(self) -> Agreement:
        """Return what the players agreed on.

        Raises:
            BadSetting: when a setting does not exist or does not take its value.
        """
        return Agreement(
            game=self.game,
            options=self.options,
            settings=GameSettings.of({**self.settings, "press": self.clock}),
            players={side: computer(level) for side, level in self.computers.items()},
            position=self.position,
            buttons=self.clock,
            puzzle=self.puzzle,
        )

    def standing(self) -> Mapping[str, Reading] | None:
        """Return what the cells read at the start; `None` where the position says all of it.

        Where `on` names cells beside the board alone, the board itself shows the position; in the
        set-up nothing stands there.
        """
        if self.phase == "set-up" or self.position is None:
            return self.on or {}
        if not self.on or any(_SQUARE.fullmatch(cell) for cell in self.on):
            return self.on
        game = rules.load(self.game, **self.options)
        return {**dict.fromkeys(game.parse(self.position).placement, True), **self.on}


@dataclass(frozen=True, slots=True)
class Recording:
    """A header and what happened after it, in the order of time."""

    header: Header
    events: tuple[Input, ...]


def read(lines: Iterable[str], name: str = "recording") -> Recording:
    """Return the recording that these lines hold.

    Raises:
        BadRecording: at the first line that cannot be understood.
    """
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    number, first = next(numbered, (0, ""))
    if not first:
        raise BadRecording(f"{name}: it is empty; a recording begins with its header.")
    first = first.removeprefix(_BOM)
    header = _header(_object(first, f"{name}, line {number}"), f"{name}, line {number}")
    events: list[Input] = []
    for number, line in numbered:
        where = f"{name}, line {number}"
        events.append(_event(_object(line, where), where))
    return Recording(header, tuple(sorted(events, key=lambda event: event.t)))


def read_file(path: Path) -> Recording:
    """Return the recording that a file holds.

    Raises:
        BadRecording: at the first line that cannot be understood, or where the file holds no text.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            return read(lines, str(path))
    except UnicodeDecodeError:
        raise BadRecording(f"{path}: this is no text file.") from None


def write(recording: Recording) -> Iterator[str]:
    """Yield the lines of a recording, without line ends."""
    fields = {key: getattr(recording.header, key) for key in Header.__dataclass_fields__}
    told = {
        key: dict(value) if isinstance(value, Mapping) else value
        for key, value in fields.items()
        if key == "options" or value != _LEFT_OUT.get(key)
    }
    yield json.dumps({"format": FORMAT, "version": VERSION, **told})
    for event in recording.events:
        yield json.dumps({"t": round(event.t, 6), **_told(event)})


def _told(event: Input) -> dict[str, object]:
    for kind, (make, names) in _EVENTS.items():
        if type(event) is make:
            found = {key: getattr(event, name) for key, name in names.items()} or {kind: True}
            told = {k: dict(v) if isinstance(v, Mapping) else v for k, v in found.items()}
            return {key: value for key, value in told.items() if (key, value) not in _UNSAID}
    raise BadRecording(f"a recording has no place for {type(event).__name__}")


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecording(f"{where}: this is no JSON ({error}).") from None
    if not isinstance(data, dict):
        raise BadRecording(f"{where}: every line is a JSON object, as in {{...}}.")
    return cast("dict[str, Any]", data)


def _header(data: dict[str, Any], where: str) -> Header:
    if data.get("format") != FORMAT:
        raise BadRecording(f'{where}: the header must say "format": "{FORMAT}".')
    if data.get("version") != VERSION:
        found = data.get("version")
        raise BadRecording(f"{where}: version {found!r} cannot be read here, only {VERSION}.")
    known = ("format", "version", *Header.__dataclass_fields__)
    for key in sorted(data.keys() - set(known)):
        raise BadRecording(f"{where}: the header knows no {key!r}; it knows {', '.join(known)}.")
    own_start = data.get("phase") == "set-up" and data.get("position") is None
    given = {**_LEFT_OUT, **data}
    keys = [key for key in known[2:] if key != "position" or not own_start]
    header = Header(**{"position": None, **{key: _value(given, key, where) for key in keys}})
    _check(header, where)
    return header


def _check(header: Header, where: str) -> None:
    if header.puzzle and not _is_of(header.game, header.puzzle):
        raise BadRecording(f"{where}: {header.game} has no puzzle {header.puzzle!r} here.")
    try:
        game = header.agreement().terms().game
        if header.position is not None:
            game.parse(header.position)
    except (UnknownGame, BadSetting) as error:
        raise BadRecording(f"{where}: {error}") from None
    except InvalidPosition as error:
        raise BadRecording(f"{where}: the position cannot be played: {error}") from None
    least = game.traits.least_tier
    if _TIERS.index(header.tier) < _TIERS.index(least):
        raise BadRecording(
            f'{where}: {game.id} needs a board of the tier "{least}"; on "{header.tier}" nobody '
            "could tell its turns."
        )


def _is_of(game: str, puzzle: str) -> bool:
    try:
        return find(puzzle).game == game
    except KeyError:
        return False


def _value(data: Mapping[str, Any], key: str, where: str) -> Any:  # noqa: ANN401
    """Return what stands under a key.

    As with buttons and calls, a recording holds declarations that were refused, too: where there is
    no place for one, the table says so.
    """
    value = data.get(key)
    form = _one_of(_declarations()) if key == "declare" else _FORMS[key]
    _hold(value, key, form, where)
    if value and key in _ENTRIES:
        of_names, of_entries = _ENTRIES[key]
        for name, entry in value.items():
            _hold(name, key, of_names, where)
            _hold(entry, f"{key} {name}", of_entries, where)
    return value


def _hold(value: object, name: str, form: _Form, where: str) -> None:
    is_right, said = form
    if not is_right(value):
        raise BadRecording(f"{where}: {name!r} must be {said}, not {json.dumps(value)}.")


def _one_of(known: Collection[str]) -> _Form:
    return lambda value: isinstance(value, str) and value in known, f"one of {', '.join(known)}"


def _or_null(form: _Form) -> _Form:
    return lambda value: value is None or form[0](value), form[1]


def _text(pattern: re.Pattern[str], said: str) -> _Form:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value)), said


def _is_time(t: object) -> bool:
    return isinstance(t, int | float) and not isinstance(t, bool) and 0 <= t <= _LONGEST


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _declarations() -> Collection[str]:
    """Return what can be declared in any game."""
    return dict.fromkeys(what for game in usable() for what in metadata.of(game).declarations)


_TEXT: _Form = (lambda value: isinstance(value, str), "a text")
_YES_OR_NO: _Form = (lambda value: isinstance(value, bool), "true or false")
_OBJECT: _Form = (lambda value: isinstance(value, dict), "a JSON object")
_CELLS = _text(_CELL, "a cell: a1 to h9, hw1, hb1, ...")
_READING: _Form = (
    lambda value: value is None or value is True or (isinstance(value, str) and value != ""),
    "null (empty), true (something) or a tag's UID",
)
_FORMS: Mapping[str, _Form] = {
    "t": (_is_time, "the seconds since the start"),
    "cell": _CELLS,
    "reading": _READING,
    "snapshot": _OBJECT,
    "button": _one_of(BUTTONS),
    "answer": _TEXT,
    "call": _one_of(CALLS),
    "chosen": _TEXT,
    "coached": _TEXT,
    "cost": _or_null(_one_of(get_args(Cost))),
    "number": (_is_number, "how many turns had been taken, amended or taken back before"),
    "data": _OBJECT,
    "by": _or_null(_one_of(get_args(Side))),
    "game": _TEXT,
    "position": _TEXT,
    "tier": _one_of(_TIERS),
    "own": _YES_OR_NO,
    "puzzle": _TEXT,
    "clock": _YES_OR_NO,
    "options": _OBJECT,
    "tags": _OBJECT,
    "on": _or_null(_OBJECT),
    "settings": _OBJECT,
    "phase": _one_of(get_args(Phase)),
    "computers": _OBJECT,
}
"""What must stand under each key: what tells whether it is right, and how that is said."""
_LABELS = _text(_LABEL, 'a piece such as "wK", or one of two faces such as "wPN:N"')
_LEVEL: _Form = (
    lambda value: _is_number(value) and value in LEVELS,
    f"a level, {LEVELS[0]} to {LEVELS[-1]}",
)
_ENTRIES = {
    "snapshot": (_CELLS, _READING),
    "on": (_CELLS, _READING),
    "tags": (_TEXT, _LABELS),
    "data": (_TEXT, _TEXT),
    "computers": (_one_of(get_args(Side)), _LEVEL),
}
"""The same of what an object holds: of its names, and of what stands under them."""


def _event(data: dict[str, Any], where: str) -> Input:
    t = float(_value(data, "t", where))
    kinds = [kind for kind in _EVENTS if kind in data]
    if len(kinds) != 1 or data.keys() - {"t", kinds[0], *_EVENTS[kinds[0]][1]}:
        raise BadRecording(f"{where}: an event has t and one of {', '.join(_EVENTS)}.")
    make, names = _EVENTS[kinds[0]]
    needed = {one.name for one in fields(make) if one.default is one.default_factory is MISSING}
    for key, name in names.items():
        if name in needed and key not in data:
            raise BadRecording(f'{where}: an event with "{kinds[0]}" has its "{key}".')
    return make(t, **{names[key]: _value(data, key, where) for key in names.keys() & data.keys()})
