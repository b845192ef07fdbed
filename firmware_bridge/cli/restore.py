"""`firmware-bridge restore`: everything of a board, from one file."""

from pathlib import Path

import click

from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.cli.options import configured
from firmware_bridge.config import load_config
from firmware_bridge.config.loading import PLACES, found
from firmware_bridge.saved.restoring import NotRestored, restore, restored


@click.command
@configured()
@click.option("--language", default="en", help="What is told is told in this language.")
@click.argument("file", type=click.Path(path_type=Path))
def command(path: Path | None, changes: tuple[str, ...], language: str, file: Path) -> None:
    """Put everything in place that FILE holds, which was saved here or on another board.

    Stop the service first. All of it is taken or nothing, whenever the power fails; the games that
    were here before are moved into a folder beside them.
    """
    configuration = path or found() or PLACES[0]
    config = load_config(configuration if configuration.exists() else None, changes)
    try:
        saved = restore(file, config, configuration)
    except NotRestored as refused:
        raise Failure(refused.told(language), ExitCode.STORAGE) from None
    click.echo(restored(saved, language))
