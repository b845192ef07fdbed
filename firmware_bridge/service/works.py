"""What a board can be used for besides games, and what of it somebody wants."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from drivers.description import BoardDescription, stages_file
from firmware_bridge.config import Config

Work = Literal["bring-up", "firmware", "setup", "pieces"]
_TICKET_BYTES = 16  # nobody guesses as many


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to do with the board.

    Attributes:
        ticket: lets this browser answer.
    """

    work: Work
    language: str
    ticket: str = field(default_factory=lambda: secrets.token_hex(_TICKET_BYTES), repr=False)


def works(config: Config, board: BoardDescription) -> Iterator[Work]:
    """Yield what a board can be used for besides games, by the configuration as its file has it."""
    if stages_file(config.board.description).is_file():
        yield "bring-up"
    if board.controller == "pico":
        yield "firmware"
    yield "setup"
    if board.tier != "occupancy":
        yield "pieces"
