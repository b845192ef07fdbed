"""What is told of pieces that hide something, between the hosts of two players far apart.

A turn is made in two facts. The host of who makes it puts it: the public text, and what everybody
may know of his own pieces after it. The other host answers with the same of its player's pieces;
only then does the turn stand, and each host knows all that its own player may know, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from firmware_bridge.referee.game_state import Put, State, Terms
from firmware_bridge.referee.pledges import Pledge
from firmware_bridge.referee.turn_handlers import under_way
from rules.interface import Label, Position, Side, Square
from rules.values import SIDES


def pledged(terms: Terms, state: State, data: Mapping[str, object]) -> State:
    """Bind a host to what its pieces hide."""
    side, pledge = cast("Side", data["at"]), Pledge.from_data(data)
    bound = replace(
        state,
        pledges={**state.pledges, side: pledge},
        links={**state.links, side: pledge.dice},
    )
    return bound.at(terms, terms.game.parse(str(data["position"])))


def put(terms: Terms, state: State, data: Mapping[str, object], t_ms: int) -> State:
    """Let a turn wait for what the other host has to tell."""
    begun = under_way(state, t_ms)
    side = begun.position.side
    text = str(data["turn"] if side == terms.here else data["public"])
    waits = Put(side, text, labels(data["opened"]), str(data["told"]))
    return replace(_linked(begun, data), put=waits)


def answered(terms: Terms, state: State, data: Mapping[str, object]) -> State:
    """Go on from the world that agrees with what the other host has told."""
    world = terms.game.parse(str(data["world"]))
    return replace(_linked(state, data), position=world, put=None)


def as_it_was(state: State, start: Position, turns: Iterable[str]) -> State:
    """Return a game that is over with all that its pieces have hidden, by its turns' full texts."""
    played, position = [], start
    for entry, text in zip(state.played, turns, strict=True):
        turn = position.parse_turn(text)
        played.append(replace(entry, turn=turn, before=position))
        position = position.play(turn)
    return replace(state, played=tuple(played), position=position)


def both_bound(state: State) -> bool:
    """Return whether both hosts are bound to what their pieces hide."""
    return len(state.pledges) == len(SIDES)


def labels(opened: object) -> dict[Square, Label]:
    """Return the pieces that were opened, without their proofs."""
    return {square: label for square, (label, _) in cast("dict[str, Any]", opened).items()}


def _linked(state: State, data: Mapping[str, object]) -> State:
    """Take in which link of its chain a host has opened."""
    opened = data["link"]
    if opened is None:
        return state
    return replace(state, links={**state.links, cast("Side", data["at"]): str(opened)})
