"""`firmware-bridge replay`: what the bridge makes of a recorded game."""

import gc
import json
from pathlib import Path

import click

from firmware_bridge.config.habits import load_habits
from firmware_bridge.reconciler.settings import SHIPPED
from firmware_bridge.recordings.format import read_file
from firmware_bridge.recordings.replaying import Replay


@click.command
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--referee", is_flag=True, help="Tell full turns and positions, secrets included.")
@click.option(
    "--why",
    is_flag=True,
    help="Tell with every verdict which turns are possible and what rules others out; secrets too.",
)
@click.option(
    "--habits",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Judge it by what `firmware-bridge fit` wrote.",
)
def command(file: Path, *, referee: bool, why: bool, habits: Path | None) -> None:
    """Replay a recording in virtual time and print what it led to, one JSON object a line."""
    recording = read_file(file)
    gc.freeze()  # as the running service does
    known = load_habits(habits) if habits else SHIPPED
    for line in Replay(recording, referee=referee or why, why=why, habits=known).lines():
        click.echo(json.dumps(line))
