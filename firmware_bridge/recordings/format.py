"""Recordings: a game as the board felt it, one JSON object a line.

The first line is the header, every other one an event; times are seconds from the start. Events may
stand in any order, as a slow link delivers them: what counts is the time that each one bears.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast, get_args

import rules
from drivers.port import ButtonEvent, CellEvent, Reading, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.games import metadata
from firmware_bridge.games.shelf import usable
from firmware_bridge.messages import Answer, Call, Declare, Input, Tick
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.table.buttons import BUTTONS
from rules.interface import InvalidPosition, Label, OptionValue, Side, Tier, UnknownGame

T = TypeVar("T")

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
_EVENTS: Mapping[str, tuple[Callable[..., Input], Mapping[str, str]]] = {
    "cell": (CellEvent, {"cell": "cell", "reading": "reading"}),
    "button": (ButtonEvent, {"button": "button"}),
    "answer": (Answer, {"answer": "text", "by": "by"}),
    "declare": (Declare, {"declare": "what", "by": "by"}),
    "call": (Call, {"call": "what", "by": "by", "data": "data"}),
    "snapshot": (Snapshot, {"snapshot": "readings"}),
    "end": (Tick, {}),
}
"""Key of an event -> what makes it, and its fields by the keys that they stand under."""


class BadRecording(ValueError):  # noqa: N818 - named like the errors of `rules`
    """A recording that cannot be read; says where, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Header:
    """What holds for the whole recording.

    Attributes:
        game: the game's id.
        position: canonical text of the position that the recording begins with; `None` for the
            game's own start, where it begins in the set-up.
        tier: how much the board's cells tell.
        clock: whether a turn waits for a press of the clock; else it is taken when it stands.
        options: options of the game that are not at their defaults.
        tags: the piece set, tag UID -> label; empty on the occupancy tier.
        on: what the cells read at the start; `None` where the position alone says so.
        settings: game settings under the names they have in the configuration.
        phase: whether the recording begins with a game under way, or in the set-up.
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

    def agreement(self) -> Agreement:
        """Return what the players agreed on.

        Raises:
            BadSetting: when a setting does not exist or does not take its value.
        """
        return Agreement(
            game=self.game,
            options=self.options,
            settings=GameSettings.of({**self.settings, "press": self.clock}),
            position=self.position,
            buttons=self.clock,
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
        placement = rules.load(self.game, **self.options).parse(self.position).placement
        return {**dict.fromkeys(placement, True), **self.on}


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
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise BadRecording(f"{name}: it is empty; a recording begins with its header.")
    number, first = numbered[0]
    first = first.removeprefix(_BOM)
    header = _header(_object(first, f"{name}, line {number}"), f"{name}, line {number}")
    events: list[Input] = []
    for number, line in numbered[1:]:
        where = f"{name}, line {number}"
        events.append(_event(_object(line, where), where))
    return Recording(header, tuple(sorted(events, key=lambda event: event.t)))


def write(recording: Recording) -> Iterator[str]:
    """Yield the lines of a recording, without line ends."""
    header = recording.header
    data: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "game": header.game,
        "options": dict(header.options),
        "position": header.position,
        "tier": header.tier,
        "clock": header.clock,
    }
    if header.phase == "set-up":
        data["phase"] = header.phase
    if header.position is None:
        del data["position"]
    if header.tags:
        data["tags"] = dict(header.tags)
    if header.on is not None:
        data["on"] = dict(header.on)
    if header.settings:
        data["settings"] = dict(header.settings)
    yield json.dumps(data)
    for event in recording.events:
        yield json.dumps({"t": round(event.t, 6), **_told(event)})


def _told(event: Input) -> dict[str, object]:
    for kind, (make, names) in _EVENTS.items():
        if type(event) is make:
            found = {key: getattr(event, name) for key, name in names.items()} or {kind: True}
            told = {k: dict(v) if isinstance(v, Mapping) else v for k, v in found.items()}
            return {key: value for key, value in told.items() if (key, value) != ("by", None)}
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
    phase = cast("Phase", _one_of(get_args(Phase), data.get("phase", "playing"), "phase", where))
    own_start = phase == "set-up" and data.get("position") is None
    header = Header(
        game=_get(data, "game", str, where),
        position=None if own_start else _get(data, "position", str, where),
        tier=cast("Tier", _one_of(_TIERS, data.get("tier"), "tier", where)),
        clock=_get(data, "clock", bool, where),
        options=_get(data, "options", dict, where, {}),
        tags=_tags(data, where),
        on=_readings(data["on"], where) if data.get("on") is not None else None,
        settings=_get(data, "settings", dict, where, {}),
        phase=phase,
    )
    _check(header, where)
    return header


def _check(header: Header, where: str) -> None:
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


def _get(data: dict[str, Any], key: str, kind: type[T], where: str, default: T | None = None) -> T:
    value = data.get(key, default)
    if not isinstance(value, kind):
        raise BadRecording(f"{where}: {key!r} must be {_NAMES[kind]}, not {json.dumps(value)}.")
    return value


_NAMES: dict[type, str] = {str: "a text", bool: "true or false", dict: "a JSON object"}


def _one_of(known: Collection[str], value: object, key: str, where: str) -> str:
    if not isinstance(value, str) or value not in known:
        found = json.dumps(value)
        raise BadRecording(f"{where}: {key!r} must be one of {', '.join(known)}, not {found}.")
    return value


def _tags(data: dict[str, Any], where: str) -> dict[str, Label]:
    tags = _get(data, "tags", dict, where, {})
    for uid, label in tags.items():
        if not isinstance(label, str) or not _LABEL.fullmatch(label):
            raise BadRecording(
                f'{where}: tag {uid!r} must stand for a piece such as "wK", or for one of two '
                f'faces such as "wPN:N", not {json.dumps(label)}.'
            )
    return cast("dict[str, Label]", tags)


def _readings(data: object, where: str) -> dict[str, Reading]:
    if not isinstance(data, dict):
        raise BadRecording(f"{where}: readings must be a JSON object, cell -> reading.")
    return {_cell(cell, where): _reading(reading, where) for cell, reading in data.items()}


def _cell(cell: object, where: str) -> str:
    if not isinstance(cell, str) or not _CELL.fullmatch(cell):
        raise BadRecording(
            f"{where}: {json.dumps(cell)} is no cell; cells are a1 to h9, hw1, hb1, ..."
        )
    return cell


def _reading(reading: object, where: str) -> Reading:
    if reading is None or reading is True or (isinstance(reading, str) and reading):
        return reading
    raise BadRecording(
        f"{where}: a reading is null (empty), true (something) or a tag's UID, "
        f"not {json.dumps(reading)}."
    )


def _time(data: dict[str, Any], where: str) -> float:
    t = data.get("t")
    if isinstance(t, bool) or not isinstance(t, int | float) or not 0 <= t <= _LONGEST:
        raise BadRecording(
            f'{where}: "t" must be the seconds since the start, not {json.dumps(t)}.'
        )
    return float(t)


def _event(data: dict[str, Any], where: str) -> Input:
    t = _time(data, where)
    kinds = [kind for kind in _EVENTS if kind in data]
    if len(kinds) != 1 or data.keys() - {"t", kinds[0], *_EVENTS[kinds[0]][1]}:
        raise BadRecording(f"{where}: an event has t and one of {', '.join(_EVENTS)}.")
    make, names = _EVENTS[kinds[0]]
    if "reading" in names and "reading" not in data:
        raise BadRecording(f'{where}: an event of a cell has its "reading".')
    return make(t, **{names[key]: _value(data, key, where) for key in names.keys() & data.keys()})


def _value(data: dict[str, Any], key: str, where: str) -> object:
    """Return what stands under a key of an event.

    As with buttons and calls, a recording holds declarations that were refused, too: where there is
    no place for one, the table says so.
    """
    checks = {"cell": _cell, "reading": _reading, "snapshot": _readings, "data": _texts}
    if key in checks:
        return checks[key](data[key], where)
    if key == "answer":
        return _get(data, key, str, where)
    if (key, data[key]) == ("by", None):
        return None
    known = {"by": get_args(Side), "button": BUTTONS, "call": CALLS}.get(key)
    return _one_of(known or _declarations(), data[key], key, where)


def _texts(said: object, where: str) -> dict[str, str]:
    values = _get({"data": said}, "data", dict, where)
    if not all(isinstance(value, str) for value in values.values()):
        raise BadRecording(f"{where}: all values of 'data' must be texts.")
    return values


def _declarations() -> Collection[str]:
    """Return what can be declared in any game."""
    return dict.fromkeys(what for game in usable() for what in metadata.of(game).declarations)
