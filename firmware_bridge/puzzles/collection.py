"""The puzzles that come with a game: what is to be reached, and every turn that leads there.

A game's file is `firmware_bridge/puzzles/<id>.toml`. Another package adds some to any game by an
entry point of the group `firmware_bridge.puzzles`, under the game's id: a folder with
`<id>.puzzles.toml`.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

import rules
from firmware_bridge import extensions
from firmware_bridge.games import metadata
from firmware_bridge.games.data_file import LearnScreen
from firmware_bridge.games.shelf import usable

LESSON = "-lesson-"
"""Stands in the id of a lesson, between the game's and its number."""
_LOG = logging.getLogger(__name__)


class Puzzle(BaseModel):
    """One position, and what the side to act is to reach.

    Attributes:
        id: names it among all puzzles, such as `reversi-3`.
        game: the game's id, with its default options.
        position: the canonical text.
        turns: within how many turns it wins, whatever the other plays.
        checks: how many checks are to be given at once instead, in one turn; 0 where it is to win.
        ways: every turn that leads there -> every answer -> every turn ..., in canonical texts.
            The last turn of a win stands in none: it is known by winning.
        lesson: which of the game's learn screens it is instead, from 1; 0 where it is none. It is
            solved by what that screen asks for, to which the board's lights lead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    game: str
    position: str
    turns: int = 1
    checks: int = 0
    ways: dict[str, Any] = Field(default_factory=dict)
    lesson: int = 0

    @property
    def screen(self) -> LearnScreen | None:
        """The learn screen that it is, if it is one."""
        return metadata.of(self.game).learn[self.lesson - 1] if self.lesson else None

    def leads_there(self, texts: Sequence[str], *, won: bool) -> bool:
        """Return whether the solver's last turn is one that leads there.

        Args:
            texts: the turns made so far, both sides', that one the last.
            won: whether it has won the game.
        """
        node = self.ways
        for text in texts:
            if text not in node:
                return won
            node = node[text]
        return won or bool(self.checks) or self._made(texts) < self.turns

    def solved(self, texts: Sequence[str], *, won: bool) -> bool:
        """Return whether the puzzle is solved after this turn."""
        return won or self._made(texts) >= self.turns

    @property
    def goal(self) -> str:
        """What is to be reached, as a key of the word catalogue."""
        if self.lesson:
            return f"lesson-{self.lesson}"
        return f"puzzle-checks-{self.checks}" if self.checks else f"puzzle-win-{self.turns}"

    @staticmethod
    def _made(texts: Sequence[str]) -> int:
        return (len(texts) + 1) // 2


@cache
def of(game: str) -> tuple[Puzzle, ...]:
    """Return a game's puzzles, ours first; none where there is no file.

    One whose position or first turns the game refuses is named in the log, and left out.
    """
    added = extensions.folders("firmware_bridge.puzzles", game)
    files = (
        resources.files(__package__) / f"{game}.toml",
        *(folder / f"{game}.puzzles.toml" for folder in added),
    )
    return tuple(puzzle for n, file in enumerate(files) for puzzle in _read(game, file, n))


def _read(game: str, file: Traversable, n: int) -> list[Puzzle]:
    """Return a file's puzzles; those of the n-th other package are called `reversi-n.1`."""
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        name = f"{game}-{n}." if n else f"{game}-"
        found = [
            Puzzle(id=f"{name}{count}", game=game, **puzzle)
            for count, puzzle in enumerate(told["puzzle"], 1)
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        _LOG.error("%s holds no puzzles: %s", file, error)
        return []
    return [puzzle for puzzle in found if _can_be_set(puzzle, file)]


def _can_be_set(puzzle: Puzzle, file: Traversable) -> bool:
    """Return whether the game knows what is to be done there; say so in the log if it does not."""
    try:
        position = rules.load(puzzle.game).parse(puzzle.position)
        for turn in puzzle.ways:
            position.play(position.parse_turn(turn))
    except ValueError as error:
        _LOG.error("%s: puzzle %s is left out: %s", file, puzzle.id, error)
        return False
    return True


def find(name: str) -> Puzzle:
    """Return a puzzle by its id; raise `KeyError` when there is none."""
    game, kind, _ = name.rpartition(LESSON) if LESSON in name else name.rpartition("-")
    return {puzzle.id: puzzle for puzzle in (lessons if kind == LESSON else of)(game)}[name]


def following(puzzle: Puzzle) -> Puzzle | None:
    """Return the next one of its kind, if there is one."""
    row = (lessons if puzzle.lesson else of)(puzzle.game)
    return next((one for before, one in pairwise(row) if before.id == puzzle.id), None)


@cache
def lessons(game: str) -> tuple[Puzzle, ...]:
    """Return a game's learn screens that have a task to solve."""
    if game not in usable():
        return ()
    loaded = rules.load(game)
    return tuple(
        Puzzle(
            id=f"{game}{LESSON}{number}",
            game=game,
            position=str(screen.position_in(loaded)),
            lesson=number,
        )
        for number, screen in enumerate(metadata.of(game).learn, start=1)
        if screen.turn or screen.offence
    )
