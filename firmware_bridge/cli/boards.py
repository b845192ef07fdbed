"""`firmware-bridge boards`: which board is plugged in here, and what to write about it."""

from __future__ import annotations

import asyncio

import click

from firmware_bridge.cli.failures import ExitCode, Failure


@click.command
@click.argument("ports", nargs=-1)
def command(ports: tuple[str, ...]) -> None:
    """Look for boards of other makers, at all serial ports or at PORTS, and name them.

    Prints the lines to put into the configuration. Close other programs that use the board first.
    """
    from drivers.commercial.detect import find_boards

    found = asyncio.run(find_boards(ports or None))
    if not found:
        where = " or ".join(ports) or "any serial port or on USB"
        raise Failure(
            f"No board answers at {where}. Is it switched on, and no other program using it?",
            ExitCode.BOARD,
        )
    for board in found:
        click.echo(
            f"# {board.title}\n[board]\n"
            f'driver = "{board.driver}"\ndescription = "{board.driver}"\n'
            f'settings = {{ port = "{board.port}" }}'
        )
