"""From what everyone may see to the state that is published: pure, from the public view alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from firmware_bridge.pages.texts import Say, say_all
from firmware_bridge.pages.view_model import clock_faces, public_scene
from firmware_bridge.recordings.export import RESULTS
from firmware_bridge.views import Announcement, PublicView
from rules.interface import Shown
from rules.values import SIDES

State = dict[str, Any]

_SIDES = {"white": "w", "black": "b", None: "-"}
_MOVING = ("clocks", "as_of")
"""What time alone changes."""


def shared(line: str) -> str:
    """Return what names a game with somebody far away in public: both boards publish the same.

    It is no name of the letters that are exchanged about it.

    Args:
        line: names those; empty in other games.
    """
    return hashlib.sha256(f"firmware-bridge game {line}".encode()).hexdigest()[:16] if line else ""


def state(view: PublicView, say: Say, link: Sequence[Announcement], stamp: State) -> State:
    """Return what is published of a board.

    Clocks stand as at `as_of`: who shows them counts on from there while one is running. They are
    published when something happens, not every second.

    Args:
        view: the public view.
        say: the words of the game on the table.
        link: what is wrong with the board's connection, sentence after sentence.
        stamp: when and where it holds. `board` is what people call the board, `boot` names this run
            of the service, with which event numbers begin anew, `as_of` is UTC, ISO 8601 with
            milliseconds, and `shared` names a game that is played at another board, too.
    """
    scene = public_scene(view, say, link=link)
    return {
        **stamp,
        "away": view.away,
        "game": view.game,
        "title": scene["title"],
        "options": scene["options"],
        "phase": view.phase,
        "to_act": view.to_act,
        "turns": view.number,
        "clocks": clock_faces(view.clocks),
        "players": {side: scene["sides"][side]["name"] for side in SIDES},
        "headline": scene["headline"],
        "urgent": scene["tone"] == "urgent",
        "result": RESULTS[view.ending.winner] if view.ending else None,
        "reason": view.ending.reason if view.ending else None,
        "ground": scene["ground"],
        "squares": " ".join(view.squares),
        "regions": scene["regions"],
        "discs": scene["discs"],
        "pieces": _pieces(view.standing),
        "lights": scene["lights"],
        "hands": dict(view.hands),
        "faults": list(view.faults),
        "link": say_all(link, say),
    }


def still(published: State) -> State:
    """Return a state without what time alone changes; where that is equal no message is due."""
    running = {side: face["running"] for side, face in published["clocks"].items()}
    rest = {name: value for name, value in published.items() if name not in _MOVING}
    return {**rest, "running": running}


def _pieces(board: Mapping[str, Shown]) -> dict[str, str]:
    """Return square -> owner, kind and marks in short: `wN`, `-Q` (nobody's), `bP:invisible`.

    A piece of which the board does not tell which one it is has no letter.
    """
    return {
        square: ":".join([_SIDES[shown.side] + shown.kind, *sorted(shown.marks)])
        for square, shown in board.items()
        if shown.kind
    }
