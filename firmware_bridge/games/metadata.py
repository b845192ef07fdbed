"""A game's data file: words, default settings, announcements and learn screens.

It is `firmware_bridge/games/<id>.toml`, or `<id>.toml` beside the module of a game from elsewhere.
"""

from __future__ import annotations

import inspect
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from firmware_bridge.games.data_file import GameMetadata, LearnScreen
from firmware_bridge.games.mistakes import lacking_words, mistakes
from rules import UnusableGame, registry
from rules.interface import Game


@cache
def of(game: str) -> GameMetadata:
    """Return what is told of a game.

    Raises:
        UnknownGame: when there is no such game.
        UnusableGame: when its data file is missing, cannot be read, or lacks something.
    """
    file = resources.files(__package__).joinpath(f"{game}.toml")
    if not file.is_file():
        file = Path(inspect.getfile(registry.find(game))).parent / f"{game}.toml"
    try:
        metadata = GameMetadata.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError:
        raise UnusableGame(f"The game {game!r} has no data file {file}.") from None
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
            if reason and reason not in shown and _within(loaded, screen.offence):
                shown.add(reason)
                more.append(screen.model_copy(update={"explains": (reason,)}))
    return tuple(more)


def _within(game: Game, offence: str) -> bool:
    """Return whether both squares of a movement belong to the board."""
    return game.squares >= {offence[:2], offence[2:]}


def lacking(game: str, language: str) -> tuple[str, ...]:
    """Return what a game does not say in a language: keys of its words, and its learn screens."""
    metadata = of(game)
    words = metadata.words["en"].keys() - metadata.words.get(language, {}).keys()
    screens = (
        f"learn {number}"
        for number, screen in enumerate(metadata.learn, start=1)
        if language not in screen.title or language not in screen.text
    )
    return (*sorted(words), *screens)
