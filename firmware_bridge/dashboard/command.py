"""`firmware-bridge wall`: all boards of a hall on one page."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_bridge.cli.options import configured


@click.command
@configured()
@click.option("-v", "--verbose", is_flag=True, help="Log more.")
def command(path: Path | None, changes: tuple[str, ...], *, verbose: bool) -> None:
    """Show any number of boards, known from their MQTT broker alone.

    Of the configuration it uses `mqtt` (where the boards are heard; `mqtt.base` names the hall) and
    `pages` (where the wall is seen): firmware-bridge wall -s mqtt.host=broker.local
    """
    import asyncio

    from firmware_bridge.config import load_config
    from firmware_bridge.dashboard.web import run
    from firmware_bridge.diagnostics.logs import start_logging

    start_logging(verbose=verbose)
    config = load_config(path, changes)
    asyncio.run(run(config, lambda address: click.echo(f"The wall is at {address}")))
