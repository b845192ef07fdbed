"""What one player may know of a position, and every position that agrees with it.

What is known is written as a position with a `?` for each letter, and for each piece in a hand,
that is the opponent's secret (`n?`, `PN,RR/?`, `hand:?`), and an eighth field for what the limit
and the end make public: `-`, `drop` while one is due, or the end (`white:no-true-pieces`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from math import gcd

from rules.fen import split_fields
from rules.games.reality_check.discs import NAMES, Name, cell_of, owner
from rules.games.reality_check.fields import State
from rules.games.reality_check.legal import outcome, turns
from rules.games.reality_check.ruleset import Ruleset
from rules.games.reality_check.text import REMEMBERED, read
from rules.interface import InvalidPosition, Outcome, Side, Square
from rules.values import SIDES, opponent

_Names = tuple["Name", ...]
_Deal = tuple[_Names, _Names, _Names]


_CELLS = {"white": re.compile("([PNBR])[PNBR]"), "black": re.compile("([pnbr])[pnbr]")}


def known(state: State, text: str, ended: Outcome | None, side: Side) -> str:
    """Return what the player of a side may know of a state, given its text and its outcome."""
    other = opponent(side)
    placement, to_act, hands, frozen, awaited, *rest = text.split()
    both = dict(zip(SIDES, hands.split("/"), strict=True))
    both[other] = ",".join("?" * len(state.hands[other])) or "-"
    if pending := state.pending(other):
        awaited = f"hand:{','.join('?' * len(pending))}"
    placement = "/".join([_faces(row, other) for row in placement.split("/")])
    fields = (placement, to_act, "/".join(both.values()), frozen, awaited, *rest)
    return " ".join((*fields, _made_public(state, ended)))


@lru_cache(maxsize=REMEMBERED)
def _faces(row: str, other: Side) -> str:
    """Return the text of a rank without what lies beneath the pieces of the other side."""
    return _CELLS[other].sub(r"\1?", row)


def told(rules: Ruleset, state: State, side: Side) -> str:
    """Return what everybody may know of one side's pieces, which its owner alone can tell.

    The faces that are up, how many pieces are in hand and wait for a decision, and what the limit
    and the end make public: `drop` while one is due, `stuck` without a turn, `lost` without a true
    piece. `white b3P c2N d1R hand 1 waiting 0 -`.
    """
    mine = sorted((s, cell[0].upper()) for s, cell in state.board.items() if owner(cell) == side)
    faces = " ".join(square + face for square, face in mine)
    return (
        f"{side} {faces} hand {len(state.hands[side])} waiting {len(state.pending(side))} "
        f"{_due(rules, state, side)}"
    )


def _due(rules: Ruleset, state: State, side: Side) -> str:
    if not state.true_pieces(side):
        return "lost"
    if state.side != side or state.awaited:
        return "-"
    if state.over_limit:
        return "drop"
    return "-" if next(turns(rules, state), None) else "stuck"


def some_beneath(text: str) -> dict[Square, str]:
    """Return an arrangement that fits what is told; an empty one if none fits."""
    shown = dict(re.findall(" ([a-z][0-9])([PNBR])", text))
    dealt = next(_beneath(list(shown.values()), NAMES), ())
    return dict(zip(shown, dealt, strict=False))


def readings(state: State, text: str) -> Iterator[str]:
    """Yield the texts of all turns, legal or not, that a player may know by this one.

    What is hidden in a drop is some piece of the hand; in a decision, the first to be decided on.
    """
    if text in ("keep", "refuse"):
        yield from (f"{text}:{name}" for name in state.pending(state.side)[:1])
    elif text[1:2] == "?":
        for name in state.hands[state.side]:
            if text[0] in name:
                yield text[0] + name.replace(text[0], "", 1) + text[2:]
    else:
        yield text


def _made_public(state: State, ended: Outcome | None) -> str:
    if ended:
        return f"{ended.winner or 'draw'}:{ended.reason}"
    return "drop" if state.awaited is None and state.over_limit else "-"


def agreeing(rules: Ruleset, text: str, side: Side, *, spread: bool = False) -> Iterator[State]:
    """Yield every state that gives the player of a side exactly this knowledge, each once.

    Raises:
        InvalidPosition: when there is none.
    """
    *fields, _ = split_fields(text, 8)
    refused = InvalidPosition(f"{side} cannot know this: {text!r}")
    found = False
    for filled in _filled(fields, opponent(side), spread=spread):
        try:
            state = read(rules, filled)
        except InvalidPosition as error:
            refused = error
            continue
        if known(state, filled, outcome(rules, state), side) == text:
            found = True
            yield state
    if not found:
        raise refused


def _filled(fields: list[str], other: Side, *, spread: bool) -> Iterator[str]:
    """Yield the texts in which each `?` of this side's pieces is one that it can be."""
    placement, to_act, hands, frozen, awaited, *rest = fields
    faces = [face.upper() for face in re.findall("([a-zA-Z])[?]", placement)]
    both = hands.split("/")
    place = SIDES.index(other) if len(both) == 2 else 0
    deals: Iterable[_Deal] = _deals(faces, both[place].count("?"), awaited.count("?"))
    for board, hand, pending in _spread(list(deals)) if spread else deals:
        cells = iter(board)
        both[place] = ",".join(cell_of(name, other) for name in hand) or both[place]
        yield " ".join(
            (
                re.sub("[a-zA-Z][?]", lambda _: cell_of(next(cells), other), placement),  # noqa: B023
                to_act,
                "/".join(both),
                frozen,
                f"hand:{','.join(pending)}" if pending else awaited,
                *rest,
            )
        )


def _spread(deals: list[_Deal]) -> Iterator[_Deal]:
    """Yield them all, each far from the one before."""
    step = next((n for n in range(len(deals) * 5 // 8, len(deals)) if gcd(n, len(deals)) == 1), 1)
    yield from (deals[number * step % len(deals)] for number in range(len(deals)))


def _deals(faces: list[str], in_hand: int, pending: int) -> Iterator[_Deal]:
    """Yield the ways to deal the ten pieces: to these faces, to the hand, and to be decided on."""
    for board in _beneath(faces, NAMES):
        left = [name for name in NAMES if name not in board and name[::-1] not in board]
        for hand in combinations(left, in_hand):
            for waiting in combinations([name for name in left if name not in hand], pending):
                yield board, hand, waiting


def _beneath(faces: list[str], names: _Names) -> Iterator[_Names]:
    """Yield the ways to put one of the names, turned face up, to each of the faces."""
    if not faces:
        yield ()
        return
    for name in names:
        if faces[0] in name:
            up = name if name[0] == faces[0] else name[::-1]
            left = tuple(other for other in names if other != name)
            yield from ((up, *others) for others in _beneath(faces[1:], left))
