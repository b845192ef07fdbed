"""The pieces of the simulated board: enough of every kind for every game, and their set-ups.

Chessmen have their other colour underneath, discs their second face, each with a tag of its own.
Tags are made from what they stand for, so a game restored later meets the same pieces.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import rules
from drivers.piece_set import Face, Piece, PieceSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.interface import Game, Label

SPARES = ("wQ", "wR", "wB", "wN", "bQ", "bR", "bB", "bN")
"""Chessmen of which two more lie ready, for promotions."""
_OTHER = {"w": "b", "b": "w"}


@cache
def simulated_pieces(game: Game | None = None) -> PieceSet:
    """Return all pieces, and an arrangement for every game by its id.

    Args:
        game: the game, with its options, that is set up as the arrangement `start`.
    """
    games = {name: rules.load(name) for name in rules.games()}
    if game is not None:
        games["start"] = game
    pieces = _pieces(games.values(), spares=True)
    arrangements = {
        name: {
            cell: _tag(label, number)
            for cell, (label, number) in zip(
                each.start().placement, _numbered(each.start().placement.values()), strict=True
            )
        }
        for name, each in games.items()
    }
    return PieceSet(pieces=pieces, arrangements=arrangements)


def pieces_of(game: Game, *, spares: bool) -> tuple[Piece, ...]:
    """Return the pieces of one game, named as among all; a template for a real piece set."""
    return _pieces([game], spares=spares)


def _pieces(games: Iterable[Game], *, spares: bool) -> tuple[Piece, ...]:
    needed: Counter[Label] = Counter()
    for game in games:
        needed |= Counter(_all_labels(game))
    if spares:
        needed += Counter(dict.fromkeys(SPARES, 2))
    return tuple(_piece(label, number) for label, number in _numbered(needed.elements()))


def _all_labels(game: Game) -> list[Label]:
    position = game.start()
    in_hand = [label for hand in position.hands.values() for label in hand]
    return [_kind(label) for label in (*position.placement.values(), *in_hand)]


def _kind(label: Label) -> Label:
    """Return the label under which a piece is counted: a disc by its name, whichever way up."""
    return label.partition(":")[0]


def _numbered(labels: Iterable[Label]) -> list[tuple[Label, int]]:
    counts: Counter[Label] = Counter()
    numbered = []
    for label in labels:
        counts[_kind(label)] += 1
        numbered.append((label, counts[_kind(label)]))
    return numbered


def _piece(kind: Label, number: int) -> Piece:
    side, letters = kind[0], kind[1:]
    if len(letters) == 1:
        labels = [kind] if letters == "K" else [kind, _OTHER[side] + letters]
        faces = tuple(
            Face(tag=_uid(kind, number, face), label=label, look=label)
            for face, label in enumerate(labels)
        )
        return Piece(set="chessmen", name=f"{kind}-{number}", faces=faces)
    up_down = ((letters[0], letters[1]), (letters[1], letters[0]))
    discs = tuple(
        Face(tag=_uid(kind, number, face), label=f"{kind}:{down}", look=side + up)
        for face, (up, down) in enumerate(up_down)
    )
    return Piece(set="discs", shape="disc", name=f"{kind}-{number}", faces=discs)


def _tag(label: Label, number: int) -> str:
    kind, _, down = label.partition(":")
    face = 0 if not down or kind[2] == down else 1
    return _uid(kind, number, face)


def _uid(kind: Label, number: int, face: int) -> str:
    return bytes((4, *f"{kind:<3}".encode("ascii"), number, 0, face)).hex().upper()
