"""Rehearsing carries pieces about and leaves no trace on the board that players use."""

from collections.abc import Iterator
from typing import Any

import pytest

import rules
from drivers.port import CellEvent
from firmware_bridge.reconciler import Reconciler, Sensing, Settings
from firmware_bridge.reconciler import preparation as rehearsal
from firmware_bridge.simulation import Pieces
from firmware_bridge.simulation.piece_sets import simulated_pieces
from tests.firmware_bridge.table.driving import TIERS
from tests.sample import SAMPLE


def _board(game_id: str, tier: str) -> Reconciler:
    position = rules.load(game_id).start()
    pieces = Pieces(simulated_pieces(position.game), position.placement, tier)
    tags = {} if tier == "occupancy" else pieces.tags
    return Reconciler(position, Sensing(tier, tags), Settings(), pieces.standing())


@pytest.mark.parametrize("game_id", SAMPLE)
def test_a_rehearsal_makes_turns_and_no_odd_ones_last(game_id: str) -> None:
    least = rules.games()[game_id].traits.least_tier
    board = _board(game_id, max("identity", least, key=TIERS.index))
    seen: list[str] = []
    feel = board.feel

    def told(event: CellEvent) -> object:
        found = feel(event)
        seen.append(board.verdict.kind)
        return found

    board.feel = told
    before = dict(board.standing)
    rehearsal.wholly(rehearsal.rehearse(board.position, before, board.feel, board.press))
    assert "settled" in seen
    assert {"complete", "choice", "extendable"} & set(seen)
    assert board.standing == before
    assert board.verdict.kind == "settled"


def test_preparing_rehearses_once_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rehearsed: list[Reconciler] = []
    monkeypatch.setattr(rehearsal, "_rehearsed", set())

    def rehearse(*of_a_board: Any) -> Iterator[None]:
        rehearsed.append(of_a_board[2].__self__)
        yield

    monkeypatch.setattr("firmware_bridge.reconciler.reconciler.rehearse", rehearse)
    boards = [_board("mockery", "occupancy") for _ in range(3)]
    standing = [dict(board.standing) for board in boards]
    for board in boards:
        rehearsal.wholly(board.prepare())
    assert len(rehearsed) == 1
    assert all(rehearsed[0] is not board for board in boards)
    assert [board.standing for board in boards] == standing
    assert {board.verdict.kind for board in boards} == {"settled"}
