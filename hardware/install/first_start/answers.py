"""What can be answered at the first start, and what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

WORDS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
"""What is said, by language and key; the keys of problems begin with `bad-`."""
BOARDS = {
    "starter": "serial",
    "printed": "serial",
    "full": "serial",
    "kiosk": "serial",
    "evening": "serial",
    "starter-header": "gpio",
    "simulated": "simulated",
}
"""The board files that are offered, and the driver of each."""
AS_SAVED = "as-saved"
"""In place of a board: the one that the configuration names, after everything was restored."""
USES = ("home", "kiosk")
ROTATIONS = ("0", "90", "180", "270")
"""Degrees by which the display's picture is turned to the right."""
KEY = "[0-9A-Fa-f]{64}"
"""A network's key, which may be given in place of its password (IEEE 802.11)."""
_NETWORK_BYTES = 32  # of a name, by IEEE 802.11


@dataclass(frozen=True)
class Answers:
    """What was answered; every text without spaces around it.

    Attributes:
        language: one of `WORDS`.
        board: one of `BOARDS`, or `AS_SAVED`; empty if nobody said.
        use: one of `USES`.
        hostname: the machine's name in its network.
        network: of the wireless one; empty with a cable, or without any.
        password: the network's, or its key of 64 digits; empty for one that is open to all.
        country: two letters, or empty.
        timezone: where the machine stands, such as Europe/Berlin; empty: its clock shows UTC.
        pin: the referee's; empty: the service makes one.
        rotation: of the display's picture, one of `ROTATIONS`.
        protected: whether nothing but games is ever written to the card.
    """

    language: str = "en"
    board: str = ""
    use: str = "home"
    hostname: str = "firmware-bridge"
    network: str = ""
    password: str = field(default="", repr=False)
    country: str = ""
    timezone: str = ""
    pin: str = field(default="", repr=False)
    rotation: str = "0"
    protected: bool = False

    def problems(self) -> tuple[str, ...]:
        """Return the keys of what is wrong with these answers; none if they can be."""
        well = {
            "bad-language": self.language in WORDS,
            "bad-board": self.board in {*BOARDS, AS_SAVED},
            "bad-use": self.use in USES,
            "bad-hostname": _is(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", self.hostname),
            "bad-network": len(self.network.encode()) <= _NETWORK_BYTES,
            "bad-password": not self.password or _is(f"[ -~]{{8,63}}|{KEY}", self.password),
            "bad-password-alone": bool(self.network) or not self.password,
            "bad-country": _is("([A-Z]{2})?", self.country),
            "bad-timezone": _is(r"(\w+([/+-]\w+)*)?", self.timezone),
            "bad-pin": _is("([0-9]{4,12})?", self.pin),
            "bad-rotation": self.rotation in ROTATIONS,
        }
        return tuple(key for key, is_well in well.items() if not is_well)


def _is(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text) is not None


NAMES = tuple(each.name for each in fields(Answers))
"""What a form or a file may answer."""


def answers_of(given: Mapping[str, Any]) -> Answers:
    """Return answers from a form's fields, or from the file's keys; what is empty was not said.

    Raises:
        ValueError: the text names an answer that does not exist.
    """
    for name in given:
        if name not in NAMES:
            raise ValueError(name)
    said = {name: str(value).strip() for name, value in given.items() if name != "protected"}
    said = {name: text for name, text in said.items() if text}
    for name, change in (("country", str.upper), ("hostname", str.lower)):
        if name in said:
            said[name] = change(said[name])
    return Answers(**said, protected=given.get("protected") in (True, "yes"))


def read_file(text: bytes, known: Mapping[str, str] | None = None) -> Answers:
    """Return what a file on the card answers, and of what was known before what it does not.

    Raises:
        ValueError: it cannot be read; the text says where, or which answer does not exist.
    """
    said = tomllib.loads(text.decode("utf-8-sig").replace("\r\n", "\n"))
    return answers_of({**(known or {}), **said})
