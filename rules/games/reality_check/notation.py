"""Turns as people write them.

Rd1-d4, flip e3        a move and the flip; P?d1-d4 names the up-face only, never the underside
Rd4xd7                 a capture
Rd4xd7, reality check  the same with a Reality Check
drop P/N on c2         up-face and underside; everyone else sees: drop P on c2
look under c7 and d8   memory
keep P/N, refuse P/N   the captured piece; everyone else sees: keep, refuse
sacrifice R/R          a true piece
rolled 3 and 5         the dice, and then: flip e3
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from rules.games.reality_check.discs import Name, name_of
from rules.games.reality_check.fields import State
from rules.games.reality_check.turns import (
    AnyTurn,
    Capture,
    Decision,
    Drop,
    Flip,
    Memory,
    Move,
    Roll,
    Sacrifice,
)
from rules.interface import IllegalTurn, Square


def written(state: State, turn: AnyTurn) -> str:
    """Return a legal turn as people write it, and as everyone may see it.

    The underside of a piece dropped and a piece kept or refused stay secret.
    """
    match turn:
        case Move(source, target, flip):
            text = f"{_face(state, source)}{source}-{target}"
            return f"{text}, flip {flip}" if flip else text
        case Capture(source, target, check):
            text = f"{_face(state, source)}{source}x{target}"
            return f"{text}, reality check" if check else text
        case Drop(faces, square):
            return f"drop {faces[0]} on {square}"
        case Decision():
            return turn.public
        case _:
            return _open(turn)


def _open(turn: Memory | Sacrifice | Roll | Flip) -> str:
    """Return a turn that holds no secret as people write it."""
    match turn:
        case Memory(first, second):
            return f"look under {first} and {second}"
        case Sacrifice(piece):
            return f"sacrifice {piece[0]}/{piece[1]}"
        case Roll(dice):
            return f"rolled {' and '.join(map(str, dice))}"
        case Flip(square):
            return f"flip {square}"


def _face(state: State, square: Square) -> str:
    return state.board[square][0].upper()


_SQUARE = "([a-h][1-9])"
_PIECE = "([PNBR])/?([PNBR])"
_AND = r"(?:\s*,\s*|\s+and\s+|\s+)"
_FORMS: tuple[tuple[re.Pattern[str], Callable[..., AnyTurn]], ...] = tuple(
    (re.compile(form, re.IGNORECASE | re.ASCII), build)
    for form, build in (
        (rf"[PNBR]?{_SQUARE}\s*-?\s*{_SQUARE}(?:\s*(?:/|,?\s*flip)\s*{_SQUARE})?", Move),
        (
            rf"[PNBR]?{_SQUARE}\s*x\s*{_SQUARE}(\s*!|,?\s*(?:reality\s+)?check)?",
            lambda source, target, check: Capture(source, target, bool(check)),
        ),
        (
            rf"(?:drop\s+)?{_PIECE}(?:\s*@\s*|\s+on\s+|\s+){_SQUARE}",
            lambda up, down, square: Drop((up + down).upper(), square),
        ),
        (
            rf"(?:look\s+under\s+|memory\s+|\?\s*){_SQUARE}{_AND}(?!\1){_SQUARE}",
            lambda one, other: Memory(min(one, other), max(one, other)),
        ),
        (
            rf"(keep|refuse)(?:\s+|:){_PIECE}",
            lambda word, *faces: Decision(word == "keep", _piece(*faces)),
        ),
        (rf"sacrifice(?:\s+|:){_PIECE}", lambda *faces: Sacrifice(_piece(*faces))),
        (
            rf"roll(?:ed)?(?:\s+|:)([1-6])(?:{_AND}([1-6]))?",
            lambda *dice: Roll(tuple(int(die) for die in dice if die)),
        ),
        (rf"flip(?:\s+|:){_SQUARE}", Flip),
    )
)


def _piece(one: str, other: str) -> Name:
    return name_of((one + other).upper())


_CAPTURE_WITH_FLIP = re.compile(f"{_SQUARE}x{_SQUARE}!?/{_SQUARE}")


@lru_cache(maxsize=256)
def parse(text: str) -> AnyTurn:
    """Return the turn of a canonical text, whether or not it is legal anywhere.

    Raises:
        IllegalTurn: `syntax`, or `no-flip-allowed` for a capture that names a flip.
    """
    turn = _meant(text)
    if turn is not None and str(turn) == text:
        return turn
    if match := _CAPTURE_WITH_FLIP.fullmatch(text):
        raise IllegalTurn("no-flip-allowed", "A capture turns nothing over.", (match[3],))
    raise IllegalTurn("syntax", f"{text!r} is not the text of a turn.")


def read(text: str) -> AnyTurn:
    """Return the turn that people wrote, whether or not it is legal anywhere.

    Canonical texts are read as well. Capitals, spaces and dashes are taken as they come, two
    squares in any order where the order says nothing, and the letter before a square, which says
    no more than the board does, may be left out.

    Raises:
        IllegalTurn: as `parse` does, when no form fits.
    """
    return _meant(text.strip()) or parse(text)


def _meant(text: str) -> AnyTurn | None:
    for form, build in _FORMS:
        if match := form.fullmatch(text):
            return build(*(part and part.lower() for part in match.groups()))
    return None
