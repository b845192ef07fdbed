"""`firmware-bridge simulate`: a board without hardware, moved by hand on a page or by itself."""

from functools import partial
from pathlib import Path

import click

from drivers.description import load_description
from drivers.piece_set import load_piece_set
from drivers.simulator.guard import LOOPBACK
from drivers.simulator.serving import Script, default_link, run_simulator
from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.cli.options import game_of, with_game_options
from firmware_bridge.games import USUAL
from firmware_bridge.simulation.following import follow
from firmware_bridge.simulation.page_words import simulated_wording
from firmware_bridge.simulation.piece_sets import simulated_pieces
from firmware_bridge.simulation.self_play import SelfPlay

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command
@click.option("--board", default="simulated", show_default=True, help="Board file, or a name.")
@click.option("--game", "game_id", metavar="ID", help="Set this game up at first.")
@with_game_options
@click.option("--link", type=click.Path(path_type=Path), help="Where the board's port appears.")
@click.option("--page-port", type=click.IntRange(0, 65535), default=0, help="Port of its page.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where its page is served.")
@click.option("--pieces", type=_FILE, help="Use this piece set instead of the built-in one.")
@click.option("--moves", metavar="TEXT", help="Play these turns by itself, separated by spaces.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 100),
    default=1.0,
    show_default=True,
    help="How many times as fast as people it plays.",
)
@click.option("--seed", type=int, default=0, help="Decides the pace and habits of its hands.")
@click.option("--keep", type=_FILE, help="Where the pieces stay while it is off; with --display.")
@click.option("--display", default="", metavar="URL", help="Its page shows what this says.")
def command(  # noqa: PLR0913, PLR0917 - one parameter an option
    board: str,
    game_id: str | None,
    options: tuple[str, ...],
    link: Path | None,
    page_port: int,
    host: str,
    pieces: Path | None,
    moves: str | None,
    speed: float,
    seed: int,
    keep: Path | None,
    display: str,
) -> None:
    """Simulate a board: real bytes at a port, and a page with pieces to move.

    Nothing else is needed: start this, then `firmware-bridge run` with the port it names.
    With --moves it plays a game by itself as soon as somebody listens.
    """
    if host not in LOOPBACK and not display:
        raise Failure("With --host, give --display too: its PIN says who may come.", ExitCode.USAGE)
    if keep and not display:
        raise Failure("With --keep, give --display too: it says which game is on.", ExitCode.USAGE)
    game = game_of(game_id or USUAL, options)
    piece_set = load_piece_set(pieces) if pieces else simulated_pieces(game)
    script: Script | None = None
    if display and not pieces:
        script = partial(follow, display=display, file=keep)
    if moves:
        hands = SelfPlay(game, moves.split(), piece_set, seed, speed)
        piece_set = piece_set.with_arrangement("start", hands.pieces.on)
        script = hands
    description = load_description(board)
    wording = simulated_wording(display)
    run_simulator(
        description, piece_set, link or default_link(), (host, page_port), script, wording
    )
