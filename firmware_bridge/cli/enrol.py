"""`firmware-bridge enrol`: teach the bridge which tag is which piece."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_bridge.cli.failures import ExitCode, Failure

if TYPE_CHECKING:
    from drivers.description import BoardDescription
    from drivers.piece_set import Piece, PieceSet
    from rules.interface import Game


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
@click.option("--game", "game_id", default="indistinguishable", help="The game the pieces are for.")
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
    import asyncio

    import rules
    from drivers.piece_set import PieceSet, load_piece_set
    from drivers.port import DriverError
    from firmware_bridge.config import ConfigError, load_config
    from firmware_bridge.dialogue import converse
    from firmware_bridge.enrolment import Enrolment
    from firmware_bridge.service.parts import board_of

    try:
        description, driver = board_of(load_config(path, changes))
        template = _template(rules.load(game_id), two_faced=two_faced, spares=spares)
        known = load_piece_set(file) if file.exists() else PieceSet()
        places = _places(rules.load(game_id), template, description)
        enrolment = Enrolment(template, places, known)
        asyncio.run(converse(driver, enrolment, lambda: _keep(enrolment.result(), file)))
    except rules.UnknownGame as unknown:
        raise Failure(str(unknown), ExitCode.USAGE) from None
    except ConfigError as error:
        raise Failure(str(error), ExitCode.CONFIG) from None
    except DriverError as error:
        raise Failure(str(error), ExitCode.BOARD) from None
    if enrolment.remaining:
        click.echo(f"{enrolment.remaining} to go; start again with {file} to go on.")
    else:
        click.echo(f"All enrolled. Put this into the configuration: [board] pieces = '{file}'")


def _template(game: Game, *, two_faced: bool, spares: bool) -> tuple[Piece, ...]:
    from drivers.piece_set import Piece
    from firmware_bridge.simulated_pieces import pieces_of

    return tuple(
        piece
        if two_faced or piece.shape == "disc"
        else Piece(name=piece.name, set=piece.set, shape=piece.shape, faces=piece.faces[:1])
        for piece in pieces_of(game, spares=spares)
    )


def _places(
    game: Game, template: tuple[Piece, ...], description: BoardDescription
) -> dict[str, str]:
    """Return the cell of every piece: where it stands at the start, or one that is free then."""
    from firmware_bridge.simulated_pieces import simulated_pieces

    if description.tier == "occupancy":
        raise Failure(f'The board "{description.name}" has no tag readers.', ExitCode.BOARD)
    pieces = simulated_pieces()
    places = {
        pieces.by_tag[tag][0].name: cell for cell, tag in pieces.arrangements[game.id].items()
    }
    places = {name: cell for name, cell in places.items() if cell in description.numbers}
    taken = set(places.values())
    order = (*description.reserves, *description.squares)
    free = iter(cell for cell in order if cell not in taken)
    try:
        return {piece.name: places.get(piece.name) or next(free) for piece in template}
    except StopIteration:
        raise Failure("The board has too few cells for all these pieces.") from None


def _keep(pieces: PieceSet, file: Path) -> None:
    """Write the piece set, so that the file is whole at every moment."""
    fresh = file.with_suffix(".new")
    try:
        fresh.write_text(pieces.model_dump_json(indent=1) + "\n", encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        raise Failure(f"Cannot write {file}: {error}", ExitCode.STORAGE) from None
