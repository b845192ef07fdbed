"""Algebraic notation, as people write it: `Nf3`, `exd5`, `O-O`, `e8=Q+`.

What a game adds to the move stands behind it as in its turn text: `exd5~d8`. A turn whose text is
no such move is written as that text.
"""

from __future__ import annotations

import re

from rules.interface import IllegalTurn, Position, Square, Turn

_TURN = re.compile(
    r"(?P<source>[a-h][1-8])(?P<target>[a-h][1-8])(?P<promotion>[qrbn]?)(?P<extra>(~[a-h][1-8])?)"
)
_WRITTEN = re.compile(
    r"(?P<kind>[KQRBN]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)[x:-]?(?P<target>[a-h][1-8])"
    r"(?:=?(?P<promotion>[QRBN]))?(?P<extra>~[a-h][1-8])?(?:\s*e\.?p\.?)?[+#!?]*"
)
_CASTLING = re.compile(r"([O0o])-\1(-\1)?[+#!?]*")
_LAST_RESORTS = ("no-such-move", "path-blocked")
"""Reasons that say least about what the writer meant, the least telling first."""


def write(position: Position, turn: Turn) -> str:
    """Return a legal turn in algebraic notation."""
    parts = _parts(turn)
    if parts is None:
        return str(turn)
    after = position.play(turn)
    won = after.outcome is not None and after.outcome.winner is not None
    return _move_text(position, turn, parts) + ("#" if won else "+" if after.in_check else "")


def _parts(turn: Turn) -> re.Match[str] | None:
    """Return from, to, what a pawn becomes, what the game adds; `None` if it is no such move."""
    return _TURN.fullmatch(str(turn))


def _move_text(position: Position, turn: Turn, parts: re.Match[str]) -> str:
    deed = position.deed(turn)
    source, target, promotion, extra = parts.group("source", "target", "promotion", "extra")
    own_rook = position.placement.get(target) == position.side[0] + "R"
    if len(deed.moves) == 2 or own_rook:
        return ("O-O" if target > source else "O-O-O") + extra
    kind = position.placement[source][1]
    end = target + (f"={promotion.upper()}" if promotion else "") + extra
    if kind == "P":
        return (source[0] + "x" if deed.taken else "") + end
    rivals = {
        rival["source"]
        for rival in map(_parts, position.turns())
        if rival and rival["target"] == target and position.placement[rival["source"]][1] == kind
    } - {source}
    return kind + _distinction(source, rivals) + ("x" if deed.taken else "") + end


def _distinction(source: str, rivals: set[str]) -> str:
    """Return what must be said of the square a piece comes from to tell it from its rivals."""
    if not rivals:
        return ""
    if all(rival[0] != source[0] for rival in rivals):
        return source[0]
    if all(rival[1] != source[1] for rival in rivals):
        return source[1]
    return source


def understand(position: Position, text: str) -> Turn:
    """Return the legal turn that `text` names, in algebraic notation or as a turn text.

    Raises:
        IllegalTurn: with the most helpful true reason; `ambiguous` when several pieces could.
    """
    text = text.strip()
    if castling := _CASTLING.fullmatch(text):
        return _only_legal(position, _castlings(position, long=bool(castling[2])), text)
    written = _WRITTEN.fullmatch(text)
    if written is None:
        return position.parse_turn(text)
    ending = written["target"] + (written["promotion"] or "").lower() + (written["extra"] or "")
    return _only_legal(position, [source + ending for source in _sources(position, written)], text)


def _castlings(position: Position, *, long: bool) -> list[str]:
    """Return the texts of the castlings to one side, allowed or not."""
    rank = "1" if position.side == "white" else "8"
    if not position.game.traits.chess960:
        return [f"e{rank}{'c' if long else 'g'}{rank}"]
    king = position.king(position.side) or ""
    return [
        king + square
        for square, label in sorted(position.placement.items())
        if label == position.side[0] + "R" and square[1] == king[1:] and (square < king) == long
    ]


def _sources(position: Position, written: re.Match[str]) -> list[Square]:
    """Return the squares from which the piece that is meant may come."""
    if written["file"] and written["rank"] and not written["kind"]:
        return [written["file"] + written["rank"]]
    return [
        square
        for square, label in sorted(position.placement.items())
        if label == position.side[0] + (written["kind"] or "P")
        and square[0] in (written["file"] or square)
        and square[1] in (written["rank"] or square)
    ]


def _only_legal(position: Position, candidates: list[str], text: str) -> Turn:
    """Return the one legal turn among the candidate texts."""
    legal, objections = [], []
    for candidate in candidates:
        try:
            legal.append(position.parse_turn(candidate))
        except IllegalTurn as objection:
            objections.append(objection)
    if len(legal) == 1:
        return legal[0]
    if legal:
        sources = tuple(str(turn)[:2] for turn in legal)
        message = f"{text} could be the piece on {' or '.join(sources)}."
        raise IllegalTurn("ambiguous", message, sources)
    nobody = IllegalTurn("no-such-move", f"No piece of yours can play {text}.")
    raise max(objections, key=_telling, default=nobody)


def _telling(objection: IllegalTurn) -> int:
    """Return how much an objection tells a writer who named no square to come from."""
    if objection.reason in _LAST_RESORTS:
        return _LAST_RESORTS.index(objection.reason)
    return len(_LAST_RESORTS)
