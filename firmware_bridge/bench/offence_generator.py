"""What hands should not do, and what must be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from firmware_bridge.bench.games import choose
from firmware_bridge.bench.harness import Harness
from firmware_bridge.messages.verdict import Verdict
from firmware_bridge.simulation.script import Script
from rules.interface import IllegalTurn, Position, Square

Offence = Callable[[Harness, Script, Random], "Expected | None"]

_UNFINISHED = ("must-flip", "needs-promotion")
"""The rules' words for a movement that is legal as far as it goes."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be said of an offence.

    Attributes:
        reasons: one of these must be the reason.
        cells: at least these must be named.
        touched: and no others than these.
        unfelt: whether the board feels no more than lifted pieces, so that only the mover's press
            makes an offence of it.
        later: whether, where there is a clock, it is a piece moved after a whole turn: that is told
            and put right, but is no offence, since the board cannot know whose hand it was.
    """

    reasons: AbstractSet[str]
    cells: AbstractSet[Square]
    touched: AbstractSet[Square]
    unfelt: bool = False
    later: bool = False

    def met_by(self, verdict: Verdict) -> bool:
        """Return whether the verdict says so."""
        named = set(verdict.cells)
        said = verdict.reason in self.reasons or (self.later and verdict.kind == "disturbed")
        return said and self.cells <= named <= self.touched and bool(named)


def _wrong_square(board: Harness, script: Script, dice: Random, *, own: bool) -> Expected | None:
    """Set a piece on an empty square where it may not go."""
    position = board.position
    source = dice.choice(_squares(position, own=own))
    target = dice.choice(sorted(position.game.squares - position.placement.keys()))
    reason = refusal(position, source, target)
    if reason is None:
        return None
    script.carry(source, target)
    return Expected({reason} if own else {"not-your-piece"}, {target}, {source, target})


def _wrong_capture(
    board: Harness, script: Script, dice: Random, *, own: bool, victim: bool
) -> Expected | None:
    """Take a piece (an own one: `victim`) with one (an own one: `own`) that may not take it."""
    position = board.position
    source = dice.choice(_squares(position, own=own))
    others = [square for square in _squares(position, own=victim) if square != source]
    if not others:
        return None
    target = dice.choice(others)
    reason = refusal(position, source, target)
    if reason is None:
        return None
    victim_first = dice.random() < 0.5
    first = script.lift(target if victim_first else source)
    script.wait(0.05, 0.4)
    second = script.lift(source if victim_first else target)
    script.wait(0.1, 0.4)
    taken, taker = (first, second) if victim_first else (second, first)
    script.put(target, taker)
    script.to_box(taken)
    reasons = {reason} if own else {"not-your-piece"}
    unfelt = board.pieces.tier == "occupancy"
    alike = position.placement[source] == position.placement[target]
    if own and (unfelt or alike):
        reasons.add("no-such-move")  # the own piece may as well have been taken off the board
    certain = set() if unfelt or alike else {target}
    return Expected(reasons, certain, {source, target}, unfelt=unfelt)


def refusal(position: Position, source: Square, target: Square) -> str | None:
    """Return why one movement is no turn; `None` if it is one, or may be completed to one."""
    taking = [f"{source}x{target}"] if target in position.placement else []
    for text in (*taking, f"{source}{target}"):
        try:
            position.parse_turn(text)
        except IllegalTurn as error:
            if error.reason != "syntax":
                return None if error.reason in _UNFINISHED else error.reason
        else:
            return None
    return None


def _stolen(board: Harness, script: Script, dice: Random) -> Expected | None:
    """Make a legal turn and let another piece disappear on the way."""
    position = board.position
    moves = _moves(position, dice, captures=True)
    if moves is None:
        return None
    ((source, target),) = moves
    cell = dice.choice(sorted(position.placement.keys() - {source, target}))
    script.to_box(script.lift(cell))
    script.wait(0.2, 0.5)
    if target in board.pieces.on:
        script.to_box(script.lift(target))
        script.wait(0.1, 0.4)
    script.carry(source, target)
    foreign = position.placement[cell][0] != position.side[0]
    # It may have had part in a longer turn with the one that moved: then both are too many.
    touched = {cell, source, target} if position.game.traits.long_turns else {cell}
    reason = "not-your-piece" if foreign else "too-many-pieces"
    # Where a lift could tell a secret it tells nothing: what is gone may be in somebody's hand.
    unfelt = position.game.traits.owners_secret or position.game.traits.records_forbidden
    if position.game.traits.owners_secret:
        # Whichever of the two is gone may have moved or taken, and nobody is told whose they are.
        return Expected({reason, "no-such-move"}, set(), {cell, source, target}, unfelt=unfelt)
    return Expected({reason}, {cell}, touched, unfelt=unfelt)


def _swapped(board: Harness, script: Script, dice: Random) -> Expected | None:
    """Let two pieces trade places, where the board can tell them apart."""
    position = board.position
    placement = position.placement
    one, other = dice.sample(sorted(placement), 2)
    told_by = position.game.face if not board.table.state.played else str  # it is set up until then
    if board.pieces.tier == "occupancy" or told_by(placement[one]) == told_by(placement[other]):
        return None
    first = script.lift(one)
    script.wait(0.1, 0.3)
    second = script.lift(other)
    script.wait(0.1, 0.3)
    script.put(one, second)
    script.wait(0.1, 0.3)
    script.put(other, first)
    both = {one, other}
    # A first half that is a legal turn is whole before the other piece is set down.
    whole = refusal(position, other, one) is None
    certain = set() if whole else both
    if any(placement[square][0] != position.side[0] for square in both):
        return Expected({"not-your-piece"}, certain, both, later=whole)
    swap = [(one, other), (other, one)]
    reasons = {refusal(position, *move) for move in swap}
    if position.game.traits.long_turns:
        objection = position.objection(swap)
        reasons = {objection.reason} if objection else {None}
    told = {reason for reason in reasons if reason}
    # Two movements that would be turns, each by itself, are too much together.
    return Expected(told or {"too-many-pieces"}, certain, both, later=whole)


def _two_turns(board: Harness, script: Script, dice: Random) -> Expected | None:
    """Make two turns at once."""
    pair = _two(board.position, dice)
    if pair is None:
        return None
    tags = [script.lift(source) for source, _ in pair]
    for (_, target), tag in zip(pair, tags, strict=True):
        script.wait(0.02, 0.1)
        script.put(target, tag)
    return _too_much(board.position, pair)


def _turn_after_turn(board: Harness, script: Script, dice: Random) -> Expected | None:
    """Make a turn, and another one before the first can have been taken."""
    pair = _two(board.position, dice)
    if pair is None:
        return None
    for source, target in pair:
        tag = script.lift(source)
        script.wait(0.08, 0.12)
        script.put(target, tag)
        script.wait(0.05, 0.1)
    expected = _too_much(board.position, pair)
    return None if expected is None else replace(expected, later=True)


def _two(position: Position, dice: Random) -> list[tuple[Square, Square]] | None:
    """Return two turns of different pieces, each of one movement."""
    pair = [move for _ in range(2) for move in _moves(position, dice, captures=False) or ()]
    return pair if len({square for move in pair for square in move}) == 4 else None


def _too_much(position: Position, pair: list[tuple[Square, Square]]) -> Expected | None:
    touched = {square for move in pair for square in move}
    if not position.game.traits.long_turns:
        return Expected({"too-many-pieces"}, set(), touched)
    objection = position.objection(pair)
    return Expected({objection.reason}, set(), touched) if objection else None


def _moves(
    position: Position, dice: Random, *, captures: bool
) -> tuple[tuple[Square, Square], ...] | None:
    """Return the one movement of a legal turn, `None` if it is more than that."""
    deed = position.deed(choose(position, dice))
    more = deed.flips or deed.becomes or deed.placed or (deed.taken and not captures)
    aside = set(deed.taken) - {target for _, target in deed.moves}
    return None if more or aside or len(deed.moves) != 1 else deed.moves


def _squares(position: Position, *, own: bool) -> list[Square]:
    placement: Iterable[tuple[Square, str]] = position.placement.items()
    return sorted(square for square, label in placement if (label[0] == position.side[0]) == own)


OFFENCES: Mapping[str, Offence] = {
    "own piece": partial(_wrong_square, own=True),
    "foreign piece": partial(_wrong_square, own=False),
    "own capture": partial(_wrong_capture, own=True, victim=False),
    "own piece there": partial(_wrong_capture, own=True, victim=True),
    "foreign capture": partial(_wrong_capture, own=False, victim=True),
    "stolen": _stolen,
    "swapped": _swapped,
    "two turns": _two_turns,
    "turn after turn": _turn_after_turn,
}
