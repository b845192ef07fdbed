"""Seeded games with clumsy hands and mischief come out as promised, on every game and tier."""

import os

import pytest
from click.testing import CliRunner

from firmware_bridge.bench import computer
from firmware_bridge.bench.games import ROWS
from firmware_bridge.bench.offence_generator import OFFENCES
from firmware_bridge.bench.reconcile import run
from firmware_bridge.cli import main
from firmware_bridge.opponents import level_of
from tests.nightly import each

GAMES = int(os.environ.get("FIRMWARE_BRIDGE_BENCH_GAMES", "1"))


@pytest.mark.parametrize("row", each(ROWS, 2), ids=lambda row: f"{row.name} {row.tier}")
def test_everything_comes_out_as_promised(row):
    figures = run(row, GAMES, 16, seed=7)
    assert figures.failures == []
    assert figures.clean
    assert figures.turns > 5  # a game may end soon: captures come often


@pytest.mark.parametrize("row", ROWS[:2], ids=lambda row: f"{row.name} {row.tier}")
def test_with_a_cell_that_tells_nothing_right_every_turn_is_told_or_taken(row):
    figures = run(row, 2, 8, seed=7, faulty=True)
    assert [failure.told for failure in figures.failures] == []
    assert figures.right == figures.turns > 10


def test_the_command_prints_a_line_a_row():
    arguments = ["bench", "reconcile", "--games", "1", "--plies", "6", "--only", "mockery"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    head, *rows, illegal = result.output.splitlines()
    assert [line.split()[:2] for line in rows] == [
        ["mockery", "occupancy"],
        ["mockery", "identity"],
    ]
    label, _, told = illegal.partition(": ")
    assert label == "illegal"
    kinds = dict(reversed(part.split(" ", 1)) for part in told.split(", "))
    tried = head.split().index("bad")
    assert sum(map(int, kinds.values())) == sum(int(row.split()[tried]) for row in rows) > 0
    assert kinds.keys() <= OFFENCES.keys()


@pytest.mark.parametrize("level", [1, 4])
def test_hands_carry_out_what_the_level_plays_that_is_asked_for(monkeypatch, level):
    played = []
    monkeypatch.setattr(computer, "level_of", lambda *one: played.append(one) or level_of(*one))
    arguments = ["--games", "2", "--plies", "4", "--level", str(level), "--only", "reversi"]
    result = CliRunner().invoke(main, ["bench", "computer", *arguments])
    assert result.exit_code == 0, result.output
    assert set(played) == {("reversi", level)}


def test_a_level_that_there_is_not_is_refused():
    result = CliRunner().invoke(main, ["bench", "computer", "--level", "9"])
    assert (result.exit_code, result.output) == (
        2,
        "Error: There is no level 9; levels are 1 to 7.\n",
    )
