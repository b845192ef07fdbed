"""The simulated board's pieces follow the game: set up at its start, moved for a computer."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any

import rules
from drivers.beside import begin, end
from drivers.simulator.orders import Step
from drivers.simulator.station import Station
from drivers.simulator.table_top import IN_HAND, TRAY, TableTop
from firmware_bridge.puzzles import find
from firmware_bridge.simulation.keeping import keep_pieces
from firmware_bridge.simulation.piece_sets import arrangement_of
from rules.interface import Side
from rules.values import SIDES, opponent

LOOKS_EVERY = 0.25
"""Seconds between two looks at the display."""


async def follow(station: Station, display: str, file: Path | None = None) -> None:
    """Set up the pieces of every game that has yet to begin on the display's pages.

    A game for which hands have already set up its pieces is not set up again. What a computer plays
    is carried out, a movement at each look. With a file the pieces stay over restarts of their own.
    """
    keeping = begin(keep_pieces(station, file), "keeping of the pieces") if file else None
    try:
        await _follow(station, display)
    finally:
        if keeping:
            await end(keeping)


async def _follow(station: Station, display: str) -> None:
    before = None
    while True:
        now = await asyncio.to_thread(_look, display)
        if now is not None:
            if before != now["id"]:
                _set_up(station, now)
            before = now["id"]
            if now["phase"] == "executing":
                await carry(station, now)
        await asyncio.sleep(LOOKS_EVERY)


def _look(display: str) -> dict[str, Any] | None:
    """Return the public scene; `None` while nobody tells, or dies in the middle of it."""
    try:
        with urllib.request.urlopen(f"{display}api/v1/state", timeout=5) as answer:  # noqa: S310
            scene: dict[str, Any] = json.load(answer)
            return scene
    except (OSError, HTTPException, ValueError):
        return None


def _set_up(station: Station, now: dict[str, Any]) -> None:
    game, puzzle = rules.load(now["game"], **now["variant"]), now["puzzle"]
    arrangement = arrangement_of(game, game.parse(find(puzzle).position) if puzzle else None)
    station.pieces = station.pieces.with_arrangement("start", arrangement)
    # Men of another box may stand rightly for the referee, who goes by their tags, and look wrong.
    strange = _stands(station, arrangement) and not _from_its_box(station, arrangement)
    if now["phase"] in {"waiting", "set-up"} or strange:
        station.arrange(arrangement)


def _stands(station: Station, arrangement: Mapping[str, str]) -> bool:
    """Return whether the board shows the referee what this arrangement would."""
    top, labels = station.board.top, station.pieces.labels
    return all(
        labels.get(top.tag_on(cell) or "") == labels[tag] for cell, tag in arrangement.items()
    )


def _from_its_box(station: Station, arrangement: Mapping[str, str]) -> bool:
    """Return whether all that stands on the board comes from the boxes of these tags."""
    due = set(arrangement.values())
    place, pieces = station.board.top.place, station.pieces.pieces
    boxes = {piece.set for piece in pieces if due.intersection(face.tag for face in piece.faces)}
    return boxes.issuperset(piece.set for piece in pieces if place[piece.name] in arrangement)


HELD = 0.5
"""Seconds for which a piece is in the air."""


async def carry(station: Station, scene: Mapping[str, Any]) -> None:
    """Make the first hand movement that a public scene asks for, if its pieces are there."""
    for move in scene["restore"][:1]:
        await station.play(_movement(station.board.top, move["source"], move["target"], scene))


def _movement(
    top: TableTop, source: str | None, target: str | None, scene: Mapping[str, Any]
) -> Iterator[Step]:
    if source:
        name = next((name for name, place in top.place.items() if place == source), None)
    else:
        name = _beside(top, *_wanted(scene, target))
    if name is None:
        return
    yield Step(piece=name, to=IN_HAND)
    if source is None or source == target:
        side, kind = _wanted(scene, target)
        for _ in range(_turns_over(top, name, f"{side[0]}{kind}") or 0):
            yield Step(t=HELD / 2, piece=name, flip=True)
    yield Step(t=HELD, piece=name, to=target or TRAY)


def _wanted(scene: Mapping[str, Any], cell: str | None) -> tuple[Side, str]:
    """Return whose piece of which kind is due; where its owner is secret, it is the computer's."""
    due = scene["pieces"][cell]
    acts: Side = next((side for side in SIDES if scene["sides"][side]["to_act"]), "white")
    return due["side"] or opponent(acts), due["kind"]


def _beside(top: TableTop, side: Side, kind: str) -> str | None:
    """Return a piece beside the board that is called so, lying as it is if there is one.

    It comes from the box that the pieces on the board come from; where no disc there shows a face,
    a chessman does.
    """
    boxes = {piece.set for piece in top.pieces.pieces if top.place[piece.name] != TRAY}
    discs = any(piece.shape == "disc" for piece in top.pieces.pieces if piece.set in boxes)
    fits = {
        piece.name: (piece.set not in boxes, turns)
        for piece in top.pieces.pieces
        if top.place[piece.name] == TRAY and (discs or piece.set in boxes)
        if (turns := _turns_over(top, piece.name, f"{side[0]}{kind}")) is not None
    }
    return min(fits, key=lambda name: fits[name], default=None)


def _turns_over(top: TableTop, name: str, label: str) -> int | None:
    """Return how often a piece must be turned over to be called so; `None` if it never is.

    A disc is called by the face that is up.
    """
    piece = next(piece for piece in top.pieces.pieces if piece.name == name)
    labels = [face.look if piece.shape == "disc" else face.label for face in piece.faces]
    if label not in labels:
        return None
    return (labels.index(label) - top.face[name]) % len(labels)
