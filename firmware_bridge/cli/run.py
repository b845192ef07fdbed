"""`firmware-bridge run`: the service."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_bridge.cli.failures import Failure, plain_failures
from firmware_bridge.cli.options import configured

if TYPE_CHECKING:
    from firmware_bridge.config import Config
    from firmware_bridge.service.service import Service


@click.command
@configured("A value that holds instead of the file's, such as pages.port=8000; may be repeated.")
@click.option("-v", "--verbose", is_flag=True, help="Log what the libraries do, too.")
def command(path: Path | None, changes: tuple[str, ...], *, verbose: bool) -> None:
    """Referee games on a board until stopped.

    Without a configuration file it looks for firmware-bridge.toml here and for
    /etc/firmware-bridge/config.toml. Every key is explained in docs/configuration.md.
    """
    gc.disable()  # to look through what is imported, and stays, takes a tenth of the start
    import asyncio

    import firmware_bridge.service.service  # noqa: F401 - and all that it needs
    from firmware_bridge.config import load_config
    from firmware_bridge.config.loading import found
    from firmware_bridge.diagnostics.logs import start_logging
    from firmware_bridge.saved.restoring import finish
    from firmware_bridge.service.workshop import hold

    gc.freeze()
    gc.enable()
    start_logging(verbose=verbose)
    config = load_config(path, changes)
    with _kept_crashes(config.data), plain_failures():
        finish(config.data, path or found())
        made_pin = config.pages.referee_pin is None
        while (service := _served(config, made_pin=made_pin)) is None or (
            service.wanted is not None and asyncio.run(hold(config, service.wanted))
        ):
            pass


def _served(config: Config, *, made_pin: bool) -> Service | None:
    """Return the service that has ended; `None` once a journal that it refuses was set aside."""
    import asyncio

    from firmware_bridge.journal import JournalDamaged
    from firmware_bridge.service.refusal import until_set_aside
    from firmware_bridge.service.service import Service

    def tell(address: str, pin: str) -> None:
        click.echo(f"{refused}\nWhat to do stands at {address}")
        if made_pin:
            click.echo(f"The referee's PIN is {pin}")

    try:
        service = Service(config)
        asyncio.run(service.run(lambda service: _greet(service, made_pin=made_pin)))
    except JournalDamaged as error:
        refused = error
    else:
        return service
    asyncio.run(until_set_aside(config, refused, tell))
    return None


def _greet(service: Service, *, made_pin: bool) -> None:
    """Say where to find the service, which has just started."""
    gc.collect()
    gc.freeze()  # what is there now stays: no later collection need look at it and hold up an event
    click.echo(f"The display is at {service.address}")
    if made_pin:  # who chose one knows it, and what is said here is kept in logs
        click.echo(f"The referee's PIN is {service.keys.pin}")


@contextmanager
def _kept_crashes(folder: Path) -> Iterator[None]:
    """Write down where an error came from that nobody expected, and say what to do with it."""
    from firmware_bridge.diagnostics.support_bundle import keep_crash

    try:
        yield
    except click.ClickException:
        raise
    except Exception as error:  # noqa: BLE001 - nobody foresaw it, so it can be anything
        raise Failure(
            f"The service has failed. {keep_crash(folder, error)} "
            "`firmware-bridge support` packs what helps to find the fault."
        ) from None
