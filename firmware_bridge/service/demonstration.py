"""The pictures of a kiosk's show, and what the games' data files have for it.

Nothing of a game under way is used. `exhibition` plays the games that are shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import rules
from firmware_bridge.games import metadata
from firmware_bridge.games.data_file import Classic, made
from firmware_bridge.referee.remarks import told_deed
from rules.interface import Game, Outcome, Position, Shown, Side, Square, Turn

TURN_SECONDS = 2.5
"""How long a turn of a demonstration game is to be seen."""
READ_SECONDS = 5.0
"""How long the text of an explanation stands before its turn is played."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the show, on the display and on the board's lights.

    Attributes:
        game: whose rules hold.
        board: what stands where.
        lights: cell -> signal id: the squares of the turn just played, and marks such as
            invisible pieces. The board's own pieces do not move, so its lights tell the story.
        seconds: how long it is to be seen.
        turn: the turn just played, as people write it; empty if none was.
        deed: what hands did for it, as `told_deed` has it.
        screen: which of the game's learn screens it explains, from 0; `None` for play.
        levels: at which level a computer plays, by side; empty where none does.
        outcome: how the game ended, once it has.
        classic: the published game or composition that it is from.
    """

    game: Game
    board: Mapping[Square, Shown]
    lights: Mapping[str, str] = field(default_factory=dict)
    seconds: float = TURN_SECONDS
    turn: str = ""
    deed: str = ""
    screen: int | None = None
    levels: Mapping[Side, int] = field(default_factory=dict)
    outcome: Outcome | None = None
    classic: Classic | None = None


def played(name: str) -> Iterator[Frame]:
    """Yield the few turns of a game that its data file has."""
    game = rules.load(name)
    start = game.start()
    yield Frame(game, start.shown)
    for position, turn in made(start, metadata.of(name).demonstration):
        yield after_turn(position, turn)


def published(name: str) -> Iterator[Frame]:
    """Yield what others published of a game."""
    game = rules.load(name)
    for classic in metadata.of(name).classics:
        shown = classic.position_in(game).shown
        yield Frame(game, shown, seconds=READ_SECONDS, classic=classic)
        for position, turn in classic.made(game):
            yield replace(after_turn(position, turn), classic=classic)


def explained(name: str) -> Iterator[Frame]:
    """Yield the screens that explain a game."""
    game = rules.load(name)
    for number, screen in enumerate(metadata.of(name).learn):
        position = screen.position_in(game)
        yield Frame(game, position.shown, seconds=READ_SECONDS, screen=number)
        if screen.turn:
            yield replace(after_turn(position, position.parse_turn(screen.turn)), screen=number)


def after_turn(position: Position, turn: Turn) -> Frame:
    """Return the picture of a turn that was just played."""
    after = position.play(turn)
    lights = lights_of(position, turn, after)
    return Frame(
        position.game,
        after.shown,
        lights,
        turn=position.written(turn),
        deed=told_deed(position, turn),
        outcome=after.outcome,
    )


def lights_of(position: Position, turn: Turn, after: Position) -> dict[str, str]:
    """Return the lights that tell a turn: cell -> signal id."""
    deed = position.deed(turn)
    carried = itertools.chain.from_iterable(deed.moves)
    changed = (square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    lights = dict.fromkeys(deed.region, "realm")
    lights |= dict.fromkeys(itertools.chain(carried, deed.taken, changed), "last-turn")
    return lights | lights_of_marks(after)


def lights_of_marks(position: Position) -> dict[str, str]:
    """Return the lights of what pieces are marked with: cell -> signal id."""
    marks = metadata.of(position.game.id).marks
    return {
        square: light
        for square, piece in position.shown.items()
        for mark in piece.marks & marks.keys()
        if (light := marks[mark].light)
    }
