"""The options by which every command that needs the configuration takes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., Any]")

FOR_A_BOARD = "A value that holds instead of the file's, such as board.settings.port=/dev/ttyACM0."


def configured(of_set: str = "As in `run`.") -> Callable[[Command], Command]:
    """Give a command `--config` (as `path`) and `--set` (as `changes`), for `load_config`.

    Args:
        of_set: what `--help` tells of `--set`.
    """
    file = click.option(
        "-c", "--config", "path", type=click.Path(path_type=Path), help="The configuration file."
    )
    change = click.option("-s", "--set", "changes", multiple=True, metavar="KEY=VALUE", help=of_set)
    return lambda command: file(change(command))
