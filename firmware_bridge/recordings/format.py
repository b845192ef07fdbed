"""Recordings: a game as the board felt it, one JSON object a line.

The first line is the header, every other one an event; times are seconds from the start. Events may
stand in any order, as a slow link delivers them: what counts is the time that each one bears.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args

import rules
from drivers.port import ButtonEvent, CellEvent, Snapshot
from firmware_bridge.config.agreement import Agreement
from firmware_bridge.config.game_settings import BadSetting, GameSettings
from firmware_bridge.games import metadata
from firmware_bridge.messages import Answer, Call, Declare, Tick
from firmware_bridge.referee.call_rules import CALLS
from firmware_bridge.table.buttons import BUTTONS
from rules.interface import InvalidPosition, Side, Tier, UnknownGame

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from drivers.port import Reading
    from firmware_bridge.messages import Input
    from rules.interface import Label, OptionValue

T = TypeVar("T")

FORMAT = "firmware-bridge-recording"
VERSION = 1
_SQUARE = re.compile(r"[a-h][1-9]")
_CELL = re.compile(rf"{_SQUARE.pattern}|h[wb][1-9][0-9]?")
_LABEL = re.compile(r"[wb]([A-Z]|[A-Z]{2}:[A-Z])")
Phase = Literal["set-up", "playing"]
_TIERS: tuple[Tier, ...] = get_args(Tier)
_BOM = "\ufeff"
"""What some editors write before the first line."""
_LONGEST = 1e8
"""Seconds: three years."""
_KINDS = ("cell", "button", "answer", "declare", "call", "snapshot", "end")
_MORE = {"cell": {"reading"}, "call": {"by", "data"}, "answer": {"by"}, "declare": {"by"}}
"""What an event may have besides its time and what it is."""


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
        clock: whether there are clock buttons.
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
            settings=GameSettings.of(self.settings),
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


def _told(event: Input) -> dict[str, object]:  # noqa: PLR0911 - one for each kind
    match event:
        case CellEvent(cell=cell, reading=reading):
            return {"cell": cell, "reading": reading}
        case Snapshot(readings=readings):
            return {"snapshot": dict(readings)}
        case ButtonEvent(button=button):
            return {"button": button}
        case Answer(text=text, by=by):
            return {"answer": text, **_by(by)}
        case Declare(what=what, by=by):
            return {"declare": what, **_by(by)}
        case Call(what=what, by=by, data=data):
            return {"call": what, "by": by, "data": dict(data)}
        case Tick():
            return {"end": True}
    raise BadRecording(f"a recording has no place for {type(event).__name__}")


def _by(side: Side | None) -> dict[str, object]:
    return {} if side is None else {"by": side}


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
        tier=_tier(data, where),
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


def _tier(data: dict[str, Any], where: str) -> Tier:
    return cast("Tier", _one_of(_TIERS, data.get("tier"), "tier", where))


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


def _event(data: dict[str, Any], where: str) -> Input:  # noqa: PLR0911 - one for each kind
    t = _time(data, where)
    kinds = [kind for kind in _KINDS if kind in data]
    more = _MORE.get(kinds[0], set()) if kinds else set()
    if len(kinds) != 1 or data.keys() - {"t", *kinds, *more}:
        raise BadRecording(f"{where}: an event has t and one of {', '.join(_KINDS)}.")
    kind = kinds[0]
    value = data[kind]
    if kind == "cell":
        if "reading" not in data:
            raise BadRecording(f'{where}: an event of a cell has its "reading".')
        return CellEvent(t, _cell(value, where), _reading(data["reading"], where))
    if kind == "snapshot":
        return Snapshot(t, _readings(value, where))
    if kind == "end":
        return Tick(t)
    if kind == "declare":
        return Declare(t, _one_of(_declarations(), value, kind, where), _side(data, where))
    if kind == "call":
        return _call(t, data, where)
    if kind == "button":
        return ButtonEvent(t, _one_of(BUTTONS, value, kind, where))
    return Answer(t, _get(data, kind, str, where), _side(data, where))


def _declarations() -> Collection[str]:
    """Return what can be declared in any game; where there is no place for it, the table says so.

    As with buttons and calls, a recording holds what was refused, too.
    """
    return dict.fromkeys(what for game in rules.games() for what in metadata.of(game).declarations)


def _call(t: float, data: dict[str, Any], where: str) -> Call:
    said = _get(data, "data", dict, where, {})
    if not all(isinstance(value, str) for value in said.values()):
        raise BadRecording(f"{where}: all values of 'data' must be texts.")
    return Call(t, _one_of(CALLS, data["call"], "call", where), _side(data, where), said)


def _side(data: dict[str, Any], where: str) -> Side | None:
    by = data.get("by")
    return None if by is None else cast("Side", _one_of(get_args(Side), by, "by", where))
