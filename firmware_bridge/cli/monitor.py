"""`firmware-bridge monitor`: the raw cells of a board, live."""

import asyncio
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import click

from drivers.beside import meanwhile
from drivers.link.host_session import HostSession
from drivers.port import Driver
from drivers.session_board import SessionBoard
from firmware_bridge.calibration.cell_monitor import Monitor
from firmware_bridge.cli.options import FOR_A_BOARD, configured
from firmware_bridge.config import load_config
from firmware_bridge.config.learnt import learnt
from firmware_bridge.service.assembly import board_of

_REDRAW = 0.1
"""Seconds between pictures: a change seems shown at once, and a terminal far away keeps up."""


@click.command
@configured(FOR_A_BOARD)
@click.option("--lines", is_flag=True, help="One line an event, instead of a picture.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop after this time.")
def command(
    path: Path | None, changes: tuple[str, ...], seconds: float | None, *, lines: bool
) -> None:
    """Watch a board's cells, tags and link, to find a bad joint or a poor cable.

    Stop it with Ctrl-C; it then names the cells that deserve a look.
    """
    description, driver = board_of(learnt(load_config(path, changes)))
    monitor = Monitor(description)
    picture = not lines and sys.stdout.isatty()
    try:
        asyncio.run(_watch(driver, monitor, seconds, picture=picture))
    except KeyboardInterrupt:
        click.echo()
    for finding in monitor.findings():
        click.echo(finding)


async def _watch(
    driver: Driver,
    monitor: Monitor,
    seconds: float | None,
    *,
    picture: bool,
) -> None:
    """Show what the board does until told to stop, or for so many seconds."""

    async def take() -> None:
        async for event in driver.events():
            line = monitor.take(event)
            if not picture:
                click.echo(line)

    async def draw() -> None:
        while True:
            _draw(driver, monitor)
            await asyncio.sleep(_REDRAW)

    async with driver:
        with suppress(TimeoutError):
            async with AsyncExitStack() as stack, asyncio.timeout(seconds):
                if picture:
                    await stack.enter_async_context(meanwhile(draw()))
                await take()


def _draw(driver: Driver, monitor: Monitor) -> None:
    session = driver.session if isinstance(driver, SessionBoard) else None
    statistics = session.statistics if isinstance(session, HostSession) else None
    click.clear()
    click.echo("\n".join(monitor.picture(time.monotonic(), statistics)))
