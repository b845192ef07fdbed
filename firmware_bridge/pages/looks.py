"""What tells the games apart on the pages, as their data files say it: colours and pictures."""

from __future__ import annotations

from typing import Any

import rules
from firmware_bridge.games import metadata
from firmware_bridge.games.shelf import usable
from firmware_bridge.pages.view_model import movements, show_pieces
from firmware_bridge.service.demonstration import lights_of, lights_of_marks
from firmware_bridge.views.advised import moves_of
from firmware_bridge.words import SOFT_HYPHEN, catalogue, offered
from rules.interface import Square

MARK = (
    "M4.500 21V5h3.300v3h2.600V5h3.200v3h2.600V5h3.300v16M9 21v-5.500a3 3 0 0 1 6 0V21M2.500 21h19"
)
"""A gate tower: what the pages are known by."""

FACES = (
    "M8 12.500q4 4 8 0",
    "M8 13q4 2.500 8 0",
    "M8 13.500q4 1.200 8 0",
    "M8 14h8",
    "M8 14.500q4-1.200 8 0",
    "M8 14.500q4-2 8 0M6.500 6.500l3 .8M17.500 6.500l-3 .8",
    "M8 15q4-3.500 8 0M6.500 5.800l3.200 1.700M17.500 5.800l-3.200 1.700",
)
"""The computer's levels, from friendly to stern: what tells their faces apart."""
_FACE, _PERSON, _FAR, _VOICE = (
    "M3 4h18v14H3zM8.500 21h7M8.500 8.500v1M15.500 8.500v1",
    "M12 3.500a4 4 0 1 0 .01 0M4.500 20.500q0-7 7.500-7t7.500 7",
    "M12 3a9 9 0 1 0 .01 0M3 12h18M12 3q-5 4.500-5 9t5 9q5-4.500 5-9t-5-9",
    "M4 9.500v5h4l5 4.500V5L8 9.500zM16.500 9q3 3 0 6M19 6.500q5.500 5.500 0 11",
)


def looks_css() -> str:
    """Return the style sheet that gives every game its hue, and its name the room that it needs."""
    own = {game: (metadata.of(game).look.hue, _letters(game)) for game in usable()}
    return "".join(
        f'[data-game="{game}"] {{ --hue: {hue}; --letters: {letters}; }}\n'
        for game, (hue, letters) in own.items()
    )


def _letters(game: str) -> int:
    """Return the length of the longest part of a game's name, in whatever language."""
    names = [catalogue(language, game).text("name-parts") for language in offered()]
    parted = (name.replace("-", "- ").replace(SOFT_HYPHEN, "- ") for name in names)
    return max(len(word) for name in parted for word in name.split())


def emblems() -> str:
    """Return as symbols of one drawing: emblems of games and pages, faces of opponents."""
    drawn = {"mark": MARK, "level-0": _PERSON, "far": _FAR, "voice": _VOICE}
    drawn |= {f"level-{level}": _FACE + mouth for level, mouth in enumerate(FACES, start=1)}
    drawn |= {game: metadata.of(game).look.emblem for game in usable()}
    symbols = "".join(
        f'<symbol id="{name}" viewBox="0 0 24 24"><path d="{path}"/></symbol>'
        for name, path in drawn.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def picture(game: str) -> dict[str, Any]:
    """Return the picture on a game's cards as a scene to be drawn."""
    loaded, told = rules.load(game), metadata.of(game).look.picture
    position = told.position_in(loaded)
    shown = {s for s in loaded.squares if not told.corners or _between(s, *told.corners.split())}
    scene = show_pieces(loaded, {s: p for s, p in position.shown.items() if s in shown})
    scene["lights"] = lights_of_marks(position)
    if told.turn:
        turn = position.parse_turn(told.turn)
        scene["advised"] = movements(moves_of(position, turn))
        scene["lights"] = lights_of(position, turn, position.play(turn))
    scene["regions"] = [region for region in scene["regions"] if shown.issuperset(region.split())]
    return scene | {"squares": sorted(shown), "described": ""}


def _between(square: Square, first: Square, last: Square) -> bool:
    return all(min(pair) <= at <= max(pair) for at, *pair in zip(square, first, last, strict=True))
