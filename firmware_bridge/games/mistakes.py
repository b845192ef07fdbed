"""What is wrong with a game's data file, so that it is named when the file is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_bridge.games.data_file import GameMetadata, LearnScreen, Picture
from rules.interface import Game

Mistakes = Iterator[tuple[str, str]]


def lacking_words(game: type[Game], metadata: GameMetadata) -> list[str]:
    """Return the keys of words that only the game itself can have, and has not in English."""
    needed = {
        "name",
        "tagline",
        *metadata.declarations,
        *(f"option-{name}" for name in game.defaults),
    }
    return sorted(needed - metadata.words.get("en", {}).keys())


def mistakes(game: type[Game], metadata: GameMetadata) -> Mistakes:
    """Yield what of the data file cannot be shown: where, and why."""
    loaded = game()
    if not metadata.learn:
        yield "[[learn]]", "is missing: nobody could learn the game."
    if not metadata.demonstration:
        yield "demonstration", "is missing: a kiosk could not show the game."
    for number, screen in enumerate(metadata.learn, start=1):
        for wrong in _wrong_screen(loaded, screen):
            yield f"learn screen {number}", wrong
    yield from _wrong_demonstration(loaded, metadata.demonstration)
    yield from _wrong_classics(loaded, metadata)
    if why := _refused(loaded, metadata.look.picture):
        yield "look.picture", why


def _wrong_screen(game: Game, screen: LearnScreen) -> Iterator[str]:
    if "en" not in screen.title or "en" not in screen.text:
        yield "has no title or no text in English."
    if why := _refused(game, screen):
        yield why
    elif screen.offence and not screen.reason_in(game):
        yield f"has an offence that is none: {screen.offence}"


def _refused(game: Game, shown: LearnScreen | Picture) -> str:
    """Return why a position and its turn cannot be shown; empty if they can."""
    try:
        position = shown.position_in(game)
        if shown.turn:
            position.play(position.parse_turn(shown.turn))
    except ValueError as error:
        return f"has a position or turn that the game refuses: {error}"
    return ""


def _wrong_demonstration(game: Game, turns: Iterable[str]) -> Mistakes:
    position = game.start()
    for number, turn in enumerate(turns, start=1):
        try:
            position = position.play(position.parse_turn(turn))
        except ValueError as error:
            yield f"turn {number} of the demonstration", f"is refused by the game: {error}"
            return


def _wrong_classics(game: Game, metadata: GameMetadata) -> Mistakes:
    for number, classic in enumerate(metadata.classics, start=1):
        try:
            turns = sum(1 for _ in classic.made(game))
        except ValueError as error:
            yield f"classic {number}", f"has a position or turn that the game refuses: {error}"
            continue
        if "en" not in classic.title or not turns:
            yield f"classic {number}", "has no title in English, or no turns."
