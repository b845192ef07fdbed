"""`firmware-bridge fit`: what an owner's recordings tell of his board and his hands."""

import json
from pathlib import Path

import click

from firmware_bridge.cli.failures import Failure, writing
from firmware_bridge.config.habits import LIMITS, written
from firmware_bridge.reconciler.settings import SHIPPED, Habits
from firmware_bridge.recordings.fitting import Change, Felt, compare, fit, shipped
from firmware_bridge.recordings.format import Recording, read_file

_SHOWN = 6
"""Changed lines told of each recording."""


@click.command
@click.argument(
    "recordings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    nargs=-1,
    required=True,
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what was fitted into this file, for `board.habits` in the configuration.",
)
def command(recordings: tuple[Path, ...], write: Path | None) -> None:
    """Fit what the bridge expects of contacts, tags and hands to your own recordings.

    Tells, time by time and factor by factor, what they say otherwise, and which verdicts of these
    and of the shipped recordings would be others. Nothing is used before `board.habits` names the
    file that `--write` makes. What would turn a legal turn into an alarm is refused.
    """
    given: dict[str, Recording] = {}
    felt = Felt()
    for path in recordings:
        given[str(path)] = read_file(path)
        felt.hear(given[str(path)])
    habits = fit(felt)
    told = f"Fitted to {len(given)} recordings, {felt.turns} turns."
    click.echo(told)
    if not _tell(felt, habits):
        click.echo("They say nothing that is not known: there is nothing to use.")
        return
    changes = {name: compare(one, habits, legal=False) for name, one in given.items()}
    kept = shipped()
    changes |= {name: compare(one, habits, legal=True) for name, one in kept.items()}
    for name, change in changes.items():
        _tell_change(f"shipped {name}" if name in kept else name, change)
    harmed = {name: change.harm for name, change in changes.items() if change.harm}
    for name, harm in harmed.items():
        raise Failure(f"Refused: in {name} {harm}. Nothing was written.")
    click.echo(
        f"{sum(not c.after for c in changes.values())} of {len(changes)} recordings as before."
    )
    if write is not None:
        with writing(write):
            write.write_text(written(habits, told), encoding="utf-8")
        click.echo(f'Written. To use it, set board.habits = "{write}" in the configuration.')


def _tell(felt: Felt, habits: Habits) -> bool:
    """Print what is otherwise than shipped; return whether anything is."""
    lines = []
    for name, most in LIMITS.items():
        was, now = getattr(SHIPPED, name), getattr(habits, name)
        if was != now:
            limit = ", the most that can be told from hands" if now == most else ""
            samples = len(felt.times[name])
            lines.append(f"  {name}: {was:g} s -> {now:g} s (felt {samples} times{limit})")
    for name, log in habits.weights.items():
        was = SHIPPED.weights[name]
        if was != log:
            often = f"spoke against {felt.against[name]} of {felt.turns} turns"
            lines.append(f"  {name}: {was:g} -> {log:g} ({often})")
    for line in lines:
        click.echo(line)
    return bool(lines)


def _tell_change(name: str, change: Change) -> None:
    if not (change.before or change.after):
        return
    click.echo(f"{name}:")
    lines = [("-", line) for line in change.before] + [("+", line) for line in change.after]
    lines.sort(key=lambda item: (item[1]["t"], item[0] == "+"))
    for sign, line in lines[:_SHOWN]:
        parts = {
            k: v
            for k, v in line.items()
            if k in ("t", "verdict", "turn", "reason", "taken", "amended")
        }
        click.echo(f"  {sign} {json.dumps(parts)}")
    if len(lines) > _SHOWN:
        click.echo(f"  and {len(lines) - _SHOWN} more")
