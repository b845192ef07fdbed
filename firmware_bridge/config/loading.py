"""From a TOML file to a `Config`, or to one message that names every mistake in it."""

from __future__ import annotations

import difflib
import functools
import logging
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Concatenate,
    ParamSpec,
    TypeGuard,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from drivers.description import is_file_name
from firmware_bridge.config.schema import Config

_LOG = logging.getLogger(__name__)

PLACES = (Path("firmware-bridge.toml"), Path("/etc/firmware-bridge/config.toml"))
"""Where the file is looked for when none is named, the first that exists."""

SECRET = frozenset({"password", "command_key", "referee_pin", "token"})
"""Keys whose values are never repeated, wherever they stand."""


REMEDIES = {
    "bool_type": "write true or false",
    "dict_type": "this is a table: write {key} = { name = value }",
    "float_parsing": "this is a number, without quotes",
    "int_type": "this is a whole number, without quotes",
    "model_type": "this is a table: write [{key}], and what belongs to it below",
    "path_type": 'this is a path: write it in quotes, {key} = "..."',
    "string_type": 'this is a text: write it in quotes, {key} = "..."',
    "tuple_type": 'this is a list: write {key} = ["..."]',
}
"""What to do about a value of another type, by pydantic's name of the mistake."""
ONE_OF = frozenset({"bool", "int", "float", "str"})
"""What pydantic puts behind the place of a value of several types, once for each of them."""

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file, keys and remedies."""


def load_config(path: Path | None = None, changes: Iterable[str] = ()) -> Config:
    """Read the configuration.

    Relative paths in the file begin beside it; those among `changes` where the command runs.

    Args:
        path: the file; without it `FIRMWARE_BRIDGE_CONFIG`, then `PLACES`, then the defaults.
        changes: what holds instead of the file, each as `pages.port=8000`.

    Raises:
        ConfigError: when the file cannot be read or says something that means nothing.
    """
    path, changes = path or found(), tuple(changes)
    values = read_toml(path) if path else {}
    if path:
        _look_beside(path.absolute().parent, values)
    names = [change.partition("=")[0] for change in changes]
    below = tuple(f"{name}." for name in names)
    replaced = [wrong for place, wrong in _mistakes(values) if f"{place}.".startswith(below)]
    for change in changes:
        _change(values, change)
    source = path or "configuration"
    if wrong := [wrong for _, wrong in _mistakes(values)]:
        raise ConfigError(_told(f"{source}: please correct this:", [*replaced, *wrong]))
    if replaced:  # it may run all the same, as it did before
        _LOG.warning(_told(f"{source}: please correct this, which --set replaces:", replaced))
    config = _with_own_board(Config.model_validate(values))
    given = [(name.partition(".")[0], f"--set {name}") for name in names]
    return config.as_read_from(*([("", str(path))] if path else []), *given)


def _with_own_board(config: Config) -> Config:
    """Return a configuration with the driver's own board where it names a driver and no board."""
    if config.board.model_fields_set & {"driver", "description"} != {"driver"}:
        return config
    from drivers.driver_registry import own_board  # looks through packages: only where needed

    own = own_board(config.board.driver)
    board = config.board.model_copy(update={"description": own} if own else {})
    return config.model_copy(update={"board": board})


def written_in(
    section: str,
) -> Callable[
    [Callable[Concatenate[Config, Arguments], Made]], Callable[Concatenate[Config, Arguments], Made]
]:
    """Decorate what reads a section: its errors then say where the section is written."""

    def known(
        make: Callable[Concatenate[Config, Arguments], Made],
    ) -> Callable[Concatenate[Config, Arguments], Made]:
        @functools.wraps(make)
        def made(config: Config, /, *args: Arguments.args, **named: Arguments.kwargs) -> Made:
            try:
                return make(config, *args, **named)
            except Exception as error:
                places = (place for name, place in config.read_from if name in (section, ""))
                error.add_note(f"See [{section}]: {', '.join(places) or 'all as usual'}.")
                raise

        return made

    return known


def told_in_full(error: Exception) -> str:
    """Return what an error says, and where what made it is written."""
    return "\n".join([str(error), *getattr(error, "__notes__", ())])


def _look_beside(folder: Path, values: dict[str, Any], *section: str) -> None:
    """Make the paths in a section, and in those below it, begin in this folder."""
    for key, value in values.items():
        if isinstance(value, dict):
            _look_beside(folder, value, *section, key)
        elif isinstance(value, str) and _names_file([*section, key], value):
            values[key] = str(folder / value)


def _names_file(place: Sequence[str], value: str) -> bool:
    if list(place) == ["board", "description"]:
        return is_file_name(value)
    return _takes(_annotation(place), (Path,))


def _change(values: dict[str, Any], change: str) -> None:
    name, equals, text = change.partition("=")
    if not equals:
        raise ConfigError(f"{change!r} changes nothing: write it as pages.port=8000.")
    *sections, key = name.split(".")
    value = _meant(text, text_wanted=_takes(_annotation([*sections, key]), (str, Path)))
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise ConfigError(f"{change!r}: {section} holds a value and no further keys.")
    values[key] = value


def _meant(text: str, *, text_wanted: bool) -> object:
    """Return the value that is written on the command line, where quotes are a nuisance."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text  # a word without quotes is meant as it stands
    return text if text_wanted and not isinstance(value, str) else value


def found() -> Path | None:
    """Return the configuration file that is read by default, `None` if there is none."""
    if named := os.environ.get("FIRMWARE_BRIDGE_CONFIG"):
        return Path(named)
    return next((place for place in PLACES if place.is_file()), None)


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a file says.

    Raises:
        ConfigError: it cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file.") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: this is a folder; name the file in it.") from None
    except PermissionError:
        raise ConfigError(
            f"{path}: this user may not read it. Use sudo, or change its owner or group."
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: it cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start + 1} is no UTF-8 text.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: this is not TOML: {error}.") from None


def _mistakes(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with values: the place, and what to do about it."""
    try:
        Config.model_validate(values)
    except ValidationError as error:
        for detail in error.errors():
            yield ".".join(map(str, detail["loc"])), _mistake(detail)


def _told(head: str, wrong: Iterable[str]) -> str:
    return "\n".join([head, *dict.fromkeys(f"  {each}" for each in wrong)])


def _mistake(detail: ErrorDetails) -> str:
    *parents, key = detail["loc"]
    where = ".".join(map(str, [*parents, key]))
    if detail["type"] != "extra_forbidden":
        value = "..." if key in SECRET else repr(detail["input"])
        if parents and key in ONE_OF:
            place = ".".join(map(str, parents))
            return f'{place} = {value}: write one value, such as true, 5 or "..."'
        message = detail["msg"].removeprefix("Value error, ")
        message = REMEDIES.get(detail["type"], message[0].lower() + message[1:])
        return f"{where} = {value}: {message.replace('{key}', str(key))}"
    near = difflib.get_close_matches(str(key), _keys(parents), n=1)
    known = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_keys(parents))}."
    return f"{where}: there is no such key; {known}"


def _keys(parents: Sequence[int | str]) -> list[str]:
    section = _annotation(parents)
    return sorted(section.model_fields) if _is_section(section) else []


def _annotation(place: Sequence[int | str]) -> Any:  # noqa: ANN401 - any type that a key can have
    """Return of what type the value at a place of the file must be, `None` if there is no such."""
    found: Any = Config
    for part in place:
        field = found.model_fields.get(str(part)) if _is_section(found) else None
        found = field.annotation if field else None
    return found


def _is_section(annotation: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _takes(annotation: object, kinds: tuple[type, ...]) -> bool:
    """Return whether a value of one of these types belongs there."""
    if get_origin(annotation) is Annotated:
        return _takes(get_args(annotation)[0], kinds)
    if get_origin(annotation) in (Union, UnionType):
        return any(_takes(one, kinds) for one in get_args(annotation))
    return annotation in kinds
