"""What both hosts open when a game with secrets is over, and whether all that was told was true.

Each tells where its pieces began, with the salts of what it was bound to, and in full the turns of
which the other host has had the public text alone. So the whole game can be gone through again:
whatever was told of a piece must have been so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from firmware_bridge.messages.records import Record
from firmware_bridge.referee import pledges
from firmware_bridge.referee.facts import facts
from firmware_bridge.referee.game_state import Terms
from firmware_bridge.referee.openings import labels
from firmware_bridge.referee.worlds import opened_of
from rules.interface import IllegalTurn, Label, Position, Side, Turn
from rules.values import faces_up, opponent, piece_of


class Lie(Exception):  # noqa: N818 - names what was found
    """What the other host has told was not so, as a key; `fact` says by which, 0 if by none."""

    def __init__(self, why: str, fact: int = 0) -> None:
        super().__init__(why)
        self.fact = fact


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole game, secrets included.

    Attributes:
        start: where it began.
        turns: the full texts of the turns, by the numbers of the facts that put them.
    """

    start: Position
    turns: Mapping[int, str]


def opened_at_end(terms: Terms, records: Sequence[Record]) -> dict[str, object] | None:
    """Return what this host opens when the game is over, `None` if there is nothing to open."""
    here, known = cast("Side", terms.here), facts(records)
    bound = next((f for f in known if f.kind == "pledged" and f.data["at"] == here), None)
    seed = next((str(r.data["seed"]) for r in records if r.kind == "seeded"), "")
    if bound is None:
        return None
    start = terms.game.parse(str(bound.data["position"]))
    pieces = {
        place: [label, pledges.salt(seed, place)] for place, label in _pieces(start, here).items()
    }
    turns = {
        str(number): fact.data["turn"]
        for number, fact in enumerate(known, 1)
        if fact.kind == "put" and fact.data["at"] == here
    }
    return {"pieces": pieces, "turns": turns}


def found(
    terms: Terms, records: Sequence[Record], opened: Mapping[str, object]
) -> dict[str, object]:
    """Return what going through a game again shows, as it is written down; see `gone_through`."""
    try:
        whole = gone_through(terms, records, opened)
    except Lie as lie:
        return {"why": str(lie), "fact": lie.fact}
    turns = {str(number): text for number, text in whole.turns.items()}
    return {"why": "", "start": str(whole.start), "turns": turns}


def gone_through(terms: Terms, records: Sequence[Record], opened: Mapping[str, object]) -> Whole:
    """Go through a game again with all that both hosts have opened.

    Raises:
        Lie: something that the other host has told was not so.
    """
    away = cast("Side", terms.away)
    pieces, turns = _as_opened(opened)
    start = position = _true_start(terms, records, pieces)
    made: dict[int, str] = {}
    for number, put, answer in _turns(records):
        side = cast("Side", put.data["at"])
        theirs = side == away
        text = turns.get(str(number), "") if theirs else str(put.data["turn"])
        turn = _legal(position, text, str(put.data["public"]), number)
        after = position.play(turn)
        for fact, of in ((put, side), (answer, opponent(side))):
            if of == away:
                _hold_true(fact, position, turn, after, away, number + (fact is answer))
        made[number], position = str(turn), after
    return Whole(start, made)


def _as_opened(opened: Mapping[str, object]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the pieces and turns of an opening, each of its form.

    Raises:
        Lie: they have it not.
    """
    pieces, turns = opened.get("pieces"), opened.get("turns")
    if isinstance(pieces, dict) and isinstance(turns, dict):
        texts = [*turns.values()]
        pairs = all(isinstance(pair, list) and len(pair) == 2 for pair in pieces.values())
        texts += [text for pair in pieces.values() if pairs for text in pair]
        if pairs and all(isinstance(text, str) for text in texts):
            return pieces, turns
    raise Lie("lie-unopened")


def _true_start(
    terms: Terms, records: Sequence[Record], pieces: Mapping[str, Sequence[str]]
) -> Position:
    away, game = cast("Side", terms.away), terms.game
    bound = [fact.data for fact in facts(records) if fact.kind == "pledged"]
    start = game.parse(str(bound[-1]["position"]))  # of whoever was bound last: both are in it
    pledge = next(pledges.Pledge.from_data(data) for data in bound if data["at"] == away)
    for place, hashed in pledge.pieces.items():
        label, salted = pieces.get(place, ("", ""))
        if pledges.digest(game.id, away, place, faces_up(label), salted) != hashed:
            raise Lie("lie-proof")
    theirs = {place: label for place, (label, _) in pieces.items() if place != pledges.HAND}
    mine = {s: x for s, x in start.placement.items() if x[0] != away[0]}
    due = _pieces(start, away)
    hand = pieces.get(pledges.HAND, ("", ""))[0]
    told = theirs | {pledges.HAND: hand}
    whole = all(map(pledges.tells_how_it_lies, theirs.values()))
    if told.keys() != due.keys() or _names(told) != _names(due) or not whole:
        raise Lie("lie-pieces")
    return start.rearranged({**mine, **theirs})


def _pieces(position: Position, side: Side) -> dict[str, Label]:
    """Return the labels of a side's pieces by their places."""
    mine = {s: x for s, x in sorted(position.placement.items()) if x[0] == side[0]}
    for label in position.hands[side]:
        mine[pledges.HAND] = label
    return mine


def _names(pieces: Mapping[str, Label]) -> list[str]:
    return sorted(map(piece_of, pieces.values()))


def _turns(records: Sequence[Record]) -> Iterator[tuple[int, Record, Record]]:
    """Yield every turn that was put, with its number, and the fact that has answered it."""
    known = facts(records)
    for number, fact in enumerate(known, 1):
        if fact.kind == "put" and number < len(known) and known[number].kind == "taken":
            yield number, fact, known[number]


def _legal(position: Position, text: str, public: str, number: int) -> Turn:
    try:
        turn = position.parse_turn(text)
    except IllegalTurn as error:
        raise Lie("lie-turn", number) from error
    if turn.public != public:
        raise Lie("lie-turn", number)
    return turn


def _hold_true(
    fact: Record, position: Position, turn: Turn, after: Position, side: Side, number: int
) -> None:
    """See that what a fact told of a side's pieces was so.

    Raises:
        Lie: it was not.
    """
    shown = labels(fact.data["opened"]) == opened_of(position, turn, side)
    if not shown or fact.data["told"] != after.told_of(side):
        raise Lie("lie-shown", number)
