"""`firmware-bridge wall-load`: how much a broker and the wall can take, on this machine alone."""

from __future__ import annotations

import click

from firmware_bridge.cli.failures import Failure


@click.command
@click.option("--boards", type=click.IntRange(1, 2000), default=500, show_default=True)
@click.option("--seconds", type=click.FloatRange(5, 300), default=30.0, show_default=True)
@click.option(
    "--every",
    type=click.FloatRange(0.5, 120),
    default=10.0,
    show_default=True,
    help="Seconds between two turns of one board.",
)
def command(boards: int, seconds: float, every: float) -> None:
    """Simulate a hall of boards and measure what comes of it.

    Starts a Mosquitto of its own and the real wall, both reachable from this machine only, lets
    every board play, and reads the wall's event stream as a page does. Needs Debian's mosquitto.
    """
    import asyncio
    import json

    from firmware_bridge.dashboard.load import LoadFailed, measure

    try:
        figures = asyncio.run(measure(boards, seconds, every))
    except LoadFailed as error:
        raise Failure(str(error)) from None
    click.echo(json.dumps(figures, indent=2))
