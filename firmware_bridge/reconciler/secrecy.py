"""What the judge of hands must not go by, since players may not know it.

Here alone a game's secrets enter the judging of hands; docs/secrets.md tells why each of them must.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rules.interface import Game, Label, Position


@dataclass(frozen=True)
class Secrecy:
    """What players of a game may not be told by what is made of their hands.

    `Secrecy.of(game).own("w", "wP")` is true, but for Indistinguishable Chess, where nobody knows.

    Attributes:
        owners: whether the colour of a piece tells nothing of its owner.
        looks: whether pieces that look alike may be different ones.
        records: whether players must remember what stood where.
    """

    owners: bool
    looks: bool
    records: bool

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return what a game keeps secret."""
        traits = game.traits
        looks = traits.owners_secret or traits.kinds_secret
        return cls(traits.owners_secret, looks, traits.owners_secret or traits.records_forbidden)

    def own(self, side: str, label: Label) -> bool:
        """Return whether everybody knows that a piece is this side's; a side is "w" or "b"."""
        return not self.owners and label[0] == side

    def foreign(self, side: str, label: Label) -> bool:
        """Return whether everybody knows that a piece is not this side's."""
        return not self.owners and label[0] != side

    @property
    def legality_tells(self) -> bool:
        """Whether what hands did may be concluded from what would be legal.

        Where owners are secret, that would tell whose the pieces are.
        """
        return not self.owners

    @property
    def lifts_tell(self) -> bool:
        """Whether a piece in the air, or put back, may be judged by whose it is.

        Where owners are secret, to lift one is free: it is as good as any other.
        """
        return not self.owners


def decides(position: Position) -> bool:
    """Return whether a player decides on pieces that he alone knows."""
    return position.decides_in_secret
