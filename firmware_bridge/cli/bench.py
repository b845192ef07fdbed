"""`firmware-bridge bench`: measures what the bridge promises, on this machine."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log
from pathlib import Path

import click

import rules
from firmware_bridge.bench.clumsy import NAMES, together
from firmware_bridge.bench.clumsy import run as run_clumsily
from firmware_bridge.bench.computer import QUICK_LEVELS
from firmware_bridge.bench.computer import run as run_computer
from firmware_bridge.bench.figures import Figures
from firmware_bridge.bench.games import ROWS, Row
from firmware_bridge.bench.latency import measure
from firmware_bridge.bench.reconcile import run as run_reconcile
from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.diagnostics.stopwatch import quantile
from firmware_bridge.opponents.levels import LEVELS
from firmware_bridge.recordings.format import write

_Columns = Sequence[tuple[str, int, "Callable[[Figures], object]"]]
"""Head, width and contents of each column."""

_RECONCILE: _Columns = (
    ("turns", 6, lambda f: f.turns),
    ("right", 6, lambda f: f.right),
    ("alarm", 5, lambda f: f.alarms),
    ("wrong", 5, lambda f: f.wrong),
    ("amend", 5, lambda f: f.amended),
    ("asked", 6, lambda f: f"{100 * f.asked / max(1, f.turns):.1f}%"),
    ("told", 6, lambda f: f"{100 * f.answered / max(1, f.turns):.1f}%"),
    ("idle", 5, lambda f: f.needless),
    ("bad", 5, lambda f: f.tries),
    ("missed", 6, lambda f: f.unnoticed),
    ("misread", 7, lambda f: f.misread),
    ("changed", 7, lambda f: f.changed),
    ("undone", 11, lambda f: f"{f.undone_right} of {f.undone}"),
    ("put right", 11, lambda f: f"{f.settled} of {f.upsets}"),
    ("  event us: median, p99, max  ", 24, lambda f: _times(f.event_us)),
    ("prepare ms: p99", 8, lambda f: f"{quantile(f.prepare_us, 0.99) / 1000:6.1f}"),
)
_STYLES: _Columns = (
    ("turns", 6, lambda f: f.turns),
    ("right", 6, lambda f: f.right),
    ("asked", 6, lambda f: f.asked),
    ("alarms", 6, lambda f: f.alarms),
    ("fines", 6, lambda f: f.fines),
    ("back", 6, lambda f: f.back),
    ("dead", 6, lambda f: f.dead),
    ("wrong", 6, lambda f: f.wrong),
)
_COMPUTER: _Columns = (
    ("games", 6, lambda f: f.games),
    ("ended", 6, lambda f: f.over),
    ("carried", 7, lambda f: f.carried),
    ("answered", 8, lambda f: f.turns),
    ("steps", 8, lambda f: f.steps),
    ("astray", 8, lambda f: f.astray),
    ("cuts", 6, lambda f: f.cuts),
    ("penalties", 9, lambda f: f.fines),
    ("wrong", 6, lambda f: f.wrong),
    ("stuck", 6, lambda f: f.dead),
    ("misjudged", 9, lambda f: f.turns - f.right),
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
@click.option(
    "--together",
    type=click.IntRange(1, 9),
    default=1,
    show_default=True,
    help="So many styles at once: each of `--styles`, and others that the seed draws.",
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
    together: int,
    faulty: bool,
) -> None:
    """Play seeded games with clumsy hands, mischief and take-backs, and count what came of it.

    The columns: turns that hands made, taken rightly, alarms meanwhile, wrong turns taken, turns
    amended by going on, turns about which a question was asked, and of which somebody had to tell
    the answer because neither hands nor the button did, questions asked idly, when what the cells
    had told allowed one explanation only (bench/ambiguity.py); illegal handlings, of these missed,
    told with an unfitting reason or cells, and such that changed the game; turns undone on the
    board and recognised; boards put right as the restoration says and settled. On faulty boards
    only legal turns are made; what a cell that cannot be read would have told is asked, or told
    before. The last line tells how often each factor spoke against a turn that was made all the
    same, and the weight that it should have by that.

    With `--styles` whole tables are played instead, games with a clock, with buttons that nobody
    needs to press and with none in turn, a line for each style: turns that hands made, turns that
    stood in the end, handlings about which it was asked what hands did (not what the
    rules leave to the player: a promotion, a conversion, a Reality Check), with an alarm that
    nobody gave cause for, with a fine that nobody had earned, after which hands had to put the
    board right as its lights say and to make the turn anew, after which the game did not go on
    even so, and after which another turn stood.
    """
    rows = _rows(only)
    if together > 1 and not styles:
        raise Failure("With --together, name --styles too.", ExitCode.USAGE)
    if styles:
        _clumsily(rows, _mixed(styles, together, seed), games, seed, failures, recordings)
        return
    gc.freeze()  # as the running service does
    total = Figures()

    def played() -> Iterator[tuple[str, Figures]]:
        for row in rows:
            figures = run_reconcile(row, games, plies, seed, faulty=faulty)
            total.kinds.update(figures.kinds)
            total.factors.update(figures.factors)
            total.right += figures.right
            yield _named(row), figures

    clean = _print(_ROW, _RECONCILE, played(), failures, recordings)
    if total.kinds:
        tried = ", ".join(f"{count} {kind}" for kind, count in sorted(total.kinds.items()))
        click.echo(f"illegal: {tried}")
    if total.factors:
        held = ", ".join(
            f"{name} {count} (weight {log(count / total.right):.1f})"
            for name, count in total.factors.most_common()
        )
        click.echo(f"of {total.right} turns taken rightly, spoke against: {held}")
    _judge(clean)


def _mixed(styles: str, count: int, seed: int) -> list[str]:
    """Return the styles that are named, each with others up to this count.

    Raises:
        Failure: there is no style of such a name.
    """
    chosen = list(NAMES) if styles == "all" else styles.split(",")
    unknown = {name for style in chosen for name in style.split("+")} - set(NAMES)
    if unknown:
        raise Failure(
            f"There is no style {', '.join(sorted(unknown))}. There are: {', '.join(NAMES)}.",
            ExitCode.USAGE,
        )
    return together(chosen, count, seed)


def _clumsily(
    rows: Sequence[Row],
    styles: Sequence[str],
    games: int,
    seed: int,
    failures: int,
    folder: Path | None,
) -> None:
    """Print a line for each style, and fail if hands had harm in one of them."""

    def played() -> Iterator[tuple[str, Figures]]:
        for style in styles:
            figures = Figures()
            for row in rows:
                run_clumsily(row, style, games, seed, figures)
            yield f"{style:16}", figures

    _judge(_print(f"{'style':16}", _STYLES, played(), failures, folder))


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
    if missing := set(levels) - set(LEVELS):
        told = f"There is no level {min(missing)}; levels are 1 to {LEVELS[-1]}."
        raise Failure(told, ExitCode.USAGE)
    thought = levels or QUICK_LEVELS
    played = ((_named(row), run_computer(row, games, plies, seed, thought)) for row in _rows(only))
    _judge(_print(_ROW, _COMPUTER, played, failures=3))


@command.command
@click.option("--turns", default=40, show_default=True, help="Turns of every game at most.")
@click.option("--seed", default=1, show_default=True, help="Which turns.")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
def latency(turns: int, seed: int, games: tuple[str, ...]) -> None:
    """Time how soon a light answers a hand, from cable end to cable end, the real service between.

    Changes of the lights that came later than 250 ms are the work of timers; they are counted, and
    not timed.
    """
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
    rows = [row for row in ROWS if only in f"{row.name} {row.tier}"]
    if not rows:
        known = ", ".join(f"{row.name} {row.tier}" for row in ROWS)
        raise Failure(f"No row is called {only!r}. There are: {known}.", ExitCode.USAGE)
    return rows


_ROW = f"{'game':34} {'tier':9}"


def _named(row: Row) -> str:
    return f"{row.name:34} {row.tier:9}"


def _print(
    head: str,
    columns: _Columns,
    played: Iterable[tuple[str, Figures]],
    failures: int,
    folder: Path | None = None,
) -> bool:
    """Print a line for each of these, and what went wrong; return whether nothing grave did."""
    click.echo(" ".join((head, *(f"{title:>{width}}" for title, width, _ in columns))))
    clean = True
    for name, figures in played:
        click.echo(" ".join((name, *(f"{told(figures)!s:>{width}}" for _, width, told in columns))))
        clean &= figures.clean
        for number, failure in enumerate(figures.failures[:failures], 1):
            click.echo(f"    {failure.told}")
            if folder is not None and failure.recording is not None:
                parts = (*name.split(), failure.fault, failure.where, str(number))
                path = folder / f"{' '.join(filter(None, parts)).replace(' ', '-')}.jsonl"
                lines = "".join(f"{line}\n" for line in write(failure.recording))
                folder.mkdir(parents=True, exist_ok=True)
                path.write_text(lines, encoding="utf-8")
    return clean


def _judge(clean: bool) -> None:
    if not clean:
        raise Failure("Not everything came out as promised; see the lines above.")


def _times(event_us: Sequence[float]) -> str:
    median, most, longest = (quantile(event_us, share) for share in (0.5, 0.99, 1.0))
    return f"{median:6.0f} {most:7.0f} {longest:8.0f}"
