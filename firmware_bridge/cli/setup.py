"""`firmware-bridge setup`: get to know a new board, and teach it its pieces."""

import asyncio
from contextlib import nullcontext
from pathlib import Path

import click

from firmware_bridge.calibration.files import Files
from firmware_bridge.calibration.page import WalkPage, serving
from firmware_bridge.calibration.session import ALL_PARTS, CalibrationSession
from firmware_bridge.cli.failures import Failure
from firmware_bridge.cli.options import FOR_A_BOARD, configured, game_of
from firmware_bridge.config import load_config
from firmware_bridge.games import USUAL

_PARTS = ("bring-up", "firmware", "orientation", "cells", "lights", "buttons", "sound", "pieces")


@click.command
@configured(FOR_A_BOARD)
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
    help="Only this part; may be repeated. `bring-up` walks along while the board is built, "
    "`firmware` loads a Pico; both only where they are named.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    help="Enrol the pieces of this game; may be repeated.  "
    f"[default: those with discs where discs have two tags, and {USUAL}]",
)
@click.option("--two-faced", is_flag=True, help="Chessmen have a tag for the other colour below.")
@click.option("--spares", is_flag=True, help="Enrol spare pieces for promotions too.")
@click.option("--page", "on_page", is_flag=True, help="Show all this on a web page as well.")
def command(  # noqa: PLR0913 - one for each option
    path: Path | None,
    changes: tuple[str, ...],
    folder: Path,
    parts: tuple[str, ...],
    games: tuple[str, ...],
    *,
    two_faced: bool,
    spares: bool,
    on_page: bool,
) -> None:
    """Walk through a new board: how it lies, every cell, light and button, sound, and the pieces.

    The board says what to do and lights where. Every answer is kept at once: enter `q` to stop, and
    start the same command again to go on. `u` undoes the last answer. In the end you have a board
    file and a piece set to play with, and to edit.
    """
    for game in games:
        game_of(game)  # before the walk: its pieces come last
    try:
        config = load_config(path, changes)
        page = WalkPage(config.language)
        files = Files(folder.resolve())
        sitting = CalibrationSession(
            config.board,
            files,
            parts or ALL_PARTS,
            games,
            two_faced,
            spares,
            page,
            config.language,
        )

        async def hold() -> None:
            async with serving(page, config.pages) if on_page else nullcontext():
                await sitting.hold()

        asyncio.run(hold())
    except KeyboardInterrupt:
        raise Failure("Stopped; start again to go on.") from None
