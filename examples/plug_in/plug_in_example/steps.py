"""A command: `firmware-bridge hill-steps a1` says how far a king has to walk."""

from __future__ import annotations

import chess
import click

SQUARES = click.Choice(chess.SQUARE_NAMES)


@click.command()
@click.argument("square", type=SQUARES)
def command(square: str) -> None:
    """Say how many steps it is from SQUARE to the hill."""
    start = chess.parse_square(square)
    click.echo(min(chess.square_distance(start, hill) for hill in chess.SquareSet(chess.BB_CENTER)))
