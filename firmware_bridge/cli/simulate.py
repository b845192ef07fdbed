"""`firmware-bridge simulate`: a board without hardware, moved by hand on a page or by itself."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_bridge.cli.failures import ExitCode, Failure


@click.command
@click.option("--board", default="simulated", show_default=True, help="Board file, or a name.")
@click.option("--game", help="Set this game up at first, and play it with --moves or --pgn.")
@click.option("-o", "--option", "options", multiple=True, metavar="NAME[=VALUE]",
              help="An option of the game; may be repeated.")  # fmt: skip
@click.option("--link", type=click.Path(path_type=Path), help="Where the board's port appears.")
@click.option("--page-port", type=click.IntRange(0, 65535), default=0, help="Port of its page.")
@click.option("--pieces", type=click.Path(path_type=Path, dir_okay=False),
              help="Use this piece set instead of the built-in one.")  # fmt: skip
def command(
    board: str,
    game: str | None,
    options: tuple[str, ...],
    link: Path | None,
    page_port: int,
    pieces: Path | None,
) -> None:
    """Simulate a board: real bytes at a port, and a page with pieces to move.

    Nothing else is needed: start this, then `firmware-bridge run` with the port it names.
    """
    import rules
    from drivers.description import load_description
    from drivers.piece_set import load_piece_set
    from drivers.port import DriverError
    from drivers.simulator.run import default_link, run_simulator
    from firmware_bridge.cli.rules import read_option
    from firmware_bridge.simulated_pieces import simulated_pieces

    try:
        chosen = rules.load(game, **dict(map(read_option, options))) if game else None
        run_simulator(
            load_description(board),
            load_piece_set(pieces) if pieces else simulated_pieces(chosen),
            link or default_link(),
            page_port,
        )
    except rules.UnknownGame as unknown:
        hint = "See `firmware-bridge rules list`."
        raise Failure(f"{unknown} {hint}", ExitCode.USAGE) from None
    except DriverError as error:
        raise Failure(str(error), ExitCode.BOARD) from None
