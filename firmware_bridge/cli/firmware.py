"""`firmware-bridge firmware`: make, load and check the firmware of an own board with a Pico."""

import asyncio
import time
from pathlib import Path

import click

from drivers.description import load_description
from drivers.pico import image as images
from drivers.pico import install as loading
from firmware_bridge.cli.failures import writing
from firmware_bridge.cli.options import FOR_A_BOARD, configured
from firmware_bridge.config import load_config

_BOARD = click.option(
    "--board",
    default="full",
    show_default=True,
    metavar="NAME|FILE",
    help="The board's description: a shipped one by name, or a .toml file.",
)
_PORT = click.option("--port", metavar="DEVICE", help="Where the Pico is; found by itself if one.")


@click.group("firmware")
def command() -> None:
    """Make, load and check the firmware of a board with a Pico."""


@command.command()
@_BOARD
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("firmware-image"),
    show_default=True,
    help="The folder to write the files into.",
)
def build(board: str, out: Path) -> None:
    """Write the files that belong on the Pico into a folder, to look at or to copy by hand."""
    files = images.image(load_description(board))
    with writing(out):
        for name, contents in files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
    size = sum(len(contents) for contents in files.values())
    click.echo(f"{len(files)} files, {size / 1024:.0f} KiB, written to {out}.")


@command.command()
@_BOARD
@_PORT
def install(board: str, port: str | None) -> None:
    """Load the firmware onto a Pico that runs MicroPython, restart it, and check it."""
    description = load_description(board)
    port = port or loading.find_pico()
    loading.install(port, images.image(description), click.echo)
    time.sleep(2)  # the port vanishes and comes back
    click.echo(asyncio.run(loading.check(description, port)))


@command.command()
@configured(FOR_A_BOARD)
def update(path: Path | None, changes: tuple[str, ...]) -> None:
    """Load this version's firmware onto the Pico of the configured board, unless it is there.

    An update of the service does so while the service stands still, and so does the way back.
    """
    board = load_config(path, changes).board
    description = load_description(board.description)
    if board.driver != "serial" or description.controller != "pico":
        click.echo("The configured board has no firmware of ours.")
        return
    port = board.settings.get("port")
    picos = loading.picos_of(str(port) if port else None)
    if len(picos) == 1:
        loading.install(picos[0], images.image(description), click.echo, anew=False)
    else:
        click.echo(f"{len(picos)} Picos are plugged in for this board; nothing is loaded.")


@command.command()
@_BOARD
@_PORT
def check(board: str, port: str | None) -> None:
    """Ask the board at a port whether it is the one described, and have it test itself."""
    description = load_description(board)
    click.echo(asyncio.run(loading.check(description, port or loading.find_pico())))
