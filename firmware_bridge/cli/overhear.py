"""`firmware-bridge overhear`: every byte to and from a board, to find out what is wrong."""

import asyncio
import json
from contextlib import suppress

import click

from drivers.description import load_description, shipped
from drivers.driver_registry import create
from drivers.port import BoardEvent, LinkChanged
from drivers.session_board import Session, SessionBoard
from firmware_bridge.cli.failures import ExitCode, Failure


@click.command
@click.argument("driver")
@click.option("--port", help="The serial port or device of the board.")
@click.option("--address", help="The Bluetooth address of one certain board.")
@click.option("--description", help="The board's description, as in the configuration.")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="Stop by itself after so long.")
def command(
    driver: str,
    port: str | None,
    address: str | None,
    description: str | None,
    seconds: float | None,
) -> None:
    """Print every byte to and from the board of DRIVER, and what was made of it.

    One JSON object a line: send these lines when a board misbehaves. They show what stands on the
    board, so make them without a secret game. Ctrl-C ends it.
    """
    usual = driver.removesuffix("-bluetooth")
    name = description or (usual if usual in shipped() else "full")
    given = {"port": port, "address": address}
    settings = {key: value for key, value in given.items() if value}
    board = create(driver, load_description(name), settings)
    if not isinstance(board, SessionBoard):
        raise Failure(f'The driver "{driver}" has no wire to listen to.', ExitCode.USAGE)
    with suppress(KeyboardInterrupt, TimeoutError):
        asyncio.run(_overhear(board, seconds))


async def _overhear(board: SessionBoard[Session], seconds: float | None) -> None:
    board.overhear = lambda t, what, data: _print(t, {what: data.hex()})
    async with asyncio.timeout(seconds), board:
        async for event in board.events():
            _print(event.t, _told(event))


def _told(event: BoardEvent) -> dict[str, object]:
    if isinstance(event, LinkChanged):
        return {"LinkChanged": {"up": event.up, "text": event.text}}
    facts = {name: getattr(event, name) for name in event.__slots__ if name != "t"}
    return {type(event).__name__: facts}


def _print(t: float, facts: dict[str, object]) -> None:
    click.echo(json.dumps({"t": round(t, 4), **facts}, default=dict))
