"""How an update of this machine stands, and what people wish of it.

Root's updater does the work and trusts nothing of this: it writes a file for everybody to read, and
looks whether a wish of a known name lies there. Who fetches from an address writes another file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from firmware_bridge.config import UpdatesConfig

Wish = Literal["install", "now", "back"]
"""Put in place what is offered; do not wait until the game has ended; let the version before run
again."""
_BUSY = {"building", "waiting", "restarting", "trying", "watching"}
"""States in which root's updater has something in hand."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How an update stands.

    Attributes:
        told: the same in each language, by its code.
        fetched: in each language, how it went with the address that is asked for updates.
        offered: in each language, what may be put in place, and how long that takes.
        notes: in each language, what its makers say of it.
        possible: what may be wished now, and the version that it leads to.
        wished: whether a wish lies there that root's updater has not seen yet.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    fetched: Mapping[str, str] = field(default_factory=dict)
    offered: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    possible: Mapping[Wish, str] = field(default_factory=dict)
    wished: bool = False


def standing(config: UpdatesConfig) -> Standing:
    """Return how an update of this machine stands: nothing where it has never had one.

    Example:
        While an update waits for the game on the table, `now` is possible.
    """
    updater, fetched = _written(config.status), _written(config.fetched)
    offer = _NOTHING if updater.state in _BUSY else _written(config.offered)
    lying = {each.name for each in config.wishes.glob("*")}
    # What brought about that something is in hand was seen, though it may still lie there.
    wished = bool(lying & {"now"} if updater.state in _BUSY else lying)
    possible: dict[Wish, str] = {}
    if config.wishes.is_dir() and not wished:
        if updater.state == "waiting":
            possible["now"] = updater.version
        if offer.version:
            possible["install"] = offer.version
        if updater.before and updater.state not in _BUSY:
            possible["back"] = updater.before
    return Standing(
        updater.told, fetched.told, offer.told, offer.notes, possible=possible, wished=wished
    )


class _Written(BaseModel):
    """What a file of the updater's tells; nothing where it is not there, or is none."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    state: str
    told: Mapping[str, str] = {}
    notes: Mapping[str, str] = {}
    version: str = ""
    before: str = ""


_NOTHING = _Written(state="")


def _written(status: Path) -> _Written:
    try:
        return _Written.model_validate_json(status.read_bytes())
    except (OSError, ValidationError):
        return _NOTHING


def wish(config: UpdatesConfig, what: Wish) -> None:
    """Leave a wish for root's updater, which looks for it.

    Raises:
        OSError: when it cannot be left there.
    """
    (config.wishes / what).write_bytes(b"")
