"""What a computer's pieces hide at the start, fixed before the first turn and opened at the end.

Only the hash is public while the game goes on. It is that of one line of ASCII, without an end of
line, that anybody can hash again when the game is over:

    printf %s 'reality-check black b7=bPN:N ... hand=bRR nonce=2f...' | sha256sum

The nonce keeps anybody from trying all arrangements, and gives the computer's seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self, cast

from rules.values import opponent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.interface import Game, Label, Side, Square

NONCE = 32
"""Bytes that nobody can guess."""

Entropy = Callable[[int], bytes]
"""Gives so many bytes that nobody can foretell, such as `secrets.token_bytes`."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the pieces of one side hide.

    Attributes:
        game: the game's id.
        side: whose pieces.
        pieces: what stands where at the start, undersides included.
        hand: the pieces in hand.
        nonce: hexadecimal digits.
    """

    game: str
    side: Side
    pieces: Mapping[Square, Label]
    hand: tuple[Label, ...]
    nonce: str

    @classmethod
    def draw(cls, game: Game, side: Side, entropy: Entropy) -> Self:
        """Draw what the pieces of a side hide, every way as likely as any other.

        Args:
            game: the game; what is seen of its start is kept.
            side: whose pieces.
            entropy: where chance is from.
        """
        other = opponent(side)
        worlds = game.believe(other, game.start().knowledge(other)).worlds()
        # So many more bits than there are ways that none is likelier by more than 2**-200.
        drawn = worlds[int.from_bytes(entropy(NONCE)) % len(worlds)]
        own = {s: label for s, label in sorted(drawn.placement.items()) if label[0] == side[0]}
        return cls(game.id, side, own, tuple(drawn.hands.get(side, ())), entropy(NONCE).hex())

    @property
    def text(self) -> str:
        """What is hashed, as bytes of ASCII."""
        pieces = " ".join(f"{square}={label}" for square, label in sorted(self.pieces.items()))
        hand = ",".join(self.hand) or "-"
        return f"{self.game} {self.side} {pieces} hand={hand} nonce={self.nonce}"

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, as hexadecimal digits: all that is public of it."""
        return sha256(self.text.encode("ascii")).hexdigest()

    @property
    def seed(self) -> str:
        """What the chance of the side's computer is drawn from: secret as long as the nonce is.

        From a public one anybody could let every arrangement play, and see which of them would
        have made the computer's turns.
        """
        return sha256(f"seed {self.nonce}".encode("ascii")).hexdigest()

    @property
    def command(self) -> str:
        """A command by which anybody finds the digest again."""
        return f"printf %s '{self.text}' | sha256sum"

    def to_data(self) -> dict[str, object]:
        """Return it as JSON values, for the journal; with the digest, for readers."""
        return {
            "game": self.game,
            "side": self.side,
            "pieces": dict(self.pieces),
            "hand": list(self.hand),
            "nonce": self.nonce,
            "sha256": self.digest,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Self:
        """Return what `to_data` wrote."""
        values = cast("dict[str, Any]", data)
        return cls(
            values["game"],
            values["side"],
            values["pieces"],
            tuple(values["hand"]),
            values["nonce"],
        )
