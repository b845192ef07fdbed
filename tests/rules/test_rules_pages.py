"""The players' pages: every command on them prints what the page says it prints."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import rules
from firmware_bridge.cli import main
from rules.reasons import COMMON

PAGES = Path(__file__).parents[2] / "docs" / "rules"
EXAMPLES = [
    (page.name, command, output)
    for page in sorted(PAGES.glob("*.md"))
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("page", "command", "output"), EXAMPLES)
def test_examples_print_what_the_page_says(page, command, output):
    program, *arguments = shlex.split(command)
    assert program == "firmware-bridge", page
    printed = CliRunner().invoke(main, arguments).output
    if arguments == ["rules", "list"]:  # with a game more it is longer
        assert set(output.splitlines()) <= set(printed.splitlines())
    else:
        assert printed == output


def test_every_game_of_the_index_has_a_page_with_examples():
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    games = set(re.findall(r"^\| \[.*?\]\((.*?)\)", index, re.MULTILINE))
    assert len(games) >= 5
    assert games <= {page for page, _, _ in EXAMPLES}


def test_every_reason_is_documented():
    page = (PAGES.parent / "tables" / "reasons.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \|$", page, re.MULTILINE)
    owned = {game.name: game.own_reasons for game in rules.games().values()}
    for game, reasons in {"all": COMMON, **owned}.items():
        told = {code: sentence for code, sentence, of in rows if of == game}
        assert not told or told == reasons, game
    assert {"all", "Realm Chess", "Reality Check"} <= {game for _, _, game in rows}
