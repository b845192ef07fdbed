"""The games that are played: which, on which boards, and how turns are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random

import rules
from firmware_bridge.games import metadata
from firmware_bridge.opponents.match import drawn
from firmware_bridge.simulation import STYLES, Style
from rules.interface import Game, OptionValue, Position, Side, Tier, Turn

LOOKED_AT = 600
"""Turns among which one is chosen."""
DRAWN = 3
"""Where turns are many, every other time the longest of so many drawn ones is made."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a game with options on a tier."""

    game: str
    tier: Tier
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the row is called."""
        options = " ".join(
            name if value is True else f"{name}={value}" for name, value in self.options.items()
        )
        return f"{self.game} {options}".strip()

    def load(self) -> Game:
        """Return the game."""
        return rules.load(self.game, **self.options)


def _rows() -> Iterator[Row]:
    """Yield every game on every tier that tells its turns, and its variants on one of them each."""
    for name, game in rules.games().items():
        tiers = _TIERS.get(game.traits.least_tier, ("face",))
        yield from (Row(name, tier) for tier in tiers)
        for options, tier in zip(metadata.of(name).variants, cycle(tiers), strict=False):
            yield Row(name, tier, options)


_TIERS: Mapping[Tier, tuple[Tier, ...]] = {
    "occupancy": ("occupancy", "identity"),
    "identity": ("identity",),
}
ROWS = tuple(_rows())


def choose(position: Position, dice: Random) -> Turn:
    """Return a legal turn; those that say more than a quiet move come more often than by chance."""
    if position.game.traits.long_turns:
        several = [drawn(position, dice) for _ in range(dice.choice((1, DRAWN)))]
        return max(several, key=lambda turn: len(position.deed(turn).moves))
    turns = list(islice(position.turns(), LOOKED_AT))
    if dice.random() < 0.5:
        turns = [turn for turn in turns if _special(position, turn)] or turns
    return dice.choice(turns)


def _special(position: Position, turn: Turn) -> bool:
    deed = position.deed(turn)
    return bool(deed.taken or deed.becomes or deed.placed or len(deed.moves) > 1)


def by_hands_alone(position: Position, turn: Turn, computer: Side) -> bool:
    """Return whether hands can make a turn: what is below a computer's token, the board tells."""
    if not position.game.tokens:
        return True
    deed = position.deed(turn)
    looked_at = {square for square, _ in deed.flips}.union(() if deed.moves else deed.taken)
    return not any(position.placement.get(s, "").startswith(computer[0]) for s in looked_at)


def styles(dice: Random) -> frozenset[Style]:
    """Return some styles to play a turn in: often one, sometimes several, sometimes none."""
    count = dice.choice((0, 1, 1, 1, 2, 3))
    return frozenset(dice.sample(STYLES, count))
