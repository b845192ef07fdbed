"""`firmware-bridge opponent`: what the computer plays, and how strong it is."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from firmware_bridge.cli.compiling import NotCompiled, build
from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.cli.options import Command, game_of, position_of, with_game_options
from firmware_bridge.opponents import compiled, engine_of, levels_of
from firmware_bridge.opponents.entrants import level_named, player
from firmware_bridge.opponents.game_lines import OtherConditions, aligned, games
from firmware_bridge.opponents.laboratory import Broken, Laboratory, all_sets, findings, rows
from firmware_bridge.opponents.match import Match, settled
from firmware_bridge.opponents.seat import Seat
from firmware_bridge.opponents.tournament import Tournament, made_of, table
from rules.interface import Game, Position

_SEED = click.option(
    "--seed", default="1", show_default=True, help="What all chance is drawn from."
)
_RESULTS = click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the games here, and leave out those that are here already.",
)


def _cut_after(plies: int) -> Callable[[Command], Command]:
    most = click.IntRange(min=1)
    return click.option(
        "--plies", type=most, default=plies, show_default=True, help="Cut a game here."
    )


@click.group
def command() -> None:
    """The computer as an opponent: levels, best, match, tournament, laboratory, compile."""


@command.command
@click.argument("game")
def levels(game: str) -> None:
    """List the levels of a game: number, name, what it is."""
    found = game_of(game)
    for level in levels_of(found.id):
        click.echo(f"{level.number} {level.name}: {level}")
    if missing := engine_of(found.id).missing():
        click.echo(missing, err=True)


@command.command
@click.option("--position", metavar="TEXT", help="A position text; the start when left out.")
@click.option("--level", default="3", show_default=True, help="1, the weakest, to 7.")
@click.option("--seed", default="1", show_default=True, help="What chance is drawn from.")
@click.option("--turns", is_flag=True, help="Add a line with score, depth, nodes and main line.")
@with_game_options
@click.argument("game")
def best(
    game: str, options: tuple[str, ...], *, position: str | None, level: str, seed: str, turns: bool
) -> None:
    """Print the turn that the computer chooses in a position."""
    found = game_of(game, options)
    here = _position(found, position)
    seat = Seat(found, level_named(found, level), seed)
    seat.know(here.knowledge(here.side))
    turn, choice, _ = settled(seat, here)
    click.echo(turn)
    if turns:
        told = {"score": choice.score, "depth": choice.depth, "nodes": choice.nodes}
        click.echo(json.dumps({**told, "line": list(choice.line)}))


@command.command
@click.option(
    "--white",
    required=True,
    metavar="PLAYER",
    help="White in the first game: a level, random, child, ...",
)
@click.option("--black", required=True, metavar="PLAYER", help="The same; colours change.")
@click.option("--games", type=click.IntRange(min=1), default=2, show_default=True)
@_SEED
@_cut_after(200)
@with_game_options
@click.argument("game")
def match(  # noqa: PLR0913 - what the command line offers
    game: str,
    options: tuple[str, ...],
    *,
    white: str,
    black: str,
    games: int,
    seed: str,
    plies: int,
) -> None:
    """Play games between two players: a JSON line for each, then one with the score.

    Colours change from game to game, and each opening of 4 to 8 random plies is played twice.
    """
    found = game_of(game, options)
    players = (player(found, white), player(found, black))
    _play(Match(found, players, seed, plies), games, (white, black))


@command.command
@click.option(
    "--players",
    required=True,
    metavar="A,B,...",
    help="At least two: levels, random, child, greedy, forgetful, timid, sampler.",
)
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="A pair.")
@_SEED
@_cut_after(200)
@_RESULTS
@with_game_options
@click.argument("game")
def tournament(  # noqa: PLR0913 - what the command line offers
    game: str,
    options: tuple[str, ...],
    *,
    players: str,
    games: int,
    seed: str,
    plies: int,
    results: Path | None,
) -> None:
    """Play everybody against everybody, and print who beats whom.

    With --results a tournament that was cut short goes on where it was when it is begun again.
    """
    found = game_of(game, options)
    names = tuple(dict.fromkeys(players.split(",")))
    if len(names) < 2:
        raise Failure("A tournament needs two players at least.", ExitCode.USAGE)
    entrants = {name: player(found, name) for name in names}
    held = Tournament(found, entrants, games, seed, plies)
    made = made_of(_read(results, held.conditions))
    for pairing in held.pairings():
        if pairing not in made:
            line = held.play(pairing)
            made[pairing] = line["points"]
            _add(results, line)
            click.echo(f"{len(made)}: {pairing}, {line['points']:g}", err=True)
    click.echo(table(names, made))


@command.command
@click.option("--player", "name", default="2", show_default=True, help="Who plays both sides.")
@click.option("--games", type=click.IntRange(min=2), default=200, show_default=True, help="A set.")
@_SEED
@_cut_after(300)
@click.option("--sets", is_flag=True, help="With every set of options, not the chosen one alone.")
@click.option("--cores", type=click.IntRange(min=1), help="Games at once; all cores if not given.")
@_RESULTS
@with_game_options
@click.argument("game")
def laboratory(  # noqa: PLR0913 - what the command line offers
    game: str,
    options: tuple[str, ...],
    *,
    name: str,
    games: int,
    seed: str,
    plies: int,
    sets: bool,
    cores: int | None,
    results: Path | None,
) -> None:
    """Play a game between equals, and print who wins how often, how long it takes, what is odd.

    White's points stand with their 95 % interval, from pairs of games with one opening. With
    --results a measurement that was cut short goes on where it was when it is begun again.
    """
    found = game_of(game, options)
    player(found, name)  # says what is the matter before anything is played
    tried = all_sets(found) if sets else [found.chosen]
    held = Laboratory(found.id, tried, name, games + games % 2, seed, plies)
    made = _read(results, held.conditions)
    known = {(told["options"], told["number"]) for told in made}
    left = [experiment for experiment in held.experiments() if experiment not in known]
    try:
        for count, line in enumerate(held.run(left, cores or os.cpu_count() or 1), start=1):
            _add(results, line)
            made.append(line)
            click.echo(f"{count} of {len(left)}: {line['result']} {line['options']}", err=True)
    except Broken as broken:
        raise Failure(str(broken), ExitCode.FAILED) from None
    click.echo(aligned(rows(findings(made))))


@command.command("compile")
def compile_() -> None:
    """Have the searches run as machine code: the same turns in less time. It takes a minute.

    It needs mypy, setuptools, a C compiler and Python's headers, and counts for this Python and
    this version alone: after an update the source runs until it is compiled again.
    """
    try:
        click.echo(build(compiled.HOME))
    except NotCompiled as told:
        needed = "It needs mypy and setuptools, and Debian's packages gcc, libc6-dev, python3-dev."
        raise Failure(f"{told}\n{needed} The source runs all the same.") from None
    except OSError as error:
        raise Failure(f"{compiled.HOME} cannot be written: {error}", ExitCode.STORAGE) from None


def _read(results: Path | None, conditions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the games that were played; a line that was cut short is taken away."""
    if results is None or not results.exists():
        return []
    text = results.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    try:
        made = games(whole.splitlines(), conditions)
    except OtherConditions:
        told = f"{results} has games that were not played under these conditions; name another."
        raise Failure(told, ExitCode.USAGE) from None
    if whole != text:
        results.write_text(whole, encoding="utf-8")
    return made


def _add(results: Path | None, game: Mapping[str, Any]) -> None:
    """Write one game down, where there is a file for it."""
    if results is not None:
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(game) + "\n")


def _play(match: Match, games: int, names: tuple[str, str]) -> None:
    """Play a match, with its progress beside what it prints."""
    points, counts = [0.0, 0.0], {"wins": 0, "draws": 0, "losses": 0}
    for number in range(games):
        played = match.play(number)
        white, black = names if number % 2 == 0 else names[::-1]
        told = {**played.to_json(), "players": {"white": white, "black": black}}
        click.echo(json.dumps(told))
        won = played.points(number)
        points = [points[0] + won, points[1] + 1 - won]
        counts[{1.0: "wins", 0.5: "draws", 0.0: "losses"}[won]] += 1
        click.echo(f"{number + 1} of {games}: {points[0]:g} to {points[1]:g}", err=True)
    score = {"players": list(names), "games": games, "score": points}
    click.echo(json.dumps({**score, **counts}))


def _position(game: Game, text: str | None) -> Position:
    """Return a position in which somebody is to choose a turn."""
    position = position_of(game, text)
    if position.outcome is not None:
        raise Failure("The game is over in this position.", ExitCode.USAGE)
    if position.awaits_dice:
        raise Failure("In this position the dice decide, and nobody chooses.", ExitCode.USAGE)
    return position
