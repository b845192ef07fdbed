"""The puzzles that come with a game: what is to be reached, and every turn that leads there.

A game's file is `firmware_bridge/puzzles/<id>.toml`; a game without one has none.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    game: str
    position: str
    turns: int = 1
    checks: int = 0
    ways: dict[str, Any] = Field(default_factory=dict)

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
        """Return whether nothing is left to be done, after a turn that leads there."""
        return won or self._made(texts) >= self.turns

    @property
    def goal(self) -> str:
        """What is to be reached, as a key of the word catalogue."""
        return f"puzzle-checks-{self.checks}" if self.checks else f"puzzle-win-{self.turns}"

    @staticmethod
    def _made(texts: Sequence[str]) -> int:
        return (len(texts) + 1) // 2


@cache
def of(game: str) -> tuple[Puzzle, ...]:
    """Return a game's puzzles, the shortest first; none where it has no file."""
    file = resources.files(__package__).joinpath(f"{game}.toml")
    if not file.is_file():
        return ()
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        Puzzle(id=f"{game}-{number}", game=game, **puzzle)
        for number, puzzle in enumerate(told["puzzle"], 1)
    )


def find(name: str) -> Puzzle:
    """Return a puzzle by its id; raise `KeyError` when there is none."""
    game = name.rpartition("-")[0]
    return {puzzle.id: puzzle for puzzle in of(game)}[name]
