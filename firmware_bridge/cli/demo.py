"""`firmware-bridge demo`: a simulated board and the service, side by side, on any machine."""

import contextlib
import json
import os
import signal
import socket
import sys
import tempfile
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import click

import firmware_bridge.cli.simulate
import firmware_bridge.service.service  # noqa: F401 - imported once, for both processes
from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.config import load_config
from firmware_bridge.games import USUAL

BOARD_PORT, DISPLAY_PORT = 8322, 8321  # the usual one of the pages, and its neighbour
PATIENCE = 60.0
"""Seconds that a part may take to start on a slow machine."""
RESTARTS, WITHIN = 5, 30.0
"""A service that died this often within so many seconds will not live."""

_PORT = click.IntRange(0, 65535)
_PROCESSES = get_context("fork") if sys.platform == "linux" else get_context("spawn")
"""Board and service share what the demo has imported; not all systems survive that."""


@click.command
@click.option("--game", default=USUAL, show_default=True, help="The first game.")
@click.option("--board-port", type=_PORT, default=BOARD_PORT, help="Port of the board's page.")
@click.option("--port", type=_PORT, default=DISPLAY_PORT, help="Port of the display.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where games and pieces stay from demo to demo, if given.",
)
@click.option(
    "-s",
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="As in `firmware-bridge run`.",
)
@click.option(
    "--join",
    "words",
    metavar="WORDS",
    help="The four words that a friend's board shows, in quotes; needs distance.host.",
)
@click.option("--open/--no-open", "show", default=True, help="Open the board's page in a browser.")
def command(  # noqa: PLR0913 - one for each option
    game: str,
    board_port: int,
    port: int,
    data: Path | None,
    changes: tuple[str, ...],
    words: str | None,
    *,
    show: bool,
) -> None:
    """Play without hardware: a simulated board and everything else for real.

    Move the pieces on the board's page and read beside them what the referee says. The service is
    started again whenever it dies, as it would be on a Raspberry Pi; try it. Ctrl-C ends the demo.
    """
    config = load_config(changes=changes)  # what is wrong is said before anything starts
    if any(change.partition("=")[0].strip() == "pages.port" for change in changes):
        port = config.pages.port
    if words is not None:
        # Of all that a start imports, most is for this alone.
        from firmware_bridge.cli.distance import ready
        from firmware_bridge.distance.invitation import Invitation

        ready(None, changes)
        words = Invitation.entered(words).text
    board_port, port = _free(board_port, "board"), _free(port, "display")
    board_page, display = f"http://127.0.0.1:{board_port}/", f"http://127.0.0.1:{port}/"
    for number in (signal.SIGTERM, signal.SIGHUP):  # the latter when a terminal is closed
        signal.signal(number, signal.default_int_handler)
    with (
        contextlib.suppress(KeyboardInterrupt),
        tempfile.TemporaryDirectory(prefix="firmware-bridge-") as folder,
    ):
        link = Path(folder) / "board"
        simulate = ["simulate", "--game", game, "--link", str(link)]
        games = data or Path(folder) / "games"
        settings = {
            "board.driver": "serial",
            "board.settings.port": link,
            "board.description": "simulated",
            "game.id": game,
            "pages.board_page": board_page,
            "data": games,
        }
        run = ["run", *(f"--set={key}={value}" for key, value in settings.items())]
        run += [f"--set={change}" for change in (*changes, f"pages.port={port}")]
        simulate += ["--page-port", str(board_port), "--display", display]
        simulate += ["--keep", str(games / "simulated-board.json")]
        with _child(simulate) as board:
            _await(board_page, board, "The simulated board")

            def greet() -> None:
                _greet(board_page, display, show=show)
                if words is not None:
                    _join(display, words)

            _keep_running(run, board, display, greet)


def _greet(board_page: str, display: str, *, show: bool) -> None:
    click.echo(f"\n  Board     {board_page}   the pieces, and what the referee says")
    click.echo(f"  Display   {display}   what everyone in the room would see")
    click.echo(f"  New game  {display}setup   players, clocks, phones")
    click.echo("\nCtrl-C ends the demo.\n")
    if show and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(board_page)


def _join(display: str, words: str) -> None:
    """Enter a friend's words; what comes of it stands on the page of friends."""
    request = urllib.request.Request(  # noqa: S310 - our own service
        f"{display}api/v1/distance/join",
        json.dumps({"words": words}).encode(),
        {"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=PATIENCE).close()  # noqa: S310 - the same
    click.echo(f"Looking for your friend ... See {display}distance\n")


def _keep_running(
    run: list[str], board: BaseProcess, display: str, greet: Callable[[], None]
) -> None:
    """Run the service, and start it again when it dies of anything but its own decision."""
    deaths: list[float] = []
    while True:
        with _child(run) as service:
            if not deaths:
                _await(f"{display}healthz", service, "The service")
                greet()
            click.echo(f"The service is process {service.pid}. Kill it, and the game goes on.")
            code = _first_end(board, service)
        if code in set(ExitCode) - {ExitCode.FAILED}:
            raise SystemExit(code)
        deaths = [t for t in (*deaths, time.monotonic()) if time.monotonic() - t < WITHIN]
        if len(deaths) >= RESTARTS:
            raise Failure(f"The service died {RESTARTS} times within {WITHIN:.0f} seconds.")
        click.echo("The service has died, and is started again.")


def _first_end(board: BaseProcess, service: BaseProcess) -> int | None:
    if service.sentinel not in connection.wait([board.sentinel, service.sentinel]):
        raise Failure("The simulated board has ended, and with it the demo.", ExitCode.BOARD)
    service.join()
    return service.exitcode


@contextlib.contextmanager
def _child(arguments: list[str]) -> Iterator[BaseProcess]:
    """Run a command of this program; end it, gently at first, when the block is left."""
    process = _PROCESSES.Process(target=_run, args=(arguments,))
    process.start()
    try:
        yield process
    finally:
        process.terminate()
        process.join(5)
        process.kill()
        process.join()


def _run(arguments: list[str]) -> None:
    """Be another command of this program, in a process of its own."""
    from firmware_bridge.cli import main

    os.setsid()  # Ctrl-C reaches the demo alone, and the end has an order
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    main(arguments)


def _await(address: str, process: BaseProcess, name: str) -> None:
    """Wait until a page answers."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if (code := process.exitcode) is not None:
            raise SystemExit(code or ExitCode.FAILED)
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=1).close()  # noqa: S310 - our own page
            return
        time.sleep(0.1)
    raise Failure(f"{name} did not start within {PATIENCE:.0f} seconds.")


def _free(port: int, page: str) -> int:
    """Return this port if it is free, else any that is; that is said."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            probe.bind(("127.0.0.1", 0))
            other = probe.getsockname()[1]
            click.echo(f"Port {port} is taken: the {page} is at port {other} instead.", err=True)
        return int(probe.getsockname()[1])
