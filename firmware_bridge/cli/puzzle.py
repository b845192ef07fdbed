"""`firmware-bridge puzzle`: four knights on eight squares, to try a small or a new board."""

import asyncio
from pathlib import Path

import click

from drivers.port import BoardEvent, BoardNotice, CellEvent, Driver, LinkChanged, Snapshot
from firmware_bridge.calibration.knights import CELLS, Knights
from firmware_bridge.calibration.prompts import words_of
from firmware_bridge.cli.failures import Failure
from firmware_bridge.cli.options import FOR_A_BOARD, configured
from firmware_bridge.config import load_config
from firmware_bridge.service.assembly import board_of

_REST = 0.6
"""Seconds without a change after which hands are still: a piece may slide over others' cells."""


@click.command
@configured(FOR_A_BOARD)
def command(path: Path | None, changes: tuple[str, ...]) -> None:
    """Play a puzzle on the squares a1 to c3: four knights change sides.

    The smallest board that is described here, eight reeds on cardboard, suffices; so does any
    other that has these squares. Ctrl-C ends it.
    """
    config = load_config(path, changes)
    description, driver = board_of(config)
    if missing := [cell for cell in CELLS if cell not in description.cells]:
        raise Failure(
            f'The board "{description.name}" has no {", ".join(missing)}: the puzzle needs '
            f"{', '.join(CELLS)}. Choose another with -s board.description=..."
        )
    try:
        asyncio.run(_play(driver, config.language))
    except KeyboardInterrupt:
        click.echo()


async def _play(driver: Driver, language: str) -> None:
    """Say what is to be done until the puzzle is solved."""
    words, puzzle = words_of(language), Knights()
    felt: set[str] = set()
    known = False
    waiting: asyncio.Queue[BoardEvent | None] = asyncio.Queue()
    async with driver, asyncio.TaskGroup() as group:
        heard = group.create_task(_hear(driver, waiting))
        while not puzzle.solved:
            try:
                async with asyncio.timeout(_REST if known else None):
                    event = await waiting.get()
            except TimeoutError:
                if line := puzzle.look(felt):
                    click.echo(line.told(words))
                continue
            if event is None:
                break
            known = _take(event, felt) or known
        heard.cancel()


async def _hear(driver: Driver, waiting: asyncio.Queue[BoardEvent | None]) -> None:
    async for event in driver.events():
        waiting.put_nowait(event)
    waiting.put_nowait(None)


def _take(event: BoardEvent, felt: set[str]) -> bool:
    """Note an event in what is felt; return whether the whole board is known by it."""
    match event:
        case Snapshot():
            felt.clear()
            felt.update(event.readings)
            return True
        case CellEvent(reading=None):
            felt.discard(event.cell)
        case CellEvent():
            felt.add(event.cell)
        case LinkChanged() | BoardNotice():
            click.echo(event.text)
        case _:
            pass
    return False
