"""The show of a kiosk at rest, as a display draws and says it."""

from __future__ import annotations

from firmware_bridge.games import metadata
from firmware_bridge.pages.texts import Say, speaking, told_in
from firmware_bridge.pages.view_model import ViewModel, result_told, show_pieces
from firmware_bridge.service.demonstration import Frame
from firmware_bridge.views import Announcement


def show_scene(frame: Frame, language: str) -> ViewModel:
    """Return a frame of the show as a display draws and says it."""
    game = frame.game.id
    say = speaking(language, game)
    if frame.screen is None:
        title, line, text = say("name"), say("tagline"), _show_turn(frame, say)
    else:
        screen = metadata.of(game).learn[frame.screen]
        title, line, text = told_in(screen.title, language), told_in(screen.text, language), ""
    if frame.outcome:
        text = f"{text or _show_turn(frame, say)} {result_told(frame.outcome, say)}"
    return {
        **show_pieces(frame.game, frame.board),
        "lights": dict(frame.lights),
        "described": title,
        "game": game,
        "name": _show_name(frame, say, language),
        "title": title,
        "line": line,
        "text": text,
    }


def _show_turn(frame: Frame, say: Say) -> str:
    """Return what hands did for the turn that was just played, as a voice says it."""
    return say.aloud(Announcement("plays", {"deed": frame.deed})) if frame.deed else ""


def _show_name(frame: Frame, say: Say, language: str) -> str:
    """Return what stands above a picture of the show: who plays, or of which game it is."""
    if frame.classic:
        return f"{told_in(frame.classic.title, language)} · {frame.classic.by}"
    if frame.levels:
        levels = {side: str(level) for side, level in frame.levels.items()}
        return say("page-show-players", **levels)
    return "" if frame.screen is None else say("name")
