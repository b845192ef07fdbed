"""`firmware-bridge rules`: the games on the command line, for learning and for checking."""

from collections.abc import Callable
from typing import ParamSpec

import click

import rules
from firmware_bridge.cli.failures import Failure
from firmware_bridge.cli.options import game_of, position_of, with_game_options
from rules import UnusableGame, registry
from rules.diagram import diagram
from rules.interface import Game, IllegalTurn, OptionValue, Position

P = ParamSpec("P")


def _on_a_position(function: Callable[P, None]) -> Callable[P, None]:
    """Give a command the game, its options and the position that it works on."""
    for decorator in (
        click.option(
            "-p", "--position", metavar="TEXT", help="A position text; the start when left out."
        ),
        with_game_options,
        click.argument("game"),
    ):
        function = decorator(function)
    return function


@click.group
def command() -> None:
    """The games and their rules: list, show, turns, perft, check."""


@command.command("list")
def list_games() -> None:
    """List the games with their options, the default first."""
    unusable = []
    for game_id in registry.ids():
        try:
            game = registry.find(game_id)
        except UnusableGame as error:
            unusable.append(str(error))
            continue
        click.echo(f"{game.id}: {game.name}")
        for name, values in game.allowed.items():
            if isinstance(values, range):
                click.echo(f"    {name} = {values[0]} ... {values[-1]}")
            else:
                click.echo(f"    {name} = {' | '.join(map(_shown, values))}")
    if unusable:
        raise UnusableGame("\n".join(unusable))


@command.command
@click.option("--secrets", is_flag=True, help="Show what players may not see. Not during a game!")
@_on_a_position
def show(game: str, options: tuple[str, ...], position: str | None, *, secrets: bool) -> None:
    """Show a position as a diagram, with who is to act."""
    shown = _position(game, options, position)
    click.echo(diagram(shown, secrets=secrets))
    for side, hand in shown.hands.items():
        click.echo(f"{side.capitalize()} has {len(hand)} in hand.")
    click.echo(_state(shown))


@command.command
@click.option("--written", is_flag=True, help="As people write them.")
@_on_a_position
def turns(game: str, options: tuple[str, ...], position: str | None, *, written: bool) -> None:
    """List every legal turn, one a line."""
    here = _position(game, options, position)
    for turn in here.turns():
        click.echo(here.written(turn) if written else str(turn))


@command.command
@click.option("--divide", is_flag=True, help="Also count what follows each first turn.")
@click.option("-d", "--depth", type=click.IntRange(min=1), default=1, show_default=True)
@_on_a_position
def perft(
    game: str, options: tuple[str, ...], position: str | None, depth: int, *, divide: bool
) -> None:
    """Count the sequences of legal turns of a given length."""
    here = _position(game, options, position)
    total = 0
    for turn in here.turns():
        count = 1 if depth == 1 else _count(here.play(turn), depth - 1)
        total += count
        if divide:
            click.echo(f"{turn} {count}")
    click.echo(total)


@command.command
@_on_a_position
@click.argument("turn")
def check(game: str, options: tuple[str, ...], position: str | None, turn: str) -> None:
    """Say whether a turn is legal, what it leads to, or why not.

    TURN is a turn text, or the turn as people write it.
    """
    here = _position(game, options, position)
    try:
        understood = here.understand(turn)
    except rules.IllegalTurn as illegal:
        raise Failure(_why_not(illegal, here.game)) from None
    click.echo(f"legal: {understood}")
    click.echo(f"then:  {here.play(understood)}")


def _why_not(illegal: IllegalTurn, game: Game) -> str:
    """Return why a turn is not legal: the reason code, the squares and a sentence."""
    at = f" ({', '.join(illegal.squares)})" if illegal.squares else ""
    told = str(illegal)
    sentence = game.reasons.get(illegal.reason, told) if told == illegal.reason else told
    return f"not legal: {illegal.reason}{at}. {sentence}"


def _position(game_id: str, options: tuple[str, ...], text: str | None) -> Position:
    """Return the position that the command line asks for."""
    return position_of(game_of(game_id, options), text)


def _shown(value: OptionValue) -> str:
    return str(value).lower()


def _state(position: Position) -> str:
    """Return who is to act, or how the game ended."""
    outcome = position.outcome
    if outcome is not None:
        end = f"{outcome.winner.capitalize()} has won" if outcome.winner else "A draw"
        return f"{end}: {outcome.reason}."
    awaited = f" ({position.awaited} awaited)" if position.awaited else ""
    check = ", in check" if position.in_check else ""
    return f"{position.side.capitalize()} to act{check}{awaited}."


def _count(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` turns; the last are counted, not played."""
    if depth == 1:
        return sum(1 for _ in position.turns())
    return sum(_count(position.play(turn), depth - 1) for turn in position.turns())
