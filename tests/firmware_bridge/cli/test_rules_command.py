"""`firmware-bridge rules` through the real command."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware_bridge.cli import main

CONVERSION = "4k3/8/8/8/R1n1p3/3P4/8/4K3 w - - 0 1"


def run(*arguments):
    result = CliRunner().invoke(main, ["rules", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_as_a_real_process():
    done = subprocess.run(
        [sys.executable, "-m", "firmware_bridge", "rules", "perft", "reversi", "-d", "2"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "400\n", "")


def test_list_names_games_and_options():
    code, output = run("list")
    assert code == 0
    assert "mockery: Mockery Chess\n" in output
    assert "    dice = 0 | 1 | 2\n" in output
    assert "    board = basic | advanced\n" in output


def test_show_draws_the_position_and_tells_who_is_to_act():
    code, output = run("show", "mockery", "-p", "4k3/8/8/2pp4/8/8/8/3RK3 w - - 0 1 d5")
    assert code == 0
    assert "5  .  .  p (p) .  .  .  ." in output
    assert output.endswith("White to act.\n")


def test_show_hides_whose_piece_it_is_unless_asked():
    assert "8  R  N  B  Q  K  B  N  R" in run("show", "indistinguishable")[1]
    assert "8  r  n  b  q  k  b  n  r" in run("show", "indistinguishable", "--secrets")[1]


def test_show_tells_the_end():
    output = run("show", "reversi", "-p", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")[1]
    assert output.endswith("A draw: stalemate.\n")
    output = run("show", "reversi", "-p", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")[1]
    assert output.endswith("White has won: checkmate.\n")


def test_show_draws_holes_and_counts_hands_without_naming_them():
    code, output = run("show", "reality-check", "-o", "board=advanced")
    assert code == 0
    assert "White has 1 in hand." in output


def test_turns_lists_every_turn_once():
    code, output = run("turns", "reversi", "-p", CONVERSION)
    assert code == 0
    lines = output.splitlines()
    assert {"d3e4", "d3e4~a4"} <= set(lines)
    assert len(lines) == len(set(lines))


def test_turns_can_be_written_as_people_do():
    assert "dxe4~a4" in run("turns", "reversi", "-p", CONVERSION, "--written")[1].splitlines()


def test_perft_divides():
    lines = run("perft", "mockery", "-d", "2", "--divide")[1].splitlines()
    assert len(lines) == 21
    assert "e2e4 20" in lines
    assert lines[-1] == "400"


def test_options_reach_the_game():
    assert run("perft", "realm", "-o", "free")[1] == "362\n"
    assert run("perft", "realm", "-o", "free=false")[1] == "249\n"


@pytest.mark.parametrize("turn", ["d3e4~a4", "dxe4~a4"])
def test_check_says_what_a_legal_turn_leads_to(turn):
    code, output = run("check", "reversi", "-p", CONVERSION, turn)
    assert code == 0
    assert output == "legal: d3e4~a4\nthen:  4k3/8/8/8/R1N1P3/8/8/4K3 b - - 0 1\n"


def test_check_says_why_not():
    code, output = run("check", "reversi", "-p", "4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3c4")
    assert code == 1
    assert "not legal: exposes-king (e8). Your king would be attacked from e8." in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "draughts"], "There is no game 'draughts'"),
        (["show", "realm", "-o", "wide"], "realm has no option 'wide'"),
        (["show", "reality-check", "-o", "dice=7"], "dice of reality-check cannot be 7"),
        (["show", "reversi", "-p", "k7/8/8/8/8/8/8/8 w - - 0 1"], "no-king: white has no king"),
    ],
)
def test_a_mistake_gets_a_plain_message(arguments, words):
    code, output = run(*arguments)
    assert code == 2
    assert words in output
    assert "Traceback" not in output
