"""The simulated board's pieces follow the game: set up at its start, moved for a computer."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Mapping
from typing import Any

import rules
from drivers.simulator.station import Station
from firmware_bridge.puzzles import find
from firmware_bridge.simulation.carrying import carry
from firmware_bridge.simulation.piece_sets import arrangement_of

LOOKS_EVERY = 0.25
"""Seconds between two looks at the display."""


async def follow(station: Station, display: str) -> None:
    """Set up the pieces of every game that is begun on the display's pages, as it wants them.

    A game that was there before is left as it stands, and one for which hands have already set up
    its pieces is not set up again. What a computer plays is carried out, a movement at each look.
    """
    before = None
    while True:
        now = await asyncio.to_thread(_look, display)
        if now is not None:
            if before not in {None, now["id"]}:
                _set_up(station, now)
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


def _set_up(station: Station, now: dict[str, Any]) -> None:
    game, puzzle = rules.load(now["game"], **now["variant"]), now["puzzle"]
    arrangement = arrangement_of(game, game.parse(find(puzzle).position) if puzzle else None)
    station.pieces = station.pieces.with_arrangement("start", arrangement)
    # Men of another box may stand rightly for the referee, who goes by their tags, and look wrong.
    strange = now["phase"] == "ready" and not _from_its_box(station, arrangement)
    if now["phase"] in {"waiting", "set-up"} or strange:
        station.arrange(arrangement)


def _from_its_box(station: Station, arrangement: Mapping[str, str]) -> bool:
    """Return whether all that stands on the board comes from the boxes of these tags."""
    due = set(arrangement.values())
    place, pieces = station.board.top.place, station.pieces.pieces
    boxes = {piece.set for piece in pieces if due.intersection(face.tag for face in piece.faces)}
    return boxes.issuperset(piece.set for piece in pieces if place[piece.name] in arrangement)
