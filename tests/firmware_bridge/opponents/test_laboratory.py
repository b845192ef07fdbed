"""A laboratory: equals play each other over sets of options, and it is counted what came of it."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware_bridge.cli import main
from firmware_bridge.opponents.laboratory import Broken, Laboratory, all_sets, findings, rows
from tests.patience import until

USUAL = "{}"


def run(*arguments):
    return CliRunner().invoke(main, ["opponent", "laboratory", *arguments])


def game(number, result, length=40, odd=None, options=USUAL):
    played = {"number": number, "result": result, "length": length, "odd": odd or {}}
    return {"options": options, **played}


def test_a_laboratory_that_was_killed_goes_on_where_it_was_and_counts_nothing_twice(tmp_path):
    asked = ["reversi", "--player", "random", "--games", "6", "--plies", "20", "--seed", "L"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    first = run(*asked, "--results", str(whole))
    assert first.exit_code == 0, first.output
    lines = whole.read_text().splitlines()
    killed.write_text("\n".join([*lines[:3], lines[1]]) + "\n" + lines[3][:40])
    again = run(*asked, "--results", str(killed))
    assert again.stdout == first.stdout
    assert len(again.stderr.splitlines()) == 3
    assert sorted({*killed.read_text().splitlines()}) == sorted(lines)


def test_no_game_goes_on_when_the_laboratory_was_killed(tmp_path):
    results = tmp_path / "results"
    asked = ["opponent", "laboratory", "mockery", "--player", "random", "--games", "5000"]
    command = [sys.executable, "-m", "firmware_bridge", *asked, "--results", str(results)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as held:
        until(results.exists)
        workers = children(held.pid)
        held.kill()
    assert workers
    until(lambda: not any(map(runs, workers)))


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_process_that_dies_ends_the_laboratory_by_name():
    """Options that the game refuses break the first game off."""
    held = Laboratory("mockery", [{"free": True}], "random", 4, "D", 20)
    with pytest.raises(Broken, match=r"game 0 with the options \{\"free\": true\}"):
        list(held.run(held.experiments(), 1))


def test_games_under_other_conditions_and_nonsense_are_not_gone_on_with(tmp_path):
    results = tmp_path / "results"
    for line in ('{"game": "mockery"}', "[]", "nonsense"):
        results.write_text(line + "\n")
        done = run("reversi", "--player", "random", "--games", "2", "--results", str(results))
        assert done.exit_code == 2
        assert "not played under these conditions" in done.stderr
        assert results.read_text() == line + "\n"


def test_who_is_no_player_is_named_before_anything_is_played():
    assert "is no player; players are" in run("reversi", "--player", "nobody").stderr


@pytest.mark.parametrize(("game_id", "sets"), [("realm", 8), ("reality-check", 36), ("chess", 1)])
def test_every_set_of_options_that_a_game_takes_is_tried(game_id, sets):
    found = all_sets(rules.load(game_id))
    assert found[0] == {}
    texts = {str(rules.load(game_id, **options).start()) for options in found}
    assert len(found) == sets
    assert texts


@pytest.mark.parametrize(
    ("game_id", "kinds"),
    [("reversi", {"converting"}), ("realm", {"several-pieces"}),
     ("mockery", {"something-invisible"}), ("reality-check", {"flipping", "reality-checks"})],
)  # fmt: skip
def test_the_odd_rule_is_counted(game_id, kinds):
    held = Laboratory(game_id, [{}], "random", 2, "odd", 80)
    found = findings(map(held.play, held.experiments()))
    assert kinds <= {kind for one in found for kind in one.odd}


def test_what_came_out_is_told_with_its_interval():
    pairs = ["1-0", "0-1", "1-0", "1-0", "1/2-1/2", "*"]
    played = [game(n, result, odd={"converting": 2}) for n, result in enumerate(pairs)]
    (found,) = findings(played)
    assert found.share == pytest.approx(4 / 6)
    assert found.within == pytest.approx(1.96 * ((1 / 12) / 3) ** 0.5)
    assert rows([found])[1] == ["usual", "6", "66.7 ± 32.7", "67", "40", "2.0"]


def test_one_game_has_no_interval():
    assert rows(findings([game(0, "1-0")]))[1][2] == "100.0"


@given(st.lists(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]), min_size=4), st.randoms())
def test_neither_the_order_of_games_nor_one_told_twice_changes_what_came_out(results, random):
    played = [game(n, result) for n, result in enumerate(results)]
    mixed = [*played, random.choice(played)]
    random.shuffle(mixed)
    assert findings(mixed) == findings(played)
    assert 0 <= findings(played)[0].share <= 1


def test_the_usual_options_come_first_and_others_by_their_names():
    sets = [USUAL, json.dumps({"power": True}), json.dumps({"board": "advanced", "free": True})]
    found = findings([game(0, "1-0", options=text) for text in reversed(sets)])
    assert [row[0] for row in rows(found)] == [
        "options", "usual", "power", "board advanced, free"]  # fmt: skip


def test_the_page_and_the_docs_tell_what_was_measured():
    written = runpy.run_path("docs/laboratory_tables.py")
    played = written["measured"]()
    assert written["SUMMARY"].read_text(encoding="utf-8") == written["summary"](played)
    assert written["table"](played) in written["PAGE"].read_text(encoding="utf-8")
