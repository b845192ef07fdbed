"""`firmware-bridge support`: a bundle to send when something went wrong."""

from datetime import UTC, datetime
from pathlib import Path

import click

from firmware_bridge.cli.failures import writing
from firmware_bridge.cli.options import configured
from firmware_bridge.config import load_config
from firmware_bridge.config.learnt import learnt
from firmware_bridge.diagnostics.support_bundle import write_bundle


@click.command
@configured()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
def command(path: Path | None, changes: tuple[str, ...], file: Path | None) -> None:
    """Write what helps to find a fault into FILE, a zip of short texts.

    It holds no name, key or password, and of a game with secrets nothing but when something
    happened. Look through it before you send it. The service may go on meanwhile.
    """
    config = learnt(load_config(path, changes))
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    file = file or Path(f"firmware-bridge-support-{stamp}.zip")
    with writing(file):
        names = write_bundle(config, file)
    click.echo(f"{file} holds {', '.join(names)}. Look through it before you send it.")
