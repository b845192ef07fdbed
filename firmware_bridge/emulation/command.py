"""`firmware-bridge pose`: the own board as a board that chess programs know."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_bridge.cli.options import configured


@click.command
@click.argument("kind", type=click.Choice(("dgt", "cpp")))
@click.option(
    "--link",
    type=click.Path(path_type=Path),
    default=Path("firmware-bridge-board"),
    show_default=True,
    help="Name of the port that the program opens.",
)
@configured()
def command(kind: str, link: Path, path: Path | None, changes: tuple[str, ...]) -> None:
    """Let a chess program use this board as a DGT board or a CPP device, for orthodox chess.

    The program opens the port --link as if the board were plugged in there. The service itself
    must not run meanwhile. Ctrl-C ends it.
    """
    import asyncio

    from firmware_bridge.config import load_config
    from firmware_bridge.diagnostics.logs import start_logging
    from firmware_bridge.emulation.posing import Posing
    from firmware_bridge.service.assembly import board_of, sensing_of

    start_logging(verbose=False)

    async def pose() -> None:
        config = load_config(path, changes)
        description, driver = board_of(config)
        posing = Posing(driver, sensing_of(config, description), kind, link)
        await posing.run(lambda: click.echo(f"Posing as {kind}: open {link.absolute()}"))

    try:
        asyncio.run(pose())
    except KeyboardInterrupt:
        click.echo()
