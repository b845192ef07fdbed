"""`firmware-bridge boards`: which board is plugged in here, and what to write about it."""

import asyncio

import click

from drivers.commercial.detect import find_boards, find_by_radio
from firmware_bridge.cli.failures import ExitCode, Failure


@click.command
@click.argument("ports", nargs=-1)
@click.option("--bluetooth", is_flag=True, help="Look for boards over Bluetooth instead.")
def command(ports: tuple[str, ...], *, bluetooth: bool) -> None:
    """Look for boards of other makers, at all serial ports or at PORTS, and name them.

    Prints the lines to put into the configuration. Close other programs that use the board first.
    """
    found = asyncio.run(find_by_radio() if bluetooth else find_boards(ports or None))
    if not found:
        usual = "over Bluetooth" if bluetooth else "at any serial port, on USB or at LiveChess"
        where = f"at {' or '.join(ports)}" if ports else usual
        raise Failure(
            f"No board answers {where}. Is it switched on, and nothing else connected to it?",
            ExitCode.BOARD,
        )
    for board in found:
        settings = ", ".join(f'{name} = "{value}"' for name, value in board.settings.items())
        click.echo(
            f"# {board.title}\n[board]\n"
            f'driver = "{board.driver}"\ndescription = "{board.description}"\n'
            f"settings = {{ {settings} }}"
        )
