"""The simulated board's pieces follow the game: set up at its start, moved for a computer."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from typing import TYPE_CHECKING, Any

import rules
from firmware_bridge.puzzles import find
from firmware_bridge.simulation.carrying import carry
from firmware_bridge.simulation.piece_sets import arrangement_of

if TYPE_CHECKING:
    from drivers.simulator.station import Station
    from rules.interface import Game

LOOKS_EVERY = 0.25
"""Seconds between two looks at the display."""
_BEFORE_PLAY = {"waiting", "set-up"}


async def follow(station: Station, display: str) -> None:
    """Set up the pieces of every game that is begun on the display's pages, as it wants them.

    A game that was there before is left as it stands, and one for which hands have already set up
    the pieces is not set up again. What a computer plays is carried out, a movement at each look.

    Args:
        station: the simulated board, with its built-in pieces.
        display: address of the display.
    """
    before = None
    while True:
        now = await asyncio.to_thread(_look, display)
        if now is not None:
            if before not in {None, now["id"]} and now["phase"] in _BEFORE_PLAY:
                _set_up(station, rules.load(now["game"], **now["variant"]), now["puzzle"])
            before = now["id"]
            if now["phase"] == "executing":
                await carry(station, now)
        await asyncio.sleep(LOOKS_EVERY)


def _look(display: str) -> dict[str, Any] | None:
    """Return the public scene; `None` while nobody tells."""
    try:
        with urllib.request.urlopen(f"{display}api/v1/state", timeout=5) as answer:  # noqa: S310
            scene: dict[str, Any] = json.load(answer)
            return scene
    except (OSError, ValueError):
        return None


def _set_up(station: Station, game: Game, puzzle: str) -> None:
    arrangement = arrangement_of(game, game.parse(find(puzzle).position) if puzzle else None)
    station.pieces = station.pieces.with_arrangement("start", arrangement)
    station.arrange(arrangement)
