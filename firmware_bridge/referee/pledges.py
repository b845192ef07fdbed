"""What each host of a game with somebody far away is bound to, where its pieces hide something.

Before the first turn it tells a hash of each of its pieces: the SHA-256 of a line of ASCII that
names the place, the faces, upper one first, and a salt that nobody can guess:

    printf %s 'reality-check white d1 RN 2f...' | sha256sum

A rule that shows a piece opens exactly that hash, by its salt. Which of the pieces that have been
in a hand one is, nobody sees at a table either: where it could be several, it is told and proved
at the end, when all are opened.

Dice follow from two chains of hashes, one of each host. It has told the end of its chain, and opens
the link before the last one for every roll: neither can choose what comes, nor foretell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Self, cast

from rules.interface import Label, Position, Side
from rules.values import faces_up, piece_of

HAND = "hand"
"""The place of a piece that does not begin on the board."""
LINKS = 4096
"""Rolls for which a chain lasts; no game has as many."""


@dataclass(frozen=True, slots=True)
class Pledge:
    """What a host has bound itself to.

    Attributes:
        pieces: the hash of each of its pieces, by its place at the start.
        dice: the end of its chain.
        told: what everybody may know of its pieces; see `Position.told_of`.
    """

    pieces: Mapping[str, str]
    dice: str
    told: str

    @classmethod
    def of(cls, position: Position, side: Side, seed: str) -> Self:
        """Return what binds a host to its pieces as they stand.

        From the seed, which nobody else knows, salts and dice follow.
        """
        pieces = {
            place: digest(position.game.id, side, place, both, salt(seed, place))
            for place, both in faces_of(position, side).items()
        }
        return cls(pieces, link(seed, 0), position.told_of(side))

    def to_data(self) -> dict[str, object]:
        """Return it as JSON values."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Self:
        """Return what `to_data` wrote."""
        values = cast("dict[str, Any]", data)
        return cls(values["pieces"], values["dice"], values["told"])


def faces_of(position: Position, side: Side) -> dict[str, str]:
    """Return the faces of a side's pieces by their places, the upper one first on the board."""
    mine = {s: faces_up(x) for s, x in sorted(position.placement.items()) if x[0] == side[0]}
    hand = [label[1:] for label in position.hands[side]]
    return mine | ({HAND: ",".join(hand)} if hand else {})


def tells_how_it_lies(label: Label) -> bool:
    """Return whether a label of a piece with two faces names which of them lies down."""
    name, _, down = label[1:].partition(":")
    return down in tuple(name)


def salt(seed: str, place: str) -> str:
    """Return what keeps anybody from trying all faces that a piece can have."""
    return hashed(f"salt {place} {seed}")


def digest(game: str, side: Side, place: str, both: str, salted: str) -> str:
    """Return the hash of one piece, of which these are both faces."""
    return hashed(f"{game} {side} {place} {both} {salted}")


def link(seed: str, number: int) -> str:
    """Return a link of a host's chain: 0 is its end, 1 is for the first roll, and so on."""
    return _chain(seed)[number]


def follows(opened: str, before: str) -> bool:
    """Return whether this is the link that comes next."""
    return hashed(opened) == before


@lru_cache(maxsize=4)
def _chain(seed: str) -> tuple[str, ...]:
    links = [hashed(f"dice {seed}")]
    for _ in range(LINKS):
        links.append(hashed(links[-1]))
    return tuple(reversed(links))


def opens(game: str, side: Side, pledge: Pledge, label: Label, place: str, salted: str) -> bool:
    """Return whether a salt proves that this is the piece which began there, either side up."""
    name = piece_of(label)[1:]
    both = {name, name[::-1]}
    return pledge.pieces.get(place) in {digest(game, side, place, x, salted) for x in both}


def hashed(text: str) -> str:
    """Return the SHA-256 of a line, as hexadecimal digits.

    All that honest hosts hash is ASCII; what another one opens may be any text, and proves nothing.
    """
    return sha256(text.encode()).hexdigest()
