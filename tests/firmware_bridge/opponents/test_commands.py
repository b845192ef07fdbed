"""`firmware-bridge opponent`, as people type it."""

import json

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main
from firmware_bridge.opponents.games.indistinguishable import external
from firmware_bridge.opponents.levels import LEVELS


def run(*arguments):
    return CliRunner().invoke(main, ["opponent", *arguments])


def test_levels_are_a_line_each():
    done = run("levels", "mockery")
    assert done.exit_code == 0
    assert [int(line[0]) for line in done.stdout.splitlines()] == list(LEVELS)
    assert not done.stderr


def test_it_says_when_a_program_is_missing(monkeypatch):
    assert not run("levels", "indistinguishable").stderr
    monkeypatch.setattr(external, "PROGRAMS", ())
    done = run("levels", "indistinguishable")
    assert len(done.stdout.splitlines()) == len(LEVELS)
    assert "Neither stockfish nor fairy-stockfish is installed" in done.stderr


def test_best_prints_a_legal_turn_and_nothing_else():
    position = rules.load("reversi").start()
    first = run("best", "reversi", "--level", "2", "--seed", "x", "--position", str(position))
    again = run("best", "reversi", "--level", "2", "--seed", "x")
    assert first.stdout == again.stdout
    assert first.stdout.strip() in set(map(str, position.turns()))
    assert not first.stderr


def test_best_tells_more_when_asked():
    turn, told = run("best", "reversi", "--level", "2", "--turns").stdout.splitlines()
    told = json.loads(told)
    assert told.keys() == {"score", "depth", "nodes", "line"}
    assert told["line"][0] == turn
    assert told["nodes"] > 0


MATE = "6k1/8/6K1/8/8/8/8/R7 w - - 0 1"


@pytest.mark.parametrize(
    ("game", "position"),
    [("reversi", MATE), ("mockery", f"{MATE} -"), ("indistinguishable", MATE)],
)
def test_best_gives_mate(game, position):
    done = run("best", game, "--level", "2", "--position", position, "--turns")
    assert done.stdout.splitlines()[0] == "a1a8"


def test_a_match_can_be_replayed():
    done = run(
        "match",
        "reversi",
        *["--white", "1", "--black", "random", "--games", "2", "--seed", "5", "--plies", "30"],
    )
    *games, score = map(json.loads, done.stdout.splitlines())
    assert [game["players"]["white"] for game in games] == ["1", "random"]
    first, second = games
    assert first["start"] == second["start"]
    assert first["turns"][:4] == second["turns"][:4]
    for game in games:
        position = rules.load("reversi").parse(game["start"])
        for text in game["turns"]:
            position = position.play(position.parse_turn(text))
        assert game["result"] == "*" or position.outcome is not None
        assert game.keys() >= {"start", "turns", "result", "reason", "ms"}
    assert len(first["ms"]["white"]) == 3
    assert first["ms"]["black"] == []
    assert sum(score["score"]) == score["games"] == 2
    assert done.stderr.splitlines()[-1].startswith("2 of 2: ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("levels draughts", "no game 'draughts'"),
        ("best draughts", "no game 'draughts'"),
        ("best reversi -o power", "no option 'power'"),
        ("best realm -o power=3", "power of realm cannot be 3"),
        ("best reversi --level 8", "There is no level 8"),
        ("best reversi --level 0", "There is no level 0"),
        ("best reversi --level strong", "There is no level strong; levels are 1 to 7."),
        ("best reversi --position 4k3/8/8/8/8/8/8/4K3_w_-_-_0_1", "The game is over"),
        ("best reality-check -o dice=1 --position {roll}", "the dice decide"),
        ("match reversi --white 8 --black 1", "There is no level 8"),
        ("match reversi --white " + 5_000 * "9" + " --black 1", "There is no level 9"),
        ("match reversi --white strong --black 1", "'strong' is no player"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(arguments, told):
    game = rules.load("reality-check", dice=1)
    roll = game.start()
    while roll.awaited != "roll":
        roll = roll.play(next(roll.turns()))
    words = [
        str(roll) if word == "{roll}" else word.replace("_", " ") for word in arguments.split()
    ]
    done = run(*words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout


def test_of_a_position_that_is_none_all_is_said_that_is_wrong():
    done = run("best", "reversi", "--position", "8/8/8/8/8/8/8/8 w - - 0 1")
    assert done.exit_code == 2
    assert "This is no position of Reversi Chess:" in done.stderr
    assert "king" in done.stderr
