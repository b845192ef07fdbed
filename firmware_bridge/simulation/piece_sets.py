"""The pieces of the simulated board: enough of every kind for every game, and their set-ups.

Chessmen have their other colour underneath, discs their second face, each with a tag of its own.
A game that does not show its men as what they are has men of its own, whose looks tell nothing.
Tags are made from what they stand for, so a game restored later meets the same pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from zlib import crc32

import rules
from drivers.piece_set import Face, Piece, PieceSet
from firmware_bridge.games.shelf import usable
from rules.interface import Game, Label, OptionValue, Position, Shown, Square
from rules.values import piece_of

SPARES = ("wQ", "wR", "wB", "wN", "bQ", "bR", "bB", "bN")
"""Chessmen of which two more lie ready, for promotions."""
_OTHER = {"w": "b", "b": "w"}
_NO_COLOUR = "n"
_OWN_LOOKS, _ONE_WOOD, _ONE_SET = range(3)
"""What the look of a man tells: all; not his side, as there is one wood; not his side, though there
are two. A game that hides more has a box of its own."""
_FREE_BOX, _BOXES = 3, 256  # the first after those three, and what a byte of the tag can name


@cache
def simulated_pieces(game: Game | None = None) -> PieceSet:
    """Return all pieces, and an arrangement for every game by its id; that of `game` is `start`."""
    games = dict(set_ups())
    if game is not None:
        games["start"] = game
    ordinary = [each for each in games.values() if _box(each) == _OWN_LOOKS]
    alike = [each for each in games.values() if _box(each) != _OWN_LOOKS]
    pieces = dict.fromkeys(_pieces(ordinary, spares=True))
    for each in alike:
        pieces.update(dict.fromkeys(_men_alike(each)))
    arrangements = {name: arrangement_of(each) for name, each in games.items()}
    return PieceSet(pieces=tuple(pieces), arrangements=arrangements)


def arrangement_of(game: Game, position: Position | None = None) -> dict[Square, str]:
    """Return where which tag lies at the start of a game, or in another position of it."""
    start, box = (position or game.start()).placement, _box(game)
    numbered = zip(start, _numbered(start.values()), strict=True)
    return {cell: _tag(label, number, box) for cell, (label, number) in numbered}


def set_ups() -> Iterator[tuple[str, Game]]:
    """Yield every game, and those of its options with which it begins or looks otherwise."""
    for name, kind in usable().items():
        usual = kind()
        yield name, usual
        for option, values in kind.allowed.items():
            for value in listed(values)[1:]:
                other = rules.load(name, **{option: value})
                if (other.start().placement, other.printed) != (
                    usual.start().placement,
                    usual.printed,
                ):
                    yield f"{name}-{option if value is True else value}".replace("_", "-"), other


def listed(values: Sequence[OptionValue]) -> Sequence[OptionValue]:
    """Return the values of an option that are named one by one: of numbers the usual one alone."""
    return values[:1] if isinstance(values, range) else values


@cache
def _box(game: Game) -> int:
    looks = _looks(game)
    discs = any(":" in label for label in game.start().placement.values())
    if discs or all(look == piece_of(label) for (label, _), look in looks.items()):
        return _OWN_LOOKS
    if game.traits.owners_secret:
        return _ONE_SET if game.printed else _ONE_WOOD
    return _FREE_BOX + crc32(game.id.encode()) % (_BOXES - _FREE_BOX)


def _men_alike(game: Game) -> Iterable[Piece]:
    """Return the men of a game in which neither looks nor names may tell what they are."""
    box, looks = _box(game), _looks(game)
    colour = "" if game.printed else _NO_COLOUR
    kinds = {look[1] for look in looks.values()}
    spares = [label for label in SPARES for _ in range(2) if label[1] in kinds]
    men = list(_numbered((*game.start().placement.values(), *spares)))
    # In the tray, too, the order must tell nothing.
    men.sort(key=lambda man: crc32(_uid(man[0], man[1], 0, box).encode()))
    for place, (label, number) in enumerate(men, 1):
        look = looks.get((label, number), (colour or label[0]) + label[1])
        face = Face(tag=_uid(label, number, 0, box), label=label, look=look)
        yield Piece(set=f"alike-{box}", name=f"alike-{box}-{place}", faces=(face,))


def _looks(game: Game) -> Mapping[tuple[Label, int], str]:
    """Return the colour and the kind that each man at the start shows, by its number."""
    start = game.start()
    numbered = zip(start.placement, _numbered(start.placement.values()), strict=True)
    return {man: _look(game, cell, start.shown[cell]) for cell, man in numbered}


def _look(game: Game, cell: Square, shown: Shown) -> str:
    side = game.printed.get(cell, shown.side)
    return (side[0] if side else _NO_COLOUR) + shown.kind


def pieces_of(game: Game, *, spares: bool) -> tuple[Piece, ...]:
    """Return the pieces of one game, named as among all; a template for a real piece set."""
    return _pieces([game], spares=spares)


def places_of(game: Game) -> dict[str, Square]:
    """Return where at the start each of these pieces stands, by its name."""
    start = game.start().placement
    numbered = zip(_numbered(start.values()), start, strict=True)
    return {f"{piece_of(label)}-{number}": cell for (label, number), cell in numbered}


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
    return [piece_of(label) for label in (*position.placement.values(), *in_hand)]


def _numbered(labels: Iterable[Label]) -> list[tuple[Label, int]]:
    counts: Counter[Label] = Counter()
    numbered = []
    for label in labels:
        counts[piece_of(label)] += 1
        numbered.append((label, counts[piece_of(label)]))
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


def _uid(kind: Label, number: int, face: int, box: int = _OWN_LOOKS) -> str:
    return bytes((4, *f"{kind:<3}".encode("ascii"), number, box, face)).hex().upper()
