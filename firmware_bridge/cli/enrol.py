"""`firmware-bridge enrol`: teach the bridge which tag is which piece."""

import asyncio
from pathlib import Path

import click

from drivers.piece_set import PieceSet, load_piece_set
from firmware_bridge.calibration.dialogue import converse
from firmware_bridge.calibration.enrolment import enrolment_for
from firmware_bridge.calibration.files import keep_pieces
from firmware_bridge.cli.options import FOR_A_BOARD, configured, game_of
from firmware_bridge.config import load_config
from firmware_bridge.games import USUAL
from firmware_bridge.service.assembly import board_of


@click.command
@configured(FOR_A_BOARD)
@click.option("--game", "game_id", default=USUAL, help="The game the pieces are for.")
@click.option("--two-faced", is_flag=True, help="Chessmen have a tag for the other colour below.")
@click.option("--spares", is_flag=True, help="Enrol spare pieces for promotions too.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(
    path: Path | None,
    changes: tuple[str, ...],
    game_id: str,
    file: Path,
    *,
    two_faced: bool,
    spares: bool,
) -> None:
    """Enrol a piece set into FILE, piece by piece on the cells that the board lights.

    Everything read is kept at once; start again with the same FILE to go on. Enter `u` to undo the
    last piece and `q` to stop. In the end the pieces stand as at the start of the game.
    """
    game = game_of(game_id)
    config = load_config(path, changes)
    description, driver = board_of(config)
    known = load_piece_set(file) if file.exists() else PieceSet()
    enrolment = enrolment_for(
        game, description, known, two_faced=two_faced, spares=spares, language=config.language
    )
    asyncio.run(converse(driver, enrolment, lambda: keep_pieces(file, enrolment.result())))
    if enrolment.remaining:
        click.echo(f"{enrolment.remaining} to go; start again with {file} to go on.")
    else:
        click.echo(f"All enrolled. Put this into the configuration: [board] pieces = '{file}'")
