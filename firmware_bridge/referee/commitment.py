"""What a computer's pieces hide at the start, fixed before the first turn and opened at the end.

Only the hash is public while the game goes on. It is that of one line of ASCII, without an end of
line, that anybody can hash again when the game is over:

    printf %s 'reality-check black=computer-3 board=basic ... white=person black b7=bPN:N ...
    hand=bRR nonce=2f...' | sha256sum

It names the game, its options and both seats too, so that it can be the promise of no other game.

The nonce keeps anybody from trying all arrangements, and gives the computer's seed and the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Self, cast

from rules.interface import Game, Label, Side, Square
from rules.values import SIDES, opponent

NONCE = 32
"""Bytes that nobody can guess."""

Entropy = Callable[[int], bytes]
"""Gives so many bytes that nobody can foretell, such as `secrets.token_bytes`."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the pieces of one side hide.

    Attributes:
        pieces: what stands where at the start, undersides included.
        nonce: hexadecimal digits.
        about: the game's options and who sits where, as they are hashed.
    """

    game: str
    side: Side
    pieces: Mapping[Square, Label]
    hand: tuple[Label, ...]
    nonce: str
    about: Mapping[str, str]

    @classmethod
    def draw(cls, game: Game, side: Side, entropy: Entropy, computers: Mapping[Side, int]) -> Self:
        """Draw what the pieces of a side hide, every way as likely as any other; faces stay."""
        other = opponent(side)
        worlds = game.believe(other, game.start().knowledge(other)).worlds()
        # So many more bits than there are ways that none is likelier by more than 2**-200.
        drawn = worlds[int.from_bytes(entropy(NONCE)) % len(worlds)]
        own = {s: label for s, label in sorted(drawn.placement.items()) if label[0] == side[0]}
        hand, nonce = tuple(drawn.hands.get(side, ())), entropy(NONCE).hex()
        about = {name: str(value) for name, value in game.options.items()}
        for seat in SIDES:
            about[seat] = f"computer-{computers[seat]}" if seat in computers else "person"
        return cls(game.id, side, own, hand, nonce, about)

    @property
    def text(self) -> str:
        """What is hashed, as bytes of ASCII."""
        pieces = " ".join(f"{square}={label}" for square, label in sorted(self.pieces.items()))
        about = "".join(f"{name}={value} " for name, value in sorted(self.about.items()))
        hand = ",".join(self.hand) or "-"
        return f"{self.game} {about}{self.side} {pieces} hand={hand} nonce={self.nonce}"

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
        return {**asdict(self), "hand": list(self.hand), "sha256": self.digest}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Self:
        """Return what `to_data` wrote."""
        told = {name: value for name, value in data.items() if name != "sha256"}
        values = cast("dict[str, Any]", told)
        return cls(**{**values, "hand": tuple(values["hand"])})
