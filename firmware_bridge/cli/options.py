"""Options that several commands take: the configuration, and a game with its options."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

import rules
from firmware_bridge.cli.failures import ExitCode, Failure
from rules.interface import Game, InvalidPosition, OptionValue, Position

Command = TypeVar("Command", bound="Callable[..., Any]")

FOR_A_BOARD = "A value that holds instead of the file's, such as board.settings.port=/dev/ttyACM0."


def configured(of_set: str = "As in `run`.") -> Callable[[Command], Command]:
    """Give a command `--config` (as `path`) and `--set` (as `changes`), for `load_config`."""
    file = click.option(
        "-c", "--config", "path", type=click.Path(path_type=Path), help="The configuration file."
    )
    change = click.option("-s", "--set", "changes", multiple=True, metavar="KEY=VALUE", help=of_set)
    return lambda command: file(change(command))


with_game_options = click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="An option of the game, such as power or dice=2; may be repeated.",
)
"""Gives a command `--option` (as `options`), for `game_of`."""


def game_of(game_id: str, options: Iterable[str] = ()) -> Game:
    """Return the game that the command line asks for, its options each as `dice=2` or `power`."""
    try:
        return rules.load(game_id, **dict(map(_read_option, options)))
    except rules.UnknownGame as unknown:
        told = str(unknown).removesuffix(".")
        raise Failure(f"{told} (see `firmware-bridge rules list`).", ExitCode.USAGE) from None


def position_of(game: Game, text: str | None) -> Position:
    """Return the position that the command line asks for: the start where it names none."""
    try:
        return game.start() if text is None else game.parse(text)
    except InvalidPosition as invalid:
        lines = [f"This is no position of {game.name}:"]
        for problem in invalid.problems:
            at = f" ({', '.join(problem.squares)})" if problem.squares else ""
            lines.append(f"  {problem.code}{at}: {problem.text}")
        raise Failure("\n".join(lines), ExitCode.USAGE) from None


def _read_option(text: str) -> tuple[str, OptionValue]:
    """Return an option's name and value; a name alone switches it on."""
    name, _, value = text.partition("=")
    if value in ("", "true", "yes", "on"):
        return name, True
    if value in ("false", "no", "off"):
        return name, False
    return name, int(value) if value.isdecimal() else value
