"""The search for a turn after which every reply leaves a mate at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import chess

from firmware_bridge.opponents.engine import nobody
from firmware_bridge.opponents.games.realm.mate import mate_in_one
from rules.games.realm.bitboard import Board
from rules.games.realm.game import RealmPosition
from rules.games.realm.search_state import State, following
from rules.games.realm.steps import Move, Step

HUNTS = 40
"""How many turns and replies are asked whether they leave a mate; three times as many against few
men, whose replies are few."""
LISTED = 1_500
"""How many sets of steps are looked at for a first turn."""
REPLIES = 48
"""A turn that leaves more replies than this is not gone into."""
FEW_MEN = 5
"""Against so few men turns that give no check are looked at too."""
FLIGHTS = 2
"""Against more men a check counts that leaves their king no more squares than this."""


def mate_in_two(
    position: RealmPosition, stopped: Callable[[], bool] = nobody
) -> tuple[Step, ...] | None:
    """Return the steps of a turn that mates in two; `None` when none was found.

    There is no mate in one. Once `stopped` tells that somebody wants the turn now, none is found.
    """
    game, finder, state = position.game, position.finder, position.state
    hunts = 3 * HUNTS if _few(position) else HUNTS
    killers: list[tuple[Move, ...]] = []
    for steps in _first_turns(position, stopped):
        hunts -= 1
        replies = _replies(RealmPosition(game, following(state, finder.board, steps)))
        if not replies:
            continue
        ordered = [moves for moves in killers if moves in replies]
        ordered += [moves for moves in replies if moves not in ordered]
        for moves in ordered:
            hunts -= 1
            if stopped():
                return None
            if mate_in_one(RealmPosition(game, replies[moves])) is None:
                killers = [moves, *(each for each in killers if each != moves)][:4]
                break
        else:
            return steps
        if hunts <= 0:
            break
    return None


def _first_turns(
    position: RealmPosition, stopped: Callable[[], bool]
) -> Iterator[tuple[Step, ...]]:
    """Yield the turns that hem the other king in, those first that do most."""
    finder = position.finder
    few = _few(position)
    found: dict[State, tuple[int, int, tuple[Step, ...]]] = {}
    for steps, _, _ in islice(finder.sets(), LISTED):
        if stopped():
            return
        state = following(position.state, finder.board, steps)
        if state not in found:
            check, flights = _hemmed_in(state)
            if few or (check and flights <= FLIGHTS):
                found[state] = 2 * flights + (not check), len(found), steps
    for _, _, steps in sorted(found.values()):
        yield steps


def _few(position: RealmPosition) -> bool:
    return position.finder.board.enemy.bit_count() <= FEW_MEN


def _hemmed_in(state: State) -> tuple[bool, int]:
    """Return whether the king to move is in check, and how many squares he has to go to."""
    board = Board(state.squares, white=state.white)
    free = chess.BB_KING_ATTACKS[board.king] & ~board.own
    without = board.occupied & ~(1 << board.king)
    flights = sum(
        not board.attackers(square, without, 1 << square) for square in chess.scan_forward(free)
    )
    return bool(board.checkers), flights


def _replies(position: RealmPosition) -> dict[tuple[Move, ...], State] | None:
    """Return the positions after each reply, by one way to make it; `None` for too many."""
    finder = position.finder
    found: dict[State, tuple[Move, ...]] = {}
    for steps, _, _ in islice(finder.sets(), 4 * REPLIES):
        state = following(position.state, finder.board, steps)
        found.setdefault(state, tuple(sorted(step.moves[0] for step in steps)))
        if len(found) > REPLIES:
            return None
    return {moves: state for state, moves in found.items()}
