"""What a kiosk shows while nobody plays: each game plays a little by itself, then explains itself.

Everything comes from the games' data files; nothing of a game under way is used.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import rules
from firmware_bridge.games import metadata

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.interface import Game, Position, Shown, Square, Turn

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
        screen: which of the game's learn screens it explains, from 0; `None` for play.
    """

    game: Game
    board: Mapping[Square, Shown]
    lights: Mapping[str, str] = field(default_factory=dict)
    seconds: float = TURN_SECONDS
    turn: str = ""
    screen: int | None = None


def show() -> Iterator[Frame]:
    """Yield the show, over and over."""
    return itertools.chain.from_iterable(_of(game) for game in itertools.cycle(rules.games()))


def _of(name: str) -> Iterator[Frame]:
    game, told = rules.load(name), metadata.of(name)
    position = game.start()
    yield Frame(game, position.shown)
    for text in told.demonstration:
        turn = position.parse_turn(text)
        yield _played(position, turn, None)
        position = position.play(turn)
    for number, screen in enumerate(told.learn):
        position = game.parse(screen.position) if screen.position else game.start()
        yield Frame(game, position.shown, seconds=READ_SECONDS, screen=number)
        if screen.turn:
            yield _played(position, position.parse_turn(screen.turn), number)


def _played(position: Position, turn: Turn, screen: int | None) -> Frame:
    after = position.play(turn)
    lights = lights_of(position, turn, after)
    return Frame(position.game, after.shown, lights, TURN_SECONDS, position.written(turn), screen)


def lights_of(position: Position, turn: Turn, after: Position) -> dict[str, str]:
    """Return the lights that tell a turn: cell -> signal id.

    Args:
        position: before the turn.
        turn: the turn.
        after: after it.
    """
    deed = position.deed(turn)
    carried = itertools.chain.from_iterable(deed.moves)
    changed = (square for square, _ in (*deed.placed, *deed.flips, *deed.becomes))
    lights = dict.fromkeys(deed.region, "realm")
    lights |= dict.fromkeys(itertools.chain(carried, deed.taken, changed), "last-turn")
    marks = metadata.of(position.game.id).marks
    for square, piece in after.shown.items():
        for mark in piece.marks & marks.keys():
            if light := marks[mark].light:
                lights[square] = light
    return lights
