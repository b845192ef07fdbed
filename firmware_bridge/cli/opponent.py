"""`firmware-bridge opponent`: what the computer plays, and how strong it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware_bridge.cli.failures import ExitCode, Failure
from firmware_bridge.cli.options import game_of, with_game_options

if TYPE_CHECKING:
    from firmware_bridge.opponents import Choice, Level
    from firmware_bridge.opponents.match import Entrant, Match
    from firmware_bridge.opponents.seat import Seat
    from firmware_bridge.opponents.tournament import Pairing, Tournament
    from rules.interface import Game, Position, Turn


@click.group
def command() -> None:
    """The computer as an opponent: levels, best, match, tournament."""


@command.command
@click.argument("game")
def levels(game: str) -> None:
    """List the levels of a game: number, name, what it is."""
    from firmware_bridge.opponents import engine_of, levels_of

    found = game_of(game)
    for level in levels_of(found.id):
        click.echo(f"{level.number} {level.name}: {level}")
    if missing := engine_of(found.id).missing():
        click.echo(missing, err=True)


@command.command
@click.option("--position", metavar="TEXT", help="A position text; the start when left out.")
@click.option("--level", default="3", show_default=True, help="1 to 5.")
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
    turn, choice = _chosen(_seat(found, here, level, seed), here)
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
@click.option("--seed", default="1", show_default=True, help="What all chance is drawn from.")
@click.option(
    "--plies", type=click.IntRange(min=1), default=200, show_default=True, help="Cut a game here."
)
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
    from firmware_bridge.opponents.match import Match

    found = game_of(game, options)
    players = (_player(found, white), _player(found, black))
    _play(Match(found, players, seed, plies), games, (white, black))


@command.command
@click.option(
    "--players",
    required=True,
    metavar="A,B,...",
    help="At least two: levels, random, child, greedy, forgetful, timid, sampler.",
)
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="A pair.")
@click.option("--seed", default="1", show_default=True, help="What all chance is drawn from.")
@click.option(
    "--plies", type=click.IntRange(min=1), default=200, show_default=True, help="Cut a game here."
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the games here, and leave out those that are here already.",
)
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
    from firmware_bridge.opponents.tournament import Tournament, table

    found = game_of(game, options)
    names = tuple(dict.fromkeys(players.split(",")))
    if len(names) < 2:
        raise Failure("A tournament needs two players at least.", ExitCode.USAGE)
    entrants = {name: _player(found, name) for name in names}
    held = Tournament(found, entrants, games, seed, plies)
    made = _read(results, held) if results is not None and results.exists() else {}
    for pairing in held.pairings():
        if pairing not in made:
            line = held.play(pairing)
            made[pairing] = line["points"]
            if results is not None:
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
            click.echo(f"{len(made)}: {pairing}, {line['points']:g}", err=True)
    click.echo(table(names, made))


def _read(results: Path, held: Tournament) -> dict[Pairing, float]:
    """Return the games that were played; a line that was cut short is taken away."""
    text = results.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    try:
        made = held.read(whole.splitlines())
    except ValueError:
        told = f"{results} has games that were not played under these conditions; name another."
        raise Failure(told, ExitCode.USAGE) from None
    if whole != text:
        results.write_text(whole, encoding="utf-8")
    return made


def _play(match: Match, games: int, names: tuple[str, str]) -> None:
    """Play a match, with its progress beside what it prints."""
    points, counts = [0.0, 0.0], [0, 0, 0]
    bar = click.progressbar(length=games, label="games", file=sys.stderr)
    on_terminal = sys.stderr.isatty()
    if on_terminal:
        bar.render_progress()
    for number in range(games):
        played = match.play(number)
        white, black = names if number % 2 == 0 else names[::-1]
        told = {**played.to_json(), "players": {"white": white, "black": black}}
        click.echo(json.dumps(told))
        won = played.points(number)
        points = [points[0] + won, points[1] + 1 - won]
        counts[round(2 - 2 * won)] += 1
        if on_terminal:
            bar.update(1)
        else:
            click.echo(f"{number + 1} of {games}: {points[0]:g} to {points[1]:g}", err=True)
    if on_terminal:
        bar.render_finish()
    wins, draws, losses = counts
    click.echo(
        json.dumps(
            {
                "players": list(names),
                "games": games,
                "score": points,
                "wins": wins,
                "draws": draws,
                "losses": losses,
            }
        )
    )


def _player(game: Game, text: str) -> Entrant | None:
    """Return the player that the command line names."""
    from firmware_bridge.opponents.match import entrant
    from firmware_bridge.opponents.stand_ins import STAND_INS

    if text == "random":
        return None
    if text in STAND_INS:
        return STAND_INS[text]
    if not text.isdecimal():
        known = ", ".join(("1 to 5", "random", *STAND_INS))
        raise Failure(f"{text!r} is no player; players are {known}.", ExitCode.USAGE)
    return entrant(_level(game, text))


def _level(game: Game, text: str) -> Level:
    from firmware_bridge.opponents import level_of
    from firmware_bridge.opponents.levels import LEVELS

    number = next((level for level in LEVELS if str(level) == text), None)
    if number is None:
        told = f"There is no level {text}; levels are {LEVELS[0]} to {LEVELS[-1]}."
        raise Failure(told, ExitCode.USAGE)
    return level_of(game.id, number)


def _position(game: Game, text: str | None) -> Position:
    """Return a position in which somebody is to choose a turn."""
    from rules.interface import InvalidPosition

    try:
        position = game.start() if text is None else game.parse(text)
    except InvalidPosition as invalid:
        told = " ".join(str(invalid).split())
        raise Failure(f"This is no position of {game.name}: {told}", ExitCode.USAGE) from None
    if position.outcome is not None:
        raise Failure("The game is over in this position.", ExitCode.USAGE)
    if position.decision is not None and position.decision.chance:
        raise Failure("In this position the dice decide, and nobody chooses.", ExitCode.USAGE)
    return position


def _seat(game: Game, position: Position, level: str, seed: str) -> Seat:
    """Return the seat of the side to act, which knows of the position what that side may."""
    from firmware_bridge.opponents.seat import Seat

    seat = Seat(game, _level(game, level), seed)
    seat.know(position.knowledge(position.side))
    return seat


def _chosen(seat: Seat, position: Position) -> tuple[Turn, Choice]:
    from firmware_bridge.opponents.match import settled

    turn, choice, _ = settled(seat, position)
    return turn, choice
