"""Turns as people write them: `c4 d4 Nc3 Qd3 (C-cd34)`, the inventor's notation.

The moves stand side by side, with or without commas, kind and realm in brackets behind them. A
capture names the square or the piece taken (`Pxb5`, `BxN`), a piece that needs telling from others
its own square too (`h5h6`, `Bg5-h5`), castling is `0-0` or `0-0-0`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.games.realm.finder import Finder
from rules.games.realm.realms import SQUARE_NAMES
from rules.games.realm.steps import Step
from rules.games.realm.turn import KINDS, RealmTurn, in_text_order, is_turn_text
from rules.games.realm.whynot import judge
from rules.interface import IllegalTurn, Position, Side, Turn

_PARTS = {"D": "D", "C": "C", "R": "R", "P": "DCR"}
_WHOLE = re.compile(r"(?P<moves>[^()]+)(?:\((?P<kind>[DCRP])-(?P<realm>[a-h]{2}[1-8]{2})\))?")
_CASTLING = re.compile(r"(?P<short>[0Oo]-[0Oo])(?P<long>-[0Oo])?[+#!?]*")
_MOVE = re.compile(
    r"(?P<kind>[KQRBNP]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<how>[x-]?)"
    r"(?:(?P<target>[a-h][1-8])|(?<=x)(?P<prey>[QRBNP]))"
    r"(?:[=/]?(?P<promotion>[QRBN]))?[+#!?]*"
)
_MOST_MOVES = 9
"""No turn moves more: four pieces out of the realm, four into it, and castling's rook."""


class _Written(NamedTuple):
    """What one written move says; empty where it says nothing."""

    text: str
    kind: str
    source: str
    captures: bool | None
    target: str
    prey: str = ""
    promotion: str = ""
    castles: bool = False

    def names(self, finder: Finder, step: Step) -> bool:
        """Return whether these words may mean `step`."""
        board = finder.board
        source, target, promotion = step.moves[0]
        where = SQUARE_NAMES[source]
        taken = step.enters & board.enemy | step.victim
        return (
            step.castles == self.castles
            and self.target in ("", SQUARE_NAMES[target])
            and self.kind in ("", board.kind(source))
            and all(part in where for part in self.source)
            and self.promotion.lower() == promotion
            and self.captures in (None, bool(taken))
            and self.prey in ("", board.kind(taken.bit_length() - 1))
        )


def read(position: Position, finder: Finder, text: str) -> Turn:
    """Return the legal turn that people wrote; canonical turn texts are understood too.

    Without kind and realm behind them, several moves are a turn of whichever kind and realm fits.

    Raises:
        IllegalTurn: `syntax` when it is no notation at all, `ambiguous` when several turns are
            written so, else why the turn is not legal.
    """
    if is_turn_text(text):
        return position.parse_turn(text)
    whole = _WHOLE.fullmatch(text.replace("e.p.", "").strip())
    words = whole["moves"].replace(",", " ").split() if whole else []
    if whole is None or not words:
        raise IllegalTurn("syntax", f"{text!r} cannot be read as a turn.")
    items = [_read_move(position.side, word) for word in words]
    found: set[Turn] = set()
    refusals: list[IllegalTurn] = []
    for kind, realm in _frames(finder, whole["kind"], whole["realm"], len(items)):
        for turn in _meanings(finder, kind, realm, items, refusals):
            try:
                found.add(position.parse_turn(str(turn)))
            except IllegalTurn as refusal:
                refusals.append(refusal)
    if len(found) > 1:
        listed = " or ".join(sorted(map(str, found))[:4])
        raise IllegalTurn("ambiguous", f"{text} may mean {listed}.")
    if not found:
        raise min(refusals, key=lambda refusal: refusal.reason in _LAST_RESORTS)
    return found.pop()


_LAST_RESORTS = ("no-such-move", "wrong-realm")
"""Reasons that tell least about a turn of which one reading gave a better one."""


def _frames(
    finder: Finder, kind: str | None, realm: str | None, count: int
) -> Iterator[tuple[str, str]]:
    """Yield the kinds and realms that a written turn may be of."""
    if kind and realm:
        yield kind, realm
    elif count == 1:
        yield "S", ""
    else:
        for letter in KINDS[1:] if finder.power else KINDS[1:-1]:
            yield from ((letter, one.name) for one in finder.division.realms)


def _read_move(side: Side, item: str) -> _Written:
    """Return what one written move says."""
    castling = _CASTLING.fullmatch(item)
    if castling:
        rank = "1" if side == "white" else "8"
        target = ("c" if castling["long"] else "g") + rank
        return _Written(item, "K", "", captures=False, target=target, castles=True)
    move = _MOVE.fullmatch(item)
    if move is None:
        raise IllegalTurn("syntax", f"{item!r} is no move; write Nc3, h5h6 or BxN.")
    source = move["file"] + move["rank"]
    bare = not move["kind"] and len(source) == 2
    return _Written(
        item,
        move["kind"] or ("" if bare else "P"),
        source,
        captures=True if move["how"] == "x" else None if bare else False,
        target=move["target"] or "",
        prey=move["prey"] or "",
        promotion=move["promotion"] or "",
    )


def _options(finder: Finder, kind: str, realm_name: str) -> Sequence[Step]:
    """Return the steps that a turn of this kind in this realm may hold."""
    if kind == "S":
        return finder.choices.single
    realm = finder.division.named(realm_name)
    return finder.choices.of(_PARTS[kind], realm) if realm else ()


def _meanings(
    finder: Finder, kind: str, realm: str, items: Sequence[_Written], refusals: list[IllegalTurn]
) -> Iterator[RealmTurn]:
    """Yield the turns, legal or not, that the written moves may mean."""
    options = _options(finder, kind, realm)
    meanings: list[list[Step]] = []
    for item in items[: _MOST_MOVES + 1]:
        meant = [step for step in options if item.names(finder, step)]
        if not meant:
            refusals.append(_unknown(finder, item))
            return
        meanings.append(meant)
    if len(items) > _MOST_MOVES:
        refusals.append(IllegalTurn("too-many-pieces", f"No turn moves {len(items)} pieces."))
        return
    combinations = list(_combinations(meanings, 0, 0))
    if not combinations:
        refusals.append(IllegalTurn("moved-twice", "One piece would have to move twice."))
    for steps in combinations:
        yield RealmTurn(kind, realm, in_text_order(step.moves[0] for step in steps))


def _combinations(
    meanings: Sequence[Sequence[Step]], left: int, entered: int
) -> Iterator[tuple[Step, ...]]:
    """Yield every way to take one step from each list, no two of one piece or to one square."""
    if not meanings:
        yield ()
        return
    for step in meanings[0]:
        if not (step.leaves & left or step.enters & entered):
            for others in _combinations(meanings[1:], left | step.leaves, entered | step.enters):
                yield (step, *others)


def _unknown(finder: Finder, item: _Written) -> IllegalTurn:
    """Return why no option is written so."""
    elsewhere = [step for step in finder.choices.single if item.names(finder, step)]
    if elsewhere:
        squares = tuple(sorted({SQUARE_NAMES[step.moves[0].source] for step in elsewhere}))
        return IllegalTurn("wrong-realm", f"{item.text} does not suit that realm.", squares)
    return IllegalTurn("no-such-move", f"No piece of yours can play {item.text} in that way.")


def write(position: Position, finder: Finder, turn: RealmTurn) -> str:
    """Return a legal turn as people write it, pawns first, checks and mate marked."""
    steps = judge(finder, turn)
    if isinstance(steps, IllegalTurn):
        raise steps
    options = _options(finder, turn.kind, turn.realm)
    ordered = sorted(steps, key=lambda step: _rank(finder, step))
    moves = " ".join(_write_move(position.side, finder, step, options) for step in ordered)
    following = position.play(turn)
    if following.in_check:
        moves += "#" if following.outcome else "+"
    return f"{moves} ({turn.kind}-{turn.realm})" if turn.realm else moves


def _rank(finder: Finder, step: Step) -> tuple[int, str]:
    """Return where a move stands among the others of its turn: pawns first, the king last."""
    return "PNBRQK".index(finder.board.kind(step.moves[0].source)), str(step.moves[0])


def _write_move(side: Side, finder: Finder, step: Step, options: Sequence[Step]) -> str:
    """Return the shortest way to write one move that fits no other option."""
    source, target = (SQUARE_NAMES[square] for square in step.moves[0][:2])
    if step.castles:
        return "0-0" if target > source else "0-0-0"
    kind = finder.board.kind(step.moves[0].source)
    takes = bool(step.enters & finder.board.enemy | step.victim)
    cross = "x" if takes else ""
    ending = target + ("=" + step.moves[0].promotion.upper() if step.moves[0].promotion else "")
    if kind == "P":
        short, long = (source[0] + cross if takes else "") + ending, source + cross + ending
    else:
        short, long = kind + cross + ending, kind + source + (cross or "-") + ending
    written = _read_move(side, short)
    alone = sum(written.names(finder, option) for option in options) == 1
    return short if alone else long
