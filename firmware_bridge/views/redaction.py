"""Verdicts that would tell a secret before a rule does."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.messages.verdict import Verdict
from rules.interface import Deed, Position, Turn

_TELLING = ("complete", "extendable", "choice", "unexplained", "in-progress")


def masked(
    position: Position,
    verdict: Verdict,
    judged_in: Position,
    *,
    sealed: bool = False,
    blind: bool = False,
    looks_right: bool = False,
) -> Verdict:
    """Return a verdict that can be shown.

    Args:
        position: where the game stands.
        verdict: what the board shows.
        judged_in: the position that the verdict's turns belong to.
        sealed: whether nothing may be told of a turn before the clock is pressed.
        blind: whether contacts alone tell what was captured, and that would tell owners: to lift
            two pieces and put one of them back looks like a capture.
        looks_right: whether all that anybody sees on the board is as the position has it; which of
            two like pieces stands where, tags alone tell.

    While a player decides on pieces that only he knows, to lift one must not tell whether it is
    one of those that he may give up; only a decision that was made, or ruled illegal, tells it.
    Nor may lifting alone tell whether it was a turn, where that depends on what lies underneath.
    """
    if (sealed or position.decides_in_secret) and verdict.kind in _TELLING:
        return Verdict("settled" if looks_right else "in-progress")
    if blind and any(_captures(judged_in, turn) for turn in verdict.turns):
        return Verdict("in-progress")
    if sealed and verdict.kind == "illegal":
        return replace(verdict, cells=_to_be_righted(verdict))
    if position.game.traits.records_forbidden and any(
        _by_lifting_alone(judged_in.deed(turn)) for turn in verdict.turns
    ):
        return Verdict("in-progress")
    return verdict


def names_owners(position: Position, verdict: Verdict, judged_in: Position) -> bool:
    """Return whether a question names what a piece in the air could take: all is the opponent's."""
    moves = {judged_in.deed(turn).moves for turn in verdict.turns}
    return position.game.traits.owners_secret and len(moves) > 1


def _captures(judged_in: Position, turn: Turn) -> bool:
    """Return whether a piece of the turn comes to stand where another one stood."""
    return any(target in judged_in.placement for _, target in judged_in.deed(turn).moves)


def _to_be_righted(verdict: Verdict) -> tuple[str, ...]:
    """Return what differs from the position; which of it is odd might depend on secrets."""
    ends = {cell for step in verdict.restore for cell in (step.source, step.target)}
    return tuple(sorted(cell for cell in ends if cell))


def _by_lifting_alone(deed: Deed) -> bool:
    return not (deed.moves or deed.placed or deed.flips or deed.becomes)
