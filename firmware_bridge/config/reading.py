"""From a TOML file to a `Config`, or to one message that names every mistake in it."""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from firmware_bridge.config.model import Config

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic_core import ErrorDetails

PLACES = (Path("firmware-bridge.toml"), Path("/etc/firmware-bridge/config.toml"))
"""Where the file is looked for when none is named, the first that exists."""

SECRET = frozenset({"password", "command_key", "referee_pin"})
"""Keys whose values are never repeated, wherever they stand."""


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file, keys and remedies."""


def load_config(path: Path | None = None, changes: Iterable[str] = ()) -> Config:
    """Read the configuration.

    Args:
        path: the file; without it `FIRMWARE_BRIDGE_CONFIG`, then `PLACES`, then the defaults.
        changes: what holds instead of the file, each as `pages.port=8000`.

    Raises:
        ConfigError: when the file cannot be read or says something that means nothing.
    """
    path = path or _found()
    values = _parse(path) if path else {}
    for change in changes:
        _change(values, change)
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        lines = [f"  {_mistake(detail)}" for detail in error.errors()]
        source = path or "configuration"
        raise ConfigError("\n".join([f"{source}: please correct this:", *lines])) from None


def _change(values: dict[str, Any], change: str) -> None:
    name, equals, text = change.partition("=")
    if not equals:
        raise ConfigError(f"{change!r} changes nothing: write it as pages.port=8000.")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text  # a word without quotes is meant as it stands
    *sections, key = name.split(".")
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise ConfigError(f"{change!r}: {section} holds a value and no further keys.")
    values[key] = value


def _found() -> Path | None:
    if named := os.environ.get("FIRMWARE_BRIDGE_CONFIG"):
        return Path(named)
    return next((place for place in PLACES if place.is_file()), None)


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file.") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: this is a folder; name the file in it.") from None
    except PermissionError:
        raise ConfigError(
            f"{path}: this user may not read it. Change its owner or mode (chmod a+r)."
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start + 1} is no UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: this is not TOML: {error}.") from None


def _mistake(detail: ErrorDetails) -> str:
    where = ".".join(str(part) for part in detail["loc"])
    if detail["type"] != "extra_forbidden":
        value = "..." if detail["loc"][-1] in SECRET else repr(detail["input"])
        message = detail["msg"].removeprefix("Value error, ")
        return f"{where} = {value}: {message[0].lower()}{message[1:]}"
    *parents, key = detail["loc"]
    near = difflib.get_close_matches(str(key), _keys(parents), n=1)
    known = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_keys(parents))}."
    return f"{where}: there is no such key; {known}"


def _keys(parents: Sequence[int | str]) -> list[str]:
    model: type[BaseModel] = Config
    for part in parents:
        annotation = model.model_fields[str(part)].annotation
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return []
        model = annotation
    return sorted(model.model_fields)
