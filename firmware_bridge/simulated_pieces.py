"""The pieces of the simulated board: enough of every kind for every game, and their set-ups.

Chessmen have their other colour underneath, discs their second face, each with a tag of its own.
A game in which nothing may tell whose piece is whose has men of its own, whose looks tell nothing.
Tags are made from what they stand for, so a game restored later meets the same pieces.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING
from zlib import crc32

import rules
from drivers.piece_set import Face, Piece, PieceSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rules.interface import Game, Label, OptionValue, Square

SPARES = ("wQ", "wR", "wB", "wN", "bQ", "bR", "bB", "bN")
"""Chessmen of which two more lie ready, for promotions."""
VARIANTS: Mapping[str, tuple[str, Mapping[str, OptionValue]]] = {
    "indistinguishable-single-set": ("indistinguishable", {"single_set": True}),
    "reality-check-advanced": ("reality-check", {"board": "advanced"}),
}
"""Set-ups of games with options that stand otherwise, or look otherwise."""
_OTHER = {"w": "b", "b": "w"}
_NO_COLOUR = "n"
_OWN_COLOURS, _ONE_WOOD, _ONE_SET = range(3)
"""What the colour of a man tells: his side; nothing, as there is one; nothing, though there are."""


@cache
def simulated_pieces(game: Game | None = None) -> PieceSet:
    """Return all pieces, and an arrangement for every game by its id.

    Args:
        game: the game, with its options, that is set up as the arrangement `start`.
    """
    games = {name: rules.load(name) for name in rules.games()}
    games |= {name: rules.load(each, **options) for name, (each, options) in VARIANTS.items()}
    if game is not None:
        games["start"] = game
    ordinary = [each for each in games.values() if not each.traits.owners_secret]
    alike = [each for each in games.values() if each.traits.owners_secret]
    pieces = dict.fromkeys(_pieces(ordinary, spares=True))
    for each in alike:
        pieces.update(dict.fromkeys(_men_alike(each)))
    arrangements = {name: arrangement_of(each) for name, each in games.items()}
    return PieceSet(pieces=tuple(pieces), arrangements=arrangements)


def arrangement_of(game: Game) -> dict[Square, str]:
    """Return where which tag lies at the start of a game."""
    start, box = game.start().placement, _box(game)
    numbered = zip(start, _numbered(start.values()), strict=True)
    return {cell: _tag(label, number, box) for cell, (label, number) in numbered}


def _box(game: Game) -> int:
    if not game.traits.owners_secret:
        return _OWN_COLOURS
    return _ONE_SET if game.printed else _ONE_WOOD


def _men_alike(game: Game) -> Iterable[Piece]:
    """Return the men of a game in which neither looks nor names may tell whose they are."""
    box, printed = _box(game), _printed(game)
    start = game.start().placement.values()
    men = list(_numbered((*start, *(spare for spare in SPARES for _ in range(2)))))
    # In the tray, too, the order must tell nothing.
    men.sort(key=lambda man: crc32(_uid(man[0], man[1], 0, box).encode()))
    for place, (label, number) in enumerate(men, 1):
        look = printed.get((label, number), label[0] if printed else _NO_COLOUR) + label[1]
        face = Face(tag=_uid(label, number, 0, box), label=label, look=look)
        yield Piece(set=f"alike-{box}", name=f"alike-{box}-{place}", faces=(face,))


def _printed(game: Game) -> Mapping[tuple[Label, int], str]:
    """Return the printed colours, by the pieces' numbers; empty where all men look the same."""
    start = game.start().placement
    numbered = zip(start, _numbered(start.values()), strict=True)
    return {man: game.printed[cell][0] for cell, man in numbered if game.printed}


def pieces_of(game: Game, *, spares: bool) -> tuple[Piece, ...]:
    """Return the pieces of one game, named as among all; a template for a real piece set."""
    return _pieces([game], spares=spares)


def places_of(game: Game) -> dict[str, Square]:
    """Return where at the start each of these pieces stands, by its name."""
    start = game.start().placement
    numbered = zip(_numbered(start.values()), start, strict=True)
    return {f"{_kind(label)}-{number}": cell for (label, number), cell in numbered}


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


def _tag(label: Label, number: int, box: int) -> str:
    kind, _, down = label.partition(":")
    face = 0 if not down or kind[2] == down else 1
    return _uid(kind, number, face, box)


def _uid(kind: Label, number: int, face: int, box: int = _OWN_COLOURS) -> str:
    return bytes((4, *f"{kind:<3}".encode("ascii"), number, box, face)).hex().upper()
