"""How an update of this machine stands, and what people wish of it.

Root's updater does the work and trusts nothing of this: it writes a file for everybody to read, and
looks whether a wish of a known name lies there. Who fetches from an address writes another file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from firmware_bridge.config import UpdatesConfig

Wish = Literal["now", "back"]
"""Do not wait until the game has ended; let the version before run again."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How an update stands.

    Attributes:
        told: the same in each language, by its code.
        fetched: in each language, how it went with the address that is asked for updates.
        possible: what may be wished now, if anything.
        before: the version that ran before, if going back to it is possible.
        wished: whether a wish lies there that root's updater has not seen yet.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    fetched: Mapping[str, str] = field(default_factory=dict)
    possible: Wish | None = None
    before: str = ""
    wished: bool = False


def standing(config: UpdatesConfig) -> Standing:
    """Return how an update of this machine stands: nothing where it has never had one.

    Example:
        While an update waits for the game on the table, `now` is possible.
    """
    state, told, before = _written(config.status)
    _, fetched, _ = _written(config.fetched)
    if not config.wishes.is_dir():
        return Standing(told, fetched)
    if any(config.wishes.iterdir()):
        return Standing(told, fetched, wished=True)
    if state == "waiting":
        return Standing(told, fetched, "now")
    if before:
        return Standing(told, fetched, "back", before)
    return Standing(told, fetched)


def _written(status: Path) -> tuple[str, dict[str, str], str]:
    try:
        read: dict[str, Any] = json.loads(status.read_bytes())
        told = {str(language): str(text) for language, text in read["told"].items()}
        return str(read["state"]), told, str(read.get("before", ""))
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return "", {}, ""


def wish(config: UpdatesConfig, what: Wish) -> None:
    """Leave a wish for root's updater, which looks for it.

    Raises:
        OSError: when it cannot be left there.
    """
    (config.wishes / what).write_bytes(b"")
