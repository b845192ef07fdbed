"""`firmware-bridge setup`: get to know a new board, and teach it its pieces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_bridge.cli.failures import ExitCode, Failure

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.port import Driver
    from firmware_bridge.config.model import BoardConfig
    from firmware_bridge.enrolment import Enrolment
    from firmware_bridge.setup.files import Files
    from firmware_bridge.setup.walk import Walk

_PARTS = ("orientation", "cells", "lights", "buttons", "sound", "pieces")


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
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("board"),
    show_default=True,
    help="Folder for the board file and the piece set.",
)
@click.option(
    "--only",
    "parts",
    multiple=True,
    type=click.Choice(_PARTS),
    help="Only this part; may be repeated.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    help="Enrol the pieces of this game; may be repeated.  "
    "[default: reality-check where discs have two tags, and indistinguishable]",
)
def command(
    path: Path | None,
    changes: tuple[str, ...],
    folder: Path,
    parts: tuple[str, ...],
    games: tuple[str, ...],
) -> None:
    """Walk through a new board: how it lies, every cell, light and button, sound, and the pieces.

    The board says what to do and lights where. Every answer is kept at once: enter `q` to stop, and
    start the same command again to go on. `u` undoes the last answer. In the end you have a board
    file and a piece set to play with, and to edit.
    """
    from drivers.port import DriverError
    from firmware_bridge.config import ConfigError, load_config
    from firmware_bridge.setup.files import Files, FilesError
    from rules import UnknownGame

    try:
        board = _found(load_config(path, changes).board)
        _walk_through(board, Files(folder), parts or _PARTS, games)
    except ConfigError as error:
        raise Failure(str(error), ExitCode.CONFIG) from None
    except UnknownGame as error:
        raise Failure(str(error), ExitCode.USAGE) from None
    except DriverError as error:
        raise Failure(str(error), ExitCode.BOARD) from None
    except FilesError as error:
        raise Failure(str(error), ExitCode.STORAGE) from None


def _found(board: BoardConfig) -> BoardConfig:
    """Return the configuration with a port, looked for where none is named."""
    import asyncio

    from drivers.description import load_description
    from drivers.finding import find_port, ports
    from drivers.port import DriverError

    if board.driver != "serial" or "port" in board.settings:
        return board
    click.echo("Looking for the board at every serial port ...")
    port, heard = asyncio.run(find_port(load_description(board.description), ports()))
    if port is None:
        lines = "".join(f"\n  {text}" for text in heard) or " There is no serial port at all."
        raise DriverError(
            f"No board found.{lines}\nIs it plugged in? A board of another maker is found by "
            "`firmware-bridge boards`; or name the port: -s board.settings.port=..."
        )
    click.echo(f"Found at {port}.")
    return board.model_copy(update={"settings": {**board.settings, "port": port}})


def _walk_through(
    board: BoardConfig, files: Files, parts: tuple[str, ...], games: tuple[str, ...]
) -> None:
    from drivers.description import load_description

    if of_board := tuple(part for part in parts if part != "pieces"):
        _examine(board, files, of_board, again=parts != _PARTS)
    found = load_description(files.board if files.board.exists() else board.description)
    if "pieces" in parts and found.tier != "occupancy":
        _enrol(board, found, files, games)
    _tell_configuration(board, files)


def _examine(board: BoardConfig, files: Files, parts: tuple[str, ...], *, again: bool) -> None:
    """Walk through these parts (anew, if they were done before), and write what was found."""
    import asyncio

    from drivers.description import load_description
    from drivers.registry import create
    from firmware_bridge.dialogue import converse
    from firmware_bridge.setup.results import summary
    from firmware_bridge.setup.walk import Walk

    description = load_description(board.description)
    walk = Walk(description, files.read_notebook(description), parts)
    if again and walk.asks is None:
        walk.begin_anew()
    if walk.asks is not None:
        driver = create(board.driver, description, board.settings)
        asyncio.run(converse(driver, walk, lambda: files.keep_notebook(walk.book)))
    if walk.asks is not None:
        done, total = walk.progress
        raise Failure(f"Stopped after {done} of {total} steps; start again to go on.")
    for finding in summary(walk.lie, walk.book):
        click.echo(finding)
    _keep_board(board, walk, files)
    if walk.lie.rewired and description.controller in {"pico", "simulated"}:
        raise Failure(
            "The board itself must know of the other order of its wires before it can go on. Run\n"
            f"  firmware-bridge firmware install --board {files.board}\n"
            "and then this command again with  --only pieces",
            ExitCode.BOARD,
        )


def _keep_board(board: BoardConfig, walk: Walk, files: Files) -> None:
    """Write the board file as the board was found."""
    from drivers.description import description_path
    from firmware_bridge.setup.results import board_file

    text = description_path(board.description).read_text(encoding="utf-8")
    files.keep_board(board_file(text, walk.lie))


def _enrol(
    board: BoardConfig, found: BoardDescription, files: Files, games: tuple[str, ...]
) -> None:
    import rules
    from drivers.piece_set import PieceSet, load_piece_set
    from drivers.registry import create
    from firmware_bridge.enrolment import enrolment_for

    usual = ("reality-check", "indistinguishable") if found.tier == "face" else (
        "indistinguishable",
    )  # fmt: skip
    for game in games or usual:
        known = load_piece_set(files.pieces) if files.pieces.exists() else PieceSet()
        enrolment = enrolment_for(rules.load(game), found, known)
        if enrolment.remaining:
            click.echo(f"Now the pieces of {game}: {enrolment.remaining} tags to read.")
            _read_pieces(create(board.driver, found, board.settings), enrolment, files.pieces)
        if enrolment.remaining:
            raise Failure(f"{enrolment.remaining} tags to go; start again to go on.")


def _read_pieces(driver: Driver, enrolment: Enrolment, file: Path) -> None:
    import asyncio

    from firmware_bridge.dialogue import converse
    from firmware_bridge.setup.files import keep_pieces

    asyncio.run(converse(driver, enrolment, lambda: keep_pieces(file, enrolment.result())))


def _tell_configuration(board: BoardConfig, files: Files) -> None:
    settings = ", ".join(f"{key} = {json.dumps(value)}" for key, value in board.settings.items())
    click.echo("Put this into the configuration:\n\n[board]")
    click.echo(f"driver = {json.dumps(board.driver)}")
    click.echo(f"description = {json.dumps(str(files.board))}")
    if files.pieces.exists():
        click.echo(f"pieces = {json.dumps(str(files.pieces))}")
    if settings:
        click.echo(f"settings = {{ {settings} }}")
