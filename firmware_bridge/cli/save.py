"""`firmware-bridge save`: everything of this board, as one file."""

from pathlib import Path

import click

from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.cli.options import configured
from firmware_bridge.config import load_config
from firmware_bridge.config.learnt import learnt
from firmware_bridge.saved.archive import file_name, save


@click.command
@configured()
@click.option("--with-keys", is_flag=True, help="PIN, passwords and keys of friendships, too.")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
def command(
    path: Path | None, changes: tuple[str, ...], file: Path | None, *, with_keys: bool
) -> None:
    """Save games, set-up, pieces and friends into FILE, to restore them here or elsewhere.

    The service may go on meanwhile. What pieces hide in a game under way stands in the file, and
    with keys whoever has it is taken for you: keep it as you keep a key.
    """
    config = learnt(load_config(path, changes))
    file = file or Path(file_name())
    try:
        saved = save(config, file, keys=with_keys)
    except OSError as error:
        text = f"{error.filename or file}: {error.strerror}. Nothing was saved."
        raise Failure(text, ExitCode.STORAGE) from None
    keys = "with keys" if with_keys else "without keys"
    click.echo(f"{file} holds {saved.games} games and {len(saved.friends)} friends, {keys}.")
