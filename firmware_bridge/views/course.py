"""How an open game has gone so far: its last turns as people write them, and what was captured."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from firmware_bridge.messages.records import UNTOLD, Record
from firmware_bridge.referee.game_state import State, Terms
from firmware_bridge.views.types import Course, Entry
from rules.interface import IllegalTurn, Position, Shown, Turn

LAST = 16
"""Turns that are told; more nobody reads while he plays."""


def course(terms: Terms, state: State) -> Course:
    """Return the course of a game; of one in which anything must be remembered, what is agreed.

    Of secrets, and of what comes from hands, a list of turns tells what all have seen of them.
    """
    remembered = terms.secret or bool(state.position.hands)
    if not state.played or (remembered and not terms.record):
        return Course()
    number, mover, entries = state.played[0].before.fullmove_number - 1, None, []
    for played in state.played:
        if mover is None or (played.side == "white" and mover != "white"):
            number += 1
        mover = played.side
        entries.append((number, played))
    turns = tuple(
        Entry(
            number,
            played.side,
            played.turn.public if remembered else _written(played.before, str(played.turn)),
        )
        for number, played in entries[-LAST:]
    )
    if remembered:
        return Course(turns)
    lost = [shown for played in state.played for shown in _taken(played.before, played.turn)]
    return Course(
        turns=turns,
        captured={
            "white": tuple(shown.kind for shown in lost if shown.side == "white"),
            "black": tuple(shown.kind for shown in lost if shown.side == "black"),
        },
    )


def lines(state: State, records: Iterable[Record]) -> Iterator[Record]:
    """Yield what happened, turns as people write them; one that hides more by its whole text.

    Every turn that was taken has its `side`.
    """
    times = [played.t_ms for played in state.played]
    stood = (*state.history, state.position)
    last: tuple[Position, str] | None = None
    for record in records:
        data = record.data
        text = str(data.get("turn") or "")
        at = bisect_left(times, record.t_ms) - (record.kind == "amended")
        before = stood[at]
        if record.kind == "taken":
            if last and record.t_ms not in times[at : at + 1]:
                before = _made_in(text, _after(*last), before)  # both were taken back, perhaps
            data, last = {**data, "side": before.side}, (before, text)
        if text and text == data.get("public", text):
            data = {**data, "turn": _written(before, text)}
        if record.kind not in UNTOLD:
            yield replace(record, data=data)


def _made_in(text: str, *positions: Position) -> Position:
    """Return the first of these positions in which it is a turn, else the last."""
    return next((one for one in positions if _after(one, text) is not one), positions[-1])


@lru_cache(maxsize=1024)
def _after(before: Position, text: str) -> Position:
    """Return where a turn leads; the position itself if it is none there."""
    try:
        return before.play(before.parse_turn(text))
    except IllegalTurn:
        return before


@lru_cache(maxsize=1024)
def _written(before: Position, text: str) -> str:
    """Return a turn as people write it; its own text where it was none in this position."""
    try:
        return before.written(before.parse_turn(text))
    except IllegalTurn:
        return text


@lru_cache(maxsize=1024)
def _taken(before: Position, turn: Turn) -> tuple[Shown, ...]:
    return tuple(before.shown[square] for square in before.deed(turn).taken)
