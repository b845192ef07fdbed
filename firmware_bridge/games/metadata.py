"""A game's data file: words, default settings, announcements and learn screens.

It is `firmware_bridge/games/<id>.toml`, or `<id>.toml` beside the module of a game from elsewhere.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from firmware_bridge.games.data_file import GameMetadata, LearnScreen, Picture
from rules import UnusableGame, registry
from rules.interface import Game


@cache
def of(game: str) -> GameMetadata:
    """Return what is told of a game.

    Raises:
        UnknownGame: when there is no such game.
        UnusableGame: when its data file is missing, cannot be read, or lacks something.
    """
    ours = resources.files(__package__).joinpath(f"{game}.toml")
    beside = Path(inspect.getfile(registry.find(game))).parent / f"{game}.toml"
    file = ours if ours.is_file() else beside
    try:
        metadata = GameMetadata.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError:
        raise UnusableGame(f"The game {game!r} has no data file {ours} or {beside}.") from None
    except ValidationError as error:
        raise UnusableGame(f"{file} cannot be used:{_listed(error)}") from None
    except (ValueError, RecursionError) as error:  # no TOML, or no text at all
        raise UnusableGame(f"{file}: {error}") from None
    kind = registry.find(game)
    if absent := lacking_words(kind, metadata):
        raise UnusableGame(f"{file} lacks under [words.en]: {', '.join(absent)}.")
    if wrong := tuple(mistakes(kind, metadata)):
        listed = "".join(f"\n  - {where} {what}" for where, what in wrong)
        raise UnusableGame(f"{file} cannot be used:{listed}")
    return metadata


def _listed(error: ValidationError) -> str:
    wrong = ((".".join(map(str, each["loc"])), each["msg"]) for each in error.errors())
    return "".join(f"\n  - {where}: {what}" for where, what in wrong)


def lesson(game: str, reason: str) -> int:
    """Return the number of the game's screen that shows an offence; else of its first one."""
    return _explained(game).get(reason, 1)


def screens(game: str) -> tuple[LearnScreen, ...]:
    """Return a game's learn screens, and after them one for each other offence in it.

    The latter have no words of their own: the catalogue has a sentence for what they explain.
    """
    return (*of(game).learn, *_other_offences(game))


@cache
def _explained(game: str) -> dict[str, int]:
    """Return which screen explains which offence first, by reason code."""
    loaded, explained = registry.find(game)(), dict[str, int]()
    for number, screen in enumerate(screens(game), start=1):
        for code in (screen.reason_in(loaded), *screen.explains):
            explained.setdefault(code, number)
    return explained


@cache
def _other_offences(game: str) -> tuple[LearnScreen, ...]:
    loaded, learn = registry.find(game)(), of(game).learn
    shown = {code for screen in learn for code in (screen.reason_in(loaded), *screen.explains)}
    more = []
    file = resources.files(__package__).joinpath("offences.toml")
    for example in tomllib.loads(file.read_text(encoding="utf-8"))["why"]:
        # A position has a field more where pieces can be invisible.
        for field in ("", " -") if "position" in example else ("",):
            position = example.get("position", "") + field
            screen = LearnScreen(title={}, text={}, position=position, offence=example["offence"])
            reason = screen.reason_in(loaded)
            there = loaded.squares >= {screen.offence[:2], screen.offence[2:]}
            if there and reason and reason not in shown:
                shown.add(reason)
                more.append(screen.model_copy(update={"explains": (reason,)}))
    return tuple(more)


def own(game: str, language: str) -> Mapping[str, str]:
    """Return what a game says itself in a language; its own reasons say their English in code."""
    words = of(game).words.get(language, {})
    if language != "en":
        return words
    reasons = registry.find(game).own_reasons
    return {f"why-{reason}": sentence for reason, sentence in reasons.items()} | words


def lacking(game: str, language: str) -> tuple[str, ...]:
    """Return what a game does not say in a language: keys of its words, and its learn screens."""
    metadata = of(game)
    words = own(game, "en").keys() - own(game, language).keys()
    screens = (
        f"learn {number}"
        for number, screen in enumerate(metadata.learn, start=1)
        if language not in screen.title or language not in screen.text
    )
    return (*sorted(words), *screens)


Mistakes = Iterator[tuple[str, str]]


def lacking_words(game: type[Game], metadata: GameMetadata) -> list[str]:
    """Return the keys of words that only the game itself can have, and has not in English."""
    needed = {
        "name",
        "tagline",
        *metadata.declarations,
        *(f"option-{name}" for name in game.allowed),
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
