"""A tournament: everybody against everybody, cut short anywhere and gone on with."""

import json

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main
from firmware_bridge.opponents.match import Match
from firmware_bridge.opponents.stand_ins import STAND_INS
from firmware_bridge.opponents.tournament import Pairing, bounds, table
from tests.nightly import in_turn


def run(*arguments):
    return CliRunner().invoke(main, ["opponent", "tournament", "reversi", *arguments])


def without_times(line):
    return {name: value for name, value in json.loads(line).items() if name != "ms"}


def test_a_tournament_that_was_killed_goes_on_where_it_was(tmp_path):
    asked = ["--players", "1,random,child", "--games", "2", "--plies", "12", "--seed", "T"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    first = run(*asked, "--results", str(whole))
    assert first.exit_code == 0, first.output
    lines = whole.read_text().splitlines()
    assert len(lines) == 6
    killed.write_text("\n".join(lines[:3]) + "\n" + lines[3][:40])
    again = run(*asked, "--results", str(killed))
    assert again.stdout == first.stdout
    assert len(again.stderr.splitlines()) == 3
    played = killed.read_text().splitlines()
    assert list(map(without_times, played)) == list(map(without_times, lines))


def test_results_of_another_tournament_are_not_gone_on_with(tmp_path):
    asked = ["--players", "random,child", "--games", "1", "--plies", "10"]
    results = tmp_path / "results"
    run(*asked, "--results", str(results))
    before = results.read_bytes()
    done = run(*asked, "--seed", "2", "--results", str(results))
    assert done.exit_code == 2
    assert "not played under these conditions" in done.stderr
    assert results.read_bytes() == before


def test_a_tournament_of_one_is_refused():
    assert "two players at least" in run("--players", "random,random").stderr


def test_the_table_tells_who_beats_whom():
    made = {Pairing("a", "b", 0): 1.0, Pairing("a", "b", 1): 0.5, Pairing("b", "c", 0): 0.0}
    assert [line.split() for line in table("abc", made).splitlines()] == [
        ["player", "points", "%", "c", "a", "b"],
        ["c", "1/1", "100", "(21", "to", "100)", "1/1"],
        ["a", "1.5/2", "75", "(20", "to", "97)", "1.5/2"],
        ["b", "0.5/3", "17", "(2", "to", "69)", "0/1", "0.5/2"],
    ]


def test_bounds_hold_the_share_and_close_in_with_more_games():
    low, high = bounds(75, 100)
    assert 0.65 < low < 0.75 < high < 0.84
    assert bounds(0, 0) == (0, 1)
    assert 0.8 < bounds(20, 20)[0] < bounds(20, 20)[1] <= 1


@pytest.mark.parametrize(("name", "game_id"), in_turn(STAND_INS, ["mockery", "reality-check"]))
def test_players_from_outside_play_legal_turns(game_id, name):
    match = Match(rules.load(game_id), (STAND_INS[name], None), "S", plies=14)
    assert len(match.play(0).turns) == 14
