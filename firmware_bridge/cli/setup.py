"""`firmware-bridge setup`: get to know a new board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_bridge.cli.failures import ExitCode, Failure

if TYPE_CHECKING:
    from firmware_bridge.checkup import Checkup


@click.command
@click.option(
    "-c", "--config", "path", type=click.Path(path_type=Path), help="The configuration file."
)
@click.option(
    "-s",
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="A value that holds instead of the file's, such as board.settings.port=/dev/ttyACM0.",
)
@click.option(
    "--to",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the board file with the orientation found here.",
)
def command(path: Path | None, changes: tuple[str, ...], file: Path | None) -> None:
    """Try a new board: which way round it lies, every cell and its light, every button.

    Enter `s` to go on where something does not work, and `q` to stop.
    """
    import asyncio

    from drivers.description import description_path, load_description
    from drivers.port import DriverError
    from drivers.registry import create
    from firmware_bridge.checkup import Checkup
    from firmware_bridge.config import ConfigError, load_config
    from firmware_bridge.dialogue import converse

    try:
        board = load_config(path, changes).board
        checkup = Checkup(load_description(board.description))
        driver = create(board.driver, checkup.built, board.settings)
        asyncio.run(converse(driver, checkup, lambda: None))
    except ConfigError as error:
        raise Failure(str(error), ExitCode.CONFIG) from None
    except DriverError as error:
        raise Failure(str(error), ExitCode.BOARD) from None
    if checkup.asks is not None:
        raise Failure("Stopped before all was tried.")
    for finding in checkup.findings():
        click.echo(finding)
    if file:
        _write(checkup, description_path(board.description), file)


def _write(checkup: Checkup, source: Path, file: Path) -> None:
    from firmware_bridge.checkup import with_orientation

    lie = checkup.description.orientation
    try:
        text = source.read_text(encoding="utf-8")
        changed = with_orientation(text, lie.turned, mirrored=lie.mirrored)
        file.write_text(changed, encoding="utf-8")
    except OSError as error:
        raise Failure(f"Cannot write {file}: {error}", ExitCode.STORAGE) from None
    click.echo(f"Put this into the configuration: [board] description = '{file}'")
