"""`firmware-bridge words`: what a language lacks."""

import click

from drivers.simulator import wording
from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.games import metadata
from firmware_bridge.games.shelf import usable
from firmware_bridge.words import language_files


@click.command
@click.argument("language")
def command(language: str) -> None:
    """Name the texts that LANGUAGE (such as fr) lacks, by the file they belong in.

    What is lacking is said in English. A text counts as lacking too where it has a gap in braces
    that the English one has not. A text that English has not is named as well.
    """
    if language not in language_files.LANGUAGES:
        known = ", ".join(language_files.LANGUAGES)
        raise Failure(
            f"There are no words in {language!r}; the languages are {known}. Begin a new one with "
            f"a file {language}.toml in firmware_bridge/words.",
            ExitCode.USAGE,
        )
    games = {f"games/{game}.toml": metadata.lacking(game, language) for game in usable()}
    simulator = {f"simulator/{language}.toml": wording.lacking(language)}
    for file, keys in {**language_files.lacking(language), **games, **simulator}.items():
        for key in keys:
            click.echo(f"{file}: {key}")
    for file, keys in language_files.strange(language).items():
        for key in keys:
            click.echo(f"{file}: {key} is not said there: English has no such text")
