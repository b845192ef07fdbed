"""The answers to a question, each with the words for it."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.games import metadata
from firmware_bridge.games.data_file import named
from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.referee.remarks import unplayed
from firmware_bridge.views.types import Announcement, Choice
from rules.interface import Position, Turn


def choices(position: Position, turns: Iterable[Turn], *, public: bool) -> tuple[Choice, ...]:
    """Return the answers that these turns are.

    `public` leaves out every turn whose text holds a secret.
    """
    return tuple(
        Choice(str(turn), label(position, turn))
        for turn in turns
        if not public or turn.public == str(turn)
    )


def to_verdict(position: Position, verdict: Verdict, *, public: bool) -> tuple[Choice, ...]:
    """Return the answers to the question that a verdict asks; see `choices`."""
    if verdict.attempt is not None:
        return (Choice("".join(verdict.attempt), Announcement("choice-tried")),)
    return choices(position, verdict.turns, public=public)


def open_answers(position: Position) -> tuple[Choice, ...]:
    """Return the answers to a secret decision as everyone may know them.

    Nothing where even their number would tell, or a turn is public only once it has been made.
    """
    turns = tuple(position.turns())
    texts = dict.fromkeys(turn.public for turn in turns)
    if len(texts) < 2 or any(turn.public == str(turn) for turn in turns):
        return ()
    return tuple(Choice(text, _called(position, text)) for text in texts)


def label(position: Position, turn: Turn) -> Announcement:
    """Return how to call a turn among its alternatives.

    The game's data file has words for its usual choices (`[[choices]]`); any other turn is called
    as it may be told before it is played.
    """
    return _called(position, str(turn), turn)


def _called(position: Position, text: str, turn: Turn | None = None) -> Announcement:
    for choice in metadata.of(position.game.id).choices:
        found = choice.turn.fullmatch(text)
        if found:
            return Announcement(choice.key, named(found))
    return Announcement("choice-turn", {"turn": unplayed(position, turn) if turn else text})
