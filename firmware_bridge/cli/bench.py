"""`firmware-bridge bench`: measures what the bridge promises, on this machine."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_bridge.cli.failures import ExitCode, Failure

if TYPE_CHECKING:
    from firmware_bridge.bench.figures import Failed, Figures
    from firmware_bridge.bench.games import Row
    from firmware_bridge.recordings.format import Recording

_HEAD = (
    f"{'game':34} {'tier':9} {'turns':>6} {'right':>6} {'alarm':>5} {'wrong':>5} {'amend':>5} "
    f"{'asked':>6} {'told':>6} {'idle':>5} {'bad':>5} {'missed':>6} {'misread':>7} {'changed':>7} "
    f"{'undone':>11} {'put right':>11}   event us: median, p99, max   prepare ms: p99"
)

_STYLES_HEAD = (
    f"{'style':16} {'turns':>6} {'right':>6} {'asked':>6} {'alarms':>6} {'fines':>6} {'back':>6} "
    f"{'dead':>6} {'wrong':>6}"
)
_COMPUTER_HEAD = (
    f"{'game':34} {'tier':9} {'games':>6} {'ended':>6} {'carried':>7} {'answered':>8} "
    f"{'steps':>8} {'astray':>8} {'cuts':>6} {'penalties':>9} {'wrong':>6} {'stuck':>6} "
    f"{'misjudged':>9}"
)


@click.group
def command() -> None:
    """Measure what the bridge promises."""


@command.command
@click.option("--games", default=20, show_default=True, help="Games of every kind on every tier.")
@click.option("--plies", default=40, show_default=True, help="Turns a game at most.")
@click.option("--seed", default=1, show_default=True, help="Which games.")
@click.option("--only", default="", metavar="TEXT", help="Only rows whose name contains this.")
@click.option("--failures", default=3, show_default=True, help="Failures told of every row.")
@click.option(
    "--recordings",
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what led to each of these failures into this folder, for `replay`.",
)
@click.option("--faulty", is_flag=True, help="One cell of every board is dead or stuck.")
@click.option(
    "--styles",
    default="",
    metavar="NAMES",
    help="Play whole tables with hands that are clumsy in these ways: `all`, or names with commas "
    "between; `a+b` is both at once.",
)
def reconcile(  # noqa: PLR0913 - one for each option
    games: int,
    plies: int,
    seed: int,
    only: str,
    failures: int,
    *,
    recordings: Path | None,
    styles: str,
    faulty: bool,
) -> None:
    """Play seeded games with clumsy hands, mischief and take-backs, and count what came of it.

    The columns: turns that hands made, taken rightly, alarms meanwhile, wrong turns taken, turns
    amended by going on, turns about which a question was asked, and of which somebody had to tell
    the answer because neither hands nor the button did, questions asked idly, when what the cells
    had told allowed one explanation only (bench/doubt.py); illegal handlings, of these missed, told
    with an unfitting reason or cells, and such that changed the game; turns undone on the board and
    recognised; boards put right as the restoration says and settled. On faulty boards only legal
    turns are made; what a cell that cannot be read would have told is asked, or told before. The
    last line tells how often each factor spoke against a turn that was made all the same, and the
    weight that it should have by that.

    With `--styles` whole tables are played instead, games with a clock, with buttons that nobody
    needs to press and with none in turn, a line for each style: turns that hands made, turns that
    stood in the end, handlings about which it was asked what hands did (not what the
    rules leave to the player: a promotion, a conversion, a Reality Check), with an alarm that
    nobody gave cause for, with a fine that nobody had earned, after which hands had to put the
    board right as its lights say and to make the turn anew, after which the game did not go on
    even so, and after which another turn stood.
    """
    from firmware_bridge.bench.reconcile import run

    rows = _rows(only)
    if styles:
        _clumsily(rows, styles, games, seed, failures, recordings)
        return
    gc.freeze()  # as the running service does
    click.echo(_HEAD)
    clean = True
    kinds: Counter[str] = Counter()
    factors: Counter[str] = Counter()
    right = 0
    for row in rows:
        figures = run(row, games, plies, seed, faulty=faulty)
        clean = clean and figures.clean
        kinds += figures.kinds
        factors += figures.factors
        right += figures.right
        click.echo(_line(row, figures))
        _tell(row, figures.failures[:failures], recordings)
    if kinds:
        tried = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        click.echo(f"illegal: {tried}")
    if factors:
        held = ", ".join(
            f"{name} {count} (weight {log(count / right):.1f})"
            for name, count in factors.most_common()
        )
        click.echo(f"of {right} turns taken rightly, spoke against: {held}")
    if not clean:
        raise Failure("Not everything came out as promised; see the lines above.")


def _clumsily(
    rows: Sequence[Row], styles: str, games: int, seed: int, failures: int, folder: Path | None
) -> None:
    """Print a line for each style, and fail if hands had harm in one of them."""
    from firmware_bridge.bench.clumsy import NAMES, run
    from firmware_bridge.bench.clumsy_figures import Figures

    chosen = list(NAMES) if styles == "all" else styles.split(",")
    unknown = {name for style in chosen for name in style.split("+")} - set(NAMES)
    if unknown:
        raise Failure(
            f"There is no style {', '.join(sorted(unknown))}. There are: {', '.join(NAMES)}.",
            ExitCode.USAGE,
        )
    click.echo(_STYLES_HEAD)
    clean = True
    for style in chosen:
        figures = Figures()
        for row in rows:
            run(row, style, games, seed, figures)
        click.echo(
            f"{style:16} {figures.turns:6} {figures.right:6} {figures.asked:6} {figures.alarms:6} "
            f"{figures.fines:6} {figures.back:6} {figures.dead:6} {figures.wrong:6}"
        )
        for number, failure in enumerate(figures.failures[:failures], 1):
            click.echo(f"    {failure.told}")
            if folder is not None:
                name = f"{style} {failure.fault} {failure.where} {number}".replace(" ", "-")
                _write(folder / f"{name}.jsonl", failure.recording)
        clean = clean and figures.clean
    if not clean:
        raise Failure("Not everything came out as promised; see the lines above.")


@command.command
@click.option("--games", default=20, show_default=True, help="Games of every kind on every tier.")
@click.option("--plies", default=200, show_default=True, help="Turns a game at most.")
@click.option("--seed", default=1, show_default=True, help="Which games.")
@click.option("--only", default="", metavar="TEXT", help="Only rows whose name contains this.")
@click.option(
    "--level", "levels", type=int, multiple=True, help="Only this level; may be repeated."
)
def computer(games: int, plies: int, seed: int, only: str, levels: tuple[int, ...]) -> None:
    """Play the computer with clumsy hands that carry out what it plays: levels 1 to 3 in turn.

    In almost every third movement hands do something that nobody asked for, and now and then the
    power fails. The columns: games, of these played to their end, turns carried out, turns that
    hands made themselves, movements made as shown, movements that went astray, power cuts;
    penalties found while hands carried out, wrong positions afterwards, turns that could not be
    carried out, own turns not taken as made.
    """
    from firmware_bridge.bench.computer import QUICK_LEVELS, run
    from firmware_bridge.opponents.levels import LEVELS

    if missing := set(levels) - set(LEVELS):
        told = f"There is no level {min(missing)}; levels are 1 to {LEVELS[-1]}."
        raise Failure(told, ExitCode.USAGE)
    click.echo(_COMPUTER_HEAD)
    clean = True
    for row in _rows(only):
        figures = run(row, games, plies, seed, levels or QUICK_LEVELS)
        clean = clean and figures.clean
        click.echo(
            f"{row.name:34} {row.tier:9} {figures.games:6} {figures.over:6} {figures.carried:7} "
            f"{figures.answered:8} {figures.steps:8} {figures.astray:8} {figures.cuts:6} "
            f"{figures.penalties:9} {figures.wrong:6} {figures.stuck:6} {figures.misjudged:9}"
        )
        for told in figures.failures[:3]:
            click.echo(f"    {told}")
    if not clean:
        raise Failure("Not everything came out as promised; see the lines above.")


@command.command
@click.option("--turns", default=40, show_default=True, help="Turns of every game at most.")
@click.option("--seed", default=1, show_default=True, help="Which turns.")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
def latency(turns: int, seed: int, games: tuple[str, ...]) -> None:
    """Time how soon a light answers a hand, from cable end to cable end, the real service between.

    Changes of the lights that came later than 250 ms are the work of timers; they are counted, and
    not timed.
    """
    import rules
    from firmware_bridge.bench.latency import measure
    from firmware_bridge.diagnostics.stopwatch import quantile

    for game in games or rules.games():
        answers = measure(game, turns, seed)
        ms = sorted(1000 * seconds for seconds in answers.seconds)
        figures = ", ".join(
            f"{name} {quantile(ms, share):.1f}"
            for name, share in (("median", 0.5), ("p99", 0.99), ("max", 1.0))
        )
        click.echo(
            f"{game:17} {answers.turns:3} turns, {len(ms):4} lights, ms: {figures}; "
            f"{answers.later} by timers"
        )


def _rows(only: str) -> list[Row]:
    """Return the rows whose name contains a text."""
    from firmware_bridge.bench.games import ROWS

    rows = [row for row in ROWS if only in f"{row.name} {row.tier}"]
    if not rows:
        known = ", ".join(f"{row.name} {row.tier}" for row in ROWS)
        raise Failure(f"No row is called {only!r}. There are: {known}.", ExitCode.USAGE)
    return rows


def _tell(row: Row, failures: Sequence[Failed], folder: Path | None) -> None:
    """Print what went wrong, and keep what led to it."""
    for number, failure in enumerate(failures, 1):
        click.echo(f"    {failure.told}")
        if folder is not None:
            name = f"{row.name} {row.tier} {number}".replace(" ", "-")
            _write(folder / f"{name}.jsonl", failure.recording)


def _write(path: Path, recording: Recording) -> None:
    from firmware_bridge.recordings.format import write

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in write(recording)), encoding="utf-8")


def _line(row: Row, figures: Figures) -> str:
    from firmware_bridge.diagnostics.stopwatch import quantile

    asked = f"{100 * figures.asked / max(1, figures.turns):.1f}%"
    told = f"{100 * figures.answered / max(1, figures.turns):.1f}%"
    undone = f"{figures.undone_right} of {figures.undone}"
    settled = f"{figures.settled} of {figures.upsets}"
    times = [quantile(figures.event_us, share) for share in (0.5, 0.99, 1.0)]
    prepare = quantile(figures.prepare_us, 0.99) / 1000
    return (
        f"{row.name:34} {row.tier:9} {figures.turns:6} {figures.right:6} {figures.alarms:5} "
        f"{figures.wrong:5} {figures.amended:5} {asked:>6} {told:>6} {figures.needless:5} "
        f"{figures.tries:5} {figures.unnoticed:6} {figures.misread:7} {figures.changed:7} "
        f"{undone:>11} {settled:>11}   {times[0]:6.0f} {times[1]:7.0f} {times[2]:8.0f}   "
        f"{prepare:6.1f}"
    )
